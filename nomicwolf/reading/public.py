"""From parsed rules to conditions on the public record: quantities, the day, the clock, published facts (NC 3)."""

from __future__ import annotations

from typing import Any

from lark import Token, Transformer, v_args

from nomicwolf.reading.claims import Quantity
from nomicwolf.village.ballots import After, Before, Condition, Day, Fact, Fixed, InPhase, IntoDay, Not


@v_args(inline=True)
class PublicRules(Transformer[Token, Any]):
    """Quantities, the day, the clock and published facts."""

    def at_least(self, _words: Token, number: Token) -> Quantity:
        """``at least 3``."""
        return Quantity(">=", number.value)

    def at_least_(self, number: Token, _words: Token) -> Quantity:
        """``3 or more``."""
        return Quantity(">=", number.value)

    def more_than(self, _words: Token, number: Token) -> Quantity:
        """``more than 3``."""
        return Quantity(">", number.value)

    def at_most(self, _words: Token, number: Token) -> Quantity:
        """``at most 3``."""
        return Quantity("<=", number.value)

    def at_most_(self, number: Token, _words: Token) -> Quantity:
        """``3 or fewer``."""
        return Quantity("<=", number.value)

    def fewer_than(self, _words: Token, number: Token) -> Quantity:
        """``fewer than 3``."""
        return Quantity("<", number.value)

    def exactly(self, _words: Token, number: Token) -> Quantity:
        """``exactly 3``."""
        return Quantity("==", number.value)

    def not_exactly(self, _words: Token, number: Token) -> Quantity:
        """``not exactly 3``."""
        return Quantity("!=", number.value)

    def bare(self, number: Token) -> Quantity:
        """``3`` (others are voting ...): so many suffice."""
        return Quantity(">=" if number.value else "==", number.value, bare=True)

    def so(self, part: Condition) -> Condition:
        """``it is ...``."""
        return part

    def day(self, _day: Token, number: Token) -> Condition:
        """``day 3``."""
        return Day("==", number.value)

    def day_or_later(self, _day: Token, number: Token, _words: Token) -> Condition:
        """``day 3 or later``."""
        return Day(">=", number.value)

    def day_or_earlier(self, _day: Token, number: Token, _words: Token) -> Condition:
        """``day 3 or earlier``."""
        return Day("<=", number.value)

    def after_day(self, _after: Token, _day: Token, number: Token) -> Condition:
        """``after day 3``."""
        return Day(">", number.value)

    def before_day(self, _before: Token, _day: Token, number: Token) -> Condition:
        """``before day 3``."""
        return Day("<", number.value)

    def day_is(self, quantity: Quantity) -> Condition:
        """``the day number is at least 3``."""
        return Day("==" if quantity.bare else quantity.operator, quantity.number)

    def daytime(self, _day: Token) -> Condition:
        """``it is day``."""
        return InPhase("day")

    def nighttime(self, _night: Token) -> Condition:
        """``it is night``."""
        return InPhase("night")

    def after(self, _after: Token, time: Token) -> Condition:
        """``after TIME``."""
        return _from(time.value)

    def since(self, time: Token) -> Condition:
        """``24 hours into the day``."""
        return _from(time.value)

    def before(self, _before: Token, time: Token) -> Condition:
        """``before TIME``."""
        return _until(time.value)

    def until(self, time: Token) -> Condition:
        """``until TIME``."""
        return _until(time.value)

    def was_so(self) -> Condition:
        """``it was so when cast``: a pinned condition, settled."""
        return Fixed(value=True)

    def was_not_so(self) -> Condition:
        """``it was not so when cast``."""
        return Fixed(value=False)

    def fact(self, text: Token) -> Condition:
        """``"text" is so``."""
        return Fact(text.value)

    def fact_not(self, text: Token) -> Condition:
        """``"text" is not so``."""
        return Not(Fact(text.value))


def _from(time: int | IntoDay) -> Condition:
    return time if isinstance(time, IntoDay) else After(time)


def _until(time: int | IntoDay) -> Condition:
    return IntoDay(time.hours, reached=False) if isinstance(time, IntoDay) else Before(time)
