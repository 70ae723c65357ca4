"""Ctrl-C: a command ends at once and says so in a line, wherever it was; the next run goes on."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.terminal import MAIN, spawn
from tests.run.world import running_world
from tests.servers.here import PATIENCE, wait_until

pytestmark = pytest.mark.slow

ENDED = (130, b"", b"nomicwolf: stopped\n")
AT_AN_IMPORT = """
import sys
class Finder:
    def find_spec(self, name, *_):
        if name == "nomicwolf.post.imap":
            {then}
sys.meta_path.insert(0, Finder())
"""
"""A program that does something when a poll begins to look into its mailbox."""
STOP = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
DROPPED = f"""
class Last:
    def __del__(self):
        {STOP}
"""
"""Something that stops the process when it is thrown away: what that raises, Python drops."""
BESIDE = """
import os, signal, sys, threading
def beside():
    sys.stdin.readline()
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)
threading.Thread(target=beside, daemon=True).start()
"""
"""A thread that takes the signal, so that the main one waits on: as if it had come right before the wait began."""


def _sleeps(pid: int) -> bool:
    """Whether the process waits for something, and is not on its way there (proc(5))."""
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    return stat.rpartition(")")[2].split()[0] == "S"


@pytest.mark.parametrize("words", [("poll",), ("poll", "--verbose")])
def test_a_poll_that_is_about_to_wait_for_a_server(words: tuple[str, ...], tmp_path: Path) -> None:
    """However it is given; a traceback was all that whoever stopped it got, or nothing at all."""
    with running_world(tmp_path) as world, socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(PATIENCE)
        world.read_by_imap(silent.getsockname()[1])
        process = spawn("-C", str(tmp_path), *words)
        accepted, _ = silent.accept()
        with accepted:
            process.send_signal(signal.SIGINT)
            out, said = process.communicate(timeout=PATIENCE)

    assert (process.returncode, out, said) == ENDED


@pytest.mark.parametrize("program", [
    AT_AN_IMPORT.format(then=STOP), DROPPED + AT_AN_IMPORT.format(then="Last()"), BESIDE])
def test_a_signal_that_comes_when_nothing_can_be_raised(program: str, tmp_path: Path) -> None:
    """While a module is imported, in a destructor, and right before a wait: in the last two it is said again."""
    with running_world(tmp_path) as world, socket.create_server(("127.0.0.1", 0)) as silent:
        world.read_by_imap(silent.getsockname()[1])
        with subprocess.Popen(
            [sys.executable, "-c", program + MAIN, "-C", str(tmp_path), "poll"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as process:
            if program == BESIDE:
                silent.settimeout(PATIENCE)
                with silent.accept()[0]:
                    wait_until("the poll to wait for the server", lambda: _sleeps(process.pid))
                    out, said = process.communicate(b"\n", timeout=PATIENCE)
            else:
                out, said = process.communicate(timeout=PATIENCE)

    assert (process.returncode, out, said) == ENDED
