"""Helpers that most duties and rules are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nomicwolf.village.events import Chose, Dawned, Due, Event, Killed, Lynched, NightClosed, Opened, Told, Turned
from nomicwolf.village.game import HUNTERS, Game
from nomicwolf.village.rules import Events, Rule, instead, whenever

Opens = Callable[[Game, str], bool]
Allows = Callable[[Game, str, str], str]


def each_night(game: Game, me: str) -> bool:
    """Open on every night, to the living (NC 4, NC 4b)."""
    return game.phase == "night" and me in game.alive and not game.now(Dawned)


def while_night_is_open(game: Game, me: str) -> bool:
    """Open on every night until no more night deeds are taken (`NightClosed`), to the living."""
    return each_night(game, me) and not game.now(NightClosed)


def on_nights(*nights: int) -> Opens:
    """Open on these nights only."""
    return lambda game, me: each_night(game, me) and game.number in nights


def from_night(first: int) -> Opens:
    """Open from night *first* on."""
    return lambda game, me: each_night(game, me) and game.number >= first


def once(opens: Opens, verb: str) -> Opens:
    """Open as *opens* does until *verb* has been done to someone in this session."""
    return lambda game, me: opens(game, me) and not used(game, me, verb)


def used(game: Game, me: str, verb: str) -> bool:
    """Return whether *me* has done *verb* to someone in this session."""
    return any(c.what for c in game.ever(Chose, who=me, verb=verb))


def another(game: Game, me: str, it: str) -> str:
    """Allow another living player."""
    if it == me:
        return "Name another person, not yourself."
    return anyone(game, me, it)


def anyone(game: Game, me: str, it: str) -> str:
    """Allow a living player."""
    if it not in game.seats:
        return f"{it} is not in this session."
    return "" if it in game.alive else f"{it} is dead."


def outsider(*pack: str) -> Allows:
    """Allow a living player who holds none of the roles *pack*: those who hunt together don't name one another."""

    def allows(game: Game, me: str, it: str) -> str:
        if it in game.alive and game.holds(it, pack):
            return f"{it} is one of you; name somebody who is not."
        return anyone(game, me, it)

    return allows


def the_dead(game: Game, me: str, it: str) -> str:
    """Allow someone who is dead, and known to be."""
    return "" if it in game.shown_dead else f"{it} is not dead."


def looks_evil(game: Game, it: str, evil: str) -> bool:
    """Return whether *it* passes for one of the side *evil*, as a Godfather doesn't and a miller does."""
    card = game.cards.get(game.roles[it])
    return card.seems == "evil" if card is not None and card.seems else game.sides[it] == evil


def at_phase_end(make: Callable[[str], Event]) -> Callable[[Game, str, tuple[str, ...]], Events]:
    """Let the event that *make* gives for the person named happen when the phase ends."""
    return lambda game, me, what: [Due(make(it)) for it in what]


def executed(*cites: str) -> Rule:
    """Whoever is lynched is killed at once, and the cause of that death is ``lynch``."""

    @whenever(Lynched, *cites)
    def rule(game: Game, event: Lynched) -> Events:
        return [Killed(event.who, "lynch")]

    return rule


def immune(role: str, cause: str, *cites: str) -> Rule:
    """Holders of *role* do not die of *cause*."""

    @instead(Killed, *cites)
    def rule(game: Game, event: Killed) -> Events:
        return [] if event.cause == cause and game.roles[event.who] == role else None

    return rule


def spared_by(verb: str, cause: str, *cites: str) -> Rule:
    """Whoever was named with *verb* in this phase survives *cause*; of what somebody named the last counts."""

    @instead(Killed, *cites)
    def rule(game: Game, event: Killed) -> Events:
        last = {c.who: c.what for c in game.now(Chose, verb=verb)}
        return [] if event.cause == cause and any(event.who in what for what in last.values()) else None

    return rule


def acquainted(
    *roles: str, topic: str, text: str, alone: str | None = None, cites: tuple[str, ...] = ()
) -> tuple[Rule, Rule]:
    """Holders of *roles* learn of one another when dealt, and again when someone becomes one of them.

    A single one is told *alone*, nothing if that is empty; by default that e is the only one of the role. Of the pack
    are all whose roles hunt.
    """
    who = (*roles, HUNTERS) if topic == "pack" else roles
    by_oneself = f"You are the only {roles[0]}." if alone is None else alone

    def rule(game: Game, event: Opened | Turned) -> Events:
        if isinstance(event, Turned) and not game.holds(event.who, who):
            return None
        them = game.living(*who)
        told = text.format(", ".join(them)) if len(them) > 1 else by_oneself
        return [Told(p, topic, told, them) for p in them if told]

    return whenever(Opened, *cites)(rule), whenever(Turned, *cites)(rule)


def listed(names: tuple[str, ...]) -> str:
    """Return *names* as prose.

    >>> listed(("Ash", "Bex", "Cam"))
    'Ash, Bex and Cam'
    """
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + f" and {names[-1]}" if names else "nobody"


def either(choices: Iterable[str]) -> str:
    """Return *choices*, of which one is to be chosen, as prose.

    >>> either(["Ash", "Bex", "Cam"]), either(["vote nobody", "vote Gus if Bex does, otherwise Hal"])
    ('Ash, Bex or Cam', 'vote nobody, or vote Gus if Bex does, otherwise Hal')
    """
    every = list(choices)
    if any("," in choice for choice in every):
        return ", or ".join(every)
    return " or ".join(filter(None, (", ".join(every[:-1]), *every[-1:])))
