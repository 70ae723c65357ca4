"""From parsed rules to what conditions say of one person (NC 3)."""

from __future__ import annotations

from typing import Any

from lark import Token, Transformer, v_args

from nomicwolf.reading.claims import SAME, Goal, Predicate, Quantity, votes_for
from nomicwolf.reading.errors import BallotError
from nomicwolf.village.ballots import (
    Alike,
    Alive,
    And,
    AsMany,
    Count,
    Dead,
    Leads,
    Majority,
    More,
    Not,
    Side,
    Votes,
    Was,
)

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

    def votes_at_all(self, _words: Token) -> Predicate:
        """``is voting``."""
        return lambda who: Not(Votes(who, None))

    def votes_for_none(self, _words: Token) -> Predicate:
        """``is not voting``."""
        return lambda who: Votes(who, None)

    def voted(self) -> Predicate:
        """``has voted``, and has not retracted it."""
        return lambda who: Not(Votes(who, None))

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

    def has_none(self, _has: Token) -> Predicate:
        """``has no votes``."""
        return lambda who: Count(who, "==", 0)

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

    def has_majority(self, _has: Token) -> Predicate:
        """``has a majority``."""
        return Majority

    def has_no_majority(self, _has: Token) -> Predicate:
        """``has no majority``."""
        return lambda who: Not(Majority(who))

    def leads(self) -> Predicate:
        """``is leading``."""
        return Leads

    def leads_not(self) -> Predicate:
        """``is not leading``."""
        return lambda who: Not(Leads(who))

    def top(self) -> Predicate:
        """``is leading or tied for the lead``."""
        return lambda who: Leads(who, tied=True)

    def tied(self) -> Predicate:
        """``is tied for the lead``: at the top, but not alone."""
        return lambda who: And((Leads(who, tied=True), Not(Leads(who))))

    def alive(self, _words: Token) -> Predicate:
        """``is alive``."""
        return Alive

    def dead(self, _words: Token) -> Predicate:
        """``is dead``."""
        return Dead

    def was(self, _words: Token, side: Side) -> Predicate:
        """``was a werewolf``."""
        return lambda who: Was(who, side)

    def was_not(self, _words: Token, side: Side) -> Predicate:
        """``was not a werewolf``."""
        return lambda who: Not(Was(who, side))


def _refuse_past(words: Token) -> None:
    """BallotError for "if Bex was": votes are spoken of as they are."""
    if words.type in {"IS", "IS_NOT"} and str(words).casefold() not in _PRESENT:
        raise BallotError("not understood", f"“{words}” what?", words.column or 1, hint="is voting for NAME")
