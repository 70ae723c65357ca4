"""The definition of ``docs/votes.md``, executed to the letter for towns of up to five voters.

Nothing is clever here: an atom is decided by going through every completion of the range table, who still matters by
comparing completions that differ in one vote, circles by transitive closure. It shares nothing with the
resolution that it judges but the types of ballots and the public record.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, TypeAlias

from nomicwolf.village import ballots as b
from nomicwolf.village.ballots import Town

Ranges: TypeAlias = dict[str, frozenset[str | None]]
Votes: TypeAlias = Mapping[str, str | None]
Pick: TypeAlias = Callable[[list[frozenset[str]]], list[frozenset[str]]]

COMPARE: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt, "==": operator.eq, "!=": operator.ne,
}
NULL: frozenset[str | None] = frozenset((None,))


def record(town: Town, atom: b.Condition) -> bool | None:
    """What the public record says of *atom*; None if nothing."""
    match atom:
        case b.Fixed(value):
            return value
        case b.Alive(who):
            return who in town.living
        case b.Dead(who):
            return who in town.dead
        case b.Was(who, side):
            told = town.disclosed.get(who)
            return None if told is None else told.replace("not a werewolf", "villager") == side
        case b.Day(op, number):
            return COMPARE[op](town.day, number)
        case b.InPhase(phase):
            return town.phase == phase
        case b.After(instant):
            return town.now >= instant
        case b.Before(instant):
            return town.now < instant
        case b.Fact(text):
            return town.facts.get(text)
        case _:
            return None


PUBLIC = (b.Fixed, b.Alive, b.Dead, b.Was, b.Day, b.InPhase, b.After, b.Before, b.Fact, b.AsOfNow)


def expand(town: Town, atom: b.Condition) -> b.Condition:
    """*Leads* and *majority* in terms of *more*, *as many* and counts."""
    match atom:
        case b.Leads(whom, tied, others):
            kind: Any = b.AsMany if tied else b.More
            return b.And(tuple(kind(whom, other, others) for other in town.living if other != whom))
        case b.Majority(whom, others):
            voters = sum(town.weights.get(who, 1) > 0 for who in town.living) - town.verdicts
            return b.Count(whom, ">=", voters // 2 + 1, others)
        case _:
            return atom


def so(town: Town, atom: b.Condition, votes: Votes, me: str) -> bool:
    """Whether *atom*, about votes, is so when every vote is as in *votes*."""

    def count(whom: str | None, others: bool) -> int:
        each = votes if PART in "".join(votes) else single(town, votes)
        cast = [vote for part, vote in each.items()
                if vote is not None and not (others and part.partition(PART)[0] == me)]
        return len(cast) if whom is None else cast.count(whom) if whom in town.living else 0

    match atom:
        case b.Votes(who, whom):
            return votes.get(who) == whom
        case b.Alike(one, other):
            return votes.get(one) == votes.get(other)
        case b.Count(whom, op, number, others):
            return COMPARE[op](count(whom, others), number)
        case b.More(one, other, others):
            return count(one, others) > count(other, others)
        case b.AsMany(one, other, others):
            return count(one, others) >= count(other, others)
        case b.Cast(op, number, others):
            return COMPARE[op](count(None, others), number)
        case _:
            raise AssertionError(atom)


NUMBERS = (b.Count, b.More, b.AsMany, b.Cast)
PART = "#"


def single(town: Town, of_voters: Mapping[str, Any]) -> dict[str, Any]:
    """What each voter has, for each of eir votes by itself: two for one whose vote counts twice, none for none."""
    return {f"{voter}{PART}{n}": what for voter, what in of_voters.items() for n in range(town.weights.get(voter, 1))}


def completions(ranges: Ranges) -> Iterator[dict[str, str | None]]:
    """Every way in which the votes may come out."""
    for votes in product(*ranges.values()):
        yield dict(zip(ranges, votes, strict=True))


def truth(town: Town, cond: b.Condition, ranges: Ranges, me: str) -> tuple[bool | None, set[str]]:
    """Strong Kleene: the truth of *cond* (None: open) and the voters who still matter to it."""
    cond = expand(town, cond)
    match cond:
        case b.And(parts) | b.Or(parts):
            stop = isinstance(cond, b.Or)
            each = [truth(town, part, ranges, me) for part in parts]
            if any(value is stop for value, _ in each):
                return stop, set()
            if all(value is (not stop) for value, _ in each):
                return not stop, set()
            return None, set().union(*(matter for value, matter in each if value is None))
        case b.Not(part):
            value, matter = truth(town, part, ranges, me)
            return None if value is None else not value, matter
    if isinstance(cond, PUBLIC):
        return record(town, cond), set()
    asked = single(town, ranges) if town.weights and isinstance(cond, NUMBERS) else ranges
    found = {so(town, cond, votes, me) for votes in completions(asked)}
    if len(found) == 1:
        return found.pop(), set()
    return None, {voter.partition(PART)[0] for voter in asked if matters(town, cond, asked, me, voter)}


def matters(town: Town, atom: b.Condition, ranges: Ranges, me: str, voter: str) -> bool:
    """Whether two completions that differ only in *voter*'s vote differ in *atom*'s truth."""
    if len(ranges[voter]) == 1:
        return False
    rest = {other: may for other, may in ranges.items() if other != voter}
    return any(
        len({so(town, atom, {**votes, voter: vote}, me) for vote in ranges[voter]}) == 2 for votes in completions(rest)
    )


def comes_to(town: Town, ballot: b.Ballot, ranges: Ranges, me: str) -> tuple[set[str | None], set[str]]:
    """The values *ballot* may come to, and the voters who still matter to it."""
    may, matter = _comes_to(town, ballot, ranges, me)
    return may, matter if len(may) > 1 else set()


def _comes_to(town: Town, ballot: b.Ballot, ranges: Ranges, me: str) -> tuple[set[str | None], set[str]]:
    match ballot:
        case b.For(whom):
            return {whom if whom in town.living and (whom != me or town.own_votes) else None}, set()
        case b.Endorse(whom):
            said = ranges.get(whom, NULL)
            own = None if town.own_votes else me
            return {None if vote == own else vote for vote in said}, {whom} if len(said) > 1 else set()
        case b.If(cond, then, otherwise):
            holds, asked = truth(town, cond, ranges, me)
            if holds is not None:
                return comes_to(town, then if holds else otherwise, ranges, me)
            one, other = comes_to(town, then, ranges, me), comes_to(town, otherwise, ranges, me)
            return one[0] | other[0], asked | one[1] | other[1]
        case b.FirstOf(options):
            may: set[str | None] = {None}
            matter: set[str] = set()
            for option in options:
                if None in may:
                    each, more = comes_to(town, option, ranges, me)
                    may, matter = (may - {None}) | each, matter | more
            return may, matter
        case _:
            return {None}, set()


def fold_condition(town: Town, cond: b.Condition) -> b.Condition:
    """*cond* with what the record settles settled."""
    dead = dict.fromkeys(town.living, NULL)
    match cond:
        case b.And(parts) | b.Or(parts):
            stop = isinstance(cond, b.Or)
            folded = [fold_condition(town, part) for part in parts]
            if b.Fixed(stop) in folded:
                return b.Fixed(stop)
            rest = tuple(part for part in folded if part != b.Fixed(not stop))
            return b.Fixed(not stop) if not rest else rest[0] if len(rest) == 1 else type(cond)(rest)
        case b.Not(part):
            inner = fold_condition(town, part)
            return b.Fixed(not inner.value) if isinstance(inner, b.Fixed) else b.Not(inner)
        case b.Votes(who, whom) if who in town.living and (whom is None or whom in town.living):
            return cond
        case b.Alike(one, other) if one in town.living and other in town.living and one != other:
            return cond
        case b.Alike(one, other) if one != other and {one, other} & set(town.living):
            return b.Votes(one if one in town.living else other, None)
        case b.Count(whom) | b.Leads(whom) | b.Majority(whom) if whom in town.living:
            return cond
        case b.More(one, other) | b.AsMany(one, other) if one != other and {one, other} & set(town.living):
            return cond
        case b.Cast():
            return cond
        case b.Leads(_, True, others):
            return b.Count("", "<=", 0, others) if not town.living else b.Cast("<=", 0, others)
    if isinstance(cond, PUBLIC):
        known = record(town, cond)
        return cond if known is None else b.Fixed(known)
    return b.Fixed(truth(town, cond, dead, "")[0] is True)


def fold(town: Town, ballot: b.Ballot, me: str) -> b.Ballot:
    """Step 0: *ballot* with everything that the record settles folded away, and choices between equals."""
    match ballot:
        case b.For(whom):
            return ballot if whom in town.living and (whom != me or town.own_votes) else b.Nobody()
        case b.Endorse(whom):
            return ballot if whom in town.living else b.Nobody()
        case b.If(cond, then, otherwise):
            folded = fold_condition(town, cond)
            if isinstance(folded, b.Fixed):
                return fold(town, then if folded.value else otherwise, me)
            one, other = fold(town, then, me), fold(town, otherwise, me)
            return one if one == other else b.If(folded, one, other)
        case b.FirstOf(options):
            kept: list[b.Ballot] = []
            for option in options:
                part = fold(town, option, me)
                if part != b.Nobody() and not (kept and isinstance(kept[-1], b.For)):
                    kept.append(part)
            return b.Nobody() if not kept else kept[0] if len(kept) == 1 else b.FirstOf(tuple(kept))
        case _:
            return b.Nobody()


def names(ballot: b.Ballot) -> tuple[set[str], set[str]]:
    """The names that *ballot* puts forward, and the voters whom it endorses."""
    match ballot:
        case b.For(whom):
            return {whom}, set()
        case b.Endorse(whom):
            return set(), {whom}
        case b.If(_, then, otherwise):
            parts: tuple[b.Ballot, ...] = (then, otherwise)
        case b.FirstOf(options):
            parts = options
        case _:
            parts = ()
    each = [names(part) for part in parts]
    return set().union(*(one for one, _ in each)), set().union(*(other for _, other in each))


def start(town: Town, ballots: Mapping[str, b.Ballot]) -> Ranges:
    """Every name that could reach each voter, and null."""
    found: dict[str, set[str]] = {voter: set() for voter in town.living}
    for _ in range(len(town.living) + 1):
        for voter in town.living:
            own, endorsed = names(ballots[voter])
            reach = own.union(*(found[other] for other in endorsed))
            found[voter] |= reach if town.own_votes else reach - {voter}
    return {voter: frozenset(reach) | NULL for voter, reach in found.items()}


def step(town: Town, ballots: Mapping[str, b.Ballot], ranges: Ranges, voter: str) -> frozenset[str | None]:
    """What one look at *voter*'s ballot leaves of eir range."""
    may, _ = comes_to(town, ballots[voter], ranges, voter)
    return frozenset(may) if len(may) == 1 else frozenset(may) | NULL


def ground(town: Town, ballots: Mapping[str, b.Ballot], ranges: Ranges) -> Ranges:
    """Strike out until nothing more can be."""
    ranges = dict(ranges)
    while True:
        before = dict(ranges)
        for voter in town.living:
            if len(ranges[voter]) > 1:
                ranges[voter] = step(town, ballots, ranges, voter)
        if ranges == before:
            return ranges


def bottom(
    town: Town, ballots: Mapping[str, b.Ballot], ranges: Ranges
) -> tuple[list[frozenset[str]], dict[str, set[str]]]:
    """The bottom circles of the unsettled, and who still matters to each of them."""
    left = [voter for voter in town.living if len(ranges[voter]) > 1]
    depends = {voter: comes_to(town, ballots[voter], ranges, voter)[1] & set(left) for voter in left}
    reach = {voter: {voter} | depends[voter] for voter in left}
    for _ in left:
        for voter in left:
            reach[voter] = reach[voter].union(*(reach[other] for other in reach[voter]))
    circles = {frozenset(other for other in reach[voter] if voter in reach[other]) for voter in left
               if all(voter in reach[other] for other in reach[voter])}
    return sorted(circles, key=sorted), depends


def value(town: Town, ballot: b.Ballot, votes: Votes, me: str, secret: bool = False) -> str | None:
    """What *ballot* comes to when all votes are as in *votes*, what nobody can know being *secret*."""
    match ballot:
        case b.If(cond, then, otherwise):
            return value(town, then if sure(town, cond, votes, me, secret) else otherwise, votes, me, secret)
        case b.FirstOf(options):
            each = (value(town, option, votes, me, secret) for option in options)
            return next((vote for vote in each if vote is not None), None)
        case _:
            ranges = {voter: frozenset((vote,)) for voter, vote in votes.items()}
            return _comes_to(town, ballot, ranges, me)[0].pop()


def sure(town: Town, cond: b.Condition, votes: Votes, me: str, secret: bool) -> bool:
    """Two-valued truth."""
    cond = expand(town, cond)
    match cond:
        case b.And(parts):
            return all(sure(town, part, votes, me, secret) for part in parts)
        case b.Or(parts):
            return any(sure(town, part, votes, me, secret) for part in parts)
        case b.Not(part):
            return not sure(town, part, votes, me, secret)
    if isinstance(cond, PUBLIC):
        known = record(town, cond)
        return secret if known is None else known
    return so(town, cond, votes, me)


def consulted(town: Town, ballot: b.Ballot, votes: Votes, me: str) -> set[str]:
    """Whom *ballot* endorses as things stand."""
    match ballot:
        case b.Endorse(whom):
            return {whom}
        case b.If(cond, then, otherwise):
            return consulted(town, then if sure(town, cond, votes, me, False) else otherwise, votes, me)
        case b.FirstOf(options):
            found: set[str] = set()
            for option in options:
                found |= consulted(town, option, votes, me)
                if value(town, option, votes, me) is not None:
                    break
            return found
        case _:
            return set()


def rings(town: Town, ballots: Mapping[str, b.Ballot], votes: Votes) -> set[str]:
    """The null voters on closed rings of endorsements."""
    null = [voter for voter in town.living if votes[voter] is None]
    reach = {voter: consulted(town, ballots[voter], votes, voter) & set(null) for voter in null}
    for _ in null:
        for voter in null:
            reach[voter] = reach[voter].union(*(reach[other] for other in reach[voter]))
    return {voter for voter in null if voter in reach[voter]}


def why(
    town: Town, ballots: Mapping[str, b.Ballot], ranges: Ranges, circle: frozenset[str], depends: dict[str, set[str]]
) -> str:
    """Why *circle* counts as null."""
    if not any(depends[voter] for voter in circle):
        return "secret"
    rest = {voter: may if voter in circle or len(may) == 1 else NULL for voter, may in ranges.items()}
    agree = any(
        all(value(town, ballots[voter], votes, voter) == votes[voter] for voter in circle)
        for votes in completions(rest)
    )
    return "circular" if agree else "paradox"


def resolve(
    town: Town, cast: Mapping[str, b.Ballot], pick: Pick = lambda circles: circles[:1]
) -> tuple[Votes, dict[str, str]]:
    """All votes of *town*, and for those that could not be determined why; *pick* chooses the schedule."""
    ballots = {voter: fold(town, cast.get(voter, b.Nobody()), voter) for voter in town.living}
    ranges = start(town, ballots)
    flags: dict[str, str] = {}
    while True:
        ranges = ground(town, ballots, ranges)
        if all(len(may) == 1 for may in ranges.values()):
            break
        circles, depends = bottom(town, ballots, ranges)
        for circle in pick(circles):
            flags |= dict.fromkeys(circle, why(town, ballots, ranges, circle, depends))
            ranges |= dict.fromkeys(circle, NULL)
    votes = {voter: next(iter(may)) for voter, may in ranges.items()}
    return votes, dict.fromkeys(rings(town, ballots, votes), "circular") | flags
