"""A contest followed along its record."""

from __future__ import annotations

from collections.abc import Sequence

from nomicwolf.contest import Contest, Setup
from nomicwolf.village.events import Entry


class Course:
    """The *contest* after the first *place* entries of a *record*, and then after more of them."""

    def __init__(self, setup: Setup, record: list[Entry]) -> None:
        self.record = record
        self.contest = Contest(setup)
        self.place = 0

    def go(self, place: int, setup: Setup) -> None:
        """Fold the record, by the settings *setup*, up to *place*; from its beginning if the contest isn't on the way.

        A place beyond the record is its end.
        """
        if self.place > place or setup is not self.contest.setup:
            self.contest, self.place = Contest(setup), 0
        entries = self.record[self.place:place]
        self.contest.take(entries)
        self.place += len(entries)

    def heard(self, contest: Contest, count: int) -> None:
        """Go on from *contest*, which has heard the next *count* entries of the record."""
        self.contest = contest
        self.place += count

    def extend(self, contest: Contest, entries: Sequence[Entry]) -> None:
        """Put new *entries* at the end of the record, where the course is, and go on from *contest* after them."""
        self.record += entries
        self.heard(contest, len(entries))
