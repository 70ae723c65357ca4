"""Standing votes: whoever more than half vote for is lynched at that instant (NC 3).

NC 3: “As soon as more than half of the townspersons have their votes on one and the same person, that person is
lynched”.

Ballots stand until they are changed or the day ends. They are counted again after each ballot, each death, each
fact that is published, and at each instant that a condition names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from nomicwolf.village.alarms import CONDITION
from nomicwolf.village.ballots import Ballot, Endorse, For, Nobody
from nomicwolf.village.dayreplay import next_threshold
from nomicwolf.village.events import (
    ClockStruck,
    Counted,
    Disclosed,
    Entry,
    Event,
    Joined,
    Killed,
    Lynched,
    Published,
    Revived,
    Voided,
    Voted,
)
from nomicwolf.village.game import Game
from nomicwolf.village.laws.recasting import recast
from nomicwolf.village.pinning import pin
from nomicwolf.village.resolution import Table, resolve_sparing
from nomicwolf.village.rules import Duty, Events, Law, Owed, Refusal, whenever
from nomicwolf.village.town import Town
from nomicwolf.village.words import executed

LAST = 1 << 62
"""Later than any instant that a condition can name, UTC seconds."""


def voting(game: Game, me: str) -> bool:
    """D-N12: votes close with the lynching, unless it killed the Hunter and ``hunter_pause`` is ``open``."""
    return game.phase == "day" and me in game.alive and not lynched_today(game)


def lynched_today(game: Game) -> bool:
    """Return whether the day's last lynching closed the vote; one that kills no Hunter does so in any case (D-N12).

    Who knows no roles sees it by this: only for a Hunter does a day go on, and only once.
    """
    lynchings = [e.number for e in game.lines_now(Lynched)]
    if not lynchings or game.switches.get("hunter_pause") != "open":
        return bool(lynchings)
    if not any(game.roles.values()):
        return len(lynchings) > 1
    return not any(game.roles[death.who] == "hunter" for death in game.since(lynchings[-1], Killed))


def town_of(game: Game, now: int) -> Town:
    """Return the public record of *game* at *now*, UTC seconds; by day a death is public at once."""
    phase: Literal["day", "night"] = "night" if game.phase == "night" else "day"
    living = game.living() if phase == "day" else game.shown_living()
    dead = dict.fromkeys((*game.shown_dead, *game.seats))
    gone = tuple(p for p in dead if p not in living)
    return Town(living, gone, game.disclosed, max(game.number, 1), phase, now, game.facts)


def casts(game: Game) -> list[Entry]:
    """Return the entries of this phase's ballots in the order in which they take effect."""
    return sorted(game.lines_now(Voted), key=cast_order)


def cast_order(entry: Entry) -> tuple[int, tuple[int, ...], int]:
    """Return the place of a ballot among the others of its vote: its instant, then its place in the mailbox (D-N30)."""
    return entry.at, voted(entry).key, entry.number


def voted(entry: Entry) -> Voted:
    """Return the ballot of an entry that is one."""
    assert isinstance(entry.event, Voted)
    return entry.event


def standing(game: Game, until: int | None = None) -> dict[str, Ballot]:
    """Return the ballot that each living voter has standing now, or had just before the instant *until*."""
    if until is not None and until <= game.clock:
        last = {voted(e).who: e for e in casts(game) if e.at < until}
    else:
        last = latest(game)
    return {who: voted(entry).ballot for who, entry in last.items() if who in game.alive}


def latest(game: Game) -> dict[str, Entry]:
    """Return the entry of each voter's last ballot of this phase, whether e lives or not; not to be changed."""
    return game.folded("latest", Voted, {}, _later)


def _later(last: dict[str, Entry], cast: Entry) -> dict[str, Entry]:
    """Return the entry of each voter's last ballot once *cast* is known, which may be late."""
    known = last.get(voted(cast).who)
    return last if known is not None and cast_order(cast) < cast_order(known) else {**last, voted(cast).who: cast}


def count(game: Game, now: int) -> Table:
    """Return what the standing ballots come to at *now*; D-N16: the switch ``lovers_vote`` may spare a Lover."""
    return resolve_sparing(town_of(game, now), standing(game), spared(game))


def spared(game: Game) -> tuple[str, ...]:
    """Return the Lovers, if their votes for each other count as null (D-N16)."""
    joined = game.last(Joined) if game.switches.get("lovers_vote") == "spared" else None
    return joined.lovers if joined else ()


def pinned(game: Game, at: int, me: str, ballot: Ballot) -> Ballot:
    """Return *ballot* with its pinned parts settled as of *at*; refuse what NC 3 does not let one vote for (D-N27)."""
    match ballot:
        case For(whom) if whom == me:
            raise Refusal("Your vote is for another townsperson, not for yourself.", ("NC 3", "D-N27"))
        case Endorse(whom) if whom == me:
            raise Refusal("You can endorse another townsperson, not yourself.", ("NC 3", "D-N27"))
        case For(whom) if whom not in game.alive:
            what = "is dead" if whom in game.shown_dead else "is no townsperson of this session"
            raise Refusal(f"{whom} {what}.", ("NC 3", "D-N27"), game.living())
    if isinstance(ballot, (Nobody, For, Endorse)):
        return ballot
    town = town_of(game, at)
    cast = standing(game, at + 1 if at >= game.clock else at)
    return pin(ballot, town, resolve_sparing(town, cast, spared(game)), me)


def recount(game: Game, event: Event) -> Events:
    """Count again; note what changed; lynch whoever has the majority.

    What follows from a death that a late ballot has brought about is for `late` to say: it has its own instant.
    """
    if game.phase != "day" or not any(voting(game, p) for p in game.living()):
        return None
    if (isinstance(event, Killed) and not game.lines_now(Voted)) or (isinstance(event, Voted) and event.overtakes):
        return None
    table, past = count(game, game.clock), game.entries[-1].at < game.clock
    changed = tuple((p, v) for p, v in table.values.items() if game.table.get(p) != v)
    news: list[Event] = []
    if changed or isinstance(event, Killed):
        news.append(Counted(changed, tuple(table.counts.items()), table.majority))
    if table.lynched and not (past and isinstance(event, Killed)):
        news.append(Lynched(table.lynched))
    return news


def late(game: Game, voted: Voted | None, at: int) -> tuple[int, Sequence[Event]] | None:
    """Return the lynching that *voted*, heard late, brings about at its own instant (see `recast`)."""
    if game.phase != "day" or lynched_today(game):
        return None
    found = recast(game, town_of(game, game.clock), voted, at, spared(game))
    if found is None or not leaves_open(game, found[1]):
        return found
    return found[0], [event for event in found[1] if not isinstance(event, Voided)]


def leaves_open(game: Game, news: Iterable[Event]) -> bool:
    """Return whether the lynching among *news* leaves the vote open, so that later votes count still (D-N12)."""
    if game.switches.get("hunter_pause") != "open":
        return False
    hunters, joined = set(game.living("hunter")), game.last(Joined)
    pair = set(joined.lovers) if joined else set[str]()
    lynched = [event.who for event in news if isinstance(event, Lynched)]
    return any(hunters & (pair if who in pair else {who}) for who in lynched)


def instants(game: Game, owed: Owed) -> Iterable[tuple[int, str]]:
    """Return the instants that conditions of the standing ballots name."""
    if game.phase != "day" or lynched_today(game):
        return ()
    at = next_threshold(standing(game).values(), game.clock, LAST)
    return ((at, CONDITION),) if at is not None else ()


def majority(disclose: Mapping[str, str], *cites: str, disclosing: tuple[str, ...] = ()) -> Law:
    """Return the law of standing votes, without a deadline (D-N29).

    *disclose* maps a side to what is said of one who is lynched.
    """

    @whenever(Lynched, *disclosing)
    def say_what_e_was(game: Game, event: Lynched) -> Events:
        return [Disclosed(event.who, disclose[game.sides[event.who]])]

    counts = tuple(whenever(kind, *cites)(recount) for kind in (Voted, Killed, Revived, Published, ClockStruck))
    vote = Duty(
        "vote", voting, owed=False, again=True, public=True, pins=pinned, cites=cites,
        says="vote NAME, endorse NAME, or a conditional vote; unvote takes it back",
    )
    rules = (executed(*cites), say_what_e_was, *counts)
    return Law("majority", (vote,), rules, instants, late, standing=True, describes=(
        "Each living townsperson has one vote, standing until e changes it or the day ends. Whoever more than half "
        "of the living vote for is lynched at that instant."
    ))
