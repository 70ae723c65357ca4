"""Letters out over a line of 40 ms (both ways together): our pool of connections, beside smtplib on one."""

from __future__ import annotations

import asyncio
import smtplib
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from benchmarks._harness import Against, Effort, Row, compare, wall
from nomicwolf.post.smtp import Job, Wire, send
from tests.servers.here import free_ports

DELAY = 0.020
"""Seconds each way."""
SIZES = (50, 150, 500)
RECIPIENTS = 50
CONNECTIONS = 32
FEW = 12
"""How many letters the peer sends, since it takes six round trips or so for each."""


class Taking:
    """A server that keeps which letter came to whom, in order."""

    def __init__(self) -> None:
        self.came: dict[str, list[int]] = {}

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's
        """Take it."""
        assert isinstance(envelope.content, bytes)
        self.came.setdefault(envelope.rcpt_tos[0], []).append(int(envelope.content.split()[1]))
        return "250 OK"


def rows(effort: Effort) -> Iterator[Row]:
    """Rounds of up to 500 letters to fifty recipients; that each one's come in order is checked."""
    taking, (server, line) = Taking(), free_ports(2)
    controller = Controller(taking, hostname="127.0.0.1", port=server)
    controller.start()
    try:
        with delayed(line, server):
            for size in SIZES[: effort.sizes]:
                yield from compare(
                    "sending", "seconds a letter", size,
                    {"ours": wall(lambda size=size: ours(line, size, taking), size),  # type: ignore[misc]
                     "smtplib": wall(lambda: one_by_one(line), FEW)},
                    [Against("smtplib", ">=", 15)], Effort(3, effort.seconds))
    finally:
        controller.stop()


def ours(port: int, size: int, taking: Taking) -> None:
    """Send a round through the pool; RuntimeError if one recipient's letters came out of order, or not all."""
    taking.came.clear()
    jobs = [Job(str(n), f"r{n % RECIPIENTS}@players.test", b"Number: %d\r\n\r\nA letter.\r\n" % n) for n in range(size)]
    wire = Wire("127.0.0.1", "wolf@contest.test", port=port, security="none", connections=CONNECTIONS)
    send(jobs, wire, lambda _: None, lambda *_: None)
    if sum(map(len, taking.came.values())) != size or any(sorted(each) != each for each in taking.came.values()):
        raise RuntimeError("letters to one recipient came out of order, or not at all")


def one_by_one(port: int) -> None:
    """Send a few through one connection."""
    with smtplib.SMTP("127.0.0.1", port) as client:
        for number in range(FEW):
            client.sendmail("wolf@contest.test", ["ash@players.test"], b"Number: %d\r\n\r\nA letter.\r\n" % number)


@contextmanager
def delayed(port: int, server: int) -> Iterator[None]:
    """Forward *port* to *server*, each way `DELAY` seconds late, in a thread of its own."""
    loop = asyncio.new_event_loop()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            loop.call_later(DELAY, writer.write, data)
        loop.call_later(DELAY, writer.close)

    async def joined(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", server)
        await asyncio.gather(carry(reader, back), carry(there, writer), return_exceptions=True)

    proxy = loop.run_until_complete(asyncio.start_server(joined, "127.0.0.1", port))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(proxy.close)
        loop.call_later(3 * DELAY, loop.stop)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
