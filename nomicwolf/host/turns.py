"""One contest's turn on a worker: its files laid out, its ledger opened as its tenant, a poll, and what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import psycopg

from nomicwolf.contest.step import Parse
from nomicwolf.host import registry
from nomicwolf.host.folders import settings_in
from nomicwolf.host.grants import demand_granted, granted
from nomicwolf.host.health import Meters
from nomicwolf.host.limits import ServerAllowance
from nomicwolf.host.logs import LOG
from nomicwolf.host.registry import Hosted
from nomicwolf.host.schema import demand_fit, name_of
from nomicwolf.host.settings import HostSettings
from nomicwolf.ledger.errors import Busy, Conflict, LedgerError
from nomicwolf.ledger.idle_check import Glance
from nomicwolf.ledger.postgres import SessionPool, using_pool
from nomicwolf.post.reach import within
from nomicwolf.run.polling import poll_in_turn, reported
from nomicwolf.run.resources import turn
from nomicwolf.run.run_report import LATER, NEEDS_YOU, PollReport, system_error_text
from nomicwolf.settings.keys import Settings, SettingsError


class Unfit(Exception):
    """The worker's program may not touch the database as it is now; the text says what to do."""


class NotNow(Exception):
    """The turn could not be had or finished; the queue tries again, ever later."""


class InOtherHands(NotNow):
    """Somebody else works on the contest, or has all places at its mail server; that won't take long."""


@dataclass(slots=True)
class Ended:
    """How a turn ended: *had* tells that it was had at all, *alarm* when time next means something (UTC seconds).

    *room_at* is when a mail server takes more, if one took less than there was (`ServerAllowance.room_at`); *unsent*
    counts the letters that were refused or may not have arrived, in this turn or an earlier one.
    """

    report: PollReport = field(default_factory=PollReport)
    had: bool = False
    alarm: int | None = None
    unsent: int = 0
    room_at: int | None = None

    @property
    def said(self) -> str:
        """Return what the contestmaster is told; of unsent letters also after turns that did nothing about them."""
        standing = f"unsent letters: {self.unsent} (`nomicwolf unsent` lists them)"
        return "\n".join((*self.report.said, *([standing] if self.unsent else [])))

    def next_at(self, latest: int) -> int:
        """Return when the contest is due again, at the *latest* (UTC seconds)."""
        return min(at for at in (latest, self.alarm or latest, self.room_at) if at is not None)

    def demand_done(self, contest: str) -> None:
        """Raise `NotNow` if the queue is to try again, unless it is known when there will be room for the rest."""
        if self.report.status != LATER or self.room_at:
            return
        raise NotNow(contest) if self.had and self.room_at is None else InOtherHands(contest)


@dataclass(slots=True)
class Worker:
    """What takes turns: under its *name* in logs and registry, by the clock *now* (UTC seconds).

    *parse* reads orders that come by mail, *at_work* tells since when (monotonic seconds) it is at which contests.
    *clock* is the machine's, which must agree with the database's.
    """

    host: HostSettings
    name: str
    meters: Meters
    parse: Parse | None = None
    at_work: dict[str, float] = field(default_factory=dict)
    now: Callable[[], int] = field(default=lambda: int(time.time()))
    pool: SessionPool = field(default_factory=SessionPool)
    clock: Callable[[], float] = time.time

    def take(self, contest: str) -> PollReport:
        """Take a contest's turn; `NotNow` if it has to be tried again, `Unfit` if this worker must stop."""
        began = time.monotonic()
        try:
            ended = self._take(contest)
        except (Busy, Conflict) as error:
            raise NotNow(contest) from error
        if ended is None:
            return PollReport(idle=True)
        self.meters.turned(ended.report, time.monotonic() - began)
        ended.demand_done(contest)
        return ended.report

    def _take(self, contest: str) -> Ended | None:
        """Take a contest's turn and write down how it ended; None if it has none, or rests."""
        with registry.turning(self.pool, self.host) as connection:
            self._demand_fit(connection)
            found = registry.hosted(connection, contest)
            if not found or found[0].paused:
                return None
            ended = self._poll(connection, found[0])
            if ended.had:
                next_at = ended.next_at(self.now() + self.host.worker.every)
                registry.end(connection, contest, self.now(), next_at, ended.report.status, ended.said)
        return ended

    def _demand_fit(self, connection: psycopg.Connection) -> None:
        try:
            demand_fit(connection, self.clock)
        except LedgerError as error:
            raise Unfit(str(error)) from error

    def _poll(self, connection: psycopg.Connection, contest: Hosted) -> Ended:
        """Poll a contest within its lock, over sessions that are kept for the next one."""
        ended = Ended()
        try:
            settings = self._settings(connection, contest)
        except (SettingsError, OSError) as error:
            LOG.warning("turn is hindered", extra={"contest": contest.contest, "status": NEEDS_YOU})
            said = str(error) if isinstance(error, SettingsError) else system_error_text(error)
            return Ended(PollReport(NEEDS_YOU, (said,)), had=True)
        allowance = ServerAllowance(self.host, connection, settings.smtp.host, self.now() // 60)
        with using_pool(self.pool), within(granted(self.host, name_of(contest.tenant))):
            ended.report = reported(lambda: self._held(connection, settings, ended, allowance))
        allowance.let_go()
        ended.room_at = allowance.room_at
        return ended

    def _settings(self, connection: psycopg.Connection, contest: Hosted) -> Settings:
        place, others = registry.laid_out(connection, self.host, contest)
        settings = settings_in(self.host, place, contest.tenant)
        demand_granted(self.host, name_of(contest.tenant), settings)
        return replace(settings, contest=replace(settings.contest, others=tuple(map(str, others))))

    def _held(self, connection: psycopg.Connection, settings: Settings, ended: Ended,
              allowance: ServerAllowance) -> PollReport:
        """Poll within the limits of the mail servers, while the contest's lock is held."""
        looks: list[Glance | None] = []
        with turn(settings) as held, self._told(settings.contest.id) as reports:

            def look() -> Glance | None:
                looks.append(held.glance())
                return looks[-1]

            ended.had = True
            registry.begin(connection, settings.contest.id, self.now(), self.now() + self.host.worker.every, self.name)
            if settings.imap is not None:
                allowance.demand_place(settings.imap.host)
            report = poll_in_turn(settings, self.now, replace(held, glance=look), allowance, self.parse)
            seen = looks[-1] if report.idle else look()
            if seen:
                ended.alarm, ended.unsent = seen.alarm, seen.unsent
            reports.append(report)
        return report

    @contextmanager
    def _told(self, contest: str) -> Iterator[list[PollReport]]:
        """Log the turn's beginning and end, both while its lock is held."""
        self.at_work[contest] = began = time.monotonic()
        LOG.info("turn began", extra={"contest": contest, "monotonic": began})
        reports: list[PollReport] = []
        try:
            yield reports
        finally:
            ended = time.monotonic()
            del self.at_work[contest]
            extra: dict[str, object] = {"contest": contest, "monotonic": ended, "seconds": round(ended - began, 3)}
            for report in reports:
                extra |= {"status": report.status, "heard": report.heard, "sent": report.sent, "idle": report.idle}
            LOG.info("turn ended", extra=extra)
