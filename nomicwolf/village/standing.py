"""Votes as they stand, moved by changes: the interface beside which a lazier resolution stands (``lazy``).

What the votes come to is a full resolution, made when it is asked for, so it is right by definition; only the ballots'
code is kept from one to the next. Whoever would be faster must give the same: ``docs/performance.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from nomicwolf.village.ballots import Ballot, Endorse, For, Nobody
from nomicwolf.village.pinning import has_pins, pin, thresholds
from nomicwolf.village.resolution import Table, count
from nomicwolf.village.roll import Roll
from nomicwolf.village.town import Town

Changes: TypeAlias = dict[str, tuple[str | None, str | None]]
"""For each voter whose vote is another now: what it was, and what it is."""

LEAVES: Final = (For, Endorse, Nobody)
"""Ballots without parts: nothing in them is pinned, or waits for an instant."""


class Standing:
    """The ballots in force in a *town*; *kind* is the roll to keep (``lazy.LazyRoll`` for large towns).

    *instants* has, for each voter whose ballot has conditions on time, when these change (UTC seconds).
    """

    def __init__(
        self, town: Town, ballots: Mapping[str, Ballot] | None = None, kind: Callable[..., Roll] = Roll
    ) -> None:
        self.town = town
        self.ballots: dict[str, Ballot] = dict(ballots or {})
        self.instants: dict[str, frozenset[int]] = {}
        self._told: Mapping[str, str | None] = {}
        self._table: Table | None = None
        self._kind = kind
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
        if self._table is None and self.roll.most() < self.town.majority:
            return None
        return self.table.lynched

    def changes(self) -> Changes:
        """What has changed since this was last asked; at first, since nobody had voted."""
        before, self._told = self._told, self.table.values
        return {who: (before.get(who), vote) for who, vote in self._told.items() if before.get(who) != vote}

    def cast(self, who: str, ballot: Ballot | None, now: int | None = None) -> None:
        """*who* casts *ballot* at *now* (UTC seconds), pinned to this instant; None takes back what was cast."""
        at = self.town if now is None or now == self.town.now else replace(self.town, now=now)
        if ballot is None:
            self.ballots.pop(who, None)
        else:
            self.ballots[who] = pin(ballot, at, self.table, who) if has_pins(ballot) else ballot
        if who in self.town.seats:
            self._note(who)
            self.roll.put(self.town.seats[who], self.ballots.get(who))
            self._table = None
        if at is not self.town:
            self.move(at)

    def move(self, town: Town) -> None:
        """The public record or the clock moves to *town*; ballots of those who died fall away."""
        before, self.town = self.town, town
        self._table = None
        if town != replace(before, now=town.now):
            if town.living != before.living:
                self.ballots = {who: ballot for who, ballot in self.ballots.items() if who in town.seats}
            self._read()
        else:
            self._tick(before.now)

    def _read(self) -> None:
        """Read every ballot anew."""
        self.roll = self._kind(self.town, self.ballots)
        self.instants.clear()
        for who in self.town.living:
            self._note(who)

    def _note(self, who: str) -> None:
        """Keep the instants that *who*'s ballot names."""
        ballot = self.ballots.get(who)
        if ballot is not None and not isinstance(ballot, LEAVES) and (named := thresholds(ballot)):
            self.instants[who] = named
        else:
            self.instants.pop(who, None)

    def _tick(self, before: int) -> None:
        """Nothing but the clock has moved, from *before*: only conditions on time can have changed."""
        first, last = sorted((before, self.town.now))
        self.roll.town = self.town
        for who, named in self.instants.items():
            if any(first < instant <= last for instant in named):
                self.roll.put(self.town.seats[who], self.ballots[who])
