"""How certain the author of a letter is: levels in rising order (docs/settings.md, assurance)."""

from __future__ import annotations

from typing import get_args

from nomicwolf.letters.letter import Assurance

LEVELS: tuple[Assurance, ...] = get_args(Assurance)


def reaches(level: str, needed: str) -> bool:
    """Return whether *level* is at least *needed*.

    >>> reaches("signed", "forum"), reaches("confirmed", "openpgp")
    (True, False)
    """
    return _place(level) >= _place(needed)


def higher(one: Assurance, other: Assurance) -> Assurance:
    """Return the higher of two levels."""
    return max(one, other, key=LEVELS.index)


def _place(level: str) -> int:
    """Return where a level stands; ValueError for a word that is none."""
    return [str(each) for each in LEVELS].index(level)
