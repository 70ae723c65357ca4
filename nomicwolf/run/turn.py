"""One run at a time: the contest's turn, by a lock on a file, or on a row where a server keeps the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from nomicwolf.dataclass import dataclass
from nomicwolf.ledger.errors import LedgerError, Taken
from nomicwolf.ledger.peek import Glance, glance
from nomicwolf.post.errors import Locked
from nomicwolf.post.lock import only_run
from nomicwolf.run.world import last_run, lock_file, note_run, prepared_secret
from nomicwolf.settings import Settings


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
        from nomicwolf.ledger.turns import row_of
    except ModuleNotFoundError as error:
        raise LedgerError(f"{error.name} is missing; install nomicwolf[postgres], or stay with SQLite") from error
    try:
        with row_of(settings.ledger.url, settings.contest.id) as row:
            since = row.take()
            if since is None:
                prepared_secret(settings)
                since = row.take() or 0
            yield Turn(since, row.note, lambda: row.glance(settings.limits.sendings))
    except Taken as error:
        raise Locked(str(error)) from error
