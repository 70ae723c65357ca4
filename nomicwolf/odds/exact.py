"""Exact odds by dynamic programming: each day one of the living is lynched by lot, each night one outsider killed.

A lot may fall on anyone, oneself included. A pack has no reason not to kill, and without roles all its choices are
alike.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from nomicwolf.village.rules import Course


def chances(evil: int, good: int, course: Course) -> Fraction:
    """Return the probability that the good side wins with so many *evil* and *good* players.

    >>> chances(1, 6, Course())
    Fraction(19, 35)
    """
    return (_night if course.night_first else _day)(evil, good, course.parity, course.least)


def over(evil: int, good: int, parity: bool) -> Fraction | None:
    """Return who has won: 1 for the good side, 0 for the evil, None while neither has.

    With *parity* evil wins as soon as it is no fewer; without, only when no good player is left.
    """
    if not evil:
        return Fraction(1)
    return Fraction(0) if (evil >= good if parity else not good) else None


@lru_cache(maxsize=4096)
def _day(evil: int, good: int, parity: bool, least: int) -> Fraction:
    won = over(evil, good, parity)
    if won is not None:
        return won
    everyone = evil + good
    if everyone < least:
        return _night(evil, good, parity, least)
    return (Fraction(evil, everyone) * _night(evil - 1, good, parity, least)
            + Fraction(good, everyone) * _night(evil, good - 1, parity, least))


def _night(evil: int, good: int, parity: bool, least: int) -> Fraction:
    won = over(evil, good, parity)
    return won if won is not None else _day(evil, good - 1, parity, least)
