"""A record that parts from the ledger's at some entry: up to there it is the ledger's, what follows is only in memory.

It may be as long as the ledger's own, so what it says is kept as lines, a page at a time compressed, and nothing of it
is ever written to a disk, on which the ledger may be sealed.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from nomicwolf.ledger.codec import read_entry, write_entry
from nomicwolf.run.past import Lookup
from nomicwolf.village.events import Entry

PAGE = 256
"""So many entries are compressed together."""


class Branch(Lookup):
    """The entries of *trunk* up to number *base*, and those that were put behind them.

    Where letters and words stand is not looked up in it: a contest that follows it knows that itself.
    """

    def __init__(self, trunk: Lookup, base: int) -> None:
        self._trunk = trunk
        self._base = base
        self._pages: list[bytes] = []
        self._newest: list[Entry] = []

    def put(self, entries: Iterable[Entry]) -> None:
        """Put *entries* behind those that there are, by whose numbers they go on."""
        for entry in entries:
            self._newest.append(entry)
            if len(self._newest) == PAGE:
                self._pages.append(zlib.compress("\n".join(map(write_entry, self._newest)).encode()))
                self._newest = []

    def beyond(self) -> Iterator[Entry]:
        """Yield the entries that were put in."""
        return chain.from_iterable(map(self._page, range(len(self._pages) + 1)))

    def _page(self, number: int) -> Sequence[Entry]:
        if number == len(self._pages):
            return tuple(self._newest)
        return [*map(read_entry, zlib.decompress(self._pages[number]).decode().split("\n"))]

    def entries(self, first: int, last: int) -> Sequence[Entry]:
        """Return the entries of the numbers *first* to *last*."""
        start, end = max(first - self._base - 1, 0), last - self._base
        pages = chain.from_iterable(map(self._page, range(start // PAGE, max(-(-end // PAGE), 0))))
        ours = [entry for entry in pages if first <= entry.number <= last]
        return [*self._trunk.entries(first, min(last, self._base)), *ours] if first <= self._base else ours

    def found(self, mark: str) -> Sequence[int]:
        """Raise LookupError: a contest that follows a branch never asks."""
        raise LookupError(f"{mark}: what is said in a branch is not looked up by marks")


class Pairs:
    """Which entry of a branch stands for which of the ledger's; up to number *base* they are the same.

    >>> pairs = Pairs(10)
    >>> pairs.ours(7), pairs.ours(11), pairs.theirs(7)
    (7, 0, 7)
    """

    def __init__(self, base: int) -> None:
        self._base = base
        self._ours, self._theirs = array("q"), array("q")

    def pair(self, theirs: Iterable[Entry], ours: Iterable[Entry]) -> None:
        """Let entries of a happening stand for each other: the first of its kind for the first, and so on."""
        waiting: dict[str, list[int]] = {}
        for entry in ours:
            waiting.setdefault(entry.event.name, []).append(entry.number)
        for entry in theirs:
            if same := waiting.get(entry.event.name):
                number = same.pop(0)
                self._put(self._ours, entry.number, number)
                self._put(self._theirs, number, entry.number)

    def _put(self, numbers: array[int], place: int, number: int) -> None:
        missing = place - self._base - len(numbers)
        if missing > 0:
            numbers.extend([0] * missing)
        numbers[place - self._base - 1] = number

    def ours(self, number: int) -> int:
        """Return the number of the branch's entry that stands for entry *number* of the ledger, 0 for none."""
        return self._at(self._ours, number)

    def theirs(self, number: int) -> int:
        """Return the number of the ledger's entry for which entry *number* of the branch stands, 0 for none."""
        return self._at(self._theirs, number)

    def _at(self, numbers: array[int], number: int) -> int:
        place = number - self._base - 1
        if place < 0:
            return max(number, 0)
        return numbers[place] if place < len(numbers) else 0
