"""A contest's turn where a server keeps its ledger: a lock on a row of its own.

PostgreSQL lets go of the row when the connection ends, whatever became of the run and of its machine. The row also
says when the mailbox was last read, and a ledger's copy takes it along.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from nomicwolf.ledger.errors import Taken
from nomicwolf.ledger.lines import session
from nomicwolf.ledger.meaning import meaning
from nomicwolf.ledger.peek import Glance, glance_through

_MAKE = """INSERT INTO marks (contest, source, validity, last)
           SELECT contest, 'clock', 0, 0 FROM contests WHERE contest = %s ON CONFLICT DO NOTHING"""
_TAKE = "SELECT last FROM marks WHERE contest = %s AND source = 'clock' FOR UPDATE NOWAIT"
_NOTE = "UPDATE marks SET last = %s WHERE contest = %s AND source = 'clock'"


class TurnRow:
    """The row of *contest*, over a connection to its server."""

    def __init__(self, connection: psycopg.Connection, contest: str) -> None:
        self._connection = connection
        self._contest = contest

    def take(self) -> int | None:
        """Lock the row until the connection's transaction ends; None if there is no such contest yet.

        Return when its mailbox was last read (UTC seconds, 0: never).
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
        """Write down that the mailbox has been read at *now* (UTC seconds)."""
        self._connection.execute(_NOTE, (now, self._contest))

    def glance(self, doubts: int) -> Glance | None:
        """Return how the ledger stands, as `nomicwolf.ledger.peek.glance` does."""
        try:
            with self._connection.pipeline(), self._connection.transaction():
                return glance_through(self._connection, self._contest, doubts)
        except psycopg.ProgrammingError:
            return None


@contextmanager
def row_of(url: str, contest: str) -> Iterator[TurnRow]:
    """Give a contest's row; `Taken` if another run has it, and psycopg's errors meanwhile as a `LedgerError`."""
    try:
        with session(url) as connection:
            yield TurnRow(connection, contest)
    except psycopg.errors.LockNotAvailable as error:
        raise Taken(f"{contest}: another run has its turn; nothing is wrong unless it has it for long") from error
    except psycopg.Error as error:
        raise meaning(error) from error
