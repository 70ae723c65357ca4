"""Settling votes: strike out what can no longer happen until nothing more can be; the *ground* of the definition.

A work-list with triggers: a ballot is looked at again when a vote that it names, or a number that it waits for,
has moved. Plain votes and what endorses them are settled first, in one pass, without ranges. A ring with one way
out settles to what stands there (D-V3).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from nomicwolf.village.compiling import NULL
from nomicwolf.village.ranges import JUST_NULL, UNSETTLED, Ranges
from nomicwolf.village.roll import LEAD, Roll

NONE: Final[frozenset[int]] = frozenset()


class Ground(Ranges):
    """The votes of *roll* while they are being settled.

    *rings* are the voters who only endorse one another (their votes are null from the first: they put no name
    forward). With *until*, settling stops as soon as that voter would be settled.
    """

    __slots__ = ("_fans", "_leads", "_marked", "_peak", "_selves", "_todo", "_watch", "codes", "order", "rings", "says",
                 "until")

    def __init__(self, roll: Roll, until: int = UNSETTLED) -> None:
        super().__init__(len(roll.value))
        self.value, self.low, soft, self.rings = roll.settled()
        self.codes, self.says = roll.codes, roll.says
        self.until = until
        self.order: list[int] = []
        self._fans, self._watch, self._selves = roll.fans, roll.watch, roll.town.own_votes
        self._leads = roll.watch.get(LEAD, {})
        self._peak = max(self.low)
        self.low[self.n] = sum(self.low)
        self.high = self.low.copy()
        if soft:
            self._open(soft, roll)
        self._todo = deque(soft)
        self._marked = set(soft)

    def _open(self, soft: list[int], roll: Roll) -> None:
        """Give each voter of *soft* the range it starts with."""
        high, n = self.high, self.n
        names = self._names(soft, roll)
        for voter in soft:
            named = names[voter]
            if not named:
                self.value[voter] = NULL
                continue
            self.range[voter] = named | JUST_NULL
            high[n] += 1
            for seat in named:
                high[seat] += 1

    def _names(self, soft: list[int], roll: Roll) -> dict[int, frozenset[int]]:
        """Every name that could reach each voter of *soft*: its own and those of whom it endorses, but itself."""
        names = {voter: roll.names.get(voter, NONE) for voter in soft}
        value, barred = self.value, self._barred
        heard = {whom: list(fans) for whom, fans in self._fans.items() if whom in names}
        for voter, voices in roll.hears.items():
            for whom in voices:
                if value[whom] == UNSETTLED:
                    heard.setdefault(whom, []).append(voter)
                elif value[whom] != NULL:
                    names[voter] |= {value[whom]} - barred(voter)
        todo = deque(voter for voter in soft if voter in heard)
        while todo:
            voter = todo.popleft()
            for fan in heard[voter]:
                if not names[voter] <= names[fan]:
                    new = names[voter] - names[fan] - barred(fan)
                    if new:
                        names[fan] |= new
                        if fan in heard:
                            todo.append(fan)
        return names

    def settle(self, voter: int, value: int) -> None:
        """*voter*'s vote is *value*, for good."""
        self.value[voter] = value
        self.order.append(voter)
        low, n = self.low, self.n
        for seat in self.range[voter]:
            if seat not in (NULL, value):
                self._lose(seat)
        if value == NULL:
            self._lose(n)
        else:
            for seat in (value, n):
                low[seat] += 1
                self._moved(seat, low[seat])
            if low[value] >= self._peak:
                self._peak = low[value]
                self._mark(self._leads)
        self.range[voter] = JUST_NULL
        self._touch(voter)

    def _lose(self, seat: int) -> None:
        """One vote fewer is still possible for *seat*.

        Nobody leads who has fewer votes than the most that anyone is sure of, the *peak*. So who leads can hang only
        on a rival who may still get about that many.
        """
        self.high[seat] -= 1
        self._moved(seat, self.high[seat])
        if self._leads and -1 <= self.high[seat] - self._peak <= 1:
            self._mark(self._leads)

    def _moved(self, seat: int, number: int) -> None:
        """A bound of *seat* has come to *number*: mark the ballots that wait for it."""
        watch = self._watch
        if (seat, number) in watch:
            self._mark(watch[seat, number])
        if ~seat in watch:
            self._mark(watch[~seat])

    def _touch(self, voter: int) -> None:
        """Mark those who endorse or name *voter*."""
        if voter in self._fans:
            self._mark(self._fans[voter])
        if voter in self._watch:
            self._mark(self._watch[voter])

    def _mark(self, voters: Iterable[int]) -> None:
        for voter in voters:
            if voter not in self._marked and self.value[voter] == UNSETTLED:
                self._marked.add(voter)
                self._todo.append(voter)

    def sift(self) -> bool:
        """Strike out until nothing more can be; whether that came to an end before *until*'s turn."""
        todo, value = self._todo, self.value
        while todo:
            voter = todo.popleft()
            self._marked.discard(voter)
            if value[voter] != UNSETTLED:
                continue
            code = self.codes.get(voter)
            may = self.values(code, voter)[-1] if code else self.said(voter)
            if isinstance(may, int):
                if voter == self.until:
                    return False
                self.settle(voter, may)
            elif len(may | JUST_NULL) < len(self.range[voter]):
                self._narrow(voter, may | JUST_NULL)
        return True

    def said(self, voter: int) -> int | frozenset[int]:
        """What a plain endorsement may come to."""
        whom = self.says[voter]
        value = self.value[whom]
        if value != UNSETTLED:
            return NULL if value in self._barred(voter) else value
        may = self.range[whom] - self._barred(voter)
        return may if len(may) > 1 else NULL

    def _barred(self, voter: int) -> frozenset[int]:
        """Whom *voter*'s vote can't come to: emself, unless the ballot is one in which it can (D-N5, D-T23)."""
        return NONE if self._selves else frozenset((voter,))

    def _narrow(self, voter: int, may: frozenset[int]) -> None:
        """*voter*'s range shrinks to *may*."""
        gone = self.range[voter] - may
        self.range[voter] = may
        for seat in gone:
            self._lose(seat)
        self._touch(voter)
