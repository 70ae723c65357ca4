"""Day and night turn by themselves once nothing is owed; dawn is announced at slots.

NC 4c: “That closes the night and opens a day.”
"""

from __future__ import annotations

from collections.abc import Iterable

from nomicwolf.village.alarms import DAWN
from nomicwolf.village.events import (
    Chose,
    ClockStruck,
    Completed,
    Dawned,
    DeathsAnnounced,
    Due,
    Event,
    Killed,
    Lynched,
    PhaseBegan,
    Removed,
    Revived,
    Turned,
)
from nomicwolf.village.game import Game
from nomicwolf.village.laws.fallen import tell_voters
from nomicwolf.village.rules import Events, Law, Owed, Rule, always, instead, whenever
from nomicwolf.village.slots import AT_ONCE, next_slot, slots
from nomicwolf.village.switches import Switch

TIME = r"([01]?\d|2[0-3]):[0-5]\d"
ORDER: tuple[type[Event], ...] = (Killed, Revived, Turned)


def dawn_switch(says: str) -> Switch:
    """Return the switch ``dawn`` (D-N24), told of in the words *says*."""
    return Switch("dawn", (), "D-N24", says, default="08:00, 20:00", form=rf"{AT_ONCE}|{TIME}( *, *{TIME})*",
                  like=f"times of day in UTC, such as '08:00, 20:00', or {AT_ONCE!r}")


def unannounced(game: Game) -> tuple[str, ...]:
    """Return those who are dead without everyone knowing, in seat order: that of their deaths would tell the causes."""
    return tuple(p for p in game.seats if p not in game.alive and p not in game.shown_dead)


def back(game: Game) -> tuple[str, ...]:
    """Return those who live again without everyone knowing."""
    return tuple(p for p in game.seats if p in game.alive and p in game.shown_dead)


def dues(game: Game) -> list[Event]:
    """Return what is due at the end of this phase: deaths, then returns, then turnings; seat order within."""
    def rank(event: Event) -> tuple[int, int]:
        kind = next((i for i, k in enumerate(ORDER) if isinstance(event, k)), len(ORDER))
        who = getattr(event, "who", None)
        return kind, game.seats.index(who) if who in game.seats else len(game.seats)

    return sorted((d.event for d in game.now(Due)), key=rank)


def mortality(*cites: str) -> Law:
    """Return the law that nobody dies twice or returns twice.

    Whoever dies by day outside the vote is named at once, those who die at the same instant together.
    """

    @instead(Killed, *cites)
    def only_once(game: Game, event: Killed) -> Events:
        return [] if event.who not in game.alive else None

    @instead(Revived, *cites)
    def only_the_dead(game: Game, event: Revived) -> Events:
        return [] if event.who in game.alive else None

    @always(*cites)
    def named_by_day(game: Game, owed: Owed) -> Events:
        return [DeathsAnnounced(unannounced(game))] if game.phase == "day" and unannounced(game) else None

    return Law("mortality", rules=(only_once, only_the_dead, named_by_day))


def departures(*cites: str) -> Law:
    """Return the law of leaving in mid-session: the switch ``departure`` says whether it kills, and voids ballots.

    That death is public in whatever phase, also of one who had been killed before and wasn't known to be dead.
    """

    @whenever(Removed, *cites)
    def depart(game: Game, event: Removed) -> Events:
        if game.switch("departure") != "kill":
            return None
        news = () if event.who in game.shown_dead else (DeathsAnnounced((event.who,)),)
        return [Killed(event.who, "departure"), *news]

    return Law("departures", rules=(depart, tell_voters(*cites)))


def phases(first: str = "day", *, opens: tuple[str, ...], night: tuple[str, ...], dawn: tuple[str, ...]) -> Law:
    """Return the law by which setup, days and nights follow one another; each tuple names its clauses."""

    @always(*opens)
    def open_session(game: Game, owed: Owed) -> Events:
        return [PhaseBegan(first, 1)] if game.phase == "setup" and game.opened and not owed else None

    @always(*night)
    def begin_night(game: Game, owed: Owed) -> Events:
        if game.phase == "day" and not owed and game.now(Lynched):
            return [PhaseBegan("night", next_number(game, "night"))]
        return None

    return Law("phases", rules=(open_session, begin_night, *_dawn_rules(dawn)), alarms=_dawn_alarm)


def next_number(game: Game, phase: str) -> int:
    """Return the number that the next *phase* has."""
    return max((p.number for p in game.ever(PhaseBegan, phase=phase)), default=0) + 1


def _dawn_rules(cites: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return the rules by which a night is complete, dawns at a slot or at once, and is told of (D-N24)."""

    @always(*cites)
    def complete_night(game: Game, owed: Owed) -> Events:
        if game.phase == "night" and not owed and not game.now(Completed):
            return [Completed()]
        return None

    @whenever(ClockStruck, *cites)
    def end_night(game: Game, event: ClockStruck) -> Events:
        return [Dawned(), *dues(game)] if event.what == DAWN and not game.now(Dawned) else None

    @always(*cites)
    def end_night_at_once(game: Game, owed: Owed) -> Events:
        at_once = not slots(game.switch("dawn"))
        return [Dawned(), *dues(game)] if at_once and game.now(Completed) and not game.now(Dawned) else None

    @always(*cites)
    def announce(game: Game, owed: Owed) -> Events:
        if game.phase != "night" or owed or not game.now(Dawned) or not _at_slot(game):
            return None
        return [DeathsAnnounced(unannounced(game), back(game)), PhaseBegan("day", next_number(game, "day"))]

    return complete_night, end_night, end_night_at_once, announce


def _at_slot(game: Game) -> bool:
    if not slots(game.switch("dawn")):
        return True
    strikes = game.lines_now(ClockStruck, what=DAWN)
    return bool(strikes) and strikes[-1].at == game.clock


def _dawn_alarm(game: Game, owed: Owed) -> Iterable[tuple[int, str]]:
    """D-N24: the announcement waits for the slot after the last thing that it had to wait for."""
    if game.phase != "night" or owed or not game.now(Completed):
        return ()
    last = max(e.at for kind in (Completed, Chose, Removed) for e in game.lines_now(kind))
    return ((next_slot(last, slots(game.switch("dawn"))), DAWN),)
