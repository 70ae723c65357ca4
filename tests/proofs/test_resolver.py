"""The keys of domains from a name server on loopback: each is asked for once, and none when a run's time is up."""

from __future__ import annotations

from itertools import chain, repeat

from nomicwolf.proofs.resolver import Resolver
from tests.servers.nameserver import nameserver

NAME = "s._domainkey.players.example"
ZONE = {NAME: {"TXT": ['"v=DKIM1; " "p=abc"']}}


def test_a_record_is_one_text_and_asked_for_once() -> None:
    """RFC 6376 3.6.2.2: its texts are joined; what isn't there is None, and that is kept, too."""
    with nameserver(ZONE) as (address, asked):
        lookup = Resolver((address,))

        assert [lookup(NAME), lookup(NAME), lookup("no.example"), lookup("no.example")] == [
            b"v=DKIM1; p=abc", b"v=DKIM1; p=abc", None, None]
        assert asked == [NAME, "no.example"]


def test_no_question_is_asked_when_the_time_of_the_run_is_up() -> None:
    """Questions that took 11 of 10 seconds leave none for another; what is known already is still told."""
    with nameserver(ZONE) as (address, asked):
        lookup = Resolver((address,), 10, clock=chain([0, 4, 4, 11], repeat(11)).__next__)

        assert lookup(NAME) == b"v=DKIM1; p=abc"
        assert lookup("one.example") is lookup("two.example") is None
        assert lookup(NAME) == b"v=DKIM1; p=abc"
        assert asked == [NAME, "one.example"]
