"""Nights of a length that tells nothing: what is owed may be left undone, and dawn comes at its time either way.

The night ends when its time is over, whoever has acted and whoever still can (D-G8, LT 3b, D-T21); only
where dawn is ``at once`` does it end with the last deed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nomicwolf.village.events import (
    Announced,
    ClockStruck,
    Dawned,
    DeathsAnnounced,
    Disclosed,
    Event,
    Killed,
    Lynched,
    NightClosed,
    PhaseBegan,
)
from nomicwolf.village.game import Game
from nomicwolf.village.laws.phases import back, dues, next_number, unannounced
from nomicwolf.village.laws.stages import begin, deadline, ran_out
from nomicwolf.village.rules import Events, Law, Owed, Rule, always, whenever
from nomicwolf.village.slots import slots
from nomicwolf.village.words import executed


def nights(
    *, opens: tuple[str, ...], night: tuple[str, ...], dawn: tuple[str, ...], day_zero: bool = False,
    extra: Callable[[Game], Iterable[Event]] | None = None,
) -> Law:
    """Return the law of nights and what comes before them; *extra* says more at dawn (the first victim, answers).

    With *day_zero* the session opens with a short day, else with night 1.
    """

    @always(*opens)
    def open_session(game: Game, owed: Owed) -> Events:
        if game.phase != "setup" or not game.opened or owed:
            return None
        return [PhaseBegan("day", 0)] if day_zero else [PhaseBegan("night", 1)]

    @whenever(PhaseBegan, *night)
    def set_deadline(game: Game, event: PhaseBegan) -> Events:
        return [begin(game, "night")] if event.phase == "night" else None

    return Law("nights", rules=(open_session, set_deadline, *_closing(night, dawn, extra)), alarms=deadline)


def _closing(
    night: tuple[str, ...], dawn: tuple[str, ...], extra: Callable[[Game], Iterable[Event]] | None
) -> tuple[Rule, ...]:
    """Return the rules by which a night closes at its time or with its last deed, dawns, and is told of."""

    @whenever(ClockStruck, *night)
    def close(game: Game, event: ClockStruck) -> Events:
        return [NightClosed()] if ran_out(game, event, "night") and not game.now(NightClosed) else None

    @always(*night)
    def close_at_once(game: Game, owed: Owed) -> Events:
        done = game.phase == "night" and not owed and not slots(game.switches.get("dawn", ""))
        return [NightClosed()] if done and not game.now(NightClosed) else None

    @always(*night)
    def end(game: Game, owed: Owed) -> Events:
        return [Dawned(), *dues(game)] if game.now(NightClosed) and not game.now(Dawned) else None

    @always(*dawn)
    def announce(game: Game, owed: Owed) -> Events:
        if game.phase != "night" or not game.now(Dawned):
            return None
        more = tuple(extra(game)) if extra else ()
        return [DeathsAnnounced(unannounced(game), back(game)), *more, PhaseBegan("day", next_number(game, "day"))]

    return close, close_at_once, end, announce


def nightfall(game: Game) -> tuple[Event, ...]:
    """Return the beginning of the next night."""
    return (PhaseBegan("night", next_number(game, "night")),)


def night_after_lynching(*cites: str) -> Rule:
    """Return the rule that night falls as soon as the day's lynching, and all that follows from it, has happened."""

    @always(*cites)
    def night_falls(game: Game, owed: Owed) -> Events:
        return nightfall(game) if game.phase == "day" and game.now(Lynched) else None

    return night_falls


def quiet_day(game: Game) -> tuple[Event, ...]:
    """Return the end of a day without a verdict, and if nobody was killed on it that too (D-C4, D-M2, GA 5g)."""
    if game.now(Killed):
        return nightfall(game)
    return (Announced("quiet day", "Nobody was killed today."), *nightfall(game))


def cards(*kinds: type[Event], titles: Callable[[Game, str], str], cites: tuple[str, ...]) -> Law:
    """Return the law by which the cards of the dead are shown, on each event of *kinds*."""

    def shown(game: Game, event: Event) -> Events:
        names = event.killed if isinstance(event, DeathsAnnounced) else (getattr(event, "who", ""),)
        return [Disclosed(who, titles(game, who)) for who in names if who not in game.disclosed]

    return Law("cards", rules=tuple(whenever(kind, *cites)(shown) for kind in kinds))


def executions(*cites: str) -> Law:
    """Return the law that whoever is condemned dies at once."""
    return Law("executions", rules=(executed(*cites),))
