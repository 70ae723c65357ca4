"""Votes as they stand, moved by changes: the interface beside which a lazier resolution could be put.

Every change is followed by a full resolution, so what is given back is right by definition; only the ballots' code
is kept from one to the next. Whoever would be faster must give back the same: ``docs/performance.md`` says how fast
that is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from nomicwolf.village.ballots import Ballot
from nomicwolf.village.pinning import pin, thresholds
from nomicwolf.village.resolution import Table, count
from nomicwolf.village.roll import Roll
from nomicwolf.village.town import Town

Changes: TypeAlias = dict[str, tuple[str | None, str | None]]
"""For each voter whose vote is another now: what it was, and what it is."""


class Standing:
    """The ballots in force in a *town*, and their *table*.

    *instants* has, for each voter whose ballot has conditions on time, when these change (UTC seconds).
    """

    def __init__(self, town: Town, ballots: Mapping[str, Ballot] | None = None) -> None:
        self.town = town
        self.ballots: dict[str, Ballot] = dict(ballots or {})
        self._read(town)
        self.table: Table = count(self.roll, self.ballots)

    def cast(self, who: str, ballot: Ballot | None, now: int | None = None) -> Changes:
        """*who* casts *ballot* at *now* (UTC seconds), pinned to this instant; None takes back what was cast."""
        at = self.town if now is None or now == self.town.now else replace(self.town, now=now)
        if ballot is None:
            self.ballots.pop(who, None)
        else:
            self.ballots[who] = pin(ballot, at, self.table, who)
        if who in self.town.seats:
            self._note(who)
            self.roll.put(self.town.seats[who], self.ballots.get(who))
        return self.move(at)

    def move(self, town: Town) -> Changes:
        """The public record or the clock moves to *town*; ballots of those who died fall away."""
        if town != replace(self.town, now=town.now):
            if town.living != self.town.living:
                self.ballots = {who: ballot for who, ballot in self.ballots.items() if who in town.seats}
            self._read(town)
        else:
            self._tick(town)
        self.town = town
        before, self.table = self.table, count(self.roll, self.ballots)
        return {
            who: (before.values.get(who), vote)
            for who, vote in self.table.values.items()
            if before.values.get(who) != vote
        }

    def _read(self, town: Town) -> None:
        """Read every ballot anew."""
        self.roll = Roll(town, self.ballots)
        self.instants: dict[str, frozenset[int]] = {}
        for who in town.living:
            self._note(who)

    def _note(self, who: str) -> None:
        """Keep the instants that *who*'s ballot names."""
        named = thresholds(self.ballots[who]) if who in self.ballots else frozenset()
        if named:
            self.instants[who] = named
        else:
            self.instants.pop(who, None)

    def _tick(self, town: Town) -> None:
        """Nothing but the clock has moved: only conditions on time can have changed."""
        first, last = sorted((self.town.now, town.now))
        self.roll.town = town
        for who, named in self.instants.items():
            if any(first < instant <= last for instant in named):
                self.roll.put(town.seats[who], self.ballots[who])
