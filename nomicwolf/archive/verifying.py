"""Check an archive: that no file was changed, and that its record is what the rules make of seed, votes and deeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from nomicwolf.archive.records import LETTERS, PROGRAM, RECORD, letters_file, read_back, record_file
from nomicwolf.archive.redoing import redo
from nomicwolf.archive.tracing import trace
from nomicwolf.archive.writing import SUMS, listed, sums_file
from nomicwolf.dataclass import dataclass
from nomicwolf.reports.archive import Published, pages

NONSENSE = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What rules and pages may raise over a record that no contest could have."""

KINDS = ("draws", "counts", "deaths", "awards", "letters", "files")


class NoArchive(Exception):
    """There is no archive to be checked."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How much was checked, by kind, and everything that differs, each with its place.

    *other* names the program that wrote the archive, if it is not this one: only that could make its pages again.
    """

    checked: dict[str, int]
    differs: tuple[str, ...]
    other: str = ""

    @property
    def verified(self) -> bool:
        """Whether nothing differs."""
        return not self.differs

    def json(self) -> dict[str, Any]:
        """Return it in the shape of ``verify --json``."""
        return {"schema": 1, "verified": self.verified, "checked": self.checked, "differs": list(self.differs)}


def verify(folder: Path) -> Verdict:
    """Check the archive in *folder*; `NoArchive` if there is none."""
    sums = listed(folder) if folder.is_dir() else {}
    if not sums and not (folder / RECORD).is_file():
        raise NoArchive(f"{folder}: there is no archive here; name the folder that has {RECORD} in it")
    differs = [*_changed(folder, sums), *_unlisted(folder, sums, (RECORD, LETTERS))]
    checked = dict.fromkeys(KINDS, 0) | {"files": len(sums)}
    missing = [name for name in (RECORD, LETTERS) if not (folder / name).is_file()]
    if missing:
        return Verdict(checked, (*differs, *(f"{name}: is missing, and nothing can be redone" for name in missing)))
    published, program, broken = read_back((folder / RECORD).read_bytes(), (folder / LETTERS).read_bytes())
    differs += broken
    if published is not None:
        try:
            differs += _redone(published, checked, exact=program == PROGRAM)
            if program == PROGRAM:
                differs += _as_written(folder, published, broken)
                differs += _pages(folder, published, sums)
        except NONSENSE as error:
            differs.append(f"{RECORD}: tells of what can't be, and can't be redone: {error!r}")
    return Verdict(checked, tuple(dict.fromkeys(differs)), program if program != PROGRAM else "")


def _redone(published: Published, checked: dict[str, int], *, exact: bool) -> list[str]:
    redone = redo(published, exact=exact)
    checked |= redone.checked
    checked["letters"] = len(published.heard) + len(published.sent)
    return [*redone.differs, *trace(published, exact=exact)]


def _changed(folder: Path, sums: dict[str, str]) -> list[str]:
    found = [] if sums else [f"{SUMS}: is missing or empty"]
    if sums and (folder / SUMS).read_bytes() != _sums_file(sums):
        found.append(f"{SUMS}: is not written as nomicwolf writes it")
    for path, digest in sums.items():
        if not (folder / path).is_file():
            found.append(f"{path}: is missing")
        elif sha256((folder / path).read_bytes()).hexdigest() != digest:
            found.append(f"{path}: is not the file that {SUMS} tells of")
    return found


def _sums_file(sums: dict[str, str]) -> bytes:
    """Return the list of hashes as it must be; nothing if it tells of what can't be one."""
    try:
        return sums_file(sums)
    except UnicodeEncodeError:
        return b""


def _unlisted(folder: Path, sums: dict[str, str], names: Iterable[str]) -> list[str]:
    """Return which of these files are there and stand in no line of the list of hashes."""
    return [f"{name}: is not listed in {SUMS}" for name in names
            if name not in sums and (folder / name).is_file()]


def _as_written(folder: Path, published: Published, broken: Sequence[str]) -> list[str]:
    """Return which of the two files that programs read hold more, or less, than what was read of them."""
    found = []
    for name, made in ((RECORD, record_file), (LETTERS, letters_file)):
        if not any(line.startswith(name) for line in broken) and (folder / name).read_bytes() != made(published):
            found.append(f"{name}: is not written as nomicwolf writes it")
    return found


def _pages(folder: Path, published: Published, sums: dict[str, str]) -> list[str]:
    """Return the pages that are not what the record gives; asked only of archives by this very program.

    What was exported has none at all.
    """
    listed_pages = sums.keys() - {RECORD, LETTERS}
    found = {page.path: page for page in pages(published)}
    there = {path: page for path, page in found.items() if (folder / path).is_file()}
    return [
        *(f"{path}: is missing" for path in found if listed_pages and path not in there and path not in sums),
        *(f"{path}: is not the page that {RECORD} gives" for path, page in there.items()
          if (folder / path).read_bytes() != page.make()),
        *(f"{path}: is listed in {SUMS}, and is no page that {RECORD} gives" for path in sorted(listed_pages)
          if path not in found),
        *_unlisted(folder, sums, found),
    ]
