"""A glance at a ledger past SQLAlchemy, by the database's own module alone, for the poll that finds nothing to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nomicwolf.ledger.records import Mark

_STANDING = "SELECT alarm, polled_at FROM contests WHERE contest = ?"
_MARKS = "SELECT source, validity, last FROM marks WHERE contest = ?"
_OWED = """SELECT count(*) FROM outbox WHERE contest = ? AND (state IN ('queued', 'sending')
           OR state = 'unknown' AND kind = 'private' AND doubtful < ?)"""


@dataclass(frozen=True, slots=True)
class Glance:
    """What decides whether there is work: the marks, the next alarm (UTC seconds), how many letters to send."""

    marks: dict[str, Mark]
    alarm: int | None
    sendable: int
    polled_at: int


def glance(url: str, contest: str, doubts: int) -> Glance | None:
    """Return how a contest's ledger stands, None if only a real opening can tell (and say what is wrong)."""
    kind, _, rest = url.partition("://")
    asked = ((_STANDING, (contest,)), (_MARKS, (contest,)), (_OWED, (contest, doubts)))
    found = _from_file(Path(rest[1:]), asked) if kind.startswith("sqlite") else _from_server(url, asked)
    if found is None or not found[0]:
        return None
    ((alarm, polled_at),), marks, ((sendable,),) = found
    return Glance({mark[0]: mark for mark in marks}, alarm, sendable, polled_at)


def _from_file(path: Path, asked: Iterable[tuple[str, tuple[Any, ...]]]) -> list[list[tuple[Any, ...]]] | None:
    if not path.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
            return [connection.execute(*one).fetchall() for one in asked]
    except sqlite3.Error:
        return None


def _from_server(url: str, asked: Iterable[tuple[str, tuple[Any, ...]]]) -> list[list[tuple[Any, ...]]] | None:
    try:
        import psycopg
    except ModuleNotFoundError:
        return None
    try:
        with psycopg.connect(libpq(url), autocommit=True, connect_timeout=10) as connection:
            return [connection.execute(text.replace("?", "%s").encode(), values).fetchall() for text, values in asked]
    except psycopg.Error:
        return None


def libpq(url: str) -> str:
    """Return a PostgreSQL URL of SQLAlchemy's as libpq takes it.

    >>> libpq("postgresql+psycopg://wolf@db.example/contests")
    'postgresql://wolf@db.example/contests'
    """
    kind, _, rest = url.partition("://")
    return f"{kind.partition('+')[0]}://{rest}"
