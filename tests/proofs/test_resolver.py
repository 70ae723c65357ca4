"""The keys of domains from a name server on loopback: each is asked for once, and none when a run's time is up."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, repeat
from threading import Thread

import dns.message
import dns.rcode
import dns.rrset

from nomicwolf.proofs.resolver import Resolver

NAME = "s._domainkey.players.example"


@contextmanager
def server() -> Iterator[tuple[str, list[str]]]:
    """Serve one TXT record, of two texts; give the server's address, and the names that it was asked for."""
    asked: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.bind(("127.0.0.1", 0))

        def serve() -> None:
            while (data := line.recvfrom(4096))[0] != b"end":
                query = dns.message.from_wire(data[0])
                answer = dns.message.make_response(query)
                name = query.question[0].name
                asked.append(str(name).rstrip("."))
                if asked[-1] == NAME:
                    answer.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", '"v=DKIM1; " "p=abc"'))
                else:
                    answer.set_rcode(dns.rcode.NXDOMAIN)
                line.sendto(answer.to_wire(), data[1])

        thread = Thread(target=serve)
        thread.start()
        try:
            yield f"127.0.0.1:{line.getsockname()[1]}", asked
        finally:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
                last.sendto(b"end", line.getsockname())
            thread.join()


def test_a_record_is_one_text_and_asked_for_once() -> None:
    """RFC 6376 3.6.2.2: its texts are joined; what isn't there is None, and that is kept, too."""
    with server() as (address, asked):
        lookup = Resolver((address,))

        assert [lookup(NAME), lookup(NAME), lookup("no.example"), lookup("no.example")] == [
            b"v=DKIM1; p=abc", b"v=DKIM1; p=abc", None, None]
        assert asked == [NAME, "no.example"]


def test_no_question_is_asked_when_the_time_of_the_run_is_up() -> None:
    """Questions that took 11 of 10 seconds leave none for another; what is known already is still told."""
    with server() as (address, asked):
        lookup = Resolver((address,), 10, clock=chain([0, 4, 4, 11], repeat(11)).__next__)

        assert lookup(NAME) == b"v=DKIM1; p=abc"
        assert lookup("one.example") is lookup("two.example") is None
        assert lookup(NAME) == b"v=DKIM1; p=abc"
        assert asked == [NAME, "one.example"]
