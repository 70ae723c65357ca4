"""A contest's turn: a lock on a file or a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from nomicwolf.ledger.errors import LedgerError, Taken
from nomicwolf.ledger.idle_check import Glance, glance
from nomicwolf.post.lock import only_run
from nomicwolf.post.refusals import Locked
from nomicwolf.run.resources import ensure_founded, last_run, lock_file, note_run
from nomicwolf.settings import Settings


@dataclass(frozen=True, slots=True)
class Turn:
    """A contest's turn: *since* is the last reading of its mailbox (UTC seconds, 0: unknown); *note* records a new one.

    *glance* returns the same as `nomicwolf.ledger.idle_check.glance`.
    """

    since: int
    note: Callable[[int], None]
    glance: Callable[[], Glance | None]


class Allowance(Protocol):
    """What a mail server accepts now, where many contests send through it."""

    def letters(self, wanted: int) -> int:
        """Return how many of the *wanted* letters may be sent now."""

    def connections(self, wanted: int) -> int:
        """Return how many of the *wanted* connections may be opened now."""


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
        from nomicwolf.ledger.turns import turn_row
    except ModuleNotFoundError as error:
        raise LedgerError(f"{error.name} is missing; install nomicwolf[postgres], or stay with SQLite") from error
    try:
        with turn_row(settings.ledger.url, settings.contest.id) as row:
            since = row.take()
            if since is None:
                ensure_founded(settings)
                since = row.take() or 0
            yield Turn(since, row.note, lambda: row.glance(settings.limits.sendings))
    except Taken as error:
        raise Locked(str(error)) from error
