"""Write an archive: only what has changed, each file whole or not at all, and a list of all files with their hashes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from nomicwolf.archive.records import LETTERS, RECORD, letters_file, record_file
from nomicwolf.reports.archive import Page, Published, pages

SUMS = "SHA256SUMS"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Written:
    """What was done: how many *files* the archive has, how many were *changed*, and how many *removed*."""

    files: int
    changed: int
    removed: int


def write(published: Published, folder: Path, progress: Progress | None = None) -> Written:
    """Write the archive of what is *published* into *folder*; OSError if that can't be done.

    Files that an earlier archive listed and this one does not have are removed, others are left alone.
    *progress* is told how many files of how many are done.
    """
    before = listed(folder)
    found = (*pages(published), Page(RECORD, lambda: record_file(published)),
             Page(LETTERS, lambda: letters_file(published)))
    sums, changed = {}, 0
    for number, page in enumerate(found, 1):
        data = page.make()
        sums[page.path] = sha256(data).hexdigest()
        changed += put(folder / page.path, data)
        if progress is not None:
            progress(number, len(found))
    put(folder / SUMS, sums_file(sums))
    removed = [path for path in before if path not in sums and (folder / path).is_file()]
    for path in removed:
        (folder / path).unlink()
    return Written(len(found), changed, len(removed))


def put(path: Path, data: bytes) -> bool:
    """Make *data* the content of the file *path* at once; return whether it was another before."""
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_bytes(data)
    os.replace(fresh, path)  # noqa: PTH105 - the rename that is told to be atomic
    return True


def sums_file(sums: dict[str, str]) -> bytes:
    """Return hashes by path as ``sha256sum -c`` reads them."""
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(sums.items())).encode("ascii")


def listed(folder: Path) -> dict[str, str]:
    """Return the hashes of the files that an archive lists, by path; nothing where there is no list."""
    try:
        text = (folder / SUMS).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return {}
    return dict(_sums(text.splitlines()))


def _sums(lines: Iterable[str]) -> Iterable[tuple[str, str]]:
    for line in lines:
        digest, gap, path = line.partition("  ")
        parts = PurePosixPath(path).parts
        if gap and parts and ".." not in parts and not path.startswith("/"):
            yield path, digest
