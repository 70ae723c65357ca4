"""Deeds of roles: effects and findings.

`ORDER` is the order in which effects come, whatever order the letters came in. What can undo or move another effect
(`CHANGES`) comes before it, so that nothing has to be worked out twice; only those who block one another can form a
ring. What is learned of a night comes last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from nomicwolf.village.events import Agreed, Chose, Dawned, Killed, Told
from nomicwolf.village.game import ATTACK, Game
from nomicwolf.village.rules import Events, Law, Rule, instead, listed, looks_evil, whenever

HIDE, HIDE_BEHIND, SHIELD, BLOCK = "hide", "hide behind", "shield", "block"
REDIRECT, SWITCH, LURE = "redirect", "switch", "lure"
FRAME, CLEAR, PROTECT, STAND_IN, KILL, POISON = "frame", "clear", "protect", "stand in", "kill", "poison"
TAKE_ALONG, PARDON, GIVE, STRIP, CONVERT, VISIT = "take along", "pardon", "give", "strip", "convert", "visit"
LEARNING: Final = ("see side", "see role", "see plain", "see killer", "track", "watch", "sense")
"""The effects by which the doer learns something."""
EFFECTS: Final = (
    HIDE, HIDE_BEHIND, SHIELD, BLOCK, REDIRECT, SWITCH, LURE, FRAME, CLEAR, PROTECT, STAND_IN, KILL, TAKE_ALONG, PARDON,
    POISON, *LEARNING, GIVE, STRIP, CONVERT, VISIT)
"""What can come of a deed at the end of a night."""
ORDER: Final = (
    (HIDE, HIDE_BEHIND), (SHIELD,), (BLOCK,), (REDIRECT,), (SWITCH,), (LURE,), (FRAME, CLEAR), (PROTECT,), (STAND_IN,),
    (KILL, ATTACK), (TAKE_ALONG, PARDON), (POISON,), (*LEARNING, GIVE), (STRIP, CONVERT), (VISIT,))
"""The effects in the order in which they come; those of one step leave one another alone."""
_SHELTERS: Final = (HIDE, HIDE_BEHIND, SHIELD)
_MOVES: Final = (REDIRECT, SWITCH, LURE)
STANDING: Final = (TAKE_ALONG, PARDON)
"""What is no errand of one night: whom they have named last counts when it comes to that."""
_FIXED: Final = (*_SHELTERS, BLOCK, *_MOVES, *STANDING)
_FATAL: Final = (KILL, ATTACK)
_MOVED: Final = tuple(effect for step in ORDER for effect in step if effect not in _FIXED)
CHANGES: Final[Mapping[str, tuple[str, ...]]] = {
    HIDE: (SHIELD, BLOCK, *_MOVES, *_MOVED), HIDE_BEHIND: (SHIELD, BLOCK, *_MOVES, *_MOVED),
    SHIELD: (BLOCK, *_MOVES, *(effect for effect in _MOVED if effect not in _FATAL)),
    BLOCK: (*_MOVES, *_MOVED), REDIRECT: _MOVED, SWITCH: _MOVED, LURE: _MOVED,
    FRAME: ("see side",), CLEAR: ("see side",), PROTECT: (*_FATAL, POISON), STAND_IN: _FATAL,
    KILL: (TAKE_ALONG, STRIP, CONVERT), ATTACK: (TAKE_ALONG, STRIP, CONVERT), POISON: (STRIP, CONVERT)}
"""Which effects each can undo, move or change."""
PAIRS: Final = (REDIRECT, SWITCH)
"""The effects that need two persons."""
SHOT: Final = "shoot"
"""The cause of a death by night that a single player brings about."""
DEADLY: Final = (ATTACK, SHOT)
FEEDBACK: Final = "feedback"
"""The topic of what is told of a night at its end."""
NO_NEWS: Final = "Nothing to report."
"""What is told in a report when there is nothing else."""
KEPT: Final = "You were kept from acting."
SURVIVED: Final = "Somebody tried to kill you tonight, and you live."


class Deed(NamedTuple):
    """What *who* does tonight: the effects that it has, whom they named, and to whom they come at last."""

    who: str
    verb: str
    does: tuple[str, ...]
    named: tuple[str, ...]
    goes: tuple[str, ...]


@dataclass(frozen=True)
class Night:
    """What the deeds of a night come to.

    *stopped* are the blocked, *kept* those of them who meant to do something; *deeds* is what the others do. Nobody but
    who hides is *away*; nothing but death comes to the *shielded*. *aim* gives to whom a player comes who set out for
    another.
    """

    stopped: frozenset[str]
    kept: frozenset[str]
    deeds: tuple[Deed, ...]
    away: frozenset[str]
    shielded: frozenset[str]
    aim: Callable[[str, str], str]


def blocked(blocks: Mapping[str, str]) -> frozenset[str]:
    """Return who is blocked, *blocks* mapping each blocker to whom they visit.

    A blocker who is blocked blocks nobody; those who block one another in a ring are all blocked.

    >>> sorted(blocked({"a": "b", "b": "c"}))
    ['b']
    >>> sorted(blocked({"a": "b", "b": "a"}))
    ['a', 'b']
    """
    open_blocks, done = dict(blocks), set[str]()
    while open_blocks:
        free = [b for b in open_blocks if b not in open_blocks.values()]
        if not free:
            return frozenset(done | set(open_blocks))
        for blocker in free:
            target = open_blocks.pop(blocker)
            done.add(target)
            open_blocks.pop(target, None)
    return frozenset(done)


def resolved(game: Game) -> Night:
    """Return what the deeds of the present night come to, as they stand now."""
    meant = _meant(game)
    away = {it for deed in meant if HIDE in deed.does for it in deed.named}
    away |= {deed.who for deed in meant if HIDE_BEHIND in deed.does}
    shielded = {it for deed in meant if SHIELD in deed.does for it in deed.named} - away
    night = Night(frozenset(), frozenset(), tuple(meant), frozenset(away), frozenset(shielded), lambda who, it: it)
    stop = blocked(dict(reached(game, night, BLOCK)))
    still = [deed if deed.who not in stop else _sheltering(deed) for deed in meant]
    free = tuple(deed for deed in still if deed is not None)
    kept = frozenset(deed.who for deed in meant if deed not in free)
    aim = _aim(game, Night(stop, kept, free, night.away, night.shielded, night.aim))
    deeds = tuple(deed._replace(goes=tuple(aim(deed.who, it) for it in deed.named)) if _moves_on(deed) else deed
                  for deed in free)
    return Night(stop, kept, deeds, night.away, night.shielded, aim)


def _meant(game: Game) -> list[Deed]:
    """Return what each player last chose to do tonight, in the order in which they first chose; not what they declined.

    What several share is the deed of the one whose word was the last.
    """
    last = {(c.who, c.verb): c.what for c in game.now(Chose)}
    found = []
    for (who, verb), what in last.items():
        card = game.cards.get(game.roles[who])
        does = card.does.get(verb, ()) if card is not None else ()
        mine = card is None or verb not in card.shared or _speaks_last(game, who, verb)
        if what and mine and not set(does).intersection(STANDING):
            found.append(Deed(who, verb, (ATTACK,) if verb == ATTACK else does, what, what))
    return found


def _speaks_last(game: Game, who: str, verb: str) -> bool:
    """Return whether of all who share the deed *verb* with *who* their word of tonight is the last."""
    return [c.who for c in game.now(Chose, verb=verb) if game.roles[c.who] == game.roles[who]][-1] == who


def _sheltering(deed: Deed) -> Deed | None:
    """Return what is left of *deed* where its doer is blocked: what no block can undo."""
    left = tuple(effect for effect in deed.does if effect in _SHELTERS)
    return deed._replace(does=left) if left else None


def _moves_on(deed: Deed) -> bool:
    """Return whether whom *deed* comes to can be changed."""
    return not deed.does or bool(set(deed.does) - set(_FIXED))


def reached(game: Game, night: Night, effect: str) -> list[tuple[str, str]]:
    """Return who does *effect* to whom tonight, in the order in which they chose; not to whom it can't be done."""
    return [(deed.who, it) for deed in night.deeds if effect in deed.does for it in deed.goes[:1]
            if reaches(game, night, effect, it)]


def reaches(game: Game, night: Night, effect: str, it: str) -> bool:
    """Return whether *effect* can be done to *it* tonight."""
    immune = game.traits(it).immune
    if it in night.away or effect in immune:
        return False
    return effect in _FATAL or effect in _SHELTERS or not (it in night.shielded or "all" in immune)


def _aim(game: Game, night: Night) -> Callable[[str, str], str]:
    """Return how deeds are moved: first who is sent elsewhere, then who changed places, then who draws all to themself.

    Of several who would move the same, the first in seat order does.
    """
    order = sorted(night.deeds, key=lambda deed: game.seats.index(deed.who))
    sent, swaps = dict[str, str](), list[tuple[str, str]]()
    for deed in order:
        if REDIRECT in deed.does and reaches(game, night, REDIRECT, deed.named[0]):
            sent.setdefault(*deed.named[:2])
        if SWITCH in deed.does and all(reaches(game, night, SWITCH, it) for it in deed.named):
            swaps.append((deed.named[0], deed.named[1]))
    lures = [deed.who for deed in order if LURE in deed.does]

    def aim(who: str, it: str) -> str:
        it = sent.get(who, it)
        for one, other in swaps:
            it = {one: other, other: one}.get(it, it)
        return lures[0] if lures and lures[0] != who else it

    return aim


def visits(game: Game, night: Night) -> list[tuple[str, str]]:
    """Return who is seen to come to whom tonight, in the order in which they chose."""
    return [(deed.who, it) for deed in night.deeds if not game.traits(deed.who).unseen
            for it in deed.goes if it != deed.who]


def hunters(game: Game, night: Night, victim: str) -> list[str]:
    """Return who of the pack goes out for *victim*: those who named them first, then the others who can."""
    able = [deed for deed in night.deeds if deed.verb == ATTACK]
    return [deed.who for deed in sorted(able, key=lambda deed: victim not in deed.named)]


def killers(game: Game, night: Night, event: Killed) -> list[str]:
    """Return who has killed them by night: one of a pack, or each of those who did it alone."""
    if event.cause == ATTACK:
        came = [deed.who for deed in night.deeds if deed.verb == ATTACK and event.who in deed.goes]
        return (came or hunters(game, night, event.who))[:1]
    return [who for who, it in reached(game, night, KILL) if it == event.who] if event.cause == SHOT else []


@instead(Killed)
def fate(game: Game, event: Killed) -> Events:
    """Kill whoever would be killed by night, or another in their place, or nobody."""
    if game.phase != "night" or event.cause not in DEADLY:
        return None
    night = resolved(game)
    victim = _struck(game, night, event)
    if not victim:
        return []
    if any(game.traits(who).strong for who in killers(game, night, event)):
        return _dies(event, victim)
    if victim in game.alive and victim in [it for _, it in reached(game, night, PROTECT)]:
        return []
    guards = [who for who, it in reached(game, night, STAND_IN) if it == victim and who in game.alive and who != it]
    if guards and victim in game.alive:
        return [Killed(min(guards, key=game.seats.index), STAND_IN)]
    times = game.traits(victim).survives
    spent = len(game.ever(Told, to=victim, topic=FEEDBACK, text=SURVIVED)) if times > 0 else 0
    if times < 0 or spent < times:
        return [Told(victim, FEEDBACK, SURVIVED)]
    return _dies(event, victim)


def _struck(game: Game, night: Night, event: Killed) -> str:
    """Return whom a killing by night comes to, '' for nobody: all of the pack are stopped, or they are away."""
    victim = event.who
    if event.cause == ATTACK:
        able, pack = hunters(game, night, victim), [a.pack for a in game.now(Agreed, verb=ATTACK)]
        if not able and pack and night.stopped.issuperset(pack[-1]):
            return ""
        victim = night.aim(able[0], victim) if able else victim
    return "" if victim in night.away or KILL in game.traits(victim).immune else victim


def _dies(event: Killed, victim: str) -> Events:
    return None if victim == event.who else [Killed(victim, event.cause)]


def stopped(game: Game) -> frozenset[str]:
    """Return who can do nothing tonight."""
    return resolved(game).stopped


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
        return [Told(p, FEEDBACK, "\n".join(words) or NO_NEWS) for p, words in said.items()]

    return Law(RESOLUTION, rules=(instead(Killed, *cites)(fate.then), feedback))


@whenever(Dawned)
def told_at_dawn(game: Game, event: Dawned) -> Events:
    """Tell whoever was kept from acting, poisoned or given something."""
    night = resolved(game)
    return [Told(p, FEEDBACK, words) for p in game.living() for words in news(game, night, p)]


def news(game: Game, night: Night, me: str) -> list[str]:
    """Return what was done to *me* in the *night*, as far as they notice, a sentence each."""
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
    """Return what *me* learns by their own deeds of this *night*, a sentence each."""
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
