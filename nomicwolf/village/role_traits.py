"""What a role written as data is, beside what it does: rules for each of its traits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from nomicwolf.village.events import (
    Announced,
    Dawned,
    DeathsAnnounced,
    Event,
    Killed,
    Lynched,
    Opened,
    Told,
    Turned,
    Voted,
    VotesWeighed,
)
from nomicwolf.village.game import HUNTERS, Game, Traits
from nomicwolf.village.laws.actions import DEADLY, SHOT, hunters, killers, resolved
from nomicwolf.village.laws.groups import ATTACK
from nomicwolf.village.laws.verdicts import GUILTY
from nomicwolf.village.rules import Events, Rule, instead, listed, whenever

ANSWERS: Final = ("opposite", "always good", "always evil")
TWICE: Final = "twice"
REVENGE: Final = ("on the killer", "on the last voter")
ANY: Final = "any"
OWN: Final = "own"
"""The side of one role alone."""
TURNED: Final = "turned"
"""The topic of what is told to one who holds another role now."""
BLAST, WEAKNESS, HEARTBREAK = "blast", "weakness", "heartbreak"
"""Causes of deaths: revenge, going to the evil side, the death of one to whom e is bound."""


@dataclass(frozen=True, slots=True)
class Terrain:
    """What the rules of a *role* have to know of the rule set.

    *evil* is the side that is looked for, *good* the other, *plain* the role of those who hold no other. Where a rule
    set has a *law* of what night deeds come to, that tells everyone what e learned; else the rules of the role do.
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
        """Return that *who* holds *role* from now on, on the side of *like* or else eir own, and is told so."""
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
                  1 if given["votes"] is None else given["votes"], given["verdict"])


def trait_rules(given: Mapping[str, Any], terrain: Terrain) -> Iterator[Rule]:
    """Yield the rules of what a role's file says its holder is."""
    if given["known"]:
        yield _known(terrain, given["title"] or given["name"])
    if given["votes"] not in (None, 1):
        yield _weighed(terrain, given["title"] or given["name"], given["votes"])
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


def _weighed(terrain: Terrain, title: str, votes: int) -> Rule:
    """Return the rule that whose vote counts otherwise than once is known to everyone, whatever e becomes.

    Counts are public, and votes hang on them, so a hidden weight would show.
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
