"""Votes as they stand, moved by changes: the interface beside which a lazier resolution could be put.

Every change is followed by a full resolution, so what is given back is right by definition: ``docs/votes.md``
says how fast that is. Whoever would be faster must give back the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from nomicwolf.village.ballots import Ballot
from nomicwolf.village.pinning import pin
from nomicwolf.village.resolution import Table, resolve
from nomicwolf.village.town import Town

Changes: TypeAlias = dict[str, tuple[str | None, str | None]]
"""For each voter whose vote is another now: what it was, and what it is."""


class Standing:
    """The ballots in force in a *town*, and their *table*."""

    def __init__(self, town: Town, ballots: Mapping[str, Ballot] | None = None) -> None:
        self.town = town
        self.ballots: dict[str, Ballot] = dict(ballots or {})
        self.table: Table = resolve(town, self.ballots)

    def cast(self, who: str, ballot: Ballot | None, now: int | None = None) -> Changes:
        """*who* casts *ballot* at *now* (UTC seconds), pinned to this instant; None takes back what was cast."""
        at = self.town if now is None else replace(self.town, now=now)
        if ballot is None:
            self.ballots.pop(who, None)
        else:
            self.ballots[who] = pin(ballot, at, self.table, who)
        return self.move(at)

    def move(self, town: Town) -> Changes:
        """The public record or the clock moves to *town*; ballots of those who died fall away."""
        if town.living != self.town.living:
            self.ballots = {who: ballot for who, ballot in self.ballots.items() if who in town.seats}
        self.town = town
        before, self.table = self.table, resolve(town, self.ballots)
        return {
            who: (before.values.get(who), vote)
            for who, vote in self.table.values.items()
            if before.values.get(who) != vote
        }
