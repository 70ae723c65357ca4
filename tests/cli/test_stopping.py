"""Ctrl-C: a command ends at once and says so in a line; the next run goes on."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import pytest

from tests.cli.terminal import spawn
from tests.run.world import running_world
from tests.servers.here import wait_until


def _sleeps(pid: int) -> bool:
    """Whether the process waits for something, and is not on its way there (proc(5); True where there is none)."""
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text(encoding="ascii").rpartition(")")[2].split()[0] == "S"


@pytest.mark.parametrize("words", [("poll",), ("poll", "--verbose")])
def test_a_poll_that_waits_for_a_server(words: tuple[str, ...], tmp_path: Path) -> None:
    """However it is given; a traceback was all that whoever stopped it got."""
    with running_world(tmp_path) as world, socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(30)
        world.read_by_imap(silent.getsockname()[1])
        process = spawn("-C", str(tmp_path), *words)
        accepted, _ = silent.accept()
        with accepted:
            wait_until("the poll to wait for the server", lambda: _sleeps(process.pid))
            process.send_signal(signal.SIGINT)
            out, said = process.communicate(timeout=30)

    assert (process.returncode, out, said) == (130, b"", b"nomicwolf: stopped\n")
