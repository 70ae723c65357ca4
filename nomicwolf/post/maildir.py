"""Letters from a Maildir, in the order in which they were delivered; nothing is moved or flagged there."""

from __future__ import annotations

from collections.abc import Iterator
from os import stat_result
from pathlib import Path

from nomicwolf.letters.letter import Raw
from nomicwolf.post.errors import Denied
from nomicwolf.post.source import HEADER_PART, Fetched, FileSource, Known, Mark, head_of, spelled


class MaildirSource(FileSource):
    """One folder with ``new`` and ``cur``; *limit* is the size in bytes up to which letters are read whole."""

    kind = "maildir"

    def fetch(self, mark: Mark | None, known: Known) -> Iterator[Fetched]:
        """Return the letters that aren't known, oldest file first; a letter's place is its name without flags.

        Its order is that within the second in which it arrived, in nanoseconds.
        """
        before = self._mark()
        found = sorted((stat.st_mtime_ns, file.name.partition(":")[0], file) for file, stat in self._files())
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

    def _read(self, file: Path, base: str) -> tuple[bytes, int] | None:
        """Return a letter's bytes and full size; it may have been moved to ``cur``, or deleted, meanwhile."""
        for path in (file, *sorted((self._path / "cur").glob(f"{_literal(base)}*"))):
            try:
                with path.open("rb") as opened:
                    size = path.stat().st_size
                    return opened.read(self._limit + 1 if size <= self._limit else HEADER_PART), size
            except FileNotFoundError:
                continue
            except OSError as error:
                raise self._denied(error) from error
        return None

    def _files(self) -> Iterator[tuple[Path, stat_result]]:
        try:
            for folder in ("new", "cur"):
                for file in (self._path / folder).iterdir():
                    if not file.name.startswith(".") and file.is_file():
                        yield file, file.stat()
        except OSError as error:
            raise self._denied(error) from error

    def _mark(self) -> Mark:
        try:
            folders = [self._path / folder for folder in ("new", "cur")]
            changed = max(folder.stat().st_mtime_ns for folder in folders)
            return (self.name, changed, sum(1 for folder in folders for _ in folder.iterdir()))
        except OSError as error:
            raise self._denied(error) from error

    def _denied(self, error: OSError) -> Denied:
        return Denied(f"{error.filename}: {error.strerror}; set maildir.path to a Maildir that this user may read")


def _literal(name: str) -> str:
    """Return *name* as a glob that matches itself alone."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)
