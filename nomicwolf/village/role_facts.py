"""The keys of a role's file as plain sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from nomicwolf.village.game import HIDDEN
from nomicwolf.village.laws.groups import PACK
from nomicwolf.village.role_blocks import ANY, OWN, Terrain
from nomicwolf.village.rules import either, listed

_SEEN: Final = "Whoever looks for your side by night sees you on the {} one."
_VOTES: Final = ("counts for nothing", "", "counts twice", "counts three times")
_BY_NIGHT: Final = {
    "strong": "Nothing saves those whom you go to kill.", "unseen": "Nobody who tracks or watches sees you.",
    "weak": "You die at dawn if you went to one of the evil side.",
    "visitors": "Whoever comes to you by night is shot; of a pack, the one who goes for all.",
    "bound": "When one who holds your role is killed, all who hold it are."}
_REVENGE: Final = {
    "on the killer": "Whoever kills you by night dies.",
    "on the last voter": "If you are put to death by a vote, the last who voted for it dies, too."}
_ON_DEATH: Final = {"lynched": "you are put to death by a vote", "dead": "you die in any way but by leaving"}
_WINNER: Final = {"good": "the good side has won", "evil": "the evil side has won", "it": "you have won, alone"}


def facts_of(given: Mapping[str, Any], terrain: Terrain) -> tuple[str, ...]:
    """Return what the keys of a role's file do, as its holder is told it.

    Nobody is told of `answers`, which deceives its holder.
    """
    return (*_sides(given, terrain), *_days(given), *_nights(given), *_outcomes(given))


def _sides(given: Mapping[str, Any], terrain: Terrain) -> Iterator[str]:
    side, together = given["side"], given["together"]
    if side == OWN:
        yield f"You are on a side of your own{' with all who hold your role' if together else ''}, against the rest."
    elif side in ("good", terrain.good):
        yield "You are on the good side."
    elif side in ("evil", terrain.evil):
        yield "You are on the evil side."
    if given["hunts"]:
        yield "You are one of the pack: you know one another, and can talk by night."
    elif side in ("evil", terrain.evil) and terrain.pack:
        yield "The pack doesn't know you; once nobody of it lives, you take its place."
    if together:
        times = "at any time" if given["talks"] else "by night"
        yield f"All who hold your role know one another, and can talk {times}."


def _days(given: Mapping[str, Any]) -> Iterator[str]:
    if given["known"]:
        yield "Everyone is told at the start that you hold this role."
    if given["knows"]:
        held = [role for role in given["knows"] if role != PACK]
        whom = [f"who holds the role {either(held)}"] * bool(held) + ["who is of the pack"] * (PACK in given["knows"])
        yield f"You are told at the start {' and '.join(whom)}."
    if given["votes"] not in (None, 1):
        yield f"Your vote {_VOTES[given['votes']]}, and everyone is told so at the start."
    if given["verdict"]:
        yield "Your verdict in a trial counts twice."
    if given["card"] == HIDDEN:
        yield "Nothing is told of what you were once you are dead."
    if given["succeeds"]:
        which = "a special role" if ANY in given["succeeds"] else f"the role {either(given['succeeds'])}"
        yield f"When it first becomes known that one of the good side who held {which} is dead, you take that role."


def _nights(given: Mapping[str, Any]) -> Iterator[str]:
    if given["seems"]:
        yield _SEEN.format(given["seems"])
    if survives := given["survives"]:
        often = {1: "the first time that", "always": "whenever"}.get(survives, f"the first {survives} times that")
        yield f"You survive {often} somebody would kill you by night."
    if "all" in given["immune"]:
        yield "Nothing that others do by night reaches you, but killing does."
    elif given["immune"]:
        yield f"Of what others do by night, this doesn't reach you: {listed(given['immune'])}."
    yield from (fact for key, fact in _BY_NIGHT.items() if given[key])
    if given["revenge"]:
        yield _REVENGE[given["revenge"]]


def _outcomes(given: Mapping[str, Any]) -> Iterator[str]:
    how, _, what = given["wins"].partition(" if ")
    if how == "also":
        yield f"You win with your side, and also if {_reached(what)}."
    elif how:
        yield f"You win only if {_reached(what)}, whichever side wins."
    who, _, death = given["ends"].partition(" wins if ")
    if who:
        met, _, day = death.partition(" on day ")
        yield f"If {_ON_DEATH[met]}{f' on day {day}' if day else ''}, the session is over, and {_WINNER[who]}."


def _reached(what: str) -> str:
    """Return in words what has to be so at the end, by the words of the key `wins` behind the ``if``."""
    number = re.search(r"\d", what)
    if number is None:
        return "you are alive at the end" if what == "alive" else _ON_DEATH[what]
    if what.startswith("among"):
        return f"you are alive at the end, with no more than {number[0]} in all"
    return f"at least {what.removesuffix(' are dead')} {'is' if number[0] == '1' else 'are'} dead at the end"
