"""A contest's turn on PostgreSQL: a row lock.

PostgreSQL releases the row when the connection ends, whatever became of the run and its machine. The row also holds
the time at which the mailbox was last read, so a copy of the ledger has it too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from nomicwolf.ledger.errors import Taken, translated
from nomicwolf.ledger.idle_check import Glance, glance_through
from nomicwolf.ledger.postgres import session

_MAKE = """INSERT INTO marks (contest, source, validity, last)
           SELECT contest, 'clock', 0, 0 FROM contests WHERE contest = %s ON CONFLICT DO NOTHING"""
_TAKE = "SELECT last FROM marks WHERE contest = %s AND source = 'clock' FOR UPDATE NOWAIT"
_NOTE = "UPDATE marks SET last = %s WHERE contest = %s AND source = 'clock'"


class TurnRow:
    """The row that is locked for *contest*'s turn."""

    def __init__(self, connection: psycopg.Connection, contest: str) -> None:
        self._connection = connection
        self._contest = contest

    def take(self) -> int | None:
        """Lock the row until the connection's transaction ends.

        Return the time at which the mailbox was last read (UTC seconds, 0: never), None if there is no such contest.
        """
        try:
            row = self._connection.execute(_TAKE, (self._contest,)).fetchone()
            if row is None:
                self._connection.execute(_MAKE, (self._contest,))
                self._connection.commit()
                row = self._connection.execute(_TAKE, (self._contest,)).fetchone()
        except psycopg.errors.UndefinedTable:
            self._connection.rollback()
            return None
        return int(row[0]) if row else None

    def note(self, now: int) -> None:
        """Record that the mailbox was read at *now* (UTC seconds)."""
        self._connection.execute(_NOTE, (now, self._contest))

    def glance(self, doubts: int) -> Glance | None:
        """Return the same as `nomicwolf.ledger.idle_check.glance`, over this connection."""
        try:
            with self._connection.pipeline(), self._connection.transaction():
                return glance_through(self._connection, self._contest, doubts)
        except psycopg.ProgrammingError:
            return None


@contextmanager
def turn_row(url: str, contest: str) -> Iterator[TurnRow]:
    """Open a contest's row; `Taken` if another run has locked it; psycopg's errors become `LedgerError`."""
    try:
        with session(url) as connection:
            yield TurnRow(connection, contest)
    except psycopg.errors.LockNotAvailable as error:
        raise Taken(f"{contest}: another run has its turn; nothing is wrong unless it has it for long") from error
    except psycopg.Error as error:
        raise translated(error) from error
