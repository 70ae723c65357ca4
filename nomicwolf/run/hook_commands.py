"""The contestmaster's own commands, run by polls."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nomicwolf.run.run_report import LATER, NEEDS_YOU

_TAIL = 4096
_SHOWN = 200
_USER = re.compile(r"(?<=://)[^/\s@]*@|(?<=\?)\S+")
"""A possible password in an address that a command prints."""


class HookFailed(Exception):
    """The command did not do its work; its text says why, and what to do."""

    def __init__(self, said: str, status: int = LATER) -> None:
        self.status = status
        super().__init__(said)


def run_hook(key: str, command: Sequence[str], folder: Path, seconds: int) -> None:
    """Run the *command* of the setting *key* in *folder*; `HookFailed` if it fails or takes more than *seconds*.

    No shell reads it, and it gets none of the program's own variables, some of which are passwords.
    """
    program, *_ = command
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NOMICWOLF_")}
    with tempfile.TemporaryFile() as output:
        try:
            started = subprocess.Popen(  # noqa: S603 - the contestmaster's own command
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        except OSError as error:
            mend = "install it, or name it by its path"
            raise HookFailed(f"{key}: {program}: {error.strerror}; {mend}", NEEDS_YOU) from error
        try:
            status = started.wait(seconds)
        except subprocess.TimeoutExpired as error:
            table = key.partition(".")[0]
            raise HookFailed(f"{key}: {program} took more than {seconds} seconds and was stopped; let it do less, or "
                            f"raise {table}.timeout") from error
        finally:
            _stop(started)
        if status:
            how = f"ended with status {status}" if status > 0 else f"was ended by signal {-status}"
            raise HookFailed(f"{key}: {program} {how}{_last_line(output.fileno())}")


def _stop(started: subprocess.Popen[bytes]) -> None:
    """End a command that still runs, with all that it has started."""
    if started.poll() is None:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()


def _last_line(output: int) -> str:
    """Return the last line that a command has printed, without what may be a password; '' if it printed nothing."""
    size = os.fstat(output).st_size
    text = os.pread(output, _TAIL, max(0, size - _TAIL)).decode("utf-8", "replace")
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return ""
    return ": " + "".join(c if c.isprintable() else " " for c in _USER.sub("…", lines[-1].strip()))[:_SHOWN]
