"""A vote count as reports show it: who votes for whom, by what ballot, and why it comes to that (NC 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from nomicwolf.village.ballots import Ballot, Endorse, For, Nobody, ballot_text
from nomicwolf.village.events import Counted, DeathsAnnounced, Entry, Lynched, Voided
from nomicwolf.village.explaining import explain
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import cast_order, casts, latest, lynched_today, town_of, voted
from nomicwolf.village.laws.verdicts import ballots_of_stage, put_forward, town_with
from nomicwolf.village.resolution import Status, resolve
from nomicwolf.village.town import Town


@dataclass(frozen=True, slots=True)
class Vote:
    """One voter's vote.

    *ballot* is its canonical text ('' if none was cast), *value* whom it comes to (None: nobody), *endorses*
    whom it endorses outright, *plain* whether it names its value itself, *why* the steps from one to the other;
    *at* is when it was cast, UTC seconds.
    """

    who: str
    value: str | None
    status: Status
    ballot: str = ""
    endorses: str = ""
    plain: bool = True
    why: tuple[str, ...] = ()
    at: int = 0


@dataclass(frozen=True, slots=True)
class Count:
    """What the votes of a town come to: *votes* in order of arrival, those who have not voted last.

    *counts* has who has votes, most first; *majority* is how many lynch.
    """

    at: int
    living: tuple[str, ...]
    votes: tuple[Vote, ...]
    counts: Mapping[str, int]
    majority: int
    lynched: str | None = None


def count_of(game: Game) -> Count:
    """Return the count of the present phase of *game*; nothing but what is public in it is looked at."""
    if game.stage:
        return stage_count(game)
    lines = [*latest(game).values()]
    values = game.table if game.switches.get("lovers_vote") == "spared" else None
    return counted(town_of(game, game.clock), lines, game.clock, values)


def stage_count(game: Game) -> Count:
    """Return the count of the present stage, where a day has stages; it may be for others than townspersons."""
    lines = ballots_of_stage(game)
    found = counted(town_with(game, put_forward(voted(e).ballot for e in lines)), lines, game.clock)
    living = town_of(game, game.clock).living
    votes = tuple(v for v in found.votes if v.who in living)
    return Count(found.at, living, votes, found.counts, len(living) // 2 + 1)


def final_count(game: Game, lynching: Entry) -> tuple[Count, Entry | None]:
    """Return the count that lynched, and the ballot that made it (None: a condition's instant, or a death, did).

    *game* stands at the end of what is known of that phase; ballots that took effect later do not count.
    """
    void = {(v.who, v.cast) for v in game.now(Voided) if v.over == lynching.at}
    lines = [e for e in casts(game) if e.at <= lynching.at and e.number < lynching.number
             and (voted(e).who, e.at) not in void]
    town = town_of(game, lynching.at)
    back = {getattr(lynching.event, "who", "")} | {  # their deaths are public by now
        who for e in game.lines_now(DeathsAnnounced) if e.number > lynching.number
        and isinstance(e.event, DeathsAnnounced) for who in e.event.killed}
    if not back <= {*town.living}:
        living = tuple(p for p in game.seats if p in town.living or p in back)
        told = {k: v for k, v in town.disclosed.items() if k not in back}
        town = Town(living, tuple(p for p in town.dead if p not in back), told, town.day, town.phase, town.now,
                    town.facts)
    last = lines[-1] if lines and lines[-1].at == lynching.at else None
    return counted(town, lines, lynching.at), last


def present_count(game: Game) -> tuple[Count, Entry | None]:
    """Return the count as it stands, or, while a day goes on after its vote, the one that lynched, and the lynching."""
    lynching = game.lines_now(Lynched)[-1] if not game.stage and game.phase == "day" and lynched_today(game) else None
    return (final_count(game, lynching)[0], lynching) if lynching is not None else (count_of(game), None)


def counted(town: Town, lines: Sequence[Entry], at: int, values: Mapping[str, str | None] | None = None) -> Count:
    """Return what the ballots of *lines* come to in *town*; *values* are votes that the record tells otherwise."""
    cast = {voted(e).who: e for e in lines if voted(e).who in town.living}
    cast = dict(sorted(cast.items(), key=lambda item: cast_order(item[1])))
    ballots: dict[str, Ballot] = {who: voted(e).ballot for who, e in cast.items()}
    table = resolve(town, ballots)
    votes = [
        _vote(who, voted(e).ballot, table.values[who], table.statuses[who], explain(town, ballots, table, who), e.at)
        for who, e in cast.items()
    ]
    votes += [Vote(who, None, "no vote") for who in town.living if who not in cast]
    if values is not None:
        votes = [_as_recorded(v, values) for v in votes]
        sums = {p: sum(v.value == p for v in votes) for p in town.living}
        counts = dict(sorted(((p, n) for p, n in sums.items() if n), key=lambda item: -item[1]))
        return Count(at, town.living, tuple(votes), counts, table.majority, table.lynched)
    return Count(at, town.living, tuple(votes), dict(table.counts), table.majority, table.lynched)


def _vote(who: str, ballot: Ballot, value: str | None, status: Status, why: tuple[str, ...], at: int) -> Vote:
    endorses = ballot.whom if isinstance(ballot, Endorse) else ""
    return Vote(who, value, status, ballot_text(ballot), endorses, isinstance(ballot, (For, Nobody)), why, at)


def _as_recorded(vote: Vote, values: Mapping[str, str | None]) -> Vote:
    value = values.get(vote.who)
    if value == vote.value:
        return vote
    return replace(vote, value=value, why=("as the record counts it",))


def voted_between(counts: Sequence[Entry], after: int, until: int) -> list[tuple[str, str | None, str | None]]:
    """Return (voter, before, now) for the votes whose value differs between entry *after* and entry *until*.

    *counts* are the entries of counts in order; *after* is where a phase or the last report began.
    """
    before: dict[str, str | None] = {}
    now: dict[str, str | None] = {}
    for entry in counts:
        if isinstance(entry.event, Counted) and entry.number <= until:
            (before if entry.number <= after else now).update(dict(entry.event.votes))
    return [(who, before.get(who), value) for who, value in now.items() if before.get(who) != value]
