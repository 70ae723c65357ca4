"""Letters from an mbox file, or from the standard input: one letter, or an mbox of them (RFC 4155)."""

from __future__ import annotations

import fcntl
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from time import time
from typing import BinaryIO

from nomicwolf.letters.letter import Raw
from nomicwolf.post.errors import Away, Denied
from nomicwolf.post.reach import granted_folder
from nomicwolf.post.source import Fetched, FileSource, Known, Mark, head_of
from nomicwolf.post.within import file_in, folder_at

_BUSY = "{}: another program is writing it; the next run tries again"
_STALE = 600
"""After how many seconds a lock has outlived any program that writes letters."""


class MboxSource(FileSource):
    """One file of letters, each behind a ``From `` line; *limit* is the size that is read whole, in bytes."""

    kind = "mbox"

    def fetch(self, mark: Mark | None, known: Known) -> Iterator[Fetched]:
        """Return the letters that aren't known, in the file's order; a letter's place is its hash.

        `Away` while another program is writing the file.
        """
        before = self._mark()
        try:
            with self._opened() as (at, opened):
                self._demand_free(at)
                fcntl.lockf(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
                for raw in letters_of(opened, self.name, before[1] // 1_000_000_000, self._limit):
                    if not known((raw.place,)):
                        yield Fetched(raw, None)
        except BlockingIOError as error:
            raise Away(_BUSY.format(self._path)) from error
        except OSError as error:
            raise self._denied(error) from error
        self._after = before

    def _demand_free(self, at: int) -> None:
        """Raise `Away` while another program has the file's lock, which lies beside it in the folder *at*."""
        lock = f"{self._path.name}.lock"
        with suppress(FileNotFoundError):
            old = time() - os.stat(lock, dir_fd=at, follow_symlinks=False).st_mtime > _STALE
            raise Away(f"{self._path}: {lock} lies beside it for more than {_STALE // 60} minutes; if no program "
                       "writes the file, remove that" if old else _BUSY.format(self._path))

    def _mark(self) -> Mark:
        try:
            with self._opened() as (_, opened):
                stat = os.fstat(opened.fileno())
        except OSError as error:
            raise self._denied(error) from error
        return (self.name, stat.st_mtime_ns, stat.st_size)

    @contextmanager
    def _opened(self) -> Iterator[tuple[int, BinaryIO]]:
        """Give the folder and the file in it; where the mailbox was granted, no link leads there."""
        granted = granted_folder(self._path)
        path = self._path if granted else self._path.resolve()
        with folder_at(path.parent, granted) as at, file_in(at, path.name) as opened:
            yield at, opened

    def _denied(self, error: OSError) -> Denied:
        return Denied(f"{self._path}: {error.strerror}; set mbox.path to a file that this user may read")


class StreamSource:
    """The standard input: one letter, or an mbox; *now* (UTC seconds) is when it arrived."""

    name = "stdin"

    def __init__(self, stream: BinaryIO, now: int, limit: int) -> None:
        self._stream = stream
        self._now = now
        self._limit = limit

    def close(self) -> None:
        """The stream isn't ours to close."""

    def mark_after(self) -> Mark | None:
        """Return None: a stream is read once."""
        return None

    def newest(self) -> int | None:
        """Return nothing: a stream tells no time of its own."""
        return None

    def nothing_new(self, mark: Mark | None) -> bool:
        """Return False: only reading tells."""
        return False

    def fetch(self, mark: Mark | None, known: Known) -> Iterator[Fetched]:
        """Return what stands in the stream and isn't known."""
        for raw in letters_of(self._stream, self.name, self._now, self._limit):
            if not known((raw.place,)):
                yield Fetched(raw, None)


def letters_of(lines: Iterable[bytes], place: str, now: int, limit: int) -> Iterator[Raw]:
    """Split *lines* at the ``From `` lines that follow a blank one; without any, all of it is one letter.

    A letter arrived when its ``From `` line says, else at *now*; of one above *limit* bytes the headers stay.
    """
    seen: Counter[str] = Counter()
    for order, (arrived, data, size) in enumerate(_split(lines, now, limit), 1):
        digest = sha256(data + str(size).encode()).hexdigest()[:32]
        seen[digest] += 1
        where = f"{place}#{digest}" + (f";{seen[digest]}" if seen[digest] > 1 else "")
        yield Raw(where, order, arrived, head_of(data) if size > limit else data, size, size > limit)


def _split(lines: Iterable[bytes], now: int, limit: int) -> Iterator[tuple[int, bytes, int]]:
    """Return (arrived, at most *limit* bytes and a line, full size) of each letter; no more stays in memory."""
    kept: list[bytes] = []
    size, held, arrived, blank, begun = 0, 0, now, True, False
    for line in lines:
        if blank and line.startswith(b"From "):
            if begun and size:
                yield arrived, _without_last_blank(kept), size
            kept, size, held, arrived, begun = [], 0, 0, _postmark(line, now), True
        else:
            begun = True
            size += len(line)
            if held <= limit:
                kept.append(line)
                held += len(line)
        blank = not line.strip(b"\r\n")
    if begun and size:
        yield arrived, _without_last_blank(kept), size


def _without_last_blank(lines: list[bytes]) -> bytes:
    """Join the lines of a letter, without the blank one that an mbox puts behind it."""
    return b"".join(lines[:-1] if len(lines) > 1 and not lines[-1].strip(b"\r\n") and lines[-2].strip() else lines)


def _postmark(line: bytes, now: int) -> int:
    """Return the UTC time of a ``From `` line (``From a@b Sat Nov 21 02:00:00 2026``), or *now*."""
    words = line.decode("ascii", "replace").split()
    for text in ([*words[-5:-1], "+0000", *words[-1:]], words[-6:]):
        try:
            return int(datetime.strptime(" ".join(text), "%a %b %d %H:%M:%S %z %Y").timestamp())
        except ValueError:
            continue
    return now
