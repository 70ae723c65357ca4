"""Ctrl-C: a command ends at once and says so in a line; the next run goes on."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import pytest

from tests.cli.terminal import spawn
from tests.run.world import running_world


@pytest.mark.parametrize("words", [("poll",), ("poll", "--verbose")])
def test_a_poll_that_waits_for_a_server(words: tuple[str, ...], tmp_path: Path) -> None:
    """However it is given; a traceback was all that whoever stopped it got."""
    with running_world(tmp_path) as world, socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(30)
        world.read_by_imap(silent.getsockname()[1])
        process = spawn("-C", str(tmp_path), *words)
        accepted, _ = silent.accept()
        with accepted:
            process.send_signal(signal.SIGINT)
            out, said = process.communicate(timeout=30)

    assert (process.returncode, out, said) == (130, b"", b"nomicwolf: stopped\n")
