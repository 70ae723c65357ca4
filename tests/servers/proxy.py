"""A proxy on loopback between the program and a real server, which spoils one line of what the server says."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Fault: TypeAlias = Literal["", "cut", "half", "mute", "late"]
FAULTS: tuple[Fault, ...] = ("cut", "half", "mute", "late")
"""The connection ends before the line, or in it; nothing more is said; the line comes late."""
DELAY = 0.2
PATIENCE = 10.0


@dataclass
class Spoiler:
    """Which line of the server's, counted over all connections, is spoiled, and how; *lines* counts what it said."""

    port: int = 0
    at: int = 0
    fault: Fault = ""
    lines: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    over: threading.Event = field(default_factory=threading.Event)

    def set(self, at: int = 0, fault: Fault = "") -> None:
        """Count anew, and spoil line *at* (0: none)."""
        with self.lock:
            self.at, self.fault, self.lines = at, fault, 0

    def next(self) -> Fault:
        """Count a line; return what is to be done to it."""
        with self.lock:
            self.lines += 1
            return self.fault if self.lines == self.at else ""


def _down(server: socket.socket, client: socket.socket, spoiler: Spoiler) -> None:
    """Carry what the server says, line by line."""
    with server.makefile("rb") as said:
        for line in said:
            fault = spoiler.next()
            if fault == "late":
                spoiler.over.wait(DELAY)
            elif fault == "half":
                client.sendall(line[: len(line) // 2])
            elif fault == "mute":
                spoiler.over.wait(PATIENCE)
            if fault not in ("", "late"):
                break
            client.sendall(line)


def _carry(client: socket.socket, spoiler: Spoiler, target: int) -> None:
    with client, socket.create_connection(("127.0.0.1", target)) as server:
        for end in (client, server):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def down() -> None:
            with suppress(OSError):  # whoever goes first, both sides are closed
                _down(server, client, spoiler)
            for end in (client, server):
                _shut(end)

        thread = threading.Thread(target=down, daemon=True)
        thread.start()
        with suppress(OSError):
            while data := client.recv(65_536):
                server.sendall(data)
        _shut(server)
        thread.join(PATIENCE)


def _shut(end: socket.socket) -> None:
    with suppress(OSError):  # it was closed already
        end.shutdown(socket.SHUT_RDWR)


@contextmanager
def between(target: int) -> Iterator[Spoiler]:
    """Listen on a port of loopback, and carry everything to and from the port *target*."""
    spoiler = Spoiler()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        spoiler.port = listening.getsockname()[1]

        def serve() -> None:
            while not spoiler.over.is_set():
                try:
                    client, _ = listening.accept()
                except OSError:
                    return
                threading.Thread(target=_carry, args=(client, spoiler, target), daemon=True).start()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield spoiler
        spoiler.over.set()
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE)
