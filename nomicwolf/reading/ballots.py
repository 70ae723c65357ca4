"""A ballot from text: the canonical form, and the many ways in which people write it (NC 3)."""

from __future__ import annotations

from typing import cast

from nomicwolf.reading.bygrammar import by_grammar
from nomicwolf.reading.deeds import People
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.limits import LIMITS, Limits
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.text import clean
from nomicwolf.reading.times import Clock
from nomicwolf.village.ballots import Ballot

__all__ = ["BallotError", "read_ballot"]


def read_ballot(
    text: str, people: People, instant: int = 0, day_began: int | None = None, limits: Limits = LIMITS,
) -> Ballot:
    """The ballot that *text* says; BallotError (with its problem, place and hint) when it says none.

    *instant* is the letter's, *day_began* the day phase's beginning, UTC seconds: relative times are turned by
    them. A vote for the voter emself, the dead or a known stranger is a ballot here; a letter's reader refuses
    it, the calculator makes it null (D-N27).
    """
    return book_ballot(text, NameBook(people), Clock(instant, day_began), limits)


def book_ballot(text: str, book: NameBook, clock: Clock, limits: Limits = LIMITS) -> Ballot:
    """`read_ballot` with the names already entered."""
    return cast(Ballot, by_grammar(clean(text), "ballot", book, clock, limits))
