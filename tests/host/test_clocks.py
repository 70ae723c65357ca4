"""Clocks that are set while workers work: contests go on being looked at."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from tests.host.hosted import Host, until

PROGRAM = """
import sys, time
from pathlib import Path
real, leap = time.time, Path(sys.argv[1])
time.time = lambda: real() + (int(leap.read_text()) if leap.exists() else 0)
from nomicwolf.cli.main import main
main(sys.argv[2:])
"""
"""A worker on a machine whose clock is ahead by as many seconds as a file says."""


def ticks(host: Host) -> int:
    """Return the instant of the latest tick that was put into the queue (UTC seconds), 0 if none was yet."""
    found = host.ask("SELECT defer_timestamp FROM procrastinate_periodic_defers ORDER BY id DESC LIMIT 1")
    return int(found[0][0]) if found else 0


@pytest.mark.parametrize("seconds", [-3600, 86_400])
def test_ticks_go_on_when_the_clock_is_set(host: Host, seconds: int) -> None:
    """Set back, the hour isn't waited for until it has passed again; set forward, no tick between is made up for."""
    leap = host.folder / "leap"
    with host.log_file("w1").open("ab") as log:
        worker = subprocess.Popen([sys.executable, "-c", PROGRAM, str(leap), "-C", str(host.folder), "host", "worker"],
                                  stderr=log, stdout=log, cwd=host.folder)
    host.running.append(worker)
    until("a tick", lambda: ticks(host))
    before = ticks(host)
    leap.write_text(str(seconds))
    until("a tick of the new time", lambda: abs(ticks(host) - before - seconds) < 1800, lambda: host.log("w1"))
    assert worker.poll() is None
    assert "the clock was set" in [line["event"] for line in host.log("w1")]
    assert {line["worker"] for line in host.log("w1")} == {f"{socket.gethostname()}-{worker.pid}"}
