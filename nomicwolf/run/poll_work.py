"""A poll's work: letters, time, sending, housekeeping, webhooks.

Webhooks get each public fact at most once, and later if they are away. How far an address was told is a mark in the
ledger: it is moved before a message leaves, and back if the message surely did not arrive. So a run that dies in
between leaves one out, and none is told twice.

Letters are heard one by one and written in batches, so that the disk syncs once for many. Nothing is written and no
lock is held while they are heard. If a batch can't be written, its letters are heard and written again one by one, so
that a bad one takes back nothing but itself. What a run reports, sends or changes in its outbox waits until the batch
before it is written. Batches begin with one letter and grow: a run that always dies in the same letter gets closer to
it each time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from nomicwolf.contest import Contest, Tick, hear, next_alarm
from nomicwolf.contest.step import Parse
from nomicwolf.ledger.errors import Busy, LedgerError
from nomicwolf.ledger.transaction import Step, storable
from nomicwolf.post.refusals import PostError
from nomicwolf.post.source import Source, in_time
from nomicwolf.reports.views import own_frames
from nomicwolf.run.copies import before_upgrade, copy_away
from nomicwolf.run.letter_intake import (
    AttemptLog,
    Desk,
    PendingLetter,
    bounce_of,
    check_copies,
    check_echoes,
    demand_sent_here,
    heard_letter,
    is_external_error,
    letter_came,
    mark_bounced,
    open_desk,
    open_store,
    parse_letter,
    rulings_in,
    set_aside,
    stored_happening,
)
from nomicwolf.run.resources import CLOCK_SLACK, NEEDS_YOU, Allowance, PollReport, error_place
from nomicwolf.run.sending import doubt_public_letters, requeue_undelivered, send_owed
from nomicwolf.settings.keys import Settings, WebhookSettings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from nomicwolf.letters.letter import Letter
    from nomicwolf.post.source import Fetched
    from nomicwolf.reports.history import WebhookFact

FORGOTTEN = "forgotten"
"""The source in whose mark it is kept when old letters were last looked for."""
_DAY = 86400


def keep_house(desk: Desk, now: int) -> None:
    """Do what is due; what fails is told, and the poll goes on."""
    if said := before_upgrade(desk.settings, desk.contest.last, now):
        desk.found.needs_you(said)
    mark, kept = desk.store.mark(FORGOTTEN), desk.settings.keep.letter_seconds
    due = kept and (mark is None or now - mark[2] >= _DAY)
    unfinished = desk.store.mark("erasing")
    if not due and not (unfinished and unfinished[2]):
        return
    from nomicwolf.run.personal_data import finish_erasure, forget_old

    try:
        if due:
            done = forget_old(desk.store, desk.contest, now - kept, now)
            desk.contest.take(desk.store.record(desk.contest.last))
            desk.store.append(Step(desk.contest.last, mark=(FORGOTTEN, 0, now), now=now, alarm=desk.store.alarm))
            unfinished = desk.store.mark("erasing") if done.letters or done.owed else unfinished
        if unfinished and unfinished[2]:
            finish_erasure(desk.settings, desk.store, now)
    except LedgerError as error:
        desk.found.needs_you(str(error))


def take_backups_away(desk: Desk) -> None:
    """Copy the newest backup to where the settings say."""
    said, status = copy_away(desk.settings)
    if said:
        (desk.found.needs_you if status == NEEDS_YOU else desk.found.later)(said)


WEBHOOK_MARK = "webhook "
"""How the sources of their marks begin; validity is until when an address is left alone (UTC seconds)."""
SOONEST, LATEST = 300, 6 * 3600
"""Seconds after which one that is away is tried again: as long as the fact is old, within these."""
MOST = 50
"""So many facts are told in one run: the rest waits for the next one."""


def tell_webhooks(desk: Desk, now: Callable[[], int]) -> None:
    """Post to every webhook the facts that it has not got; report errors without its address."""
    for hook in desk.settings.webhooks:
        mark = desk.store.mark(f"{WEBHOOK_MARK}{hook.name}")
        if mark is None:
            _move_mark(desk, hook, desk.contest.last, 0, now())
        elif mark[1] <= now():
            _tell_webhook(desk, hook, mark[2], now)


def _tell_webhook(desk: Desk, hook: WebhookSettings, after: int, now: Callable[[], int]) -> None:
    from nomicwolf.nomic.times import when
    from nomicwolf.reports.history import webhook_facts

    told = 0
    for fact in webhook_facts(desk.contest, after):
        if "*" not in hook.events and fact.event not in hook.events:
            continue
        if told >= MOST:
            return
        before = fact.number - 1
        _move_mark(desk, hook, fact.number, 0, now())
        fate, why = _post_fact(desk, hook, fact, now())
        told += 1
        if fate in ("later", "refused"):
            wait = LATEST if fate == "refused" else max(SOONEST, min(LATEST, now() - fact.at))
            _move_mark(desk, hook, before, now() + wait, now())
            said = f"webhook.{hook.name}: {why}; it is tried again from {when(now() + wait)} on"
            (desk.found.later if fate == "later" else desk.found.needs_you)(said)
            return
        if fate == "unknown":
            desk.found.later(f"webhook.{hook.name}: {why}; nobody knows whether it was told of {fact.event}, so it "
                             "isn't told again")


def _post_fact(desk: Desk, hook: WebhookSettings, fact: WebhookFact, now: int) -> tuple[str, str]:
    from nomicwolf.post.routes import Route, deliver
    from nomicwolf.reports.history import webhook_message

    settings = desk.settings
    body = webhook_message(desk.contest, fact, hook.format, settings.archive.url)
    return deliver(hook.url, fact.id, now, body, secret=hook.secret, token=hook.token, put=hook.format == "matrix",
                timeout=hook.timeout, route=Route.of(settings.network.proxy, settings.network.direct))


def _move_mark(desk: Desk, hook: WebhookSettings, last: int, until: int, now: int) -> None:
    mark = (f"{WEBHOOK_MARK}{hook.name}", until, last)
    desk.store.append(Step(desk.contest.last, mark=mark, now=now, alarm=desk.store.alarm))


LETTERS = 128
"""Letters in a batch, at most."""
SECONDS = 0.5
"""Seconds of hearing after which a batch is written."""
OCTETS = 4 << 20
"""Bytes of a batch's letters, without the last one's."""


class Batch:
    """The letters heard since the last commit; see `batching`."""

    def __init__(self, desk: Desk, attempts: AttemptLog) -> None:
        self._desk = desk
        self._attempts = attempts
        self._before = desk.contest
        self._most = 1
        self._growing = not attempts.any_died
        self._octets = 0
        self._began = 0.0
        self._open: frozenset[str] | None = None

    def known(self, places: Iterable[str]) -> set[str]:
        """Return those of *places* (of a mailbox) whose letters were heard already."""
        wanted = set(places)
        waiting = {pending.heard.raw.place for pending in self._desk.pending} & wanted
        return waiting | self._desk.store.known(wanted - waiting)

    def hear(self, coming: Fetched, now: int) -> None:
        """Hear one letter at *now* (UTC seconds), and commit the batch if it is full."""
        desk, fetched = self._desk, in_time(coming, max(now, self._desk.contest.clock))
        if not desk.pending:
            self._before, self._began, self._octets = desk.contest, time.monotonic(), 0
        try:
            pending, after, alone = self._heard(fetched, now)
        except Exception as error:
            if is_external_error(error):
                raise
            pending, after = set_aside(desk, fetched, error, now)
            alone = False
        desk.pending.append(pending)
        desk.contest = after
        self._octets += len(fetched.raw.data)
        late = time.monotonic() - self._began > SECONDS
        if alone or late or len(desk.pending) >= self._most or self._octets > OCTETS:
            self.commit()

    def commit(self) -> None:
        """Write the pending letters; after an external error the contest is as it was before them."""
        waiting = tuple(self._desk.pending)
        self._desk.pending.clear()
        if not waiting:
            return
        try:
            self._write(waiting)
        except Exception as error:
            self._desk.contest = self._before
            if isinstance(error, (Busy, OSError)) or (len(waiting) == 1 and is_external_error(error)):
                raise
            self._one_by_one(waiting, error)
        self._most = min(2 * self._most, LETTERS) if self._growing else 1

    def _heard(self, fetched: Fetched, now: int) -> tuple[PendingLetter, Contest, bool]:
        """Hear a letter; return also whether it changes the outbox, and so has to be a batch of its own."""
        pending, after = self._hear(fetched, now)
        heard = pending.heard
        back = heard.bucket == "machine" and bounce_of(self._desk, fetched.raw, heard.letter) is not None
        echo = self._is_open(heard.letter)
        if not back and not echo:
            return pending, after, False
        before = self._desk.contest
        self.commit()
        self._before = self._desk.contest
        if self._desk.contest is not before:
            pending, after = self._hear(fetched, now)
        letter = pending.heard.letter
        if echo:
            self._desk.store.outbox().settle_by_echo(letter.message_id, now)
        if back:
            mark_bounced(self._desk, fetched.raw, letter, now)
            self._open = None
        return pending, after, True

    def _hear(self, fetched: Fetched, now: int) -> tuple[PendingLetter, Contest]:
        desk, raw = self._desk, fetched.raw
        with self._attempts.at(raw.place):
            letter = parse_letter(desk.settings, desk.setup, raw, own_frames(desk.contest))
            demand_sent_here(desk, letter, now)
            happening = letter_came(desk, raw, letter)
            outcome = hear(desk.contest, happening, now, desk.templates)
        return PendingLetter(
            fetched, now, desk.contest.last, happening, outcome.entries,
            heard_letter(raw, happening.letter, outcome), outcome.letters), outcome.contest

    def _is_open(self, letter: Letter) -> bool:
        """Return whether *letter* is the echo of a letter of ours that isn't known to be sent."""
        if not letter.through or not letter.message_id:
            return False
        if self._open is None:
            self._open = self._desk.store.outbox().tried()
        return storable(letter.message_id) in self._open

    def _write(self, waiting: Sequence[PendingLetter]) -> None:
        """Write letters in one transaction, and then report their troubles."""
        desk, alarm = self._desk, alarm_of(self._desk.contest, waiting[-1].now)
        for one in waiting:
            desk.secure(one.entries, one.now)
        desk.store.append(*(
            Step(one.base, one.entries, (one.heard,), one.owed, one.fetched.mark, now=one.now, alarm=alarm,
                 ruled=rulings_in(desk.contest, one.entries),
                 happened=stored_happening(one.happening, desk.circumstances))
            for one in waiting))
        desk.found.heard += len(waiting)
        requeue_undelivered(desk.store, (entry for one in waiting for entry in one.entries), waiting[-1].now)
        for one in waiting:
            if one.trouble:
                desk.found.needs_you(one.trouble)

    def _one_by_one(self, waiting: Sequence[PendingLetter], error: Exception) -> None:
        """Hear and write letters one by one after an *error* in writing them together; a single one is set aside."""
        if len(waiting) == 1:
            aside, self._desk.contest = set_aside(self._desk, waiting[0].fetched, error, waiting[0].now)
            self._write((aside,))
            return
        for one in waiting:
            self.hear(one.fetched, one.now)
            self.commit()


@contextmanager
def batching(desk: Desk) -> Iterator[Batch]:
    """Open a batch for *desk*'s letters, and commit what is left in it at the end, also after an error."""
    with AttemptLog(desk.settings) as attempts:
        batch = Batch(desk, attempts)
        try:
            yield batch
        except Exception:
            batch.commit()
            raise
        batch.commit()


def work(
    settings: Settings, secret: bytes, source: Source, now: Callable[[], int], since: int = 0,
    allowance: Allowance | None = None, parse: Parse | None = None, *, clock_is_right: bool = False,
) -> PollReport:
    """Fetch and hear letters, disconnect, tick and send; see `poll`.

    *since* is the time of the last poll (UTC seconds; 0: not known). The mailbox is disconnected before letters are
    sent, because many servers limit the connections to both.
    """
    with closing(open_store(settings)) as store:
        desk = open_desk(settings, secret, store, parse)
        desk.clock_is_right = clock_is_right
        _look_at_the_clock(desk, now())
        keep_house(desk, now())
        with closing(source):
            heard_all = fetch(desk, source, now)
        tick(desk, now, since, passes=heard_all)
        if heard_all:
            check_copies(desk, now())
            check_echoes(desk, now())
        doubt_public_letters(settings, secret, store, now, desk.found)
        send_owed(settings, secret, store, now, desk.found, desk.contest.address_of, allowance)
        if settings.webhooks:
            tell_webhooks(desk, now)
        take_backups_away(desk)
        return desk.found.report(str(store.check()))


def _look_at_the_clock(desk: Desk, now: int) -> None:
    """Report a clock that is behind the ledger; instants never go back, so the game would stand still."""
    ahead = desk.store.opened.polled_at - now
    if ahead > CLOCK_SLACK:
        from nomicwolf.nomic.times import duration

        desk.found.needs_you(
            f"the clock is {duration(ahead)} behind the ledger's last change; set it right, or if it is right and "
            "was ahead then, go back to a backup from before (nomicwolf restore --over)")


def fetch(desk: Desk, source: Source, now: Callable[[], int]) -> bool:
    """Hear every new letter; if the source fails, the rest is left for the next run.

    Return whether all were heard: no time passes over unread letters (D-N9).
    """
    mark = desk.store.mark(source.name)
    try:
        with batching(desk) as batch:
            for fetched in source.fetch(mark, batch.known):
                batch.hear(fetched, now())
    except PostError as error:
        desk.found.failed(error)
        return False
    after = source.mark_after()
    if after is not None and after != desk.store.mark(source.name):
        desk.store.append(Step(desk.contest.last, mark=after, now=now(), alarm=alarm_of(desk.contest, now())))
    return True


def alarm_of(contest: Contest, now: int) -> int | None:
    """Return when a poll has something to do: at once as long as what was heard is not posted (UTC seconds)."""
    return now if contest.posted else next_alarm(contest)


def tick(desk: Desk, now: Callable[[], int], since: int = 0, *, passes: bool = True) -> None:
    """End the run: let time pass if it *passes*, and post what its letters brought.

    An outage is measured by the runs' own clock, even if the record is ahead of it.
    """
    at = now()
    passing = Tick(since + max(0, desk.contest.clock - at) if since else 0, desk.run, passes)
    try:
        outcome = hear(desk.contest, passing, at, desk.templates)
    except Exception as error:
        if is_external_error(error):
            raise
        desk.found.needs_you(f"time could not pass, defect: {error_place(error)}; please report it with that line")
        if passes:
            tick(desk, now, passes=False)
        return
    if outcome.entries or desk.contest.posted or next_alarm(outcome.contest) != desk.store.alarm:
        desk.commit(passing, outcome, now=at)
