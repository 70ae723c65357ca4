"""Groups, goals and quantities in conditions (NC 3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Literal, TypeAlias

from nomicwolf.reading.deeds import BallotError
from nomicwolf.village.ballots import (
    After,
    Alive,
    And,
    AsMany,
    AsOfNow,
    Cast,
    Condition,
    Count,
    Day,
    Dead,
    Fact,
    IntoDay,
    Leads,
    Majority,
    More,
    Not,
    Operator,
    Or,
    Votes,
    Was,
)

MOST_PARTS = 18
"""How many claims "two of Bex, Cam and Dov" may come to when each is written out."""
SAME = "\0same"
"""Stands for the name a ballot puts forward ("Gus if Bex does") until that name is known."""

Predicate: TypeAlias = Callable[[str], Condition]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A comparison with a number; *bare* when no comparison was written."""

    operator: Operator
    number: int
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Several subjects of one predicate; *many* says how many of them where *how* doesn't."""

    names: tuple[str, ...]
    how: Literal["all", "any", "none"] = "all"
    many: Quantity | None = None


@dataclass(frozen=True, slots=True)
class Goal:
    """The goal of a vote in a condition: names, None for nobody; *anybody* for any name at all."""

    names: tuple[str | None, ...] = ()
    anybody: bool = False


def any_part(parts: tuple[Condition, ...]) -> Condition:
    """Return the only part, or the disjunction."""
    return parts[0] if len(parts) == 1 else Or(parts)


def every_part(parts: tuple[Condition, ...]) -> Condition:
    """Return the only part, or the conjunction."""
    return parts[0] if len(parts) == 1 else And(parts)


def group_claim(group: Group, predicate: Predicate) -> Condition:
    """Return *predicate* as a condition on *group*."""
    parts = tuple(predicate(name) for name in group.names)
    if group.many is not None:
        return so_many(parts, group.many)
    if group.how == "all":
        return every_part(parts)
    return any_part(parts) if group.how == "any" else Not(any_part(parts))


def so_many(parts: tuple[Condition, ...], quantity: Quantity) -> Condition:
    """Return that so many of *parts* hold, as a disjunction of all combinations; a bare number suffices."""
    least = quantity.number + (quantity.operator in {">", "<="})
    exact = quantity.operator in {"==", "!="} and not quantity.bare
    written = sum(math.comb(len(parts), number) * number for number in range(least, least + 1 + exact))
    if not 0 < least <= len(parts):
        raise BallotError("not understood", f"There are {len(parts)} names.", hint=f"a number from 1 to {len(parts)}")
    if written > MOST_PARTS:
        raise BallotError("too long", f"That is {written} claims when it is written out.", hint=(
            f"say it of fewer names, so that there are at most {MOST_PARTS}"))
    enough = _so_many(parts, least)
    if exact and least < len(parts):
        enough = And((enough, Not(_so_many(parts, least + 1))))
    return Not(enough) if quantity.operator in {"<", "<=", "!="} else enough


def _so_many(parts: tuple[Condition, ...], number: int) -> Condition:
    return any_part(tuple(every_part(each) for each in combinations(parts, number)))


def votes_for(who: str, goal: Goal) -> Condition:
    """Return that *who* is voting for *goal*."""
    if goal.anybody:
        return Not(Votes(who, None))
    return any_part(tuple(Votes(who, name) for name in goal.names))


def count_for(goal: Goal, quantity: Quantity, others: bool) -> Condition:
    """Return that so many are voting for *goal*; several goals have no common count."""
    if goal.anybody:
        return Cast(quantity.operator, quantity.number, others)
    if len(goal.names) != 1 or goal.names[0] is None:
        raise BallotError("not understood", "A count needs exactly one name.",
                          hint="at least 3 others are voting for NAME")
    return Count(goal.names[0], quantity.operator, quantity.number, others)


def without_mine(condition: Condition) -> Condition:
    """Return *condition* with the voter's own vote left out of every count."""
    match condition:
        case Count() | More() | AsMany() | Leads() | Majority() | Cast():
            return replace(condition, others=True)
        case Not(part):
            return Not(without_mine(part))
        case And(parts):
            return And(tuple(without_mine(part) for part in parts))
    raise BallotError("not understood", "Nothing is counted there.", hint="Gus is leading, not counting my own vote")


def same_as(condition: Condition, name: str | None) -> Condition:
    """Return *condition* with "does" replaced by a vote for *name*, which the ballot puts forward.

    BallotError ``ambiguous`` where the ballot names nobody in particular, and where another part of the condition
    speaks of a vote for someone else: "Gus if Bex votes for Hal and Cam does".
    """
    spoken = set(_goals(condition)) - {name}
    if SAME in spoken and len(spoken) > 1:
        raise _unclear()
    return _filled(condition, name)


def demand_same_verb(parts: Sequence[Condition]) -> None:
    """Raise BallotError ``ambiguous`` for "is" or "does" after what is said of somebody except their vote.

    "Gus if Hal is dead or Bex is": to be dead, or to vote for Gus?
    """
    for before, part in pairwise(map(_bare, parts)):
        same = isinstance(part, Votes) and part.whom == SAME
        if same and isinstance(before, Alive | Dead | Was | Leads | Majority | More):
            raise _unclear()


def _bare(condition: Condition) -> Condition:
    """Return what *condition* says or denies."""
    return _bare(condition.part) if isinstance(condition, Not) else condition


def _goals(condition: Condition) -> Iterator[str | None]:
    """Yield every goal of a vote in *condition*."""
    match condition:
        case Votes(_, whom) | Count(whom=whom):
            yield whom
        case Not(part) | AsOfNow(part):
            yield from _goals(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _goals(part)


def _filled(condition: Condition, name: str | None) -> Condition:
    """Return *condition* with every "does" as a vote for *name*."""
    match condition:
        case Votes(who, whom) if whom == SAME:
            if who == name:
                raise _unclear()
            return Votes(who, _known(name))
        case Count(whom=whom) if whom == SAME:
            return replace(condition, whom=_known(name))
        case Not(part):
            return Not(_filled(part, name))
        case AsOfNow(part):
            return AsOfNow(_filled(part, name))
        case And(parts):
            return And(tuple(_filled(part, name) for part in parts))
        case Or(parts):
            return Or(tuple(_filled(part, name) for part in parts))
    return condition


def lasting(condition: Condition) -> Condition:
    """Return *condition* if it stays true once it is true; else "once" has two meanings."""
    parts = condition.parts if isinstance(condition, And | Or) else (condition,)
    stays = all(
        isinstance(part, Dead | Was | After | Fact) or (isinstance(part, Day) and part.operator in {">", ">="})
        or (isinstance(part, IntoDay) and part.reached)
        for part in parts)
    if not stays:
        raise BallotError("ambiguous", "“once” could mean from then on, or only as long as that is so.",
                          hint="write “if”: votes follow what is so at each moment")
    return condition


def _known(name: str | None) -> str:
    if name is None:
        raise _unclear()
    return name


def _unclear() -> BallotError:
    return BallotError("ambiguous", "It is not clear what “does” stands for here.",
                       hint="say it in full: is voting for NAME")
