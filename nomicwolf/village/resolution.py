"""The result of all votes, and pinned references.

The result is the one of the definition in ``docs/votes.md`` (NC 3, D-V1). Each voter starts with every name that their
ballot could produce, or null. What can no longer happen, given what everybody else can still do, is struck out. If
nothing more can be struck out, those who wait only for each other, or for something that is not public, count as null,
for everyone (D-V2), and it goes on. There is always exactly one result, whatever the order of the steps.

Pinning settles what a ballot says of the instant at which it is cast, for good (NC 3).

``copy Bex`` becomes a vote for whom Bex is voting for then, or for nobody. ``COND as of now`` becomes a fixed
condition. If COND is open at that instant, because it depends on what not everyone can know, it stays as it is,
and counts as open for ever after: a vote whose value depends on it counts as null. Calling it false instead
would make a vote out of something that nobody could determine; waiting for a later disclosure would make a
condition on that later instant out of one on this.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias, overload

from nomicwolf.village.ballots import (
    After,
    Alike,
    And,
    AsMany,
    AsOfNow,
    Ballot,
    Before,
    Cast,
    Condition,
    Copy,
    Count,
    Endorse,
    FirstOf,
    Fixed,
    For,
    If,
    IntoDay,
    Leads,
    Majority,
    More,
    Nobody,
    Not,
    Or,
    Town,
    Votes,
)
from nomicwolf.village.compiled_ballots import FIRST, NULL, SAY, TRUE, WHEN, CompiledBallots, Compiler
from nomicwolf.village.ranges import NOT, SO, Ranges
from nomicwolf.village.settling import Ground, Reason, collapse, components

Status: TypeAlias = Literal["determined", "no vote", "circular", "paradox", "secret", "invalid"]


@dataclass(frozen=True, slots=True)
class Table:
    """What every vote evaluates to at one instant.

    *values* has each voter's vote in seat order (None: null); *statuses* says how that came about:
    "determined"; "no vote" (nothing was cast); "circular", "paradox", "secret" (it counts as null because it could
    not be determined); "invalid" (it comes to the voter themself, D-N5, or to no townsperson). *counts* has who has
    votes, most first, then in seat order; *majority* is how many are more than half of the living; *lynched* who
    has them.
    """

    values: Mapping[str, str | None]
    statuses: Mapping[str, Status]
    counts: Mapping[str, int]
    majority: int
    lynched: str | None


class Statuses(Mapping[str, Status]):
    """How each vote of *ballots* in *town* came about; found out when first asked for: no vote depends on it."""

    def __init__(self, town: Town, ballots: Mapping[str, Ballot]) -> None:
        self._town = town
        self._ballots = dict(ballots)

    @cached_property
    def _found(self) -> dict[str, Status]:
        return statuses(self._town, self._ballots)

    def __getitem__(self, who: str) -> Status:
        return self._found[who]

    def __iter__(self) -> Iterator[str]:
        return iter(self._town.living)

    def __len__(self) -> int:
        return len(self._town.living)


def resolve(town: Town, ballots: Mapping[str, Ballot]) -> Table:
    """Return what *ballots*, by voter, come to in *town*; those of persons who don't live in it count for nothing.

    Takes ballots as they were pinned (`pin`); O(voters + size of the ballots) for votes and
    endorsements, and little more for conditions.
    """
    return count(CompiledBallots(town, ballots), ballots)


def resolve_sparing(town: Town, ballots: Mapping[str, Ballot], lovers: Collection[str]) -> Table:
    """Return what they come to where a vote by one of *lovers* for another counts as null (D-N16, ``spared``)."""
    table = resolve(town, ballots)
    while spared := [p for p in lovers if table.values.get(p) in lovers]:
        ballots = {**ballots, **dict.fromkeys(spared, Nobody())}
        table = resolve(town, ballots)
    return table


def count(compiled: CompiledBallots, ballots: Mapping[str, Ballot]) -> Table:
    """Return what the *ballots* evaluate to of which *compiled* has the code."""
    town, unconditional = compiled.town, compiled.unconditional()
    values, counts, seats, living = unconditional.values, unconditional.counts, town.seats, town.living
    if compiled.codes:
        ground = Ground(compiled, unconditional)
        ground.sift()
        collapse(ground)
        value, low = ground.value, ground.low
        for voter in ground.soft:
            seat = value[voter]
            if seat == NULL:
                values[living[voter]] = None
            else:
                vote = values[living[voter]] = living[seat]
                if low[seat]:
                    counts[vote] = low[seat]
    order = sorted(counts, key=seats.__getitem__)
    order.sort(key=counts.__getitem__, reverse=True)
    counts = dict(zip(order, map(counts.__getitem__, order), strict=True))
    lynched = order[0] if order and counts[order[0]] >= town.majority else None
    return Table(values, Statuses(town, ballots), counts, town.majority, lynched)


def statuses(town: Town, ballots: Mapping[str, Ballot]) -> dict[str, Status]:
    """Return how the vote of each of the living came about, by the statuses of ``Table``."""
    compiled = CompiledBallots(town, ballots)
    ground = Ground(compiled, compiled.unconditional())
    ground.sift()
    stuck: dict[int, Reason] = {}
    collapse(ground, stuck)
    ground.unknown = NOT
    reasons: dict[int, Status] = {**dict.fromkeys(rings(ground), "circular"), **stuck}
    return {
        who: "determined" if value != NULL else reasons.get(seat) or _null(ground, town, ballots.get(who), seat)
        for seat, (who, value) in enumerate(zip(town.living, ground.value, strict=True))
    }


def _null(ground: Ground, town: Town, ballot: Ballot | None, me: int) -> Status:
    """Return how a vote came to null that is in no circle: by the part of the ballot that it comes to."""
    if ballot is None:
        return "no vote"
    while isinstance(ballot, (If, FirstOf)):
        if isinstance(ballot, FirstOf):
            if not ballot.options:
                return "determined"
            ballot = ballot.options[-1]
        else:
            ballot = ballot.then if holds(ground, town, ballot, me) else ballot.otherwise
    if isinstance(ballot, For):
        return "invalid"
    if isinstance(ballot, Endorse) and ballot.whom in town.seats and ground.value[town.seats[ballot.whom]] == me:
        return "invalid"
    return "determined"


def holds(ground: Ground, town: Town, ballot: If, me: int) -> bool:
    """Return whether the condition of *me*'s *ballot* holds, all votes being settled; what nobody can know does not."""
    compiler = Compiler(town, me)
    size = compiler.condition(ballot.condition)
    if size <= 0:
        return size == TRUE
    return bool(ground.values(compiler.code, me)[-1] == SO)


def rings(ground: Ground) -> set[int]:
    """Return the voters on a closed ring of endorsements: each, as things stand, says the same as the next."""
    edges: dict[int, list[int]] = {}
    for voter, value in enumerate(ground.value):
        if value == NULL:
            edges[voter] = [other for other in consulted(ground, voter) if ground.value[other] == NULL]
    found: set[int] = set()
    for part in components(edges):
        if len(part) > 1 or part[0] in edges[part[0]]:
            found.update(part)
    return found


def consulted(ground: Ground, voter: int) -> list[int]:
    """Return whom *voter*, as things stand, endorses."""
    if voter not in ground.codes:
        whom = ground.compiled.endorsed(voter)
        return [] if whom is None else [whom]
    code = ground.codes[voter]
    values = ground.values(code, voter)
    todo, found = [len(code) - 1], []
    while todo:
        at = todo.pop()
        node = code[at]
        if node[0] == SAY:
            found.append(node[1])
        elif node[0] == WHEN:
            todo.append(at - node[2] if values[at - node[1]] == SO else at - node[3])
        elif node[0] == FIRST:
            for back in node[1:]:
                todo.append(at - back)
                if values[at - back] != NULL:
                    break
    return found


Tree: TypeAlias = "Ballot | Condition"


def pin(ballot: Ballot, town: Town, table: Table, who: str) -> Ballot:
    """Return *ballot*, cast by *who* when *town* and *table* were as they are, with its pinned parts settled.

    *table* is that of just before; *who*'s own vote there is what "my own vote" means. A ballot without pinned
    parts is returned as it is.
    """
    if not has_pins(ballot):
        return ballot

    def pinned(part: Tree) -> Tree:
        if isinstance(part, Copy):
            whom = table.values.get(part.whom)
            return For(whom) if whom is not None else Nobody()
        if isinstance(part, AsOfNow):
            known = truth(part.part, town, table, who)
            return part if known is None else Fixed(known)
        return part

    new = rebuilt(ballot, pinned)
    assert isinstance(new, BALLOTS)
    return new


def dated(ballot: Ballot, began: int) -> Ballot:
    """Return *ballot*, cast in a day phase that *began* then (UTC seconds), with its hours into the day as instants."""

    def at(part: Tree) -> Tree:
        match part:
            case IntoDay(hours, reached):
                return (After if reached else Before)(began + 3600 * hours)
            case AsOfNow(inner):
                return _made_of(part, (rebuilt(inner, at),))
            case _:
                return part

    new = rebuilt(ballot, at)
    assert isinstance(new, (*BALLOTS, Copy))
    return new


def has_pins(ballot: Ballot) -> bool:
    """Return whether something in *ballot* is settled when it is cast."""
    return any(isinstance(part, (Copy, AsOfNow)) for part in walk(ballot))


def pins_votes(ballot: Ballot) -> bool:
    """Return whether something in *ballot* is settled when it is cast by what others' votes are then."""
    return any(
        isinstance(one, ON_VOTES) for part in walk(ballot) if isinstance(part, (Copy, AsOfNow)) for one in walk(part))


def timeless(ballot: Ballot) -> bool:
    """Return whether nothing in *ballot* is settled when it is cast, nor at an instant that it names."""
    todo: list[Tree] = [ballot]
    while todo:
        part = todo.pop()
        if type(part) is If:
            todo += (part.condition, part.then, part.otherwise)
        elif type(part) in TIMED:
            return False
        elif type(part) in JOINED:
            todo += parts(part)
    return True


def truth(condition: Condition, town: Town, table: Table, who: str) -> bool | None:
    """Return whether *condition*, on *who*'s ballot, holds on the published *table*; None if nobody can know."""
    compiler = Compiler(town, town.seats.get(who, len(town.living)))
    size = compiler.condition(condition)
    if size <= 0:
        return size == TRUE
    return {NOT: False, SO: True}.get(as_published(town, table).values(compiler.code, compiler.me)[-1])


def as_published(town: Town, table: Table) -> Ranges:
    """Return the range table when every vote is as in *table*; at index n, the null vote of someone who has none."""
    ranges = Ranges(len(town.living), [*town.by_seat, 1])
    names = (table.values.get(name) for name in town.living)
    ranges.value = [*(NULL if name is None else town.seats[name] for name in names), NULL]
    for vote, weight in zip(ranges.value, ranges.weights, strict=True):
        if vote != NULL:
            ranges.low[vote] += weight
            ranges.low[-1] += weight
    ranges.high = list(ranges.low)
    return ranges


def thresholds(ballot: Ballot) -> frozenset[int]:
    """Return the instants (UTC seconds) at which a pinned *ballot*'s time conditions change."""
    return frozenset(part.instant for part in walk(ballot, inside_pins=False) if isinstance(part, (After, Before)))


def walk(tree: Tree, inside_pins: bool = True) -> Iterator[Tree]:
    """Yield every part of *tree*, itself first; parts of ``as of now`` only if *inside_pins*."""
    todo: list[Tree] = [tree]
    while todo:
        part = todo.pop()
        yield part
        if inside_pins or not isinstance(part, AsOfNow):
            todo += parts(part)


@overload
def parts(tree: Condition) -> Sequence[Condition]: ...
@overload
def parts(tree: Tree) -> Sequence[Tree]: ...
def parts(tree: Tree) -> Sequence[Tree]:
    """Return the parts that *tree* is made of."""
    match tree:
        case If(condition, then, otherwise):
            return condition, then, otherwise
        case FirstOf(options):
            return options
        case And(joined) | Or(joined):
            return joined
        case Not(part) | AsOfNow(part):
            return (part,)
        case _:
            return ()


def rebuilt(tree: Tree, change: Callable[[Tree], Tree]) -> Tree:
    """Return *tree* with *change* made to every part, a part's own parts first; an ``as of now`` is one part."""
    todo: list[tuple[Tree, int]] = [(tree, -1)]
    done: list[Tree] = []
    while todo:
        part, size = todo.pop()
        below = () if isinstance(part, AsOfNow) else parts(part)
        if size < 0 and below:
            todo.append((part, len(below)))
            todo += ((one, -1) for one in reversed(below))
        else:
            new = done[len(done) - len(below) :]
            del done[len(done) - len(below) :]
            done.append(change(_made_of(part, new) if below else part))
    return done.pop()


def _made_of(tree: Tree, new: Sequence[Tree]) -> Tree:
    """Return *tree* with *new* parts in place of its own."""
    made: Callable[..., Tree] = type(tree)
    return made(tuple(new)) if isinstance(tree, (And, Or, FirstOf)) else made(*new)


BALLOTS: Final = (Nobody, For, Endorse, FirstOf, If)
ON_VOTES: Final = (Copy, Votes, Alike, Count, More, AsMany, Leads, Majority, Cast)
TIMED: Final = frozenset((Copy, AsOfNow, After, Before))
JOINED: Final = frozenset((FirstOf, And, Or, Not))
