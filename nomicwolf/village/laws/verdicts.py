"""Voting on one person: guilty or innocent, plainly, by endorsement, or on conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from nomicwolf.village.alarms import CONDITION
from nomicwolf.village.ballots import Ballot, Endorse, FirstOf, For, If, Nobody
from nomicwolf.village.dayreplay import next_threshold
from nomicwolf.village.events import Entry, StageBegan, Voided, Voted
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import cast_order, town_of, voted
from nomicwolf.village.pinning import pin, pins_votes
from nomicwolf.village.resolution import Table, resolve
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
    sealed: bool = False, public: bool = True, cites: tuple[str, ...] = (), says: str = "",
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
                cites=cites, says=says)
