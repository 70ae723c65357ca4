"""Where a letter has ended by the rulings on it: one that was held, released, and came too late then, is held again."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from nomicwolf.nomic.events import DeedHeard, LetterReleased
from nomicwolf.village.events import Entry


def ended_in(first: str, letter: int, since: Iterable[Entry], before: int) -> str:
    """Return the bucket of a letter at the entry *before*: its *first* one, until it is released.

    *letter* is the number of its own entry, and *since* are the entries after that.
    """
    came = list(takewhile(lambda e: e.number < before, since))
    if not any(isinstance(e.event, LetterReleased) and e.event.letter == letter for e in came):
        return first
    return "deeds" if any(isinstance(e.event, DeedHeard) and e.event.letter == letter for e in came) else "no-deed"
