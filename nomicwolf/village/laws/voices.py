"""What those say by night who choose together: each one's last choice, and what the others are told of it."""

from __future__ import annotations

from collections.abc import Iterable

from nomicwolf.village.events import Agreed, Chose, Event, Killed, NightClosed, Told
from nomicwolf.village.game import Game
from nomicwolf.village.notices import PACK_CHOICE
from nomicwolf.village.rules import Events, Rule, whenever
from nomicwolf.village.words import listed

ATTACK = "attack"
"""What a pack does to its victim: the verb, and the cause of that death."""
NOBODY = "nobody"
"""Stands among choices for that of a player who declined."""


def choices(game: Game, verb: str) -> dict[str, str]:
    """Return what each player last chose to *verb* in this phase, ``nobody`` for declining."""
    return {c.who: (c.what[0] if c.what else NOBODY) for c in game.now(Chose, verb=verb)}


def voices(game: Game, verb: str, *roles: str) -> dict[str, str]:
    """D-A3: return what each living holder of *roles* last chose; whoever has left has no voice any more."""
    here = game.living(*roles)
    return {p: whom for p, whom in choices(game, verb).items() if p in here}


def victims(game: Game, *roles: str) -> dict[str, str]:
    """D-A3: return whom each living holder of *roles* would kill; one who has left since e was named is nobody's."""
    named = voices(game, ATTACK, *roles)
    return {p: whom for p, whom in named.items() if whom == NOBODY or whom in game.alive}


def without_victim(*roles: str) -> Rule:
    """Return the rule that each of *roles* who has named one who leaves by night is told so, and nobody else (D-A3)."""

    @whenever(Killed, "D-A3")
    def fell_away(game: Game, event: Killed) -> Events:
        settled = bool(game.now(NightClosed)) or bool(game.now(Agreed, verb=ATTACK))
        if event.cause != "departure" or game.phase != "night" or settled:
            return None
        text = f"You have named {event.who}, who is dead: that counts for nobody now, and you can name another."
        return [Told(p, PACK_CHOICE, text, (event.who,))
                for p, whom in voices(game, ATTACK, *roles).items() if whom == event.who]

    return fell_away


def unanimous(game: Game, verb: str, role: str) -> str:
    """Return whom all living holders of *role* name, '' if they don't agree or name nobody."""
    named = {voices(game, verb, role).get(p, NOBODY) for p in game.living(role)}
    whom = named.pop() if len(named) == 1 else NOBODY
    return whom if whom != NOBODY else ""


def tell_others(topic: str, event: Chose, fellows: Iterable[str]) -> list[Event]:
    """Tell all *fellows* but the one who chose what e names."""
    said = f"{event.who} names {listed(event.what)}."
    return [Told(p, topic, said, event.what) for p in fellows if p != event.who]
