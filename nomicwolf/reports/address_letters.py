"""The two letters by which a change of address is confirmed, each with a word that the other doesn't have."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Sequence
from hashlib import sha256
from hmac import new as keyed

from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.care import AddressAsked
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.views import tag_of
from nomicwolf.village.events import Entry


def token(setup: Setup, entry: int, asked: AddressAsked, side: str) -> str:
    """Return the word that confirms *side* (``old``, ``new``) of the change in *entry*: 50 bits only we can make."""
    words = f"nomicwolf address 1\n{setup.contest}\n{entry}\n{asked.who}\n{asked.address}\n{side}\n"
    word = b32encode(keyed(setup.secret, words.encode(), sha256).digest())[:10].decode()
    return f"{word[:5]}-{word[5:]}"


def address_letters(contest: Contest, entries: Sequence[Entry], prose: Prose, now: int) -> tuple[Outgoing, ...]:
    """Return two letters for each change of address that is asked for in *entries*: one to either address."""
    setup = contest.setup
    out: list[Outgoing] = []
    for entry in entries:
        if isinstance(asked := entry.event, AddressAsked):
            for side, address in (("old", contest.address_of(asked.who)), ("new", asked.address)):
                body = prose.text("address", who=asked.who, address=asked.address, name=setup.name,
                                  token=token(setup, entry.number, asked, side), home=setup.address)
                subject = f"[{tag_of(setup)}] session {contest.session}: your private note"
                out.append(Outgoing(
                    f"s{contest.session}/e{entry.number}/address/{side}", "private", subject, body + "\n", now,
                    to=address, person=asked.who))
    return tuple(out)
