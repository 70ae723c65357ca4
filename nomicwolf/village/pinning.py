"""Pinning: references to the instant of casting.

What a ballot says of the instant at which it is cast is settled then, for good (NC 3).

``copy Bex`` becomes a vote for whom Bex is voting for then, or for nobody. ``COND as of now`` becomes a fixed
condition. If COND is open at that instant, because it depends on what not everyone can know, it stays as it is,
and counts as open for ever after: a vote whose value depends on it counts as null. Calling it false instead
would make a vote out of something that nobody could determine; waiting for a later disclosure would make a
condition on that later instant out of one on this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias, overload

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
    Votes,
)
from nomicwolf.village.compiling import NULL, TRUE, Compiler
from nomicwolf.village.ranges import NOT, SO, Ranges
from nomicwolf.village.resolution import Table
from nomicwolf.village.town import Town

Tree: TypeAlias = "Ballot | Condition"


def pin(ballot: Ballot, town: Town, table: Table, who: str) -> Ballot:
    """*ballot*, cast by *who* when *town* and *table* were as they are, with its pinned parts settled.

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
    """*ballot*, cast in a day phase that *began* then (UTC seconds), with its hours into the day as instants."""

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
    """Whether something in *ballot* is settled when it is cast."""
    return any(isinstance(part, (Copy, AsOfNow)) for part in walk(ballot))


def pins_votes(ballot: Ballot) -> bool:
    """Whether something in *ballot* is settled when it is cast by what others' votes are then."""
    return any(
        isinstance(one, ON_VOTES) for part in walk(ballot) if isinstance(part, (Copy, AsOfNow)) for one in walk(part))


def timeless(ballot: Ballot) -> bool:
    """Whether nothing in *ballot* is settled when it is cast, nor at an instant that it names."""
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
    """Whether *condition*, on *who*'s ballot, holds on the published *table*; None if nobody can know."""
    compiler = Compiler(town, town.seats.get(who, len(town.living)))
    size = compiler.condition(condition)
    if size <= 0:
        return size == TRUE
    return {NOT: False, SO: True}.get(as_published(town, table).values(compiler.code, compiler.me)[-1])


def as_published(town: Town, table: Table) -> Ranges:
    """The range table when every vote is as in *table*; at index n, the null vote of someone who has none."""
    ranges = Ranges(len(town.living), {}, [*town.by_seat, 1])
    names = (table.values.get(name) for name in town.living)
    ranges.value = [*(NULL if name is None else town.seats[name] for name in names), NULL]
    for vote, weight in zip(ranges.value, ranges.weights, strict=True):
        if vote != NULL:
            ranges.low[vote] += weight
            ranges.low[-1] += weight
    ranges.high = list(ranges.low)
    return ranges


def thresholds(ballot: Ballot) -> frozenset[int]:
    """The instants (UTC seconds) at which a pinned *ballot*'s time conditions change."""
    return frozenset(part.instant for part in walk(ballot, inside_pins=False) if isinstance(part, (After, Before)))


def walk(tree: Tree, inside_pins: bool = True) -> Iterator[Tree]:
    """Every part of *tree*, itself first; parts of ``as of now`` only if *inside_pins*."""
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
    """The parts that *tree* is made of."""
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
    """*tree* with *change* made to every part, a part's own parts first; an ``as of now`` is one part."""
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
    """*tree* with *new* parts in place of its own."""
    made: Callable[..., Tree] = type(tree)
    return made(tuple(new)) if isinstance(tree, (And, Or, FirstOf)) else made(*new)


BALLOTS: Final = (Nobody, For, Endorse, FirstOf, If)
ON_VOTES: Final = (Copy, Votes, Alike, Count, More, AsMany, Leads, Majority, Cast)
TIMED: Final = frozenset((Copy, AsOfNow, After, Before))
JOINED: Final = frozenset((FirstOf, And, Or, Not))
