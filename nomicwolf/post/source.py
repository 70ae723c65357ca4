"""Sources of letters: their interface, Maildirs, mboxes, stdin.

A Maildir is read in the order of delivery, and nothing is moved or flagged there; an mbox (RFC 4155) and the standard
input hold one letter or many. Folders that others may change are opened step by step, so that no link and no device
leads out of them.
"""

from __future__ import annotations

import errno
import fcntl
import os
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from time import time
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol, TypeAlias

from nomicwolf.post.refusals import Away, Denied
from nomicwolf.post.routes import granted_folder

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


_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@contextmanager
def folder_at(path: Path, below: Path | None = None) -> Iterator[int]:
    """Open the folder at *path*, following no link from *below* on; OSError if there is none."""
    handle = os.open(below or path, _FOLDER)
    try:
        for step in path.relative_to(below).parts if below else ():
            handle, above = os.open(step, _FOLDER | os.O_NOFOLLOW, dir_fd=handle), handle
            os.close(above)
        yield handle
    finally:
        os.close(handle)


@contextmanager
def folder_in(at: int, name: str) -> Iterator[int]:
    """Open a folder in the folder *at*; OSError if it is none, or a link."""
    handle = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=at)
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def folder_of(at: int, name: str) -> Iterator[tuple[int, str]]:
    """Open the folder of a file, following no link, and yield it with the file's name there."""
    first, slash, rest = name.partition("/")
    if not slash:
        yield at, first
        return
    with folder_in(at, first) as there, folder_of(there, rest) as found:
        yield found


def is_there(at: int, name: str) -> bool:
    """Return whether there is anything of that name in the folder *at*, and no link on the way."""
    with suppress(FileNotFoundError, NotADirectoryError), folder_of(at, name) as (there, last):
        os.stat(last, dir_fd=there, follow_symlinks=False)
        return True
    return False


def states(at: int, names: Sequence[str]) -> dict[str, tuple[int, int, int]]:
    """Return number, size and time of those of some files that are in the folder *at*."""
    found = {}
    for name in names:
        with suppress(FileNotFoundError):
            stat = os.stat(name, dir_fd=at, follow_symlinks=False)
            found[name] = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
    return found


def file_in(at: int, name: str, *, one_name: bool = False) -> BinaryIO:
    """Open a file in the folder *at* to read it; OSError for a link, a device, or whatever else is no plain file.

    With *one_name* it also has no other name anywhere, as a hard link would give it.
    """
    _demand_plain(os.stat(name, dir_fd=at, follow_symlinks=False), name, one_name=one_name)
    file = os.fdopen(os.open(name, _FILE, dir_fd=at), "rb")
    try:
        _demand_plain(os.fstat(file.fileno()), name, one_name=one_name)
    except BaseException:
        file.close()
        raise
    return file


def _demand_plain(stat: os.stat_result, name: str, *, one_name: bool) -> None:
    if not S_ISREG(stat.st_mode):
        raise OSError(errno.EINVAL, "is a link, a folder or a device, and not a file", name)
    if one_name and stat.st_nlink > 1:
        raise OSError(errno.EMLINK, "has another name elsewhere (a hard link); copy it", name)


class MaildirSource(FileSource):
    """One folder with ``new`` and ``cur``; *limit* is the size in bytes up to which letters are read whole."""

    kind = "maildir"

    def fetch(self, mark: Mark | None, known: Known) -> Iterator[Fetched]:
        """Return the letters that aren't known, oldest file first; a letter's place is its name without flags.

        Its order is that within the second in which it arrived, in nanoseconds.
        """
        from nomicwolf.letters.letter import Raw

        before = self._mark()
        found = sorted((stat.st_mtime_ns, file.partition(":")[0], file) for file, stat in self._files())
        heard = set(known(spelled(f"maildir:{base}") for _, base, _ in found))
        for when, base, file in found:
            place = spelled(f"maildir:{base}")
            if place not in heard and (read := self._read(file, base)) is not None:
                heard.add(place)
                data, size = read
                truncated = size > self._limit
                arrived, order = divmod(when, 1_000_000_000)
                raw = Raw(place, order, arrived, head_of(data) if truncated else data, size, truncated)
                yield Fetched(raw, None)
        self._after = before

    def _read(self, file: str, base: str) -> tuple[bytes, int] | None:
        """Return a letter's bytes and full size; it may have been moved to ``cur``, or deleted, meanwhile."""
        try:
            with self._folder() as at:
                for folder, name in chain((("new", file), ("cur", file)), self._moved(at, base)):
                    with suppress(FileNotFoundError), folder_in(at, folder) as there, file_in(there, name) as opened:
                        size = os.fstat(opened.fileno()).st_size
                        return opened.read(self._limit + 1 if size <= self._limit else HEADER_PART), size
        except OSError as error:
            raise self._denied(error) from error
        return None

    @staticmethod
    def _moved(at: int, base: str) -> Iterator[tuple[str, str]]:
        """Yield where a letter of that name is that has got flags meanwhile."""
        with folder_in(at, "cur") as there, os.scandir(there) as entries:
            yield from sorted(("cur", entry.name) for entry in entries if entry.name.partition(":")[0] == base)

    def _files(self) -> Iterator[tuple[str, os.stat_result]]:
        """Yield the names of what may be letters; a link is none, wherever it leads."""
        try:
            with self._folder() as at:
                for folder in ("new", "cur"):
                    with folder_in(at, folder) as there, os.scandir(there) as entries:
                        for entry in entries:
                            if not entry.name.startswith(".") and entry.is_file(follow_symlinks=False):
                                yield entry.name, entry.stat(follow_symlinks=False)
        except OSError as error:
            raise self._denied(error) from error

    def _mark(self) -> Mark:
        changed, count = 0, 0
        try:
            with self._folder() as at:
                for folder in ("new", "cur"):
                    with folder_in(at, folder) as there, os.scandir(there) as entries:
                        changed = max(changed, os.fstat(there).st_mtime_ns)
                        count += sum(1 for _ in entries)
        except OSError as error:
            raise self._denied(error) from error
        return (self.name, changed, count)

    def _folder(self) -> AbstractContextManager[int]:
        return folder_at(self._path, granted_folder(self._path))

    def _denied(self, error: OSError) -> Denied:
        return Denied(f"{self._path}: {error.strerror}; set maildir.path to a Maildir that this user may read")


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
        """Open the folder and the file in it; where the mailbox was granted, no link is followed."""
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
        """Return nothing: a stream has no time of its own."""
        return None

    def nothing_new(self, mark: Mark | None) -> bool:
        """Return False: only reading shows what is new."""
        return False

    def fetch(self, mark: Mark | None, known: Known) -> Iterator[Fetched]:
        """Return the unknown letters in the stream."""
        for raw in letters_of(self._stream, self.name, self._now, self._limit):
            if not known((raw.place,)):
                yield Fetched(raw, None)


def letters_of(lines: Iterable[bytes], place: str, now: int, limit: int) -> Iterator[Raw]:
    """Split *lines* at the ``From `` lines that follow a blank one; without any, all of it is one letter.

    A letter arrived when its ``From `` line says, else at *now*; of one above *limit* bytes the headers stay.
    """
    from nomicwolf.letters.letter import Raw

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
