"""In what two courses of a contest differ, line by line, however long they are."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from nomicwolf.nomic import events
from nomicwolf.reports.happened import happened as told
from nomicwolf.reports.times import when
from nomicwolf.village.events import Entry

TOGETHER = 1000
"""So many lines are compared at once, or those of one happening: each line with each takes their square."""
_PAPERWORK = (
    events.LetterHeard, events.CopyHeard, events.DeedHeard, events.DeedMoved, events.DeedDone, events.Answered,
    events.Asked, events.Noted,
)


class Differing:
    """Compares what was with what would have been, happening by happening: the lines of some of them at once."""

    def __init__(self) -> None:
        self._was: list[str] = []
        self._would_be: list[str] = []
        self._found: list[str] = []

    def add(self, was: Iterable[Entry], would_be: Iterable[Entry]) -> None:
        """Let a happening have come to the entries that it came to, and to those that it would have come to."""
        self._was += _lines(was)
        self._would_be += _lines(would_be)
        if max(len(self._was), len(self._would_be)) >= TOGETHER:
            self._compare()

    def all(self) -> list[str]:
        """Return the lines that were (-), and those that would have been (+), without those that are the same."""
        self._compare()
        return self._found

    def _compare(self) -> None:
        was, self._was = self._was, []
        would_be, self._would_be = self._would_be, []
        for kind, a, b, c, d in SequenceMatcher(None, was, would_be, autojunk=False).get_opcodes():
            if kind != "equal":
                self._found += [f"- {line}" for line in was[a:b]] + [f"+ {line}" for line in would_be[c:d]]


def _lines(entries: Iterable[Entry]) -> list[str]:
    return [f"{when(e.at)}  {told(e.event)}" for e in entries if not isinstance(e.event, _PAPERWORK)]
