"""Votes on one person: guilty or innocent.

They may be plain, endorsing or conditional. A late verdict has the vote weighed again, moment by moment, from its own
instant on (D-A8, D-V9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TypeAlias, TypeVar

from nomicwolf.village.ballots import Ballot, Endorse, FirstOf, For, If, Nobody
from nomicwolf.village.day_replay import next_threshold
from nomicwolf.village.events import (
    CONDITION,
    Disclosed,
    Entry,
    Event,
    Killed,
    Lynched,
    Published,
    Recounted,
    StageBegan,
    Voided,
    Voted,
)
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import cast_order, town_of, voted
from nomicwolf.village.resolution import Table, pin, pins_votes, resolve, thresholds
from nomicwolf.village.rules import Duty, Refusal
from nomicwolf.village.town import Town

GUILTY, INNOCENT = "guilty", "innocent"
VERDICTS = (GUILTY, INNOCENT)


def cast_in_stage(game: Game) -> dict[str, Ballot]:
    """Return the ballot that each living voter has cast since the present stage began, the last one counting.

    The last is the one that took effect last, not the one that was heard last (D-A8).
    """
    return _of_the_living(game, ballots_of_stage(game))


def _of_the_living(game: Game, cast: Iterable[Entry]) -> dict[str, Ballot]:
    found = {vote.who: vote.ballot for vote in map(voted, cast)}
    return {who: ballot for who, ballot in found.items() if who in game.alive}


def ballots_of_stage(game: Game) -> list[Entry]:
    """Return the ballots of the present stage in the order in which they took effect, without those that came after."""
    mark = game.mark(StageBegan)
    void = {(v.who, v.cast) for v in game.since(mark, Voided)}
    lines = (e for e in game.lines(Voted) if e.number > mark and (voted(e).who, e.at) not in void)
    return sorted(lines, key=cast_order)


def condition_alarm(game: Game) -> Iterable[tuple[int, str]]:
    """Return the next instant before the stage's end that a condition of one of its ballots names."""
    at = next_threshold(cast_in_stage(game).values(), game.clock, game.deadline - 1)
    return ((at, CONDITION),) if at is not None else ()


def town_with(game: Game, options: tuple[str, ...], now: int | None = None) -> Town:
    """Return the public record with *options* that can be voted for though they are no players.

    It is that of *now* (UTC seconds), or else of the last thing that has happened.
    """
    town = town_of(game, game.clock if now is None else now)
    extra = tuple(o for o in options if o not in town.living)
    return replace(town, living=(*town.living, *extra), own_votes=True, verdicts=len(extra))


def put_forward(ballots: Iterable[Ballot]) -> tuple[str, ...]:
    """Return what *ballots* can come to, in whichever of their branches, without what they endorse."""
    found: dict[str, None] = {}
    todo = list(ballots)
    while todo:
        match todo.pop(0):
            case For(whom):
                found[whom] = None
            case If(_, then, otherwise):
                todo = [then, otherwise, *todo]
            case FirstOf(options):
                todo = [*options, *todo]
    return tuple(found)


def count(game: Game, options: tuple[str, ...], at: int | None = None) -> Table:
    """Return what the ballots of the present stage come to, *options* being what can be voted for.

    With *at* (UTC seconds) as they do at that instant, which if it has passed is just before what was cast in it.
    """
    cast = ballots_of_stage(game)
    if at is not None and at < game.clock:
        cast = [entry for entry in cast if entry.at < at]
    ballots = {who: b for who, b in _of_the_living(game, cast).items() if not isinstance(b, Nobody)}
    return resolve(town_with(game, options, at), ballots)


def votes_for(game: Game, table: Table, options: tuple[str, ...]) -> dict[str, list[str]]:
    """Return who votes for each of *options*, in seat order."""
    return {o: [p for p in game.living() if table.values.get(p) == o] for o in options}


def ballot_duty(
    opens: Callable[[Game, str], bool], options: Callable[[Game], tuple[str, ...]], *,
    sealed: bool = False, public: bool = True, cites: tuple[str, ...] = (), says: str = "", silence: str = "",
) -> Duty:
    """Return the duty of voting for one of *options* in a stage; a player may vote for emself, not endorse emself.

    What a *sealed* ballot says is no other's to copy: whoever asks for eir own ballot would be told (D-M1).
    """

    def pins(game: Game, at: int, me: str, ballot: Ballot) -> Ballot:
        allowed = options(game)
        if isinstance(ballot, For) and ballot.whom not in allowed:
            raise Refusal(f"{ballot.whom} can't be voted for here.", cites, allowed)
        if isinstance(ballot, Endorse) and ballot.whom == me:
            raise Refusal("Name another, not yourself.", cites, tuple(o for o in allowed if o != me))
        if isinstance(ballot, (For, Nobody, Endorse)):
            return ballot
        if sealed and pins_votes(ballot):
            raise Refusal("These ballots are sealed, so nobody can go by what one says now; endorse its voter, or go "
                          "by what it comes to when all are opened.", cites)
        return pin(ballot, town_with(game, allowed, at), count(game, allowed, at), me)

    return Duty("vote", opens, owed=False, again=True, public=public, sealed=sealed, pins=pins,
                cites=cites, says=says, silence=silence)


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
    return sum(town.weights.get(who, 1) for who in town.living if table.values.get(who) == GUILTY) >= town.majority


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
