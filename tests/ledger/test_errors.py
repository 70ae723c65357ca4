"""What a database's error means for whoever reads it: each says what to do next."""

from __future__ import annotations

import sqlite3

from nomicwolf.ledger.errors import translated
from tests.tables import each


@each(("said", "told"), [
    ("disk I/O error", "see whether its disk is full"), ("database or disk is full", "free some, nothing is lost"),
    ("attempt to write a readonly database", "let this user write it"),
    ("unable to open database file", "let this user write it and its folder"),
    ("database is locked", "the next run tries again"),
])
def test_an_error_of_sqlite_says_what_to_do(said: str, told: str) -> None:
    """SQLite has no codes in its words; a full disk of which not even the log can be made is an I/O error."""
    error = translated(sqlite3.OperationalError(said))

    assert said in str(error)
    assert told in str(error)
