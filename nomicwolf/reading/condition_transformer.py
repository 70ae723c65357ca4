"""Parsed rules to conditions (NC 3).

What they say of groups, goals and quantities comes first. Each rule of `grammar/conditions.lark` has its attribute
below. Rules are called while the parser reduces, so depth costs no stack.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, pairwise
from typing import Any, Literal, TypeAlias, cast

from lark import Token, Transformer, v_args

from nomicwolf.reading.deeds import BallotError
from nomicwolf.village.ballots import (
    After,
    Alike,
    Alive,
    And,
    AsMany,
    AsOfNow,
    Before,
    Cast,
    Condition,
    Count,
    Day,
    Dead,
    Fact,
    Fixed,
    InPhase,
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
from nomicwolf.village.resolution import Tree, rebuilt, walk

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
    spoken = {part.whom for part in walk(condition) if isinstance(part, Votes | Count)} - {name}
    if SAME in spoken and len(spoken) > 1:
        raise _unclear()
    return _filled(condition, name)


def demand_same_verb(parts: Sequence[Condition]) -> None:
    """Raise BallotError ``ambiguous`` for "is" or "does" behind what is said of somebody but eir vote.

    "Gus if Hal is dead or Bex is": to be dead, or to vote for Gus?
    """
    for before, part in pairwise(map(_bare, parts)):
        same = isinstance(part, Votes) and part.whom == SAME
        if same and isinstance(before, Alive | Dead | Was | Leads | Majority | More):
            raise _unclear()


def _bare(condition: Condition) -> Condition:
    """Return what *condition* says or denies."""
    return _bare(condition.part) if isinstance(condition, Not) else condition


def _filled(condition: Condition, name: str | None) -> Condition:
    """Return *condition* with every "does" as a vote for *name*."""
    def fill(part: Tree) -> Tree:
        if isinstance(part, AsOfNow):
            return AsOfNow(_filled(part.part, name))
        if not isinstance(part, Votes | Count) or part.whom != SAME:
            return part
        if name is None or (isinstance(part, Votes) and part.who == name):
            raise _unclear()
        return replace(part, whom=name)

    return cast("Condition", rebuilt(condition, fill))


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


def _unclear() -> BallotError:
    return BallotError("ambiguous", "It is not clear what “does” stands for here.",
                       hint="say it in full: is voting for NAME")


def name_of(token: Token) -> str:
    """The canonical name that a NAME or ME token carries."""
    return str(token.value.name)


def always(value: object) -> Callable[..., Any]:
    """Return a rule that means *value*, whatever its words."""
    return lambda _rules, *_words: value


def passed(_rules: object, *parts: Any) -> Any:  # noqa: ANN401 - the rules decide
    """A rule that means what its only part besides words does."""
    return next(part for part in parts if not isinstance(part, Token))


def _of_number(make: Callable[[int], object]) -> Callable[..., Any]:
    """Return a rule of which one word is a number, for what it makes of that."""
    return lambda _rules, *words: make(next(word.value for word in words if word.type == "NUMBER"))


def of_parts(make: Callable[..., object]) -> Callable[..., Any]:
    """Return a rule that means what *make* returns for its parts."""
    return lambda _rules, *parts: make(*parts)


def _of_person(make: Callable[..., Condition]) -> Callable[..., Predicate]:
    """Return a rule that says of a person what *make* returns for em and the rule's parts."""
    return lambda _rules, *parts: lambda who: make(who, *parts)


def _alike(group: Group) -> Condition:
    """``Bex and Cam are voting alike``."""
    pairs = tuple(Alike(one, other) for one, other in zip(group.names, group.names[1:], strict=False))
    return pairs[0] if len(pairs) == 1 else And(pairs)


@v_args(inline=True)
class ConditionRules(Transformer[Token, Any]):
    """Joining, subjects, and what is counted."""

    def or_(self, *parts: Condition) -> Condition:
        """``A or B``."""
        demand_same_verb(parts)
        return Or(parts)

    def and_(self, *parts: Condition) -> Condition:
        """``A and B``."""
        demand_same_verb(parts)
        return And(parts)

    not_ = of_parts(Not)
    inside = passed
    as_of_now = of_parts(lambda part, _words: AsOfNow(part))
    not_mine = of_parts(without_mine)

    def says_of(self, group: Group | str, *rest: Predicate | Token) -> Condition:
        """A subject and what is said of it; a possessive may be between."""
        predicate = rest[-1]
        assert callable(predicate)
        return group_claim(group if isinstance(group, Group) else Group((group,)), predicate)

    says_of_mine = of_parts(lambda my, predicate: predicate(name_of(my)))
    person = name = of_parts(name_of)
    only_one = of_parts(lambda name: Group((name,)))

    def persons(self, *names: tuple[str, ...] | str | Token) -> tuple[str, ...]:
        """Names with commas between."""
        first = names[0]
        return (str(first),) if not isinstance(first, tuple) else (*first, str(names[-1]))

    all_of = of_parts(lambda names, last: Group((*names, last)))  # Bex and Cam
    any_of = one_of = of_parts(lambda *parts: Group((*parts[-2], parts[-1]), "any"))  # either of Bex and Cam
    none_of = of_parts(lambda names, last: Group((*names, last), "none"))  # neither Bex nor Cam
    so_many_of = of_parts(lambda quantity, names, last: Group((*names, last), many=quantity))  # at least two of ...
    alike = of_parts(_alike)
    not_alike = of_parts(lambda group: Not(_alike(group)))  # Bex and Cam are voting differently

    def tied_together(self, group: Group) -> Condition:
        """``Gus and Hal are tied``."""
        pairs = zip(group.names, group.names[1:], strict=False)
        return And(tuple(AsMany(*pair) for one, other in pairs for pair in ((one, other), (other, one))))

    counted = of_parts(lambda quantity, others, *rest: count_for(rest[-1], quantity, others))
    counted_plainly = of_parts(lambda quantity, _votes, goal: count_for(goal, quantity, others=False))

    def count_is(self, *rest: Goal | Token | Quantity) -> Condition:
        """``the count for Gus is at least 3``; a bare number is that number."""
        goal, quantity = rest[0], rest[-1]
        assert isinstance(goal, Goal)
        assert isinstance(quantity, Quantity)
        return count_for(goal, Quantity("==", quantity.number) if quantity.bare else quantity, False)

    counted_same = of_parts(lambda many, others, _does: Count(SAME, many.operator, many.number, others))
    counted_none_same = of_parts(lambda others, _does: Count(SAME, "==", 0, others))  # if nobody else does
    counted_some_same = of_parts(lambda others, _does: Count(SAME, ">=", 1, others))
    more_for = of_parts(lambda _votes, one, other: More(name_of(one), name_of(other)))
    counted_none = of_parts(lambda others, _votes, goal: count_for(goal, Quantity("==", 0), others))
    counted_some = of_parts(lambda others, _votes, goal: count_for(goal, Quantity(">=", 1), others))

    def majority_for(self, _votes: Token, goal: Goal) -> Condition:
        """``a majority is voting for Gus``."""
        count = count_for(goal, Quantity(">=", 1), False)
        if not isinstance(count, Count):
            raise BallotError("not understood", "A majority needs a name.", hint="NAME has a majority")
        return Majority(count.whom)

    fact_of_any = of_parts(lambda who, said: Fact(f"{'nobody' if who.type == 'NOBODY' else 'somebody'} {said}"))
    cast = cast_by = of_parts(lambda many, others, *_votes: Cast(many.operator, many.number, others))
    cast_none = of_parts(lambda others: Cast("==", 0, others))
    cast_some = of_parts(lambda others: Cast(">=", 1, others))  # somebody else has voted
    nobody = of_parts(lambda token: token.type == "NOBODY_ELSE")  # whether the voter emself is left out
    anybody = of_parts(lambda token: token.type == "ANYBODY_ELSE")
    anyones = always(False)  # whether the voter emself is left out of a count
    others = always(True)
    target = passed
    targets = of_parts(lambda one, other: Goal(one.names + other.names, one.anybody or other.anybody))  # Gus or Hal
    goal = of_parts(lambda token: Goal((name_of(token),)))
    goal_guilty = always(Goal(("guilty",)))
    goal_innocent = always(Goal(("innocent",)))
    goal_nobody = always(Goal((None,)))
    goal_anybody = always(Goal(anybody=True))
    werewolf = always("werewolf")
    villager = always("villager")


_PRESENT = frozenset({"is", "are", "am", "is not", "isn't", "are not", "am not"})


@v_args(inline=True)
class PredicateRules(Transformer[Token, Any]):
    """What can be said of one person."""

    votes = _of_person(lambda who, _words, goal: votes_for(who, goal))
    votes_not = _of_person(lambda who, _words, goal: Not(votes_for(who, goal)))
    votes_at_all = voted = always(lambda who: Not(Votes(who, None)))
    votes_for_none = always(lambda who: Votes(who, None))
    votes_like = _of_person(Alike)

    def votes_same(self, words: Token) -> Predicate:
        """``does``, ``is``: votes for the name the ballot puts forward."""
        _refuse_past(words)
        return lambda who: Votes(who, SAME)

    def votes_same_not(self, words: Token) -> Predicate:
        """``does not``, ``isn't``."""
        _refuse_past(words)
        return lambda who: Not(Votes(who, SAME))

    def has_count(self, _has: Token, quantity: Quantity, others: bool) -> Predicate:
        """``has at least 3 votes``; a bare number could be meant exactly."""
        if quantity.bare:
            raise BallotError("ambiguous", f"Is that exactly {quantity.number} votes, or at least?", suggestions=(
                f"has at least {quantity.number} votes", f"has exactly {quantity.number} votes"))
        return lambda who: Count(who, quantity.operator, quantity.number, others)

    def has_or_more(self, has: Token, quantity: Quantity, others: bool, words: Token) -> Predicate:
        """``has three votes or more``."""
        if not quantity.bare:
            raise BallotError("not understood", f"“{words}” goes with a number alone.", words.column or 1)
        return self.has_count(has, Quantity(">=", quantity.number), others)

    def has_not_count(self, has: Token, quantity: Quantity, others: bool) -> Predicate:
        """``does not have at least 3 votes``."""
        predicate: Predicate = self.has_count(has, quantity, others)
        return lambda who: Not(predicate(who))

    def has_between(self, _has: Token, low: Token, high: Token, others: bool) -> Predicate:
        """``has between 2 and 4 votes``, both included."""
        least, most = int(low), int(high)
        return lambda who: And((Count(who, ">=", least, others), Count(who, "<=", most, others)))

    has_none = always(lambda who: Count(who, "==", 0))
    has_more = _of_person(lambda who, *rest: More(who, str(rest[-1])))  # has more votes than Hal
    has_fewer = _of_person(lambda who, *rest: More(str(rest[-1]), who))
    has_as_many = _of_person(lambda who, _has, other: AsMany(who, other))  # at least as many votes as Hal
    tied_with = _of_person(lambda who, other: And((AsMany(who, other), AsMany(other, who))))
    has_majority = always(Majority)
    has_no_majority = always(lambda who: Not(Majority(who)))
    leads = always(Leads)
    leads_not = always(lambda who: Not(Leads(who)))
    top = always(lambda who: Leads(who, tied=True))
    tied = always(lambda who: And((Leads(who, tied=True), Not(Leads(who)))))  # at the top, but not alone
    alive = always(Alive)
    dead = always(Dead)
    was = _of_person(lambda who, _words, side: Was(who, side))
    was_not = _of_person(lambda who, _words, side: Not(Was(who, side)))
    fact_of = _of_person(lambda who, said: Fact(f"{who} {said}"))  # what the contestmaster publishes

    def happened(self, *words: Token) -> str:
        """``hasn't posted by Friday noon``."""
        said = " ".join(" ".join(words).split())
        return _SINGULAR.sub(lambda found: _ONES[found[0].casefold()], said, count=1)


_ONES = {"have": "has", "haven't": "hasn't", "havent": "hasn't", "hasnt": "hasn't", "have not": "has not",
         "don't": "doesn't", "dont": "doesn't", "doesnt": "doesn't", "do not": "does not"}
_SINGULAR = re.compile(rf"^(?:{'|'.join(sorted(_ONES, key=len, reverse=True))})\b", re.IGNORECASE)
"""What is said of one person, in the words in which it is said of several, or in haste."""


def _refuse_past(words: Token) -> None:
    """BallotError for "if Bex was": votes are spoken of as they are."""
    if words.type in {"IS", "IS_NOT"} and str(words).casefold() not in _PRESENT:
        raise BallotError("not understood", f"“{words}” what?", words.column or 1, hint="is voting for NAME")


@v_args(inline=True)
class PublicRules(Transformer[Token, Any]):
    """Quantities, the day, the clock and published facts."""

    at_least = at_least_ = _of_number(partial(Quantity, ">="))
    more_than = _of_number(partial(Quantity, ">"))
    at_most = at_most_ = _of_number(partial(Quantity, "<="))
    fewer_than = _of_number(partial(Quantity, "<"))
    exactly = _of_number(partial(Quantity, "=="))
    not_exactly = _of_number(partial(Quantity, "!="))
    bare = of_parts(lambda many: Quantity(">=" if many.value else "==", many.value, bare=True))  # 3: so many suffice
    so = passed
    day = _of_number(partial(Day, "=="))
    day_or_later = _of_number(partial(Day, ">="))
    day_or_earlier = _of_number(partial(Day, "<="))
    after_day = _of_number(partial(Day, ">"))
    before_day = _of_number(partial(Day, "<"))
    day_is = of_parts(lambda many: Day("==" if many.bare else many.operator, many.number))  # the day number is ...
    daytime = always(InPhase("day"))
    nighttime = always(InPhase("night"))

    def after(self, *words: Token) -> Condition:
        """``after TIME``, ``24 hours into the day``."""
        time = words[-1].value
        return time if isinstance(time, IntoDay) else After(time)

    def before(self, *words: Token) -> Condition:
        """``before TIME``, ``until TIME``."""
        time = words[-1].value
        return IntoDay(time.hours, reached=False) if isinstance(time, IntoDay) else Before(time)

    since, until = after, before
    was_so = always(Fixed(value=True))  # when it was cast
    was_not_so = always(Fixed(value=False))
    fact = of_parts(lambda text: Fact(text.value))
    fact_not = of_parts(lambda text: Not(Fact(text.value)))
