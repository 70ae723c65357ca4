"""A name server on loopback that knows one zone, for tests of what is asked of the DNS."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Thread

import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

Zone = Mapping[str, Mapping[str, Sequence[str]]]
"""Names to kinds to records, each as a zone's file has it."""


def answered(data: bytes, zone: Zone | None, asked: list[str]) -> bytes:
    """Return the answer to one question; without a zone the server fails (SERVFAIL)."""
    query = dns.message.from_wire(data)
    answer = dns.message.make_response(query)
    question = query.question[0]
    name, kind = str(question.name).rstrip(".").lower(), dns.rdatatype.to_text(question.rdtype)
    asked.append(name)
    if zone is None:
        answer.set_rcode(dns.rcode.SERVFAIL)
    elif name not in zone:
        answer.set_rcode(dns.rcode.NXDOMAIN)
    elif found := zone[name].get(kind):
        answer.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *found))
    return answer.to_wire()


@contextmanager
def nameserver(zone: Zone | None) -> Iterator[tuple[str, list[str]]]:
    """Serve *zone*; give the server's address, and the names that it was asked for."""
    asked: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.bind(("127.0.0.1", 0))

        def serve() -> None:
            while (data := line.recvfrom(4096))[0] != b"end":
                line.sendto(answered(data[0], zone, asked), data[1])

        thread = Thread(target=serve)
        thread.start()
        try:
            yield f"127.0.0.1:{line.getsockname()[1]}", asked
        finally:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
                last.sendto(b"end", line.getsockname())
            thread.join()
