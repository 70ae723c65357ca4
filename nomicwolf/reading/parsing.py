"""Text to a value: the plainest deeds at a glance, everything else by the grammar, which is loaded when needed."""

from __future__ import annotations

from nomicwolf.reading.kinds import PUBLIC_DEEDS
from nomicwolf.reading.limits import LIMITS, Limits
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.plainly import plain_deed
from nomicwolf.reading.text import Clean
from nomicwolf.reading.times import Clock


def parse(clean: Clean, start: str, book: NameBook, clock: Clock, limits: Limits = LIMITS,
          goes_on: frozenset[str] = PUBLIC_DEEDS) -> object:
    """The value of *clean* as *start* (``ballot``, ``condition`` or ``deeds``); BallotError says where it stopped."""
    plain = plain_deed(clean.text, book) if start == "deeds" else None
    if plain is not None:
        return plain
    from nomicwolf.reading.bygrammar import by_grammar

    return by_grammar(clean, start, book, clock, limits, goes_on)
