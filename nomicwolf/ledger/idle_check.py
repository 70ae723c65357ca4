"""The idle check of a ledger, without SQLAlchemy."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

    from nomicwolf.ledger.records import Mark

_SEEN = """
SELECT c.alarm, c.polled_at, (SELECT count(*) FROM outbox o WHERE o.contest = c.contest
    AND o.state IN ('queued', 'sending', 'unknown')
    AND (o.state != 'unknown' OR o.kind = 'private' AND o.doubtful < ?)),
    (SELECT count(*) FROM outbox o WHERE o.contest = c.contest AND o.state IN ('failed', 'unknown')),
    m.source, m.validity, m.last
FROM contests c LEFT JOIN marks m ON m.contest = c.contest WHERE c.contest = ?"""


@dataclass(frozen=True, slots=True)
class Glance:
    """The facts that decide whether there is work.

    *marks* by source, the next *alarm* (UTC seconds), the number of *sendable* letters, and of *unsent* ones, which
    were refused or whose fate is unknown.
    """

    marks: dict[str, Mark]
    alarm: int | None
    sendable: int
    unsent: int
    polled_at: int


def glance(url: str, contest: str, doubts: int) -> Glance | None:
    """Glance at a contest's ledger; None if it has to be opened in full, which also reports what is wrong."""
    kind, _, rest = url.partition("://")
    if kind.startswith("sqlite"):
        return _from_file(Path(rest[1:]), contest, doubts)
    return _from_server(url, contest, doubts)


def _from_file(path: Path, contest: str, doubts: int) -> Glance | None:
    if not path.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
            return _seen(lambda text, *values: connection.execute(text, values).fetchall(), contest, doubts)
    except (sqlite3.Error, UnicodeDecodeError):  # of what is broken, SQLite quotes the bytes
        return None


def _from_server(url: str, contest: str, doubts: int) -> Glance | None:
    try:
        import psycopg

        from nomicwolf.ledger.postgres import session
    except ModuleNotFoundError:
        return None
    try:
        with session(url, autocommit=True) as connection:
            return glance_through(connection, contest, doubts)
    except psycopg.Error:
        return None


def glance_through(connection: psycopg.Connection, contest: str, doubts: int) -> Glance | None:
    """Glance at a contest's ledger over a connection to its server; raises psycopg's errors."""

    def ask(text: str, *values: object) -> list[tuple[Any, ...]]:
        return connection.execute(text.replace("?", "%s").encode(), values).fetchall()

    return _seen(ask, contest, doubts)


def _seen(ask: Callable[..., list[tuple[Any, ...]]], contest: str, doubts: int) -> Glance | None:
    rows = ask(_SEEN, doubts, contest)
    if not rows:
        return None
    alarm, polled_at, sendable, unsent = rows[0][:4]
    return Glance({row[4]: row[4:] for row in rows if row[4] is not None}, alarm, sendable, unsent, polled_at)
