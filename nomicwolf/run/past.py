"""What a contest that is taken up from a snapshot has behind it: fetched from the ledger when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Protocol

from nomicwolf.contest import Contest, Setup
from nomicwolf.nomic.events import DeedHeard, LetterHeard, SessionStopped
from nomicwolf.nomic.fetched import FetchedList, FetchedMapping, FetchedPages
from nomicwolf.nomic.resuming import Behind, nothing, resumed
from nomicwolf.nomic.state import is_village
from nomicwolf.reports.public import fold, is_public
from nomicwolf.run.marks import Marks, looked_up
from nomicwolf.village.events import Entry, Opened
from nomicwolf.village.game import Game


class Lookup(Protocol):
    """Where the entries of a record are: in a ledger, as a rule (`nomicwolf.ledger.shortcuts`)."""

    def entries(self, first: int, last: int) -> Sequence[Entry]:
        """Return the entries of the numbers *first* to *last*."""

    def found(self, mark: str) -> Sequence[int]:
        """Return the numbers of the entries under a mark, in order."""


class Played(Mapping[int, Game]):
    """The sessions of *entries* by their numbers, of which one is in memory: to be gone through in their order.

    One that comes before the one that was looked at last is looked for from the beginning.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._latest: tuple[int, Game] | None = None
        self._coming: Iterator[tuple[int, Game]] = iter(())

    @cached_property
    def _numbers(self) -> tuple[int, ...]:
        return tuple(entry.event.session for entry in self._entries if isinstance(entry.event, Opened))

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, number: int) -> Game:
        if self._latest is None or self._latest[0] > number:
            self._coming = self._played()
            self._latest = next(self._coming, None)
        while self._latest is not None and self._latest[0] < number:
            self._latest = next(self._coming, None)
        if self._latest is None or self._latest[0] != number:
            raise KeyError(number)
        return self._latest[1]

    def _played(self) -> Iterator[tuple[int, Game]]:
        """Yield each session as it stood in the end, as `Contest` records it."""
        number, game = 0, None
        for entry in self._entries:
            if isinstance(entry.event, Opened):
                if game is not None:
                    yield number, game
                number, game = entry.event.session, Game()
            if game is not None and not game.over and is_village(entry.event):
                game.record(entry)
            if game is not None and isinstance(entry.event, SessionStopped):
                game.phase = "over"
        if game is not None:
            yield number, game


def _is_shown(entry: Entry) -> bool:
    return is_public(entry.event)


class Past:
    """The record up to entry *last*, as a contest that is taken up there has it behind it."""

    def __init__(self, setup: Setup, shortcuts: Lookup, marks: Marks, last: int) -> None:
        self.setup = setup
        self.last = last
        self._shortcuts = shortcuts
        self._marks = marks
        self.entries: FetchedPages[Entry] = FetchedPages(last, lambda first, end: shortcuts.entries(first + 1, end))

    def behind(self, recent: int) -> Behind:
        """Return what the contest has behind it, which keeps the last *recent* entries itself."""
        return Behind(
            FetchedPages(self.last - recent, lambda first, end: self._shortcuts.entries(first + 1, end)),
            Played(self.entries),
            FetchedMapping(self._letter, lambda: self._whole.letters),
            FetchedMapping(lambda text: tuple(self._found("message", text)) or None, lambda: self._whole.by_message),
            FetchedMapping(lambda text: next(self._found("digest", text), None), lambda: self._whole.by_digest),
            FetchedMapping(lambda text: next(self._found("seal", text), None), lambda: self._whole.by_seal),
            FetchedMapping(self._said, lambda: self._whole.said), **self._by_session(self.last, lambda: self._whole))

    @cached_property
    def _whole(self) -> Contest:
        return Contest.of(self.setup, self.entries)

    @cached_property
    def public(self) -> list[Entry]:
        """All public entries."""
        return [entry for entry in self.entries if is_public(entry.event)]

    def shown(self, length: int, first: int, end: int) -> FetchedList[Entry]:
        """Return the public ones of the entries *first* to *end*, without the one at *end*; there are *length*."""
        places = range(first - 1, end - 1)

        def public(among: range) -> Iterator[Entry]:
            return filter(_is_shown, self.entries.along(among))

        return FetchedList(length, lambda: [*public(places)], lambda: public(places[::-1]))

    def public_contest(self, state: Mapping[str, Any], length: int, recent: Sequence[Entry]) -> Contest:
        """Return a contest that public entries tell of, from what is kept of it; *length* of them it has heard."""
        last: int = state["last"]

        def whole() -> Contest:
            return fold(self.setup, (entry for entry in self.public if entry.number <= last))

        behind = replace(
            nothing(), entries=FetchedList(length - len(recent), lambda: whole().entries),
            games=FetchedMapping(None, lambda: whole().games), **self._by_session(last, whole))
        return resumed(self.setup, state, behind, recent)

    def _by_session(self, last: int, whole: Callable[[], Contest]) -> dict[str, Any]:
        """Return what is looked up by the numbers of sessions, as it was after entry *last*."""
        def every(kind: str, session: int) -> list[Any]:
            return [self.entries[n - 1].event for n in self._found(kind, str(session)) if n <= last]

        def latest(kind: str) -> Callable[[int], Any]:
            return lambda session: next(reversed(every(kind, session)), None)

        return {
            "sessions": FetchedMapping(latest("started"), lambda: whole().sessions),
            "stopped": FetchedMapping(latest("stopped"), lambda: whole().stopped),
            "revealed": FetchedMapping(latest("revealed"), lambda: whole().revealed),
            "awards": FetchedMapping(lambda session: tuple(every("awarded", session)) or None, lambda: whole().awards),
        }

    def _letter(self, number: int) -> LetterHeard | None:
        event = self.entries[number - 1].event if 0 < number <= self.last else None
        return event if isinstance(event, LetterHeard) else None

    def _found(self, kind: str, text: str) -> Iterator[int]:
        for number in self._shortcuts.found(self._marks.mark(kind, text)):
            if number <= self.last and (kind, text) in looked_up(self.entries[number - 1].event):
                yield number

    def _said(self, text: str) -> str | None:
        event = next((self.entries[number - 1].event for number in self._found("said", text)), None)
        return event.who if isinstance(event, DeedHeard) else None
