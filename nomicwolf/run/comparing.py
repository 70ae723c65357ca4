"""A ledger's snapshot, and what is looked up beside it, compared with what its whole record tells.

The record is read once, from its beginning, and little of it is in memory at a time, however long it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile
from typing import Any, TypeVar

from nomicwolf.contest import Contest, Setup
from nomicwolf.ledger.records import Snapshot
from nomicwolf.ledger.shortcuts import Shortcuts
from nomicwolf.ledger.store import Store
from nomicwolf.nomic.events import LetterHeard
from nomicwolf.nomic.grown import Firsts
from nomicwolf.run.marks import ONCE, SEEN, Marks, looked_up
from nomicwolf.run.snapshots import contents, folded, load, opened
from nomicwolf.village.events import Entry
from nomicwolf.village.game import Game

K = TypeVar("K")
V = TypeVar("V")
_TOGETHER = 400
"""So many entries are looked up at once."""


def problems(setup: Setup, store: Store) -> list[str]:
    """Return in what the ledger's snapshot, and what is looked up beside it, differ from what the record tells.

    A snapshot that wouldn't be used, of another program's or of other settings, is not looked into.
    """
    shortcuts = store.shortcuts()
    snapshot = shortcuts.snapshot()
    if snapshot is None:
        return []
    finding = Finding(Marks(setup.secret), shortcuts, snapshot)
    end = max(snapshot.last, snapshot.found)
    record = finding.follow(takewhile(lambda entry: entry.number <= end, store.record()))
    data, found = opened(setup, snapshot), list[str]()
    if data is not None:
        same = Namesakes()
        named = same.follow(islice(record, snapshot.last), finding)
        should = contents(folded(setup, shortcuts, named, lambda setup: unaware(setup, same)))
        found = [f"{part} of the snapshot at entry {snapshot.last}: not what the record tells; take it away by "
                 "`nomicwolf ledger verify --forget-snapshot`" for part in otherwise(should, load(data))]
    deque(record, maxlen=0)
    return [f"entry {number}: can't be looked up by what it says; take the snapshot away by `nomicwolf ledger verify "
            "--forget-snapshot`" for number in sorted(finding.lost)] + found


class Finding:
    """Looks up what a record says, entry by entry: *lost* are the numbers of entries of which that fails.

    Of what it is enough to know where it stood first, only the first has to be found.
    """

    def __init__(self, marks: Marks, shortcuts: Shortcuts, snapshot: Snapshot) -> None:
        self.lost: set[int] = set()
        self._marks = marks
        self._shortcuts = shortcuts
        self._end = snapshot.found if snapshot.key == marks.name else 0
        self._seen: set[str] = set()

    def follow(self, record: Iterator[Entry]) -> Iterator[Entry]:
        """Yield what is in *record*, each entry looked up."""
        while entries := [*islice(record, _TOGETHER)]:
            self._look_up([entry for entry in entries if entry.number <= self._end])
            yield from entries

    def letters(self, messages: Iterable[str], last: int) -> dict[str, tuple[int, ...]]:
        """Return the letters under each of *messages* up to entry *last*, as far as they can be looked up."""
        marks = {self._marks.mark("message", message): message for message in messages}
        found: dict[str, tuple[int, ...]] = {}
        for mark, number in sorted(self._shortcuts.there(marks, 1, last)) if marks else ():
            found[marks[mark]] = (*found.get(marks[mark], ()), number)
        return found

    def _look_up(self, entries: list[Entry]) -> None:
        wanted = [*self._wanted(entries)]
        there = self._shortcuts.there({mark for mark, *_ in wanted}, entries[0].number, entries[-1].number) \
            if wanted else set()
        for mark, number, once in wanted:
            if (mark, number) not in there and not (once is not None and self._before(mark, number, once)):
                self.lost.add(number)

    def _wanted(self, entries: Iterable[Entry]) -> Iterator[tuple[str, int, tuple[str, str] | None]]:
        """Yield what is to be found where; with what it says, if that may have been found before it."""
        for entry in entries:
            for kind, text in looked_up(entry.event):
                mark = self._marks.mark(kind, text)
                if kind not in ONCE:
                    yield mark, entry.number, None
                elif mark not in self._seen:
                    if len(self._seen) >= SEEN:
                        self._seen = set()
                    self._seen.add(mark)
                    yield mark, entry.number, (kind, text)

    def _before(self, mark: str, number: int, said: tuple[str, str]) -> bool:
        """Return whether an entry before *number* says the same, and is found."""
        return any(said in looked_up(entry.event) for there in self._shortcuts.found(mark) if there < number
                   for entry in self._shortcuts.entries(there, there))


class Unkept(Firsts[K, V]):
    """A mapping that nothing stays in: of a contest that is only folded, and asked nothing.

    >>> said: Unkept[str, int] = Unkept()
    >>> said["a"] = 1
    >>> said.setdefault("b", 2), dict(said)
    (2, {})
    """

    def __setitem__(self, key: K, value: V) -> None:
        """Let *value* go."""

    def setdefault(self, key: K, default: V) -> V:
        """Return *default*, and let it go."""
        return default


class Namesakes(Unkept[str, tuple[int, ...]]):
    """Under which Message-IDs there are more letters than one, where that is asked in folding a record.

    That is of letters with deeds that no forum has stamped: another copy of such a one may have been.
    """

    def follow(self, record: Iterator[Entry], finding: Finding) -> Iterator[Entry]:
        """Yield what is in *record*, after it has been looked up whose namesakes may be asked for."""
        while entries := [*islice(record, _TOGETHER)]:
            asked = {entry.event.message_id for entry in entries if isinstance(entry.event, LetterHeard)
                     and entry.event.bucket == "deeds" and not entry.event.stamped}
            for message, numbers in finding.letters(asked - {""}, entries[-1].number).items():
                if len(numbers) > 1:
                    self.maps[0][message] = numbers
            yield from entries


def unaware(setup: Setup, namesakes: Unkept[str, tuple[int, ...]] | None = None) -> Contest:
    """Return a contest that has begun, and doesn't keep where letters and words stand; it may know *namesakes*."""
    contest = Contest(setup)
    contest.by_message, contest.by_digest = Unkept() if namesakes is None else namesakes, Unkept()
    contest.by_seal, contest.said = Unkept(), Unkept()
    return contest


def otherwise(should: dict[str, Any], found: dict[str, Any]) -> Iterator[str]:
    """Yield the parts in which two snapshots differ; a session is compared by all that it keeps."""
    for name in ("recent", "public"):
        if should[name] != found[name]:
            yield name
    pairs = (("state", should["state"], found["state"]), ("shown", should["shown"][0], found["shown"][0]),
             ("before", should["before"][1], found["before"][1]))
    for name, here, there in pairs:
        for part in sorted(here.keys() | there.keys()):
            if _plain(here.get(part)) != _plain(there.get(part)):
                yield f"{name}, {part}"


def _plain(value: object) -> object:
    return value.__getstate__() if isinstance(value, Game) else value
