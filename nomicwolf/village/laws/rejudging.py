"""Verdicts that come in late: the vote is weighed again, moment by moment, from their own instant on (D-A8, D-V9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TypeAlias, TypeVar

from nomicwolf.village.ballots import Nobody
from nomicwolf.village.events import Disclosed, Entry, Event, Killed, Lynched, Published, Recounted, Voided, Voted
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import cast_order, voted
from nomicwolf.village.laws.verdicts import GUILTY, VERDICTS, ballots_of_stage, town_with
from nomicwolf.village.pinning import thresholds
from nomicwolf.village.resolution import resolve
from nomicwolf.village.town import Town

E = TypeVar("E", bound=Event)
CLOCK, RECORD, MESSAGE = 0, 1, 2
Moment: TypeAlias = tuple[int, int, tuple[int, tuple[int, ...], int]]
"""When (UTC seconds), of which class, and the place among those of that class; the clock comes first in a second."""


def rejudge(game: Game, who: str, verdict: Voted, at: int) -> tuple[int, Sequence[Event]] | None:
    """Return the conviction of *who* that *verdict*, cast at *at* and heard only now, brings about, and its instant.

    None if it brings none about. Verdicts that were given after that instant are void. With it are weighed those that
    came in late right before it.
    """
    new = Entry(game.next, at, verdict)
    cast = sorted([*ballots_of_stage(game), new], key=cast_order)
    named = {t for entry in cast for t in thresholds(voted(entry).ballot) if t <= game.clock}
    known = [_moment(e) for kind in (Killed, Disclosed, Published) for e in game.lines_now(kind)]
    moments = sorted([*map(_moment, cast), *known, *((t, CLOCK, (t, (), 0)) for t in named)])
    before = takewhile(lambda e: voted(e).overtakes, reversed(game.lines_now(Voted)))
    for moment in moments[moments.index(min(map(_moment, (new, *before)))):]:
        given = [entry for entry in cast if _moment(entry) <= moment]
        if _convicts(_town_then(game, moment), given):
            over = [Voided(voted(entry).who, entry.at, moment[0]) for entry in cast[len(given):]]
            return moment[0], [Recounted(verdict.who, at), *over, Lynched(who)]
    return None


def _moment(entry: Entry) -> Moment:
    if isinstance(entry.event, Voted):
        return entry.at, MESSAGE, cast_order(entry)
    return entry.at, RECORD, (entry.at, (), entry.number)


def _convicts(town: Town, given: Sequence[Entry]) -> bool:
    """Return whether the verdicts *given* are a majority of those who live in *town*."""
    last = {voted(entry).who: voted(entry).ballot for entry in given}
    ballots = {who: b for who, b in last.items() if who in town.seats and not isinstance(b, Nobody)}
    table = resolve(town, ballots)
    return [table.values.get(who) for who in town.living].count(GUILTY) >= town.majority


def _town_then(game: Game, moment: Moment) -> Town:
    """Return the public record of *moment*, with the verdicts, without what has become public since."""
    town = town_with(game, VERDICTS, moment[0])
    died = {death.who for death in game.now(Killed)} - {death.who for death in _up_to(game, Killed, moment)}
    return replace(
        town, living=(*(p for p in game.seats if p in game.alive or p in died), *VERDICTS),
        dead=tuple(p for p in town.dead if p not in died),
        disclosed={told.who: told.what for told in _up_to(game, Disclosed, moment)},
        facts={fact.text: fact.value for fact in _up_to(game, Published, moment)})


def _up_to(game: Game, kind: type[E], moment: Moment) -> list[E]:
    """Return the events of *kind* until *moment*, oldest first."""
    return [e for entry, e in zip(game.lines(kind), game.ever(kind), strict=True) if _moment(entry) <= moment]
