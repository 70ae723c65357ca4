"""Parsed rules to conditions (NC 3).

Each rule of `grammar/conditions.lark` has its method here. Methods are called while the parser reduces, so depth costs
no stack.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from lark import Token, Transformer, v_args

from nomicwolf.reading.claims import (
    SAME,
    Goal,
    Group,
    Predicate,
    Quantity,
    count_for,
    demand_same_verb,
    group_claim,
    votes_for,
    without_mine,
)
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
    Or,
    Side,
    Votes,
    Was,
)


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

    def not_(self, part: Condition) -> Condition:
        """``not (A)``."""
        return Not(part)

    inside = passed

    def as_of_now(self, part: Condition, _words: Token) -> Condition:
        """``A as of now``."""
        return AsOfNow(part)

    def not_mine(self, part: Condition) -> Condition:
        """``A, not counting my own vote``."""
        return without_mine(part)

    def says_of(self, group: Group | str, *rest: Predicate | Token) -> Condition:
        """A subject and what is said of it; a possessive may be between."""
        predicate = rest[-1]
        assert callable(predicate)
        return group_claim(group if isinstance(group, Group) else Group((group,)), predicate)

    def says_of_mine(self, my: Token, predicate: Predicate) -> Condition:
        """``my vote is ...``."""
        return predicate(name_of(my))

    def person(self, token: Token) -> str:
        """One person."""
        return name_of(token)

    name = person

    def only_one(self, name: str) -> Group:
        """One subject."""
        return Group((name,))

    def persons(self, *names: tuple[str, ...] | str | Token) -> tuple[str, ...]:
        """Names with commas between."""
        first = names[0]
        return (str(first),) if not isinstance(first, tuple) else (*first, str(names[-1]))

    def all_of(self, names: tuple[str, ...], last: str) -> Group:
        """``Bex and Cam``."""
        return Group((*names, last))

    def any_of(self, *parts: Any) -> Group:  # noqa: ANN401 - words, then names
        """``Bex or Cam``, ``either of Bex and Cam``: one suffices."""
        return Group((*parts[-2], parts[-1]), "any")

    one_of = any_of

    def none_of(self, names: tuple[str, ...], last: str) -> Group:
        """``neither Bex nor Cam``."""
        return Group((*names, last), "none")

    def so_many_of(self, quantity: Quantity, names: tuple[str, ...], last: str) -> Group:
        """``at least two of Bex, Cam and Dov``."""
        return Group((*names, last), many=quantity)

    def alike(self, group: Group) -> Condition:
        """``Bex and Cam are voting alike``."""
        pairs = tuple(Alike(one, other) for one, other in zip(group.names, group.names[1:], strict=False))
        return pairs[0] if len(pairs) == 1 else And(pairs)

    def not_alike(self, group: Group) -> Condition:
        """``Bex and Cam are voting differently``."""
        return Not(self.alike(group))

    def tied_together(self, group: Group) -> Condition:
        """``Gus and Hal are tied``."""
        pairs = zip(group.names, group.names[1:], strict=False)
        return And(tuple(AsMany(*pair) for one, other in pairs for pair in ((one, other), (other, one))))

    def counted(self, quantity: Quantity, others: bool, *rest: Goal | Token) -> Condition:
        """``at least 3 others are voting for Gus``."""
        goal = rest[-1]
        assert isinstance(goal, Goal)
        return count_for(goal, quantity, others)

    def counted_plainly(self, quantity: Quantity, _votes: Token, goal: Goal) -> Condition:
        """``more than 2 vote for Gus``."""
        return count_for(goal, quantity, others=False)

    def count_is(self, *rest: Goal | Token | Quantity) -> Condition:
        """``the count for Gus is at least 3``; a bare number is that number."""
        goal, quantity = rest[0], rest[-1]
        assert isinstance(goal, Goal)
        assert isinstance(quantity, Quantity)
        return count_for(goal, Quantity("==", quantity.number) if quantity.bare else quantity, False)

    def counted_same(self, quantity: Quantity, others: bool, _does: Token) -> Condition:
        """``if at least 3 others do``."""
        return Count(SAME, quantity.operator, quantity.number, others)

    def counted_none_same(self, others: bool, _does: Token) -> Condition:
        """``if nobody else does``."""
        return Count(SAME, "==", 0, others)

    def counted_some_same(self, others: bool, _does: Token) -> Condition:
        """``if somebody else does``."""
        return Count(SAME, ">=", 1, others)

    def more_for(self, _votes: Token, one: Token, other: Token) -> Condition:
        """``more people vote for Gus than for Hal``."""
        return More(name_of(one), name_of(other))

    def counted_none(self, others: bool, _votes: Token, goal: Goal) -> Condition:
        """``nobody is voting for Gus``."""
        return count_for(goal, Quantity("==", 0), others)

    def counted_some(self, others: bool, _votes: Token, goal: Goal) -> Condition:
        """``somebody is voting for Gus``."""
        return count_for(goal, Quantity(">=", 1), others)

    def majority_for(self, _votes: Token, goal: Goal) -> Condition:
        """``a majority is voting for Gus``."""
        count = count_for(goal, Quantity(">=", 1), False)
        if not isinstance(count, Count):
            raise BallotError("not understood", "A majority needs a name.", hint="NAME has a majority")
        return Majority(count.whom)

    def fact_of_any(self, who: Token, words: str) -> Condition:
        """``nobody has claimed Seer``."""
        return Fact(f"{'nobody' if who.type == 'NOBODY' else 'somebody'} {words}")

    def cast(self, quantity: Quantity, others: bool, *_votes: Token) -> Condition:
        """``at least 3 votes have been cast``, ``at least 3 others are voting``."""
        return Cast(quantity.operator, quantity.number, others)

    cast_by = cast

    def cast_none(self, others: bool) -> Condition:
        """``nobody has voted``."""
        return Cast("==", 0, others)

    def cast_some(self, others: bool) -> Condition:
        """``somebody else has voted``."""
        return Cast(">=", 1, others)

    def nobody(self, token: Token) -> bool:
        """Whether the voter themself is left out: ``nobody else``."""
        return token.type == "NOBODY_ELSE"

    def anybody(self, token: Token) -> bool:
        """Whether the voter themself is left out: ``somebody else``."""
        return token.type == "ANYBODY_ELSE"

    anyones = always(False)  # whether the voter themself is left out of a count
    others = always(True)
    target = passed

    def targets(self, first: Goal, second: Goal) -> Goal:
        """``Gus or Hal``."""
        return Goal(first.names + second.names, first.anybody or second.anybody)

    def goal(self, token: Token) -> Goal:
        """A name as the goal of a vote."""
        return Goal((name_of(token),))

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

    def votes(self, _words: Token, goal: Goal) -> Predicate:
        """``is voting for Gus``."""
        return lambda who: votes_for(who, goal)

    def votes_not(self, _words: Token, goal: Goal) -> Predicate:
        """``is not voting for Gus``."""
        return lambda who: Not(votes_for(who, goal))

    votes_at_all = voted = always(lambda who: Not(Votes(who, None)))
    votes_for_none = always(lambda who: Votes(who, None))

    def votes_like(self, other: str) -> Predicate:
        """``votes the same as Cam``."""
        return lambda who: Alike(who, other)

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

    def has_more(self, *rest: Token | str) -> Predicate:
        """``has more votes than Hal``."""
        return lambda who: More(who, str(rest[-1]))

    def has_fewer(self, *rest: Token | str) -> Predicate:
        """``has fewer votes than Hal``."""
        return lambda who: More(str(rest[-1]), who)

    def has_as_many(self, _has: Token, other: str) -> Predicate:
        """``has at least as many votes as Hal``."""
        return lambda who: AsMany(who, other)

    def tied_with(self, other: str) -> Predicate:
        """``is tied with Hal``."""
        return lambda who: And((AsMany(who, other), AsMany(other, who)))

    has_majority = always(Majority)
    has_no_majority = always(lambda who: Not(Majority(who)))
    leads = always(Leads)
    leads_not = always(lambda who: Not(Leads(who)))
    top = always(lambda who: Leads(who, tied=True))
    tied = always(lambda who: And((Leads(who, tied=True), Not(Leads(who)))))  # at the top, but not alone
    alive = always(Alive)
    dead = always(Dead)

    def was(self, _words: Token, side: Side) -> Predicate:
        """``was a werewolf``."""
        return lambda who: Was(who, side)

    def was_not(self, _words: Token, side: Side) -> Predicate:
        """``was not a werewolf``."""
        return lambda who: Not(Was(who, side))

    def fact_of(self, words: str) -> Predicate:
        """``has publicly claimed Seer``: what the contestmaster publishes, in the author's words."""
        return lambda who: Fact(f"{who} {words}")

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

    def bare(self, number: Token) -> Quantity:
        """``3`` (others are voting ...): so many suffice."""
        return Quantity(">=" if number.value else "==", number.value, bare=True)

    so = passed
    day = _of_number(partial(Day, "=="))
    day_or_later = _of_number(partial(Day, ">="))
    day_or_earlier = _of_number(partial(Day, "<="))
    after_day = _of_number(partial(Day, ">"))
    before_day = _of_number(partial(Day, "<"))

    def day_is(self, quantity: Quantity) -> Condition:
        """``the day number is at least 3``."""
        return Day("==" if quantity.bare else quantity.operator, quantity.number)

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

    def fact(self, text: Token) -> Condition:
        """``"text" is so``."""
        return Fact(text.value)

    def fact_not(self, text: Token) -> Condition:
        """``"text" is not so``."""
        return Not(Fact(text.value))
