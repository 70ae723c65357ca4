"""A ledger's database from below, past the program: whoever has the file, or the server's password, can do this."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from tests.servers.postgres import plain

REFUSALS = (sqlite3.IntegrityError, psycopg.DatabaseError)
"""What the databases raise for what the schema forbids; a mistake in the statement is none of them in SQLite."""


def rows(url: str, *statements: str) -> list[tuple[Any, ...]]:
    """Run statements in one transaction, and return the rows of the last."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(file_of(url))) as raw:
            raw.execute("PRAGMA foreign_keys=ON")
            found = [raw.execute(statement).fetchall() for statement in statements][-1]
            raw.commit()
            return found
    with psycopg.connect(plain(url)) as connection:
        results = [connection.execute(statement) for statement in statements]
        return results[-1].fetchall() if results[-1].description else []


def unguarded(url: str, table: str) -> list[str]:
    """Return the statements that take the guards off a table: triggers, and what hangs on its rows."""
    if url.startswith("sqlite"):
        return ["PRAGMA defer_foreign_keys=ON", *(
            f"DROP TRIGGER IF EXISTS keep_{table}_{deed}" for deed in ("update", "delete"))]
    return [f"DROP TRIGGER IF EXISTS keep_{table} ON {table}"]


def file_of(url: str) -> Path:
    """Return the file of an SQLite URL."""
    return Path(url.removeprefix("sqlite:///"))
