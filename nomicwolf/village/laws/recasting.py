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
    game: Game, town: Town, voted: Voted | None, at: int, spared: tuple[str, ...] = ()
) -> tuple[int, Sequence[Event]] | None:
    """Count the day again with *voted*, cast at *at* but heard only now; *town* is the public record now.

    It is counted from its beginning, or, where a lynching has left the vote open, from that (D-N12), which stands. None
    for *voted*: nothing but that lynching is new. Votes of those who are *spared* for each other are null (D-N16).
    Returns the instant of a lynching that it brings about, with the events; None if it brings none.
    """
    stands = max((e.at for e in game.lines_now(Lynched)), default=0)
    news = [e for kind in (Killed, Disclosed, Published) for e in game.lines_now(kind) if e.at > stands]
    casts = [_cast(e.at, e.event) for e in game.lines_now(Voted) if isinstance(e.event, Voted)]
    casts = sorted([*casts, _cast(at, voted)] if voted else casts, key=lambda cast: cast.key)
    standing = {cast.who: cast.ballot for cast in casts if cast.key[0] <= stands}
    outcome = replay_day(_town_then(game, town, stands), [cast for cast in casts if cast.key[0] > stands],
                         map(_record, news), game.clock, spared=spared, standing=standing)
    if outcome.at is None or outcome.lynched is None:
        return None
    void = [Voided(v.cast.who, v.cast.key[0], outcome.at) for v in outcome.void if v.why == "over"]
    return outcome.at, [*([Recounted(voted.who, at)] if voted else []), Lynched(outcome.lynched), *void]


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


def _town_then(game: Game, town: Town, stands: int) -> Town:
    """Return *town* as it was with the lynching that *stands* at that instant, or when the day began if that is 0."""
    died = {e.event.who for e in game.lines_now(Killed) if isinstance(e.event, Killed) and e.at > stands}
    return replace(
        town, living=tuple(p for p in game.seats if p in game.alive or p in died),
        dead=tuple(p for p in town.dead if p not in died), now=max(stands, game.began),
        disclosed={told.who: told.what for told in _known(game, Disclosed, stands)},
        facts={fact.text: fact.value for fact in _known(game, Published, stands)})


def _known(game: Game, kind: type[E], stands: int) -> list[E]:
    """Return the events of *kind* before the present phase, and in it up to the instant *stands*, oldest first."""
    later = sum(e.at > stands for e in game.lines_now(kind))
    ever = game.ever(kind)
    return ever[: len(ever) - later]
