"""The files of an SQLite ledger."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path

from nomicwolf.ledger.errors import LedgerError

COMPANIONS = ("-journal", "-wal")
"""Suffixes of SQLite's files without which a ledger's file may be incomplete."""
BESIDE = ("", *COMPANIONS, "-shm")
"""Suffixes of all of a ledger's files."""


def make_file(path: Path, called: Path | None = None) -> None:
    """Create an empty file of mode 0600, a mode that SQLite gives its other files too; an existing file stays.

    `LedgerError` if it can't be created; the error names the file by *called*, its later name, if given.
    """
    name = called or path
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except FileNotFoundError as error:
        raise LedgerError(f"{name}: can't be made: {path.parent} is not there; make its folder first") from error
    except OSError as error:
        raise LedgerError(f"{name}: can't be made: {error.strerror}; let this user write in its folder") from error


def write_private(path: Path, text: str) -> None:
    """Replace a file atomically and durably by one of mode 0600 that contains *text*."""
    fresh = path.with_name(f".{path.name}.new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(text.strip() + "\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def copy_file(source: Path, target: Path, *, over: bool = False) -> None:
    """Copy an SQLite ledger, which may be in use, to a new file of mode 0600, and check the copy.

    The copy gets its name once it is complete and on the disk; leftovers of an interrupted one are removed.
    `LedgerError` if the target exists, unless *over* is set, or if the copy isn't sound.
    """
    if target.exists() and not over:
        raise LedgerError(f"{target}: is there already; move it away, or name another file")
    part = target.with_name(f"{target.name}.part")
    remove_file(part)
    make_file(part, target)
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(part)) as new:
            old.backup(new)
            sound = new.execute("PRAGMA integrity_check").fetchone()[0]
        if sound != "ok":
            raise LedgerError(f"{target}: the copy isn't sound ({sound}); check the disk, and copy again")
        part.replace(target)
        sync_folder(target.parent)
    except sqlite3.OperationalError as error:
        raise LedgerError(f"{target}: can't be written: {error}; free some room, and copy again") from error
    except sqlite3.DatabaseError as error:
        raise LedgerError(f"{source}: can't be copied: {error}; is it a ledger of nomicwolf's?") from error
    finally:
        remove_file(part)


def demand_tables(file: Path, names: Iterable[str]) -> None:
    """Raise `LedgerError` unless *names* are plain tables in somebody else's file, with stored columns only.

    A view or a computed column could run for ever.
    """
    try:
        with closing(sqlite3.connect(file)) as there:
            there.execute("PRAGMA trusted_schema=OFF")
            for name in names:
                kinds = there.execute(
                    "SELECT type, sql LIKE 'CREATE VIRTUAL%' FROM sqlite_schema WHERE name = ?", (name,))
                worked_out = there.execute("SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden <> 0", (name,))
                if kinds.fetchall() not in ([("table", 0)], []) or worked_out.fetchone():
                    raise LedgerError(f"{name} is no table of a ledger's; restore a backup of the ledger")
    except sqlite3.DatabaseError as error:
        raise LedgerError(f"the ledger can't be used: {error}; restore a backup of it") from error


def move_aside(file: Path, now: int) -> Path | None:
    """Move a ledger's files aside, so that SQLite can't take old ones for the new ledger's; return the new path.

    The journal is checkpointed first, so that an interrupted restore loses nothing of it.
    """
    if file.exists():
        with closing(sqlite3.connect(file)) as there, suppress(sqlite3.DatabaseError):  # a broken one is kept as it is
            there.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    aside = _free(file, now)
    found = [part for part in BESIDE if file.with_name(file.name + part).exists()]
    for part in found:
        file.with_name(file.name + part).rename(aside.with_name(aside.name + part))
    return aside if found else None


def _free(file: Path, now: int) -> Path:
    """Return an unused name beside *file*."""
    number = now
    while any(file.with_name(f"{file.name}.before-{number}{part}").exists() for part in BESIDE):
        number += 1
    return file.with_name(f"{file.name}.before-{number}")


def remove_file(file: Path) -> None:
    """Delete a ledger's files, as far as they exist."""
    for part in BESIDE:
        file.with_name(file.name + part).unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
