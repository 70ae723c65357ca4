"""A glance at an SQLite ledger through the standard library alone, for the poll that finds nothing to do."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from nomicwolf.ledger.records import Mark

_OWED = """SELECT count(*) FROM outbox WHERE contest = ? AND (state IN ('queued', 'sending')
           OR state = 'unknown' AND kind = 'private' AND doubtful < ?)"""


@dataclass(frozen=True, slots=True)
class Glance:
    """What decides whether there is work: the marks, the next alarm (UTC seconds), how many letters to send."""

    marks: dict[str, Mark]
    alarm: int | None
    sendable: int
    polled_at: int


def glance(path: Path, contest: str, doubts: int) -> Glance | None:
    """Return how a contest's ledger stands, None if only a real opening can tell (and say what is wrong)."""
    if not path.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
            row = connection.execute("SELECT alarm, polled_at FROM contests WHERE contest = ?", (contest,)).fetchone()
            marks = connection.execute("SELECT source, validity, last FROM marks WHERE contest = ?", (contest,))
            found = {source: (source, validity, last) for source, validity, last in marks}
            (sendable,) = connection.execute(_OWED, (contest, doubts)).fetchone()
    except sqlite3.Error:
        return None
    return Glance(found, row[0], sendable, row[1]) if row else None
