"""Letters from a Maildir, in the order in which they were delivered; nothing is moved or flagged there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from itertools import chain

from nomicwolf.letters.letter import Raw
from nomicwolf.post.errors import Denied
from nomicwolf.post.reach import granted_folder
from nomicwolf.post.source import HEADER_PART, Fetched, FileSource, Known, Mark, head_of, spelled
from nomicwolf.post.within import file_in, folder_at, folder_in


class MaildirSource(FileSource):
    """One folder with ``new`` and ``cur``; *limit* is the size in bytes up to which letters are read whole."""

    kind = "maildir"

    def fetch(self, mark: Mark | None, known: Known) -> Iterator[Fetched]:
        """Return the letters that aren't known, oldest file first; a letter's place is its name without flags.

        Its order is that within the second in which it arrived, in nanoseconds.
        """
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
