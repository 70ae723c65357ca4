"""Votes as they stand, moved by changes.

What the votes come to is a full resolution, made when it is asked for, so it is right by definition; only the ballots'
code is kept from one to the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from typing import TypeAlias

from nomicwolf.village.ballots import Ballot
from nomicwolf.village.pinning import has_pins, pin, thresholds, timeless
from nomicwolf.village.resolution import Table, count
from nomicwolf.village.roll import Roll
from nomicwolf.village.town import Town

Changes: TypeAlias = dict[str, tuple[str | None, str | None]]
"""For each voter whose vote is another now: what it was, and what it is."""


class Standing:
    """The ballots in force in a *town*.

    *instants* has, for each voter whose ballot has conditions on time, when these change (UTC seconds).
    """

    def __init__(self, town: Town, ballots: Mapping[str, Ballot] | None = None) -> None:
        self.town = town
        self.ballots: dict[str, Ballot] = dict(ballots or {})
        self._told: Mapping[str, str | None] = {}
        self._table: Table | None = None
        self._read()

    @property
    def table(self) -> Table:
        """What every vote comes to now."""
        if self._table is None:
            self._table = count(self.roll, self.ballots)
        return self._table

    @property
    def lynched(self) -> str | None:
        """Who has a majority now."""
        return self.table.lynched

    def changes(self) -> Changes:
        """What has changed since this was last asked; at first, since nobody had voted."""
        before, self._told = self._told, self.table.values
        return {who: (before.get(who), vote) for who, vote in self._told.items() if before.get(who) != vote}

    def cast(self, who: str, ballot: Ballot | None, now: int | None = None) -> None:
        """*who* casts *ballot* at *now* (UTC seconds), pinned to this instant; None takes back what was cast."""
        at = self.town.now if now is None else now
        instants: frozenset[int] = frozenset()
        if ballot is not None and not timeless(ballot):
            if has_pins(ballot):
                ballot = pin(ballot, self.town.at(at), self.table, who)
            instants = thresholds(ballot)
        seat = self.town.seats.get(who)
        if seat is not None:
            self._note(who, instants)
            self.roll.put(seat, ballot)
            self._table = None
        if ballot is None:
            self.ballots.pop(who, None)
        else:
            self.ballots[who] = ballot
        if at != self.town.now:
            self._pass(at)

    def move(self, town: Town) -> None:
        """The public record or the clock moves to *town*; ballots of those who died fall away."""
        before, self.town = self.town, town
        if town.now < before.now or town != before.at(town.now):
            if town.living != before.living:
                self.ballots = {who: ballot for who, ballot in self.ballots.items() if who in town.seats}
            self._read()
        else:
            self._tick()

    def next_instant(self) -> int | None:
        """The first instant after now that a condition of a ballot in force names."""
        while self._ahead:
            instant, who = self._ahead[0]
            if instant > self.town.now and instant in self.instants.get(who, ()):
                return instant
            heappop(self._ahead)
        return None

    def _read(self) -> None:
        """Read every ballot anew."""
        self._table = None
        self.roll = Roll(self.town, self.ballots)
        self.instants: dict[str, frozenset[int]] = {}
        self._ahead: list[tuple[int, str]] = []
        for who in self.town.living:
            ballot = self.ballots.get(who)
            if ballot is not None and not timeless(ballot):
                self._note(who, thresholds(ballot))

    def _note(self, who: str, instants: frozenset[int]) -> None:
        """Keep the *instants* that *who*'s ballot names now."""
        self.instants.pop(who, None)
        if instants:
            self.instants[who] = instants
            for instant in instants:
                heappush(self._ahead, (instant, who))

    def _pass(self, now: int) -> None:
        """Time passes to *now*, or is put back."""
        if now < self.town.now:
            self.move(self.town.at(now))
        else:
            self.town = self.town.at(now)
            self._tick()

    def _tick(self) -> None:
        """Nothing but the clock has moved, and not back: only conditions on time can have changed."""
        self.roll.town = self.town
        while self._ahead and self._ahead[0][0] <= self.town.now:
            instant, who = heappop(self._ahead)
            if instant in self.instants.get(who, ()):
                self.roll.put(self.town.seats[who], self.ballots[who])
                self._table = None
