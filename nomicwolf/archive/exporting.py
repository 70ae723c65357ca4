"""What everyone may know of a contest as data to be shared: no pages, and nothing that is secret."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from nomicwolf.archive.records import LETTERS, RECORD, letters_file, record_file
from nomicwolf.archive.writing import SUMS, put, sums_file
from nomicwolf.reports.archive import Published


def export(published: Published, folder: Path) -> tuple[str, ...]:
    """Write record, letters and their hashes into *folder*, as `verify` reads them; return the files' names."""
    found = {RECORD: record_file(published), LETTERS: letters_file(published)}
    for name, data in found.items():
        put(folder / name, data)
    put(folder / SUMS, sums_file({name: sha256(data).hexdigest() for name, data in found.items()}))
    return (*found, SUMS)
