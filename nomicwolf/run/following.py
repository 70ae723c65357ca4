"""A contest followed along its record, from its beginning on, of which little is in memory at a time."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice

from nomicwolf.contest import Contest, Setup
from nomicwolf.run import snapshots
from nomicwolf.run.past import Lookup
from nomicwolf.village.events import Entry

_NOWHERE = sys.maxsize


class Record:
    """The entries of a record by their places, which count from 0; *begin* reads them from the first on.

    *even* tells that each one so far has the number that its place would give it, as in a whole ledger.
    """

    def __init__(self, begin: Callable[[], Iterator[Entry]]) -> None:
        self._begin = begin
        self.even = True
        self._read_again()

    def _read_again(self) -> None:
        self._coming, self._held, self._first = self._begin(), deque[Entry](), 0

    def part(self, first: int, end: int) -> tuple[Entry, ...]:
        """Return the entries from place *first* up to, and without, *end*; those before them are let go of."""
        if first < self._first:
            self._read_again()
        while self._first < first and self._hold(1):
            self._held.popleft()
            self._first += 1
        self._hold(end - first)
        return tuple(islice(self._held, max(end - first, 0))) if self._first == first else ()

    def _hold(self, count: int) -> bool:
        """Have *count* entries at hand, or as many as there are; return whether there is any."""
        while len(self._held) < count:
            entry = next(self._coming, None)
            if entry is None:
                break
            self.even = self.even and entry.number == self._first + len(self._held) + 1
            self._held.append(entry)
        return bool(self._held)


class Course:
    """The *contest* that so many entries of a record tell of, and then more of them.

    As a snapshot has it, what came before the session is left in the ledger, from stride to stride; of a record with
    wrong numbers, by which it couldn't be fetched again, nothing is.
    """

    def __init__(self, setup: Setup, shortcuts: Lookup, record: Record) -> None:
        self._shortcuts = shortcuts
        self._record = record
        self._begin(setup)

    def _begin(self, setup: Setup) -> None:
        self.contest = Contest(setup)
        self._place = self._light = 0

    def go(self, place: int, setup: Setup) -> None:
        """Let the contest be, by its settings *setup*, what the first *place* entries tell of."""
        if not 0 < self._place <= place or not self._folds_alike(setup):
            self._begin(setup)
        elif setup is not self.contest.setup:
            self._lighten(setup)
        while entries := self._record.part(self._place, min(place, self._place + snapshots.STRIDE)):
            self.take(entries)

    def take(self, entries: tuple[Entry, ...]) -> None:
        """Let the next *entries* of the record have happened."""
        self.contest.take(entries)
        self._went_on(len(entries))

    def heard(self, contest: Contest, base: int, count: int) -> None:
        """Let the contest be what it was after *count* entries, the same as the record's from place *base* on."""
        self.contest = contest
        if self._place != base:
            self._place = _NOWHERE
        else:
            self._went_on(count)

    def is_at(self, place: int) -> bool:
        """Return whether the contest is what the first *place* entries tell of."""
        return self._place == place

    def _folds_alike(self, setup: Setup) -> bool:
        ours = self.contest.setup
        return setup is ours or (self._record.even and snapshots.looked_at(setup) == snapshots.looked_at(ours))

    def _went_on(self, count: int) -> None:
        self._place += count
        if self._record.even and self._place - self._light >= snapshots.STRIDE:
            self._lighten(self.contest.setup)

    def _lighten(self, setup: Setup) -> None:
        self.contest = snapshots.lightened(setup, self._shortcuts, self.contest)
        self._light = self._place
