"""Conversations of packs, masons, Lovers and spirits.

All of it goes by way of the program; spirits speak with the Medium.

What is said reaches its hearers as a notice from the contest, so that no address is ever shown.
"""

from __future__ import annotations

from collections.abc import Callable

from nomicwolf.village.events import Removed, Told
from nomicwolf.village.game import GRAVE, HUNTERS, RELAY, SEANCE, Game
from nomicwolf.village.rules import Duty, Events, Law, Opens, Switch, each_night

PACK, MASONS, LOVERS, SPIRITS, POLICEMEN, PROPHETS = "pack", "masons", "lovers", "spirits", "policemen", "prophets"


def always_open(game: Game, me: str) -> bool:
    """Open as long as the session lasts, to those who live as far as everyone knows."""
    return me not in game.shown_dead and not game.over


def between(group: str, who: Callable[[Game], tuple[str, ...]], opens: Opens, cites: tuple[str, ...]) -> Duty:
    """Return the duty by which those whom *who* gives may write to one another, names and all.

    A death that isn't announced yet closes it to nobody, for that would tell of it, and so of a Hunter who still has to
    choose (NC 6b).
    """

    def others(game: Game, me: str) -> tuple[str, ...]:
        group = who(game)
        return tuple(p for p in group if p != me and p not in game.shown_dead) if me in group else ()

    def relay(game: Game, me: str, words: str) -> Events:
        return [Told(p, RELAY, f"{me} says: {words}") for p in others(game, me)]

    return Duty(
        "say", lambda game, me: opens(game, me) and bool(others(game, me)), owed=False,
        again=True, arity=0, group=group, daily=opens is always_open, hears=relay, cites=cites,
        says=f"say {group}: TEXT, for the {group} alone",
    )


def among(group: str, *roles: str, opens: Opens = each_night, cites: tuple[str, ...] = ()) -> Duty:
    """Return the duty by which holders of *roles* who live, as far as everyone knows, may write to one another.

    With the pack talk all whose roles hunt.
    """
    who = (*roles, HUNTERS) if group == PACK else roles
    return between(group, lambda game: game.holders(*who), opens, cites)


def seance(*cites: str) -> Law:
    """Return the law by which the dead and the Medium talk at night; the dead are called a spirit (D-M13)."""

    def to_medium(game: Game, me: str, words: str) -> Events:
        return [Told(p, SEANCE, f"A spirit says: {words}") for p in game.living("medium")]

    def to_spirits(game: Game, me: str, words: str) -> Events:
        return [Told(p, SEANCE, f"The medium says: {words}") for p in game.shown_dead]

    def dead_at_night(game: Game, me: str) -> bool:
        return game.phase == "night" and me in game.shown_dead and me not in game.alive

    def medium_at_night(game: Game, me: str) -> bool:
        return each_night(game, me) and game.roles[me] == "medium"

    says = "say spirits: TEXT, without your name: "
    return Law("seance", (
        Duty("say", medium_at_night, owed=False, again=True, arity=0, group=SPIRITS,
             hears=to_spirits, cites=cites, says=says + "the dead are told"),
        Duty("say", dead_at_night, owed=False, again=True, arity=0, group=SPIRITS,
             hears=to_medium, cites=cites, says=says + "the Medium is told, if there is one"),
    ), describes=(
        "By night the dead may write to the Medium, if there is one, and the Medium to the dead: by private mail, on a "
        'line that begins "say spirits:". It is passed on without a name.'))


GRAVEYARD_SWITCH = Switch(
    "graveyard", ("off", "on"), "D-A20", "whether the dead may write to one another, by way of the contestmaster")


def graveyard(*cites: str) -> Law:
    """Return the law by which the dead may write to one another, names and all, where a contest lets them (D-A20)."""

    def others(game: Game, me: str) -> tuple[str, ...]:
        gone = {e.event.who for e in game.lines(Removed) if isinstance(e.event, Removed)}
        dead = [p for p in game.shown_dead if p not in game.alive and p not in gone]
        return tuple(p for p in dead if p != me) if me in dead and game.switches.get("graveyard") == "on" else ()

    def relay(game: Game, me: str, words: str) -> Events:
        return [Told(p, GRAVE, f"{me} says among the dead: {words}") for p in others(game, me)]

    return Law("graveyard", (Duty(
        "say", lambda game, me: not game.over and bool(others(game, me)), owed=False, again=True, arity=0,
        group=SPIRITS, hears=relay, cites=cites, says="say spirits: TEXT, for the dead alone"),))


def questions(opens: Opens, *cites: str) -> Law:
    """Return the law by which players ask the contestmaster something in private (D-M16)."""
    return Law("questions", (Duty(
        "ask", opens, owed=False, again=True, arity=0, hears=lambda game, me, words: (),
        cites=cites, says="ask: TEXT, a question to the contestmaster alone"),))
