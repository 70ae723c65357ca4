"""The connection to the database: how SQLite is made to keep its word, and what its errors mean."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DatabaseError, IntegrityError, OperationalError

from nomicwolf.ledger.errors import Busy, Conflict, LedgerError, NoLedger

WAIT = 10
"""Seconds to wait for another writer."""


def file_of(url: str) -> Path | None:
    """Return the file of an SQLite URL, or None for another database."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return None
    if not parsed.database or parsed.database == ":memory:":
        raise LedgerError(f"{url}: a ledger needs a file, such as sqlite:///contest.db")
    return Path(parsed.database)


def make_file(path: Path) -> None:
    """Make an empty file of mode 0600, which SQLite gives to the files beside it too; one that is there stays."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise LedgerError(f"{path}: can't be made: {error.strerror}; give the contest a folder of its own") from error


@contextmanager
def let_go_on_error(engine: Engine) -> Iterator[None]:
    """Close the connections of *engine* if what is done with it fails."""
    try:
        yield
    except BaseException:
        engine.dispose()
        raise


def connect(url: str, *, readonly: bool = False) -> Engine:
    """Return an engine; writers take SQLite's write lock as they begin (BEGIN IMMEDIATE), readers never.

    Its errors never quote what was written: that may be a letter.
    """
    path = file_of(url)
    if path is None:
        return create_engine(url, hide_parameters=True)
    if not path.is_file():
        raise NoLedger(f"{path}: there is no ledger; `nomicwolf init` makes one, `nomicwolf restore` brings one back")
    engine = create_engine(url, hide_parameters=True, connect_args={"timeout": WAIT})
    pragmas = ["foreign_keys=ON", "synchronous=FULL", *(["query_only=ON"] if readonly else ["journal_mode=WAL"])]

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None  # sqlite3 must not begin transactions by itself
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN" if readonly else "BEGIN IMMEDIATE")

    return engine


@contextmanager
def telling() -> Iterator[None]:
    """Turn the database's errors into ours, which say what to do."""
    try:
        yield
    except IntegrityError as error:
        raise Conflict(f"the ledger has changed meanwhile, nothing was written: {error.orig}") from error
    except OperationalError as error:
        raise _meaning(str(error.orig)) from error
    except DatabaseError as error:
        raise LedgerError(f"the ledger can't be used: {error.orig}; restore a backup of it") from error


def _meaning(text: str) -> LedgerError:
    if "locked" in text or "could not connect" in text or "connection" in text:
        return Busy(f"the ledger is not to be had now ({text}); the next run tries again")
    if "full" in text:
        return LedgerError(f"no room for the ledger ({text}); free some, nothing is lost")
    if "readonly" in text or "unable to open" in text:
        return LedgerError(f"the ledger can't be written ({text}); let this user write it and its folder")
    return LedgerError(f"the ledger can't be used: {text}")
