"""What the servers' fixtures share: programs, ports, folders, waiting."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PATIENCE = 300.0
"""Seconds until what is awaited counts as lost: on a machine with much to do, a process takes a minute to begin."""
NAP = 0.02


def program(name: str, packages: str) -> str:
    """Return the path of the program *name*, or skip the test and say which Debian *packages* bring it."""
    found = shutil.which(name, path=os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed: as root, apt-get install {packages}")
    return found


def loopbacks() -> tuple[str, ...]:
    """Return the addresses of this machine on loopback: not each has IPv6."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return ("127.0.0.1",)
    return "127.0.0.1", "::1"


def free_ports(number: int) -> list[int]:
    """Return ports of 127.0.0.1 on which nothing listens at this moment."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    try:
        return [s.getsockname()[1] for s in sockets]
    finally:
        for s in sockets:
            s.close()


@contextmanager
def short_folder(prefix: str) -> Iterator[Path]:
    """Make a folder of a server's own, and remove it afterwards.

    Not pytest's: unix sockets live in it, whose paths hold 108 bytes at most (unix(7)), and the servers' own users
    must be able to reach it, while pytest's folders are 0700.
    """
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wait_until(what: str, holds: Callable[[], bool]) -> None:
    """Return as soon as *holds* does; TimeoutError names *what* was awaited in vain."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {PATIENCE:.0f} seconds for {what}")
        time.sleep(NAP)


def greets(port: int, greeting: bytes) -> bool:
    """Return whether what listens on *port* begins with *greeting*."""
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as connection:
            return connection.recv(len(greeting)) == greeting
    except OSError:
        return False
