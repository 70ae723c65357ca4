"""Ballots that come in late: the day is counted again from its beginning, in event time (NC 3, D-V9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from nomicwolf.village.dayreplay import Cast, Record, replay_day
from nomicwolf.village.events import Disclosed, Entry, Event, Killed, Lynched, Published, Recounted, Voided, Voted
from nomicwolf.village.game import Game
from nomicwolf.village.town import Town

E = TypeVar("E", bound=Event)
RECORD, MESSAGE = 1, 2


def recast(
    game: Game, town: Town, voted: Voted, at: int, spared: tuple[str, ...] = ()
) -> tuple[int, Sequence[Event]] | None:
    """Count the day again with *voted*, cast at *at* but heard only now; *town* is the public record now.

    Votes of those who are *spared* for each other are null (D-N16). Returns the instant of a lynching that it brings
    about, with the events; None if it brings none, or if somebody has been lynched on this day already.
    """
    if game.now(Lynched):
        return None
    news = [e for kind in (Killed, Disclosed, Published) for e in game.lines_now(kind)]
    casts = [_cast(e.at, e.event) for e in game.lines_now(Voted) if isinstance(e.event, Voted)]
    outcome = replay_day(_at_daybreak(game, town), [*casts, _cast(at, voted)], map(_record, news), game.clock,
                         spared=spared)
    if outcome.at is None or outcome.lynched is None:
        return None
    void = [Voided(v.cast.who, v.cast.key[0], outcome.at) for v in outcome.void if v.why == "over"]
    return outcome.at, [Recounted(voted.who, at), Lynched(outcome.lynched), *void]


def _cast(at: int, voted: Voted) -> Cast:
    return Cast((at, MESSAGE, *voted.key), voted.who, voted.ballot)


def _record(entry: Entry) -> Record:
    """Return what *entry* made public, as the counting of a day takes it."""
    key = (entry.at, RECORD, entry.number)
    match entry.event:
        case Killed(who, _):
            return Record(key, dead=(who,))
        case Disclosed(who, what):
            return Record(key, disclosed={who: what})
        case Published(text, value):
            return Record(key, facts={text: value})
        case _:
            return Record(key)


def _at_daybreak(game: Game, town: Town) -> Town:
    """Return *town* as it was when the day began: without what has become public since."""
    died = {death.who for death in game.now(Killed)}
    return replace(
        town, living=tuple(p for p in game.seats if p in game.alive or p in died),
        dead=tuple(p for p in town.dead if p not in died), now=game.began,
        disclosed={told.who: told.what for told in _before(game, Disclosed)},
        facts={fact.text: fact.value for fact in _before(game, Published)})


def _before(game: Game, kind: type[E]) -> list[E]:
    """Return the events of *kind* before the present phase, oldest first."""
    ever = game.ever(kind)
    return ever[: len(ever) - len(game.now(kind))]
