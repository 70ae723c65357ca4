"""Check an archive: that no file was changed, and that its record is what the rules make of seed, votes and deeds."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from nomicwolf.archive.records import LETTERS, PROGRAM, RECORD, read_back
from nomicwolf.archive.redoing import redo
from nomicwolf.archive.writing import SUMS, listed
from nomicwolf.nomic.events import DeedHeard
from nomicwolf.reports.archive import Published, pages

NONSENSE = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What rules and pages may raise over a record that no contest could have."""

KINDS = ("draws", "counts", "deaths", "awards", "letters", "files")


class NoArchive(Exception):
    """There is no archive to be checked."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How much was checked, by kind, and everything that differs, each with its place."""

    checked: dict[str, int]
    differs: tuple[str, ...]

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
    differs = _changed(folder, sums)
    checked = dict.fromkeys(KINDS, 0) | {"files": len(sums)}
    missing = [name for name in (RECORD, LETTERS) if not (folder / name).is_file()]
    if missing:
        return Verdict(checked, (*differs, *(f"{name}: is missing, and nothing can be redone" for name in missing)))
    published, program, broken = read_back((folder / RECORD).read_bytes(), (folder / LETTERS).read_bytes())
    differs += broken
    if published is not None:
        try:
            differs += _redone(folder, published, checked, pages_too=program == PROGRAM)
        except NONSENSE as error:
            differs.append(f"{RECORD}: tells of what can't be, and can't be redone: {error!r}")
    return Verdict(checked, tuple(dict.fromkeys(differs)))


def _redone(folder: Path, published: Published, checked: dict[str, int], *, pages_too: bool) -> list[str]:
    redone = redo(published)
    checked |= redone.checked
    checked["letters"] = len(published.heard) + len(published.sent)
    return [*redone.differs, *_letters(published), *(_pages(folder, published) if pages_too else ())]


def _changed(folder: Path, sums: dict[str, str]) -> list[str]:
    found = [] if sums else [f"{SUMS}: is missing or empty"]
    for path, digest in sums.items():
        if not (folder / path).is_file():
            found.append(f"{path}: is missing")
        elif sha256((folder / path).read_bytes()).hexdigest() != digest:
            found.append(f"{path}: is not the file that {SUMS} tells of")
    return found


def _letters(published: Published) -> list[str]:
    """Return the public deeds whose letter is not there, or is another's."""
    found = []
    for entry in published.entries:
        deed = entry.event
        if not isinstance(deed, DeedHeard) or not deed.letter:
            continue
        letter = published.heard[deed.letter - 1] if deed.letter <= len(published.heard) else None
        if letter is None or letter.author != deed.who:
            found.append(f"entry {entry.number}: its letter {deed.letter} is not there, or is not {deed.who}'s")
    return found


def _pages(folder: Path, published: Published) -> list[str]:
    """Return the pages that are not what the record gives; asked only of archives by this very program."""
    return [
        f"{page.path}: is not the page that {RECORD} gives" for page in pages(published)
        if (folder / page.path).is_file() and (folder / page.path).read_bytes() != page.make()
    ]
