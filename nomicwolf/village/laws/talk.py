"""Who may speak to whom: packs, masons, Lovers, and spirits with the Medium; all of it by way of the program.

What is said reaches its hearers as a notice from the contest, so that no address is ever shown.
"""

from __future__ import annotations

from collections.abc import Callable

from nomicwolf.village.events import Told
from nomicwolf.village.game import Game
from nomicwolf.village.notices import RELAY, SEANCE
from nomicwolf.village.rules import Duty, Events, Law
from nomicwolf.village.words import Opens, each_night

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
    """Return the duty by which holders of *roles* who live, as far as everyone knows, may write to one another."""
    return between(group, lambda game: game.holders(*roles), opens, cites)


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


def questions(opens: Opens, *cites: str) -> Law:
    """Return the law by which players ask the contestmaster something in private (D-M16)."""
    return Law("questions", (Duty(
        "ask", opens, owed=False, again=True, arity=0, hears=lambda game, me, words: (),
        cites=cites, says="ask: TEXT, a question to the contestmaster alone"),))
