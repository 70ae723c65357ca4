"""The line to an SMTP server is cut behind each single byte, in both directions: each letter's fate is told truly."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal

import pytest

from nomicwolf.post.refusals import Away
from nomicwolf.post.smtp import Fate, Job, Wire, send
from tests.post.scripted import SmtpScript, smtp_server

pytestmark = pytest.mark.slow

Way = Literal["there", "back"]
JOBS = [Job(name, f"{name}@p.example", f"Subject: {name}\r\n\r\n.dot\r\n".encode()) for name in ("ash", "bex")]


@dataclass
class Line:
    """A line through *port* of loopback that carries *left* bytes each way, over all connections, and then breaks."""

    port: int = 0
    left: dict[Way, int] = field(default_factory=dict)

    def allow(self, way: Way, many: int) -> None:
        """Let so *many* bytes pass one *way*, and any number the other way."""
        self.left = {"there": 1 << 30, "back": 1 << 30, way: many}


def _pass(line: Line, way: Way, one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):  # whichever side goes first, both are closed
        while data := one.recv(65_536):
            passing = data[:line.left[way]]
            line.left[way] -= len(passing)
            other.sendall(passing)
            if len(passing) < len(data):
                break
    for end in (one, other):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def breaking(target: int) -> Iterator[Line]:
    """Carry everything to and from the port *target*, one connection after the other."""
    line = Line()
    line.allow("there", 1 << 30)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        line.port = listening.getsockname()[1]

        def serve() -> None:
            with suppress(OSError):  # the listening socket was shut
                while True:
                    client, _ = listening.accept()
                    with client, socket.create_connection(("127.0.0.1", target)) as server:
                        back = threading.Thread(target=_pass, args=(line, "back", server, client), daemon=True)
                        back.start()
                        _pass(line, "there", client, server)
                        back.join()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield line
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


def sent(port: int) -> tuple[list[str], dict[str, Fate]]:
    """Send both letters by one connection at a time; return which were begun, and what was said of each."""
    begun, fates = list[str](), dict[str, Fate]()
    wire = Wire("127.0.0.1", "w@x.example", "", "", port, "none", 5, 1)
    with suppress(Away):
        send(JOBS, wire, lambda job: begun.append(job.key), lambda job, fate, _: fates.update({job.key: fate}))
    return begun, fates


@pytest.mark.parametrize("way", ["there", "back"])
def test_the_line_is_cut_behind_each_byte(way: Way) -> None:
    """What is said to be sent was taken once; what was not begun, or waits, was not; what was begun is never unsaid."""
    script, seen = SmtpScript(), set[tuple[Fate | None, int]]()
    with smtp_server(script) as server, breaking(server) as line:
        assert set(sent(line.port)[1].values()) == {"sent"}
        for many in range((1 << 30) - line.left[way]):
            script.taken.clear()
            line.allow(way, many)
            begun, fates = sent(line.port)
            assert set(begun) <= set(fates), many
            for job in JOBS:
                copies = [to for to, _ in script.taken].count(job.recipient)
                seen.add((fates.get(job.key), copies))
                assert copies in {"sent": (1,), "unknown": (0, 1)}.get(fates.get(job.key, ""), (0,)), (job.key, many)
            assert all(data == job.data for job in JOBS for to, data in script.taken if to == job.recipient), many
    assert seen >= {("sent", 1), ("unknown", 0), ("later", 0), (None, 0)}
    assert (("unknown", 1) in seen) is (way == "back")
