"""The building blocks of roles that are written as data."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from nomicwolf.village.events import Agreed, Chose, Dawned, Due, Ended, Killed, Lynched, NightClosed, PhaseBegan, Told
from nomicwolf.village.game import Game
from nomicwolf.village.laws.actions import (
    BLOCK,
    DEADLY,
    FEEDBACK,
    KEPT,
    KILL,
    LEARNING,
    PROTECT,
    SHOT,
    STAND_IN,
    done_tonight,
    guardian,
    kept_from_acting,
    learned,
    protected,
    stopped,
)
from nomicwolf.village.laws.group_choices import ATTACK
from nomicwolf.village.laws.talk import MASONS, among
from nomicwolf.village.rule_helpers import Allows, Opens, acquainted, another, anyone, while_night_is_open
from nomicwolf.village.rules import Duty, Events, Rule, instead, nothing, whenever

WHOM: Final[Mapping[str, Allows]] = {"another": another, "anyone": anyone}
"""Whom a duty may name, by the words of the file."""
WINS: Final = tuple(f"{how} if {what}" for how in ("also", "only") for what in ("alive", "lynched"))
"""How a role wins otherwise than with its side: beside that, or in place of it."""
SURVIVED: Final = "Somebody tried to kill you tonight, and you live."


@dataclass(frozen=True, slots=True)
class Night:
    """What the rules of a *role* have to know.

    *evil* is the side that is looked for. Where a rule set has a *law* of what night deeds come to, that spares the
    protected, stops the blocked and tells everyone what e learned; else the rules of the role do.
    """

    role: str
    evil: str
    law: bool
    cites: tuple[str, ...]


def open_nights(words: str) -> Callable[[int], bool] | None:
    """Return which nights the *words* of a file mean, as a question about a night's number; None if they mean none.

    >>> [[n for n in range(1, 7) if open_nights(words)(n)] for words in ("first night", "from night 3", "even nights")]
    [[1], [3, 4, 5, 6], [2, 4, 6]]
    >>> open_nights("every night") is None
    True
    """
    plain: dict[str, Callable[[int], bool]] = {
        "each night": lambda n: True, "first night": lambda n: n == 1, "odd nights": lambda n: n % 2 == 1,
        "even nights": lambda n: n % 2 == 0, "day": lambda n: n > 0}
    if words in plain:
        return plain[words]
    found = re.fullmatch(r"(from )?night ([1-9]\d?)", words)
    if found is None:
        return None
    first = int(found[2])
    return (lambda n: n >= first) if found[1] else (lambda n: n == first)


def duty_of(row: Mapping[str, Any], cites: tuple[str, ...]) -> Duty:
    """Return the duty that a table ``[[duty]]`` gives; it can always be left undone, so that nobody is ever stuck."""
    verb, by_day = row["verb"], row["when"] == "day"
    opens = _opens(verb, row["when"], row["uses"])
    allows = WHOM[row["names"]] if row["same_again"] else _not_twice(verb, WHOM[row["names"]])
    return Duty(
        verb, opens, allows, _shoot if by_day else nothing, may_pass=not by_day, owed=not by_day, again=not by_day,
        changeable=not by_day, does=() if by_day else row["does"], cites=cites, words=row["words"],
        says=f"{verb} NAME: {row['says']}")


def _opens(verb: str, when: str, uses: int) -> Opens:
    """Return when *verb* is open: on the nights, or days, that the words *when* mean, up to so many *uses* (0: any)."""
    nights = open_nights(when)
    assert nights is not None
    by_day = when == "day"

    def opens(game: Game, me: str) -> bool:
        here = (game.phase == "day" and me in game.alive) if by_day else while_night_is_open(game, me)
        return here and nights(game.number) and not (uses and times_used(game, me, verb) >= uses)

    return opens


def times_used(game: Game, me: str, verb: str) -> int:
    """Return in how many phases before the present one *me* has done *verb* to someone, by the last word in each."""
    starts = [e.number for e in game.lines(PhaseBegan)]
    past = [e for e in game.lines(Chose, who=me, verb=verb) if e.number < game.phase_mark]
    last = {bisect(starts, e.number): e.event for e in past}
    return sum(isinstance(event, Chose) and bool(event.what) for event in last.values())


def _not_twice(verb: str, allows: Allows) -> Allows:
    """Allow whom *allows* does, but nobody whom the same player named on the night before."""

    def rule(game: Game, me: str, it: str) -> str:
        nights = [e.number for e in game.lines(PhaseBegan, phase="night") if e.number < game.phase_mark]
        ends = [e.number for e in game.lines(PhaseBegan) if nights and e.number > nights[-1]]
        last = [e.event for e in game.lines(Chose, who=me, verb=verb) if ends and nights[-1] < e.number < ends[0]]
        if last and isinstance(last[-1], Chose) and it in last[-1].what:
            return f"You named {it} on the night before; name another person."
        return allows(game, me, it)

    return rule


def _shoot(game: Game, me: str, what: tuple[str, ...]) -> Events:
    return [Killed(it, SHOT) for it in what]


def rules_of(
    given: Mapping[str, Any], night: Night, duties: tuple[Duty, ...]
) -> tuple[tuple[Duty, ...], tuple[Rule, ...]]:
    """Return what a role's file gives beside its own *duties*: those of talk, and all its rules."""
    rules = [rule for duty in duties for rule in _night_rules(replace(night, cites=duty.cites), duty.does)]
    if given["survives"]:
        rules.append(_armoured(night, given["survives"]))
    if given["wins"]:
        rules.append(_winning(night, given["wins"]))
    if not given["together"]:
        return (), tuple(rules)
    title = given["title"] or given["name"]
    known = acquainted(
        night.role, topic=MASONS, text=f"You know one another, of the role {title}: {{}}.",
        alone=f"You are the only one of the role {title}.", cites=night.cites)
    return (among(MASONS, night.role, cites=night.cites),), (*rules, *known)


def _night_rules(night: Night, does: tuple[str, ...]) -> Iterator[Rule]:
    """Yield the rules that carry out at dawn what a duty *does*; who is stopped is asked by each."""
    if BLOCK in does and not night.law:
        yield from _blocking(night)
    if PROTECT in does and not night.law:
        yield _protecting(night)
    if STAND_IN in does:
        yield _standing_in(night)
    if KILL in does:
        yield from _killing(night)
    if LEARNING.intersection(does) and not night.law:
        yield _telling(night)


def _blocking(night: Night) -> tuple[Rule, Rule]:
    """Return the rules that a pack kills nobody if all of it are stopped, and that the stopped are told so."""

    @instead(Killed, *night.cites)
    def pack(game: Game, event: Killed) -> Events:
        agreed = game.now(Agreed, verb=ATTACK) if event.cause == ATTACK else []
        return [] if agreed and stopped(game).issuperset(agreed[-1].pack) else None

    @whenever(Dawned, *night.cites)
    def tell(game: Game, event: Dawned) -> Events:
        """Tell them once, whatever other roles can block."""
        blocking = {role for role, card in game.cards.items() if any(BLOCK in does for does in card.does.values())}
        dealt = {role for _, role, _ in game.opened.deal} if game.opened else set()
        kept = kept_from_acting(game) if night.role == min(blocking & dealt, default="") else ()
        return [Told(p, FEEDBACK, KEPT) for p in game.living() if p in kept]

    return pack, tell


def _protecting(night: Night) -> Rule:
    @instead(Killed, *night.cites)
    def rule(game: Game, event: Killed) -> Events:
        return [] if protected(game, event) else None

    return rule


def _standing_in(night: Night) -> Rule:
    @instead(Killed, *night.cites)
    def rule(game: Game, event: Killed) -> Events:
        who = "" if protected(game, event) else guardian(game, event, night.role)
        return [Killed(who, STAND_IN)] if who and event.who in game.alive else None

    return rule


def _killing(night: Night) -> tuple[Rule, ...]:
    """Return the rules by which holders of the role kill: when the night closes, or when one ends that never does."""

    def shot(game: Game) -> list[Killed]:
        doers = {who: it for who, it in done_tonight(game, KILL).items() if game.roles[who] == night.role}
        return [Killed(it, SHOT) for it in dict.fromkeys(doers.values())]

    @whenever(NightClosed, *night.cites)
    def closed(game: Game, event: NightClosed) -> Events:
        return [Due(each) for each in shot(game)]

    @whenever(Dawned, *night.cites)
    def dawned(game: Game, event: Dawned) -> Events:
        return () if game.now(NightClosed) else shot(game)

    return (closed,) if night.law else (closed, dawned)


def _telling(night: Night) -> Rule:
    @whenever(Dawned, *night.cites)
    def rule(game: Game, event: Dawned) -> Events:
        told = {p: [said for said in learned(game, p, night.evil) if said != KEPT] for p in game.living(night.role)}
        return [Told(p, FEEDBACK, "\n".join(said)) for p, said in told.items() if said]

    return rule


def _armoured(night: Night, times: int) -> Rule:
    """Return the rule that holders survive being killed by night so many *times*, always if that is below 0."""

    @instead(Killed, *night.cites)
    def rule(game: Game, event: Killed) -> Events:
        aimed = game.phase == "night" and event.cause in DEADLY and game.roles[event.who] == night.role
        if not aimed or protected(game, event) or guardian(game, event):
            return None
        spent = len(game.ever(Told, to=event.who, topic=FEEDBACK, text=SURVIVED))
        return [Told(event.who, FEEDBACK, SURVIVED)] if times < 0 or spent < times else None

    return rule


def _winning(night: Night, words: str) -> Rule:
    """Return the rule by which holders win *also* or *only* if they are alive, or have been lynched."""
    how, _, what = words.partition(" if ")

    @instead(Ended, *night.cites)
    def rule(game: Game, event: Ended) -> Events:
        held = game.holders(night.role)
        met = {p for p in held if (p in game.alive if what == "alive" else game.ever(Lynched, who=p))}
        others = {p for p in event.winners if how == "also" or p not in held}
        won = tuple(p for p in game.seats if p in met or p in others)
        return None if won == event.winners else [replace(event, winners=won)]

    return rule
