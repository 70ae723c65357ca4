"""Duties of roles written as data: when they are open, whom they name, and what follows at once."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from nomicwolf.village.events import Chose, Killed, PhaseBegan, Told, Turned
from nomicwolf.village.game import Game
from nomicwolf.village.laws.actions import KILL, PAIRS, PARDON, SHOT
from nomicwolf.village.rules import (
    ANY_TIME,
    Allows,
    Duty,
    Events,
    Opens,
    another,
    anyone,
    listed,
    oneself,
    open_nights,
    the_dead,
    while_night_is_open,
)

REPLACED: Final = "replaced"
"""The topic of what is told to one who does another deed than they meant to."""
_ALONE: Final = "; of your deeds of a night the last counts alone"
_FOR_GOOD: Final = f"{_ALONE}, and is your only one from then on"
_SHARED: Final = "; one of you does it, and of you all the last word counts"


def stranger(role: str) -> Allows:
    """Allow one who never held the *role*, as far as those know who do: nobody is told who has lost it."""

    def allows(game: Game, me: str, it: str) -> str:
        dealt = any(p == it and held == role for p, held, _ in game.opened.deal) if game.opened else False
        fellow = dealt or any(turned.role == role for turned in game.ever(Turned, who=it))
        return f"{it} is one of you; name somebody who is not." if fellow else another(game, me, it)

    return allows


BY_DAY: Final = ("day", ANY_TIME)
"""When a duty is open that is not one of the night alone."""
DEAD, SELF, OUTSIDER = "the dead", "oneself", "an outsider"
WHOM: Final[Mapping[str, Callable[[str], Allows]]] = {
    "another": lambda role: another, "anyone": lambda role: anyone, OUTSIDER: stranger,
    SELF: lambda role: oneself, DEAD: lambda role: the_dead}
"""Whom a duty of a role may name, by the words of the file."""


def duty_of(
    row: Mapping[str, Any], role: str, cites: tuple[str, ...], others: Sequence[Mapping[str, Any]] = (), *,
    for_good: bool = False,
) -> Duty:
    """Return the duty that a table ``[[duty]]`` gives *role*; it can be left undone, so that nobody is ever stuck.

    Of it and of the *others* only the last one done counts in a night; *for_good* the first night's on all others, too.
    """
    verb, at_once = row["verb"], row["when"] == "day" and KILL in row["does"]
    waits = not at_once and row["when"] not in BY_DAY
    instead_of = [other for other in others if waits and other["when"] not in BY_DAY]
    rivals = frozenset(one["verb"] for one in (row, *instead_of) if for_good)
    alone = (_FOR_GOOD if for_good else _ALONE) if instead_of else ""
    allows, group = WHOM[row["names"]](role), role if row["shared"] else ""
    allows = allows if row["same_again"] else _not_twice(verb, group, allows)
    pair = bool({*PAIRS}.intersection(row["does"]))
    object_ = {SELF: ""}.get(row["names"], " NAME and NAME" if pair else " NAME")
    follows = _shoot if at_once else _in_place_of(verb, instead_of, rivals)
    return Duty(
        verb, _opens(row, group, rivals), allows, follows, 2 if pair else 1,
        optional=(lambda game, me: (me,)) if row["names"] == SELF else None, may_pass=not at_once, owed=waits,
        again=not at_once, changeable=not at_once, does=() if at_once else row["does"], shared=row["shared"],
        cites=cites, words=row["words"],
        says=f"{verb}{object_}: {row['says']}{_limits(row)}{_SHARED if group else ''}{alone}")


_TIMES: Final = {1: "once", 2: "twice"}
_WHEN: Final = {
    "each night": "", "day": "by day", ANY_TIME: "at any time, by day or night", "first night": "on the first night",
    "odd nights": "on odd nights", "even nights": "on even nights"}
_LIMITS: Final = {
    "anyone": "you can name yourself, too", OUTSIDER: "to nobody who holds your role",
    DEAD: "to somebody who is known to be dead"}


def _limits(row: Mapping[str, Any]) -> str:
    """Return in brackets when, how often and to whom a duty can be done; '' if its keys say nothing of it."""
    when, uses = row["when"], row["uses"]
    nights = f"{when} on" if when.startswith("from") else f"on {when}"
    said = (
        _WHEN.get(when, nights), f"{_TIMES.get(uses, f'{uses} times')} in a session" if uses else "",
        _LIMITS.get(row["names"], ""), "" if row["same_again"] else "not to the same person on two nights running")
    told = ", ".join(part for part in said if part and part not in row["says"])
    return f" ({told})" if told else ""


def _in_place_of(
    verb: str, others: Sequence[Mapping[str, Any]], rivals: frozenset[str]
) -> Callable[[Game, str, tuple[str, ...]], Events]:
    """Return what follows from doing *verb*: whoever does it declines the *others* that are open and not declined."""
    opens = {other["verb"]: _opens(other, "", rivals) for other in others}

    def declined(game: Game, me: str, what: tuple[str, ...]) -> Events:
        last = {chose.verb: chose.what for chose in game.now(Chose, who=me)}
        void = [verb for verb, is_open in opens.items() if is_open(game, me) and last.get(verb, what)]
        done = verb if what == (me,) else f"{verb} {listed(what)}"
        replaces = any(verb in last for verb in void)
        told = [Told(me, REPLACED, f"Of {listed((verb, *opens))} only this counts tonight: {done}.")] * replaces
        return [*(Chose(me, verb, ()) for verb in void), *told]

    return declined


def _opens(row: Mapping[str, Any], group: str, rivals: frozenset[str]) -> Opens:
    """Return when a duty is open: on the nights, or days, that it says, up to so many uses (0: any) of the *group*.

    It is closed once another of its *rivals* was done on a night before.
    """
    verb, when, uses = row["verb"], row["when"], row["uses"]
    nights = open_nights(when)
    assert nights is not None

    def opens(game: Game, me: str) -> bool:
        by_day = when in ("day", ANY_TIME) and game.phase == "day" and me in game.alive
        here = by_day or (when != "day" and while_night_is_open(game, me))
        if not here or not nights(game.number) or (row["names"] == DEAD and not game.shown_dead):
            return False
        if any(times_used(game, (me,), rival) for rival in rivals - {verb}):
            return False
        if PARDON in row["does"]:
            return not uses or len(game.ever(Told, to=me, topic=PARDON)) < uses
        return not uses or times_used(game, _sharers(game, me, group), verb) < uses

    return opens


def _sharers(game: Game, me: str, group: str) -> tuple[str, ...]:
    """Return whose deeds count as those of *me*: all who hold the role *group*, their own only where that is ''."""
    return game.holders(group) if group else (me,)


def times_used(game: Game, who: tuple[str, ...], verb: str) -> int:
    """Return in how many phases before the present one any of *who* did *verb* to someone, by the last word in each."""
    starts = [e.number for e in game.lines(PhaseBegan)]
    past = [e for e in game.lines(Chose, verb=verb) if e.number < game.phase_mark]
    last = {bisect(starts, e.number): e.event for e in past if isinstance(e.event, Chose) and e.event.who in who}
    return sum(bool(event.what) for event in last.values())


def _not_twice(verb: str, group: str, allows: Allows) -> Allows:
    """Allow whom *allows* does, but nobody whom the same player, or one of the *group*, named on the night before."""

    def rule(game: Game, me: str, it: str) -> str:
        nights = [e.number for e in game.lines(PhaseBegan, phase="night") if e.number < game.phase_mark]
        ends = [e.number for e in game.lines(PhaseBegan) if nights and e.number > nights[-1]]
        who = _sharers(game, me, group)
        last = [e.event for e in game.lines(Chose, verb=verb) if ends and nights[-1] < e.number < ends[0]]
        if any(it in chose.what for chose in [c for c in last if isinstance(c, Chose) and c.who in who][-1:]):
            return f"You named {it} on the night before; name another person."
        return allows(game, me, it)

    return rule


def _shoot(game: Game, me: str, what: tuple[str, ...]) -> Events:
    return [Killed(it, SHOT) for it in what]
