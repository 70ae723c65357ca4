"""From parsed rules to conditions: a method for each rule of `grammar/conditions.lark` (NC 3).

Methods are called while the parser reduces, so depth costs no stack.
"""

from __future__ import annotations

from typing import Any

from lark import Token, Transformer, v_args

from nomicwolf.reading.claims import (
    SAME,
    Goal,
    Group,
    Predicate,
    Quantity,
    count_for,
    group_claim,
    without_mine,
)
from nomicwolf.reading.errors import BallotError
from nomicwolf.village.ballots import (
    Alike,
    And,
    AsMany,
    AsOfNow,
    Cast,
    Condition,
    Count,
    Majority,
    More,
    Not,
    Or,
    Side,
)


def name_of(token: Token) -> str:
    """The canonical name that a NAME or ME token carries."""
    return str(token.value.name)


@v_args(inline=True)
class ConditionRules(Transformer[Token, Any]):
    """Joining, subjects, and what is counted."""

    def or_(self, *parts: Condition) -> Condition:
        """``A or B``."""
        return Or(parts)

    def and_(self, *parts: Condition) -> Condition:
        """``A and B``."""
        return And(parts)

    def not_(self, part: Condition) -> Condition:
        """``not (A)``."""
        return Not(part)

    def inside(self, _left: Token, part: Condition, _right: Token) -> Condition:
        """``(A)``."""
        return part

    def as_of_now(self, part: Condition, _words: Token) -> Condition:
        """``A as of now``."""
        return AsOfNow(part)

    def not_mine(self, part: Condition) -> Condition:
        """``A, not counting my own vote``."""
        return without_mine(part)

    def says_of(self, group: Group | str, *rest: Predicate | Token) -> Condition:
        """A subject and what is said of it; a possessive may stand between."""
        predicate = rest[-1]
        assert callable(predicate)
        return group_claim(group if isinstance(group, Group) else Group((group,)), predicate)

    def says_of_mine(self, my: Token, predicate: Predicate) -> Condition:
        """``my vote is ...``."""
        return predicate(name_of(my))

    def person(self, token: Token) -> str:
        """One person."""
        return name_of(token)

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

    def any_of(self, names: tuple[str, ...], last: str) -> Group:
        """``Bex or Cam``."""
        return Group((*names, last), "any")

    def none_of(self, names: tuple[str, ...], last: str) -> Group:
        """``neither Bex nor Cam``."""
        return Group((*names, last), "none")

    def one_of(self, _words: Token, names: tuple[str, ...], last: str) -> Group:
        """``either of Bex and Cam``: one suffices."""
        return Group((*names, last), "any")

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

    def cast(self, quantity: Quantity, others: bool) -> Condition:
        """``at least 3 votes have been cast``."""
        return Cast(quantity.operator, quantity.number, others)

    def cast_by(self, quantity: Quantity, others: bool, _votes: Token) -> Condition:
        """``at least 3 others are voting``."""
        return Cast(quantity.operator, quantity.number, others)

    def cast_none(self, others: bool) -> Condition:
        """``nobody has voted``."""
        return Cast("==", 0, others)

    def cast_some(self, others: bool) -> Condition:
        """``somebody else has voted``."""
        return Cast(">=", 1, others)

    def nobody(self, token: Token) -> bool:
        """Whether the voter emself is left out: ``nobody else``."""
        return token.type == "NOBODY_ELSE"

    def anybody(self, token: Token) -> bool:
        """Whether the voter emself is left out: ``somebody else``."""
        return token.type == "ANYBODY_ELSE"

    def anyones(self, _token: Token) -> bool:
        """A count of everyone."""
        return False

    def others(self, _token: Token) -> bool:
        """A count that leaves out the voter emself."""
        return True

    def target(self, goal: Goal) -> Goal:
        """One goal."""
        return goal

    def targets(self, first: Goal, second: Goal) -> Goal:
        """``Gus or Hal``."""
        return Goal(first.names + second.names, first.anybody or second.anybody)

    def goal(self, token: Token) -> Goal:
        """A name as the goal of a vote."""
        return Goal((name_of(token),))

    def goal_guilty(self, _token: Token) -> Goal:
        """One verdict, where the vote is on somebody's trial."""
        return Goal(("guilty",))

    def goal_innocent(self, _token: Token) -> Goal:
        """The other verdict."""
        return Goal(("innocent",))

    def goal_nobody(self, _token: Token) -> Goal:
        """The null vote."""
        return Goal((None,))

    def goal_anybody(self, _token: Token) -> Goal:
        """Any name at all."""
        return Goal(anybody=True)

    def werewolf(self, _token: Token) -> Side:
        """One side."""
        return "werewolf"

    def villager(self, _token: Token) -> Side:
        """The other."""
        return "villager"
