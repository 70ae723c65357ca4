"""The common interface of letter sources."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Raw

Mark: TypeAlias = tuple[str, int, int]
"""How far a source was read: its name, its validity, its last number (for IMAP: UIDVALIDITY and UID)."""

Known: TypeAlias = Callable[[Iterable[str]], AbstractSet[str]]
"""Tells which of some places are those of letters that were heard."""

HEADER_PART = 1 << 18
"""Bytes of a letter above the limit that are read, to find its headers in."""

AHEAD = 86_400
"""By how many seconds a mailbox's clock may be ahead of ours; what a mailbox dates later came now."""


class Fetched(NamedTuple):
    """A letter, and how far the source has been read with it; None if only the end of the fetch shows it."""

    raw: Raw
    mark: Mark | None


def in_time(fetched: Fetched, now: int) -> Fetched:
    """Return a letter with *now* (UTC seconds) as arrival if its mailbox gave no time, or an impossible one.

    A vote that came in 1970 would be too early for any day, and one of 2099 would wait until then. Before 1970 is a
    time that could not be told (-1, the year 1), which no calendar may have words for.
    """
    if 0 < fetched.raw.arrived <= now + AHEAD:
        return fetched
    return fetched._replace(raw=replace(fetched.raw, arrived=now))


class Source(Protocol):
    """Reading never changes anything there: no flag, no move, no deletion."""

    @property
    def name(self) -> str:
        """Return what the marks of this source are kept under."""

    def nothing_new(self, mark: Mark | None) -> bool:
        """Return, cheaply and reliably, whether there is no letter behind *mark*."""

    def fetch(self, mark: Mark | None, known: Known) -> Iterator[Fetched]:
        """Return the letters behind *mark* in mailbox order, without those whose places are *known*.

        `Away` and `Denied` may come at any letter; those before it are good.
        """

    def mark_after(self) -> Mark | None:
        """Return, after `fetch` has ended, how far the source has been read; None for no change."""

    def newest(self) -> int | None:
        """Return when the server got its newest letter (UTC seconds), None if only this machine has a clock."""

    def close(self) -> None:
        """Close connections and files."""


def head_of(data: bytes) -> bytes:
    """Return the headers of a letter with the blank line behind them, or all of *data* if there is none."""
    ends = [end + len(gap) for gap in (b"\r\n\r\n", b"\n\n") if (end := data.find(gap)) >= 0]
    return data[:min(ends)] if ends else data


def spelled(name: str) -> str:
    r"""Return a file's *name* as text, with undecodable bytes as ``\\xff``, which ledgers can hold."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


class FileSource(ABC):
    """A source on this machine, at *path*; *limit* is the size in bytes up to which letters are read whole."""

    kind = ""

    def __init__(self, path: Path, limit: int) -> None:
        self._path = path
        self._limit = limit
        self._after: Mark | None = None

    @property
    def name(self) -> str:
        """Return where it is, as a place."""
        return spelled(f"{self.kind}:{self._path}")

    def close(self) -> None:  # noqa: B027 - a file is open only while it is read
        """Nothing is held open."""

    def mark_after(self) -> Mark | None:
        """Return how it looked before it was read."""
        return self._after

    def newest(self) -> int | None:
        """Return nothing: its times are by this machine's clock."""
        return None

    def nothing_new(self, mark: Mark | None) -> bool:
        """Compare how it looks with the mark."""
        return mark is not None and mark == self._mark()

    @abstractmethod
    def _mark(self) -> Mark:
        """Return the present state as a mark, cheaply."""
