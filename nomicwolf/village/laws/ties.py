"""Ties, broken by lot: the seed and the place of the draw decide, and the record tells how it was drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from nomicwolf.village.events import Announced, Drawn, Event
from nomicwolf.village.game import Game
from nomicwolf.village.lots import draw
from nomicwolf.village.words import listed


def most(game: Game, place: str, named: Iterable[str]) -> tuple[str, tuple[Drawn, ...]]:
    """Return the most frequent of *named*, and the lot if there was a tie; '' if nobody was named.

    The lot is drawn at *place*, which must be unlike any other of the session.
    """
    counts = Counter(named)
    if not counts:
        return "", ()
    top = max(counts.values())
    tied = sorted(name for name, n in counts.items() if n == top)
    return by_lot(game, place, tied)


def by_lot(game: Game, place: str, tied: Sequence[str]) -> tuple[str, tuple[Drawn, ...]]:
    """Return one of *tied*, drawn by lot if they are several, and the record of the draw."""
    if len(tied) == 1:
        return tied[0], ()
    seed = game.opened.seed if game.opened else ""
    (won,) = draw(seed, place, tied)
    return won, (Drawn(place, tuple(tied), (won,)),)


def public_lot(game: Game, place: str, tied: Sequence[str]) -> tuple[str, tuple[Event, ...]]:
    """Return one of *tied*, drawn by lot if they are several; the record of the draw, and that everyone is told."""
    won, drawn = by_lot(game, place, tied)
    words = f"It is a tie between {listed(tuple(tied))}; the lot falls on {won}."
    return won, (*drawn, Announced("a lot", words, (won,))) if drawn else ()
