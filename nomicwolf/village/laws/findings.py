"""What players learn of a night at its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from nomicwolf.village.events import Dawned, Killed, Told
from nomicwolf.village.game import Game
from nomicwolf.village.laws.actions import (
    CLEAR,
    FEEDBACK,
    FRAME,
    GIVE,
    KEPT,
    KILL,
    POISON,
    Night,
    fate,
    reached,
    resolved,
    visits,
)
from nomicwolf.village.laws.groups import ATTACK
from nomicwolf.village.rules import Events, Law, Rule, instead, listed, looks_evil, whenever

RESOLUTION: Final = "resolution"
"""The law by which everyone is told."""
POISONED: Final = "You have been poisoned: you die at the end of the next night, unless somebody protects you in it."
_ARMED: Final = (ATTACK, "poison", "shoot")
"""The verbs of roles in Python that kill."""
GIVEN: Final = "Somebody came in the night, and left you a present."


class Look(NamedTuple):
    """Who looks at whom, in which *night* of which *game*; *evil* is the side that is looked for."""

    game: Game
    night: Night
    me: str
    it: str
    evil: str


def resolution(evil: str, *cites: str) -> Law:
    """Return the law of what comes of a night, and that all who lived at nightfall get one feedback each."""

    @whenever(Dawned, *cites)
    def feedback(game: Game, event: Dawned) -> Events:
        night = resolved(game)
        said = {p: [*news(game, night, p), *learned(game, night, p, evil)] for p in game.living()}
        return [Told(p, FEEDBACK, "\n".join(words) or "Nothing to report.") for p, words in said.items()]

    return Law(RESOLUTION, rules=(instead(Killed, *cites)(fate.then), feedback))


@whenever(Dawned)
def told_at_dawn(game: Game, event: Dawned) -> Events:
    """Who was kept from acting, poisoned or given something is told so."""
    night = resolved(game)
    return [Told(p, FEEDBACK, words) for p in game.living() for words in news(game, night, p)]


def news(game: Game, night: Night, me: str) -> list[str]:
    """Return what was done to *me* in the *night*, as far as e notices, a sentence each."""
    said = [KEPT] if me in night.kept else []
    for effect, words in ((POISON, POISONED), (GIVE, GIVEN)):
        said += [words] * any(it == me for _, it in reached(game, night, effect))
    return said


def telling(role: str, evil: str, *cites: str) -> Rule:
    """Return the rule that holders of *role* are told what they have learned; *evil* is the side that is looked for."""

    @whenever(Dawned, *cites)
    def rule(game: Game, event: Dawned) -> Events:
        night = resolved(game)
        said = {p: learned(game, night, p, evil) for p in game.living(role)}
        return [Told(p, FEEDBACK, "\n".join(words)) for p, words in said.items() if words]

    return rule


def learned(game: Game, night: Night, me: str, evil: str) -> list[str]:
    """Return what *me* learns by eir own deeds of this *night*, a sentence each."""
    return [tells(Look(game, night, me, it, evil)) for effect, tells in _TELLS.items()
            for who, it in reached(game, night, effect) if who == me]


def _side(look: Look) -> str:
    evil = looks_evil(look.game, look.it, look.evil)
    for effect, seems in ((CLEAR, False), (FRAME, True)):
        evil = seems if any(it == look.it for _, it in reached(look.game, look.night, effect)) else evil
    answers = look.game.traits(look.me).answers
    evil = not evil if answers == "opposite" else {"always good": False, "always evil": True}.get(answers, evil)
    return f"{look.it} is {'' if evil else 'not '}one of the {look.evil}."


def _role(look: Look) -> str:
    return f"{look.it}'s role is {look.game.cards[look.game.roles[look.it]].title}."


def _plain(look: Look) -> str:
    cards = look.game.cards
    title = next((card.title for card in cards.values() if card.plain), "")
    return f"{look.it} is {'a' if cards[look.game.roles[look.it]].plain else 'no'} plain {title}."


def _killer(look: Look) -> str:
    does = look.game.cards[look.game.roles[look.it]].does
    armed = any(verb in _ARMED or {KILL, POISON}.intersection(effects) for verb, effects in does.items())
    return f"{look.it} can {'' if armed else 'not '}kill."


def _visited(look: Look) -> str:
    seen = tuple(sorted({to for by, to in visits(look.game, look.night) if by == look.it}))
    return f"{look.it} went to {listed(seen)}."


def _visitors(look: Look) -> str:
    seen = tuple(sorted({by for by, to in visits(look.game, look.night) if to == look.it and by != look.me}))
    return f"{listed(seen) if seen else 'Nobody'} came to {look.it}."


def _moved(look: Look) -> str:
    seen = [by for by, to in visits(look.game, look.night) if look.it in (by, to) and by != look.me]
    return f"{'Something' if seen else 'Nothing'} moved at {look.it}'s house."


_TELLS: Mapping[str, Callable[[Look], str]] = {
    "see side": _side, "see role": _role, "see plain": _plain, "see killer": _killer, "track": _visited,
    "watch": _visitors, "sense": _moved}
