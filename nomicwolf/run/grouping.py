"""Letters heard one after another and kept together, so that the disk is waited for once for all of them.

Nothing is written while they are heard, and no lock is held. A letter that can't be kept takes back nothing but
itself: then all of its group go back, and are heard and kept one by one. What a run tells, sends or changes in its
outbox waits until the group before it is kept. Groups begin with one letter and grow, so that a run that dies always
in the same letter comes closer to it each time.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from nomicwolf.contest import Contest, hear, next_alarm
from nomicwolf.ledger.errors import Busy
from nomicwolf.ledger.keeping import Bundle, plain
from nomicwolf.post.source import in_time
from nomicwolf.run.bounces import came_back, take_back
from nomicwolf.run.elsewhere import demand_sent_here
from nomicwolf.run.happened import happened
from nomicwolf.run.patience import Attempts
from nomicwolf.run.receiving import came, ruled_by
from nomicwolf.run.sending import send_undelivered
from nomicwolf.run.taking import Taken, heard_letter, is_the_worlds, letter_of, set_aside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from nomicwolf.letters.letter import Letter
    from nomicwolf.post.source import Fetched
    from nomicwolf.run.working import Desk

LETTERS = 128
"""How many letters are kept at once, at most."""
SECONDS = 0.5
"""For how long letters are heard before they are kept."""
OCTETS = 4 << 20
"""How many bytes of letters wait in memory to be kept, but for the last one's."""


class Group:
    """The letters that were heard since the last ones were kept; see `grouping`."""

    def __init__(self, desk: Desk, attempts: Attempts) -> None:
        self._desk = desk
        self._attempts = attempts
        self._before = desk.contest
        self._most = 1
        self._growing = not attempts.any_died
        self._octets = 0
        self._began = 0.0
        self._open: frozenset[str] | None = None

    def known(self, places: Iterable[str]) -> set[str]:
        """Return those of *places* (of a mailbox) whose letters were heard."""
        wanted = set(places)
        waiting = {taken.kept.raw.place for taken in self._desk.waiting} & wanted
        return waiting | self._desk.store.known(wanted - waiting)

    def take(self, coming: Fetched, now: int) -> None:
        """Hear one letter at *now* (UTC seconds); keep those that wait, and it with them, if they are enough."""
        desk, fetched = self._desk, in_time(coming, max(now, self._desk.contest.clock))
        if not desk.waiting:
            self._before, self._began, self._octets = desk.contest, time.monotonic(), 0
        try:
            taken, after, alone = self._heard(fetched, now)
        except Exception as error:
            if is_the_worlds(error):
                raise
            taken, after = set_aside(desk, fetched, error, now)
            alone = False
        desk.waiting.append(taken)
        desk.contest = after
        self._octets += len(fetched.raw.data)
        late = time.monotonic() - self._began > SECONDS
        if alone or late or len(desk.waiting) >= self._most or self._octets > OCTETS:
            self.keep()

    def keep(self) -> None:
        """Keep the letters that wait; after an error of ledger or system the contest is as it was before them."""
        waiting = tuple(self._desk.waiting)
        self._desk.waiting.clear()
        if not waiting:
            return
        try:
            self._write(waiting)
        except Exception as error:
            self._desk.contest = self._before
            if isinstance(error, (Busy, OSError)) or (len(waiting) == 1 and is_the_worlds(error)):
                raise
            self._one_by_one(waiting, error)
        self._most = min(2 * self._most, LETTERS) if self._growing else 1

    def _heard(self, fetched: Fetched, now: int) -> tuple[Taken, Contest, bool]:
        """Hear a letter; tell whether it changes the outbox, and so is kept by itself, after all those before it."""
        taken, after = self._hear(fetched, now)
        back = taken.kept.bucket == "machine" and came_back(self._desk, fetched.raw, taken.kept.letter) is not None
        echo = self._is_open(taken.kept.letter)
        if not back and not echo:
            return taken, after, False
        before = self._desk.contest
        self.keep()
        self._before = self._desk.contest
        if self._desk.contest is not before:
            taken, after = self._hear(fetched, now)
        letter = taken.kept.letter
        if echo:
            self._desk.store.outbox().settle_by_echo(letter.message_id, now)
        if back:
            take_back(self._desk, fetched.raw, letter, now)
            self._open = None
        return taken, after, True

    def _hear(self, fetched: Fetched, now: int) -> tuple[Taken, Contest]:
        desk, raw = self._desk, fetched.raw
        with self._attempts.at(raw.place):
            letter = letter_of(desk.settings, desk.setup, raw)
            demand_sent_here(desk, letter, now)
            happening = came(desk, raw, letter)
            outcome = hear(desk.contest, happening, now, desk.templates)
        return Taken(
            fetched, now, desk.contest.last, happening, outcome.entries,
            heard_letter(raw, happening.letter, outcome), outcome.letters), outcome.contest

    def _is_open(self, letter: Letter) -> bool:
        """Return whether *letter* is the echo of one of ours of which it isn't known that it was sent."""
        if not letter.through or not letter.message_id:
            return False
        if self._open is None:
            self._open = self._desk.store.outbox().tried()
        return plain(letter.message_id) in self._open

    def _write(self, waiting: Sequence[Taken]) -> None:
        """Keep letters in one transaction, then tell what there is to tell of them."""
        desk, alarm = self._desk, next_alarm(self._desk.contest)
        desk.store.keep_all([
            Bundle(one.base, one.entries, (one.kept,), one.owed, one.fetched.mark,
                   one.now, alarm, ruled_by(desk.contest, one.entries), happened(one.happening, desk.circumstances))
            for one in waiting])
        desk.found.heard += len(waiting)
        send_undelivered(desk.store, (entry for one in waiting for entry in one.entries), waiting[-1].now)
        for one in waiting:
            if one.trouble:
                desk.found.needs_you(one.trouble)

    def _one_by_one(self, waiting: Sequence[Taken], error: Exception) -> None:
        """Hear letters again that could not be kept for *error*, each kept by itself; a single one is set aside."""
        if len(waiting) == 1:
            aside, self._desk.contest = set_aside(self._desk, waiting[0].fetched, error, waiting[0].now)
            self._write((aside,))
            return
        for one in waiting:
            self.take(one.fetched, one.now)
            self.keep()


@contextmanager
def grouping(desk: Desk) -> Iterator[Group]:
    """Give a group for *desk*'s letters, and keep what waits in it at the end, also if no more can be heard."""
    with Attempts(desk.settings) as attempts:
        group = Group(desk, attempts)
        try:
            yield group
        except Exception:
            group.keep()
            raise
        group.keep()
