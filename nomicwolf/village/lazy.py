"""Votes of large towns: all that no condition decides is kept up to date, and the rest is left until it matters.

A vote that no condition decides is *firm*: a plain vote, one at the end of whose endorsements stands a plain vote, or
one on a ring of endorsements. The others are *loose*: a conditional vote, and those who endorse it. A loose vote
never comes to a name outside its *Names* (step 0 of the definition in ``docs/votes.md``). So nobody has a majority
while no firm votes, with all the loose ones that might join them, reach it; and whoever has a majority of firm votes
alone has it. Only if neither is so, or if somebody asks for the table, are the loose votes resolved, by the same
code as ever (NC 3).

A change costs as many steps as voters hang on the one who changes, however large the town is, while the firm votes
tell who is lynched; else a resolution of the loose votes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import ClassVar

from nomicwolf.village.ballots import Ballot
from nomicwolf.village.compiling import NULL
from nomicwolf.village.ranges import UNSETTLED
from nomicwolf.village.roll import Roll, Settled
from nomicwolf.village.town import Town


class LazyRoll(Roll):
    """A roll for ``Standing`` that keeps the firm votes.

    *firm* has everyone's vote (``UNSETTLED`` if it is loose) and *counts* how many there are for each seat; *source*
    whose conditional vote a loose one repeats. *reach* is how many votes each seat would have with all the loose ones
    that name it; *levels* how many seats have each such number, *top* the greatest. *anyone* is how many loose votes
    may be for whomever, since the condition comes with an endorsement.
    """

    __slots__ = ("anyone", "counts", "firm", "levels", "reach", "source", "top")

    walk: ClassVar = 5
    """How many voters are found anew in the time in which one is taken out and put back."""

    def __init__(self, town: Town, ballots: Mapping[str, Ballot]) -> None:
        super().__init__(town, ballots)
        self._write()

    def _write(self) -> None:
        """Find the firm votes, and what is in reach, anew."""
        n = len(self.value)
        self.firm, self.counts, loose, _ = super().settled()
        self.source: dict[int, int] = {}
        self.anyone = 0
        self.reach = self.counts[:n]
        self.top = max(self.reach, default=0)
        self.levels = [0] * (n + 2)
        for number, seats in Counter(self.reach).items():
            self.levels[number] = seats
        for voter in loose:
            self._loosen(voter, voter if voter in self.codes else self.source[self.says[voter]])

    def sure(self) -> int | None:
        """Who has a majority, or that nobody can have it, as ``Roll.sure`` has it."""
        majority = self.town.majority
        if self.top + self.anyone < majority:
            return NULL
        best = max(self.counts)
        return self.counts.index(best) if best >= majority else None

    def settled(self) -> Settled:
        """The firm votes, and the loose voters, as ``Roll.settled`` has them."""
        return self.firm.copy(), self.counts.copy(), list(self.source), []

    def put(self, me: int, ballot: Ballot | None) -> None:
        """*me*'s ballot is *ballot* from now on; what hangs on it follows."""
        tree = self._tree(me)
        if len(tree) * self.walk > len(self.value):
            super().put(me, ballot)
            self._write()
            return
        self._withdraw(me)
        for voter in tree:
            self._withdraw(voter)
        super().put(me, ballot)
        if me in self.says:
            if self.says[me] == me or self.says[me] in tree:
                self.firm[me] = NULL
            else:
                self._follow(me)
        elif me in self.codes:
            self._loosen(me, me)
        else:
            self._settle(me, self.value[me])
        for voter in tree:
            self._follow(voter)

    def _tree(self, me: int) -> list[int]:
        """All who endorse *me*, and who endorse those, nearest first."""
        fans = self.fans
        if not fans.get(me):
            return []
        tree = [fan for fan in fans[me] if fan != me]
        for voter in tree:
            if voter in fans:
                tree += [fan for fan in fans[voter] if fan != me]
        return tree

    def _follow(self, voter: int) -> None:
        """*voter* says the same as whom e endorses."""
        whom = self.says[voter]
        said = self.firm[whom]
        if said == UNSETTLED:
            self._loosen(voter, self.source[whom])
        else:
            self._settle(voter, NULL if said == voter and not self.town.own_votes else said)

    def _settle(self, voter: int, seat: int) -> None:
        """*voter* has the firm vote *seat*."""
        self.firm[voter] = seat
        if seat != NULL:
            self.counts[seat] += 1
            self._step(seat, 1)

    def _loosen(self, voter: int, source: int) -> None:
        """*voter* has the same vote as *source*, which is conditional."""
        self.firm[voter] = UNSETTLED
        self.source[voter] = source
        self._lean(source, 1)

    def _withdraw(self, voter: int) -> None:
        """*voter*'s vote, firm or loose, is no longer counted."""
        seat = self.firm[voter]
        if seat == UNSETTLED:
            self._lean(self.source.pop(voter), -1)
        elif seat != NULL:
            self.counts[seat] -= 1
            self._step(seat, -1)

    def _lean(self, source: int, sign: int) -> None:
        """One voter more, or fewer (*sign*), may vote for any that *source*'s ballot names."""
        for seat in self.names[source]:
            self._step(seat, sign)
        if self.hears[source]:
            self.anyone += sign

    def _step(self, seat: int, sign: int) -> None:
        """One vote more, or fewer, is in reach of *seat*."""
        levels, number = self.levels, self.reach[seat]
        self.reach[seat] = number + sign
        levels[number] -= 1
        levels[number + sign] += 1
        if number + sign > self.top:
            self.top += 1
        elif not levels[self.top]:
            self.top -= 1
