"""One run at a time: the contest's turn, by a lock on a file, or on a row where a server keeps the ledger.

PostgreSQL lets go of the row when the connection ends, whatever became of the run and of its machine. The row also
says when the mailbox was last read, and a ledger's copy takes it along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from nomicwolf.dataclass import dataclass
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.meaning import meaning
from nomicwolf.ledger.peek import Glance, glance, glance_through
from nomicwolf.post.errors import Locked
from nomicwolf.post.lock import only_run
from nomicwolf.run.world import last_run, lock_file, note_run, prepared_secret
from nomicwolf.settings import Settings

if TYPE_CHECKING:
    import psycopg

_MAKE = """INSERT INTO marks (contest, source, validity, last)
           SELECT contest, 'clock', 0, 0 FROM contests WHERE contest = %s ON CONFLICT DO NOTHING"""
_TAKE = "SELECT last FROM marks WHERE contest = %s AND source = 'clock' FOR UPDATE NOWAIT"
_NOTE = "UPDATE marks SET last = %s WHERE contest = %s AND source = 'clock'"


@dataclass(frozen=True, slots=True)
class Turn:
    """A contest's turn: *since* is when its mailbox was last read (UTC seconds, 0: not known); *note* says so anew.

    *glance* tells how the ledger stands, as `nomicwolf.ledger.peek.glance` does.
    """

    since: int
    note: Callable[[int], None]
    glance: Callable[[], Glance | None]


class Allowance(Protocol):
    """What a mail server takes of us now, where many contests send through it."""

    def letters(self, wanted: int) -> int:
        """Return how many of so many letters may be sent now."""

    def connections(self, wanted: int) -> int:
        """Return how many of so many connections may be made now."""


@contextmanager
def turn(settings: Settings) -> Iterator[Turn]:
    """Hold the contest's lock; `Locked` at once if another run holds it."""
    if settings.ledger_file is not None:
        with only_run(lock_file(settings)):
            yield Turn(last_run(settings), lambda now: note_run(settings, now),
                       lambda: glance(settings.ledger.url, settings.contest.id, settings.limits.sendings))
        return
    with _server_turn(settings) as held:
        yield held


@contextmanager
def _server_turn(settings: Settings) -> Iterator[Turn]:
    try:
        import psycopg

        from nomicwolf.ledger.lines import session
    except ModuleNotFoundError as error:
        raise LedgerError(f"{error.name} is missing; install nomicwolf[postgres], or stay with SQLite") from error
    contest = settings.contest.id
    try:
        with session(settings.ledger.url) as connection:
            since = _take(connection, contest)
            if since is None:
                prepared_secret(settings)
                since = _take(connection, contest) or 0
            yield Turn(since, lambda now: _note(connection, contest, now),
                       lambda: _glance(connection, contest, settings.limits.sendings))
    except psycopg.errors.LockNotAvailable as error:
        raise Locked(f"{contest}: another run has its turn; nothing is wrong unless it has it for long") from error
    except psycopg.Error as error:
        raise meaning(error) from error


def _take(connection: psycopg.Connection, contest: str) -> int | None:
    """Lock the contest's row until the connection's transaction ends; None if there is no such contest yet."""
    import psycopg

    try:
        row = connection.execute(_TAKE, (contest,)).fetchone()
        if row is None:
            connection.execute(_MAKE, (contest,))
            connection.commit()
            row = connection.execute(_TAKE, (contest,)).fetchone()
    except psycopg.errors.UndefinedTable:
        connection.rollback()
        return None
    return int(row[0]) if row else None


def _glance(connection: psycopg.Connection, contest: str, doubts: int) -> Glance | None:
    import psycopg

    try:
        with connection.pipeline(), connection.transaction():
            return glance_through(connection, contest, doubts)
    except psycopg.ProgrammingError:
        return None


def _note(connection: psycopg.Connection, contest: str, now: int) -> None:
    connection.execute(_NOTE, (now, contest))
