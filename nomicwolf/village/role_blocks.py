"""Duties and rules of roles written as data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from nomicwolf.village.events import (
    Announced,
    Chose,
    Dawned,
    DeathsAnnounced,
    Due,
    Ended,
    Event,
    Killed,
    Lynched,
    NightClosed,
    Opened,
    PhaseBegan,
    Told,
    Turned,
    Voted,
    VotesWeighed,
)
from nomicwolf.village.game import ATTACK, HUNTERS, PACK_CHOICE, Game, Traits
from nomicwolf.village.laws.actions import (
    CONVERT,
    DEADLY,
    HIDE_BEHIND,
    KILL,
    LEARNING,
    PARDON,
    POISON,
    POISONED,
    PROTECT,
    SHOT,
    STRIP,
    TAKE_ALONG,
    VISIT,
    fate,
    hunters,
    killers,
    reached,
    resolved,
    telling,
    told_at_dawn,
)
from nomicwolf.village.laws.groups import MASONS, PACK, always_open, between, tell_others
from nomicwolf.village.laws.majority import GUILTY
from nomicwolf.village.laws.phases import nightfall
from nomicwolf.village.rules import Duty, Events, Rule, acquainted, each_night, instead, listed, several, whenever

ANSWERS: Final = ("opposite", "always good", "always evil")
TWICE: Final = "twice"
REVENGE: Final = ("on the killer", "on the last voter")
ANY: Final = "any"
OWN: Final = "own"
"""The side of one role alone."""
KNOWS: Final = "knows"
"""The topic of what is told to one who knows who holds another role."""
TURNED: Final = "turned"
"""The topic of what is told to one who holds another role now."""
BLAST, WEAKNESS, HEARTBREAK = "blast", "weakness", "heartbreak"
"""Causes of deaths: revenge, going to the evil side, the death of one to whom they are bound."""


@dataclass(frozen=True, slots=True)
class Terrain:
    """What the rules of a *role* have to know of the rule set.

    *evil* is the side that is looked for, *good* the other, *plain* the role of those who hold no other. Where a rule
    set has a *law* of what night deeds come to, that tells everyone what they learned; else the rules of the role do.
    *pack* are the rule set's own roles that hunt together.
    """

    role: str
    evil: str
    good: str
    plain: str
    law: bool
    cites: tuple[str, ...]
    pack: tuple[str, ...] = ()

    def cited(self, *rules: Rule) -> tuple[Rule, ...]:
        """Return *rules* that roles share, by the clauses of this one."""
        return tuple(replace(rule, cites=self.cites) for rule in rules)

    def turned(self, game: Game, who: str, role: str, like: str = "") -> list[Event]:
        """Return that *who* holds *role* from now on, on the side of *like* or else their own, and is told so."""
        if game.roles[who] == role or not role:
            return []
        words = f"From now on you hold the role {game.cards[role].title}. Send help to see what that means."
        side = game.sides[like] if like and role == self.role else game.sides[who]
        return [Turned(who, role, side), Told(who, TURNED, words)]


def _gone(game: Game, who: str) -> bool:
    return who not in game.alive or game.over


@instead(Turned)
def _not_turned(game: Game, event: Turned) -> Events:
    return [] if _gone(game, event.who) else None


@instead(Told)
def _not_told(game: Game, event: Told) -> Events:
    return [] if event.topic == TURNED and _gone(game, event.to) else None


STILL_HERE: Final = (_not_turned, _not_told)
"""The rules that nobody becomes another, or is told so, who has died, or after the end."""


def traits_of(given: Mapping[str, Any]) -> Traits:
    """Return the traits that a role's file gives to its card."""
    survives = -1 if given["survives"] == "always" else given["survives"]
    return Traits(survives, given["hunts"], given["immune"], given["strong"], given["unseen"], given["weak"],
                  given["visitors"], given["answers"], given["side"] == OWN, given["card"],
                  1 if given["votes"] is None else given["votes"], given["verdict"], given["ends"])


def trait_rules(given: Mapping[str, Any], terrain: Terrain) -> Iterator[Rule]:
    """Yield the rules of what a role's file says its holder is."""
    title = given["title"] or given["name"]
    yield from (_known(terrain, title),) if given["known"] else ()
    yield from (_knowing(terrain, given["knows"]),) if given["knows"] else ()
    if given["votes"] not in (None, 1):
        yield _weighed(terrain, title, given["votes"])
    if given["bound"]:
        yield _bound(terrain)
    if given["weak"]:
        yield _weak(terrain)
    if given["visitors"]:
        yield _unwelcome(terrain)
    if given["revenge"] == REVENGE[0]:
        yield _exploding(terrain)
    if given["revenge"] == REVENGE[1]:
        yield _on_voters(terrain)
    if given["side"] in ("evil", terrain.evil) and not given["hunts"] and terrain.pack:
        yield from (*_hunting_at_last(terrain), *terrain.cited(*STILL_HERE))
    if given["succeeds"]:
        yield from (*_succeeding(terrain, given["succeeds"]), *terrain.cited(*STILL_HERE))


def _known(terrain: Terrain, title: str) -> Rule:
    @whenever(Opened, *terrain.cites)
    def rule(game: Game, event: Opened) -> Events:
        held = game.holders(terrain.role)
        return [Announced("known", f"It is known to all who holds the role {title}: {listed(held)}.", held)]

    return rule


def _knowing(terrain: Terrain, roles: tuple[str, ...]) -> Rule:
    """Return the rule that each holder is told at the start who else holds *roles*.

    Of these `PACK` are all who hunt.
    """
    known = {role: (*terrain.pack, HUNTERS) if role == PACK else (role,) for role in roles}

    @whenever(Opened, *terrain.cites)
    def rule(game: Game, event: Opened) -> Events:
        told = list[Told]()
        for me in game.holders(terrain.role):
            for role, names in known.items():
                held = tuple(p for p in game.holders(*names) if p != me)
                if held:
                    what = "hunts with the pack" if role == PACK else f"holds the role {game.cards[role].title}"
                    told.append(Told(me, KNOWS, f"You know who {what}: {listed(held)}.", held))
        return told

    return rule


def _weighed(terrain: Terrain, title: str, votes: int) -> Rule:
    """Return the rule that whose vote counts otherwise than once is known to everyone, whatever they become.

    Counts are public, and votes depend on them, so a hidden weight would show.
    """
    counts = ("counts for nothing", "counts once", "counts twice")[votes] if votes < 3 else f"counts {votes} times"

    @whenever(Opened, *terrain.cites)
    def rule(game: Game, event: Opened) -> Events:
        held = game.holders(terrain.role)
        words = f"It is known to all that the vote of {listed(held)}, who holds the role {title}, {counts}."
        return [VotesWeighed(tuple((who, votes) for who in held)), Announced("votes", words, held)]

    return rule


def _bound(terrain: Terrain) -> Rule:
    """Return the rule that all holders die with one of them, but not of that one's leaving."""

    @whenever(Killed, *terrain.cites)
    def rule(game: Game, event: Killed) -> Events:
        if game.roles[event.who] != terrain.role or event.cause == "departure":
            return None
        return [Killed(p, HEARTBREAK) for p in game.living(terrain.role)]

    return rule


def _weak(terrain: Terrain) -> Rule:
    @whenever(Dawned, *terrain.cites)
    def rule(game: Game, event: Dawned) -> Events:
        came = [deed.who for deed in resolved(game).deeds if game.roles[deed.who] == terrain.role
                and any(game.sides[it] == terrain.evil for it in deed.goes)]
        return [Killed(who, WEAKNESS) for who in dict.fromkeys(came)]

    return rule


def _unwelcome(terrain: Terrain) -> Rule:
    """Return the rule that who comes to a holder by night is shot; of a pack, the one who comes for all."""

    @whenever(Dawned, *terrain.cites)
    def rule(game: Game, event: Dawned) -> Events:
        night = resolved(game)
        shot = list[str]()
        for host in game.living(terrain.role):
            came = [deed.who for deed in night.deeds if host in deed.goes and deed.who != host and deed.verb != ATTACK]
            pack = [who for who in hunters(game, night, host)[:1] if any(
                deed.who == who and host in deed.goes for deed in night.deeds)]
            shot += () if host in night.away else (*came, *pack)
        return [Killed(who, SHOT) for who in dict.fromkeys(shot)]

    return rule


def _exploding(terrain: Terrain) -> Rule:
    @whenever(Killed, *terrain.cites)
    def rule(game: Game, event: Killed) -> Events:
        if game.phase != "night" or event.cause not in DEADLY or game.roles[event.who] != terrain.role:
            return None
        return [Killed(who, BLAST) for who in killers(game, resolved(game), event)]

    return rule


def _on_voters(terrain: Terrain) -> Rule:
    @whenever(Lynched, *terrain.cites)
    def rule(game: Game, event: Lynched) -> Events:
        if game.roles[event.who] != terrain.role:
            return None
        against = {p for p, whom in game.table.items() if whom in (event.who, GUILTY) and p != event.who}
        voters = [vote.who for vote in game.now(Voted) if vote.who in against & game.alive]
        return [Killed(who, BLAST) for who in voters[-1:]]

    return rule


def _hunting_at_last(terrain: Terrain) -> tuple[Rule, Rule]:
    """Return the rules by which a holder on the evil side becomes one of the pack once nobody of it lives.

    So there is always somebody who hunts, and no session is without an end.
    """

    def turned(game: Game, dead: tuple[str, ...]) -> list[Event]:
        if any(p not in dead for p in game.living(*terrain.pack, HUNTERS)):
            return []
        dealt = (role for _, role, _ in game.opened.deal if role in terrain.pack) if game.opened else ()
        role = next(iter(dealt), terrain.pack[0])
        return [each for p in game.living(terrain.role) if p not in dead for each in terrain.turned(game, p, role)]

    return _as_deaths_are_known(terrain, turned)


def _as_deaths_are_known(
    terrain: Terrain, follows: Callable[[Game, tuple[str, ...]], list[Event]]
) -> tuple[Rule, Rule]:
    """Return the rules by which something *follows* when all know who is dead, by night or by day."""

    @whenever(DeathsAnnounced, *terrain.cites)
    def told(game: Game, event: DeathsAnnounced) -> Events:
        return follows(game, tuple(who for who in event.killed if who not in game.alive))

    @whenever(Lynched, *terrain.cites)
    def lynched(game: Game, event: Lynched) -> Events:
        return follows(game, (event.who,))

    return told, lynched


def _succeeding(terrain: Terrain, roles: tuple[str, ...]) -> tuple[Rule, Rule]:
    """Return the rules by which a holder takes the role of one of the good side whose death has become known."""

    def heirs(game: Game, dead: tuple[str, ...]) -> list[Event]:
        waiting, found = [p for p in game.living(terrain.role) if p not in dead], list[Event]()
        for who in dead:
            role = game.roles[who]
            special = ANY in roles and role != terrain.role and not game.cards[role].plain
            if waiting and game.sides[who] == terrain.good and (role in roles or special):
                found += terrain.turned(game, waiting.pop(0), role)
        return found

    return _as_deaths_are_known(terrain, heirs)


WINS: Final = tuple(f"{how} if {what}" for how in ("also", "only") for what in ("alive", "lynched"))
"""How a role wins otherwise than with its side: beside that, or in place of it."""
WINS_BY_COUNT: Final = r"(also|only) if (among the last [1-9]|[1-9] of the (good|evil) side are dead)"
"""The same, by how many live or are dead at the end."""
ENDS: Final = tuple(f"{who} wins if {how}" for how in ("lynched", "dead") for who in ("good", "evil", "it"))
"""How a session ends by a holder's death, as `Ending` has it: who wins, and of what death."""
ENDS_ON_DAY: Final = r"(good|evil|it) wins if lynched on day [1-9]"
"""The same, of one day alone."""
def _sharing(night: Terrain, verb: str) -> Rule:
    """Return the rule that all who share the deed *verb* are told whom one of them names."""

    @whenever(Chose, *night.cites)
    def rule(game: Game, event: Chose) -> Events:
        if event.verb != verb or game.roles[event.who] != night.role:
            return None
        return tell_others(PACK_CHOICE, event, game.living(night.role))

    return rule


def rules_of(
    given: Mapping[str, Any], night: Terrain, duties: tuple[Duty, ...]
) -> tuple[tuple[Duty, ...], tuple[Rule, ...]]:
    """Return what a role's file gives beside its own *duties*: those of talk, and all its rules."""
    rules = [rule for duty in duties for rule in _night_rules(replace(night, cites=duty.cites), duty)]
    rules += trait_rules(given, night)
    if rules or given["survives"] or any({*duty.does} - {VISIT} for duty in duties):
        cites = tuple(dict.fromkeys(cite for duty in duties for cite in duty.cites)) or night.cites
        rules += () if night.law else replace(night, cites=cites).cited(fate, told_at_dawn)
    if given["wins"]:
        rules.append(_winning(night, given["wins"]))
    if not given["together"]:
        return (), tuple(rules)
    title = given["title"] or given["name"]
    known = acquainted(
        night.role, topic=MASONS, text=f"You know one another, of the role {title}: {{}}.",
        alone=f"You are the only one of the role {title}.", cites=night.cites)
    group = PACK if given["side"] == OWN else MASONS
    opens = always_open if given["talks"] else each_night
    called = title.casefold() if re.fullmatch(r"[\w' -]+", title) else night.role
    talk = between(group, lambda game: game.holders(night.role), opens, night.cites, several(called))
    return (talk,), (*rules, *known)


def _night_rules(night: Terrain, duty: Duty) -> Iterator[Rule]:
    """Yield the rules that carry out at dawn what a *duty* does, beside `fate`; who is stopped is asked by each."""
    if duty.shared:
        yield _sharing(night, duty.verb)
    if KILL in duty.does:
        yield from _killing(night)
    if {*LEARNING}.intersection(duty.does) and not night.law:
        yield telling(night.role, night.evil, *night.cites)
    if POISON in duty.does:
        yield _poisoning(night)
    if HIDE_BEHIND in duty.does:
        yield _hiding(night)
    if TAKE_ALONG in duty.does:
        yield _avenging(night, duty.verb)
    if PARDON in duty.does:
        yield _pardoning(night, duty.verb)
    for effect in (STRIP, CONVERT):
        if effect in duty.does:
            yield from (_turning(night, effect), *night.cited(*STILL_HERE))


def _killing(night: Terrain) -> tuple[Rule, ...]:
    """Return the rules by which holders of the role kill: when the night closes, or when one ends that never does."""

    def shot(game: Game) -> list[Killed]:
        aimed = [it for who, it in reached(game, resolved(game), KILL) if game.roles[who] == night.role]
        return [Killed(it, SHOT) for it in dict.fromkeys(aimed)]

    @whenever(NightClosed, *night.cites)
    def closed(game: Game, event: NightClosed) -> Events:
        return [Due(each) for each in shot(game)]

    @whenever(Dawned, *night.cites)
    def dawned(game: Game, event: Dawned) -> Events:
        return () if game.now(NightClosed) else shot(game)

    return (closed,) if night.law else (closed, dawned)


def _poisoning(night: Terrain) -> Rule:
    """Return the rule that whoever was told a morning ago of being poisoned dies, unless protected."""

    @whenever(Dawned, *night.cites)
    def rule(game: Game, event: Dawned) -> Events:
        before = [e.number for e in game.lines(PhaseBegan, phase="night")][-2:-1]
        told = [e.event for e in game.lines(Told) if before and before[0] < e.number < game.phase_mark]
        ill = [t.to for t in told if isinstance(t, Told) and POISONED in t.text]
        saved = {it for _, it in reached(game, resolved(game), PROTECT)}
        return [Killed(it, POISON) for it in dict.fromkeys(ill) if it in game.alive and it not in saved]

    return rule


def _hiding(night: Terrain) -> Rule:
    """Return the rule that who hides behind another dies of that one's death by night."""

    @whenever(Killed, *night.cites)
    def rule(game: Game, event: Killed) -> Events:
        deeds = resolved(game).deeds if game.phase == "night" else ()
        return [Killed(deed.who, HIDE_BEHIND) for deed in deeds
                if HIDE_BEHIND in deed.does and event.who in deed.goes and deed.who in game.alive]

    return rule


def _avenging(night: Terrain, verb: str) -> Rule:
    """Return the rule that a holder who is killed takes along whom they have named last."""

    @whenever(Killed, *night.cites)
    def rule(game: Game, event: Killed) -> Events:
        if game.roles[event.who] != night.role or event.cause == "departure":
            return None
        named = game.ever(Chose, who=event.who, verb=verb)[-1:]
        return [Killed(it, TAKE_ALONG) for chose in named for it in chose.what if it in game.alive]

    return rule


def _pardoning(night: Terrain, verb: str) -> Rule:
    """Return the rule that whom a living holder has named last is not put to death by a vote: the day ends instead."""

    @instead(Lynched, *night.cites)
    def rule(game: Game, event: Lynched) -> Events:
        for who in game.living(night.role):
            spent = game.lines(Told, to=who, topic=PARDON)[-1:]
            named = game.since(spent[0].number if spent else 0, Chose, who=who, verb=verb)[-1:]
            if any(event.who in chose.what for chose in named):
                told = f"{event.who} was to be put to death, and is pardoned. The day is over."
                return [Announced(PARDON, told, (event.who,)),
                        Told(who, PARDON, f"It is you who has pardoned {event.who}."), *nightfall(game)]
        return None

    return rule


def _turning(night: Terrain, effect: str) -> Rule:
    """Return the rule that one of the good side becomes plain, or what the doer is, once the deaths are known."""

    @whenever(DeathsAnnounced, *night.cites)
    def rule(game: Game, event: DeathsAnnounced) -> Events:
        if game.phase != "night" or not game.now(Dawned):
            return None
        turned = [(who, it) for who, it in reached(game, resolved(game), effect) if game.roles[who] == night.role]
        return [each for who, it in turned if game.sides[it] == night.good
                for each in night.turned(game, it, night.plain if effect == STRIP else night.role, who)]

    return rule


def _winning(night: Terrain, words: str) -> Rule:
    """Return the rule by which holders win *also* or *only* if what the *words* of the file say is so at the end."""
    how, _, what = words.partition(" if ")

    @instead(Ended, *night.cites)
    def rule(game: Game, event: Ended) -> Events:
        held = game.holders(night.role)
        met = {p for p in held if _has_won(night, what, game, p)}
        others = {p for p in event.winners if how == "also" or p not in held}
        won = tuple(p for p in game.seats if p in met or p in others)
        return None if won == event.winners else [replace(event, winners=won)]

    return rule


def _has_won(night: Terrain, what: str, game: Game, who: str) -> bool:
    """Return whether at the end of *game* it is as a role's file says of *who*, by the words behind the ``if``."""
    if what == "lynched":
        return bool(game.ever(Lynched, who=who))
    number, side = re.search(r"\d", what), night.evil if "evil" in what else night.good
    if number and what.endswith("dead"):
        return sum(game.sides[p] == side and p not in game.alive for p in game.seats) >= int(number[0])
    return who in game.alive and (number is None or len(game.alive) <= int(number[0]))
