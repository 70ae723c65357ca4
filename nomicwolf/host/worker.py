"""Workers: their turns, their queue, their process.

In a turn a contest's files are laid out, its ledger is opened as its tenant, and its mailbox is polled. The queue is
procrastinate's: ticks that look which contests are due, and one job a contest. The process runs until it is told to
stop, and then finishes the contests that it is at.

A job that is lost, doubled or late does no harm: the contest's lock decides who works on it, the registry when.

Run ``procrastinate --app=nomicwolf.host.worker.app shell`` in the folder with ``host.toml``.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

import psycopg
from procrastinate import App, BaseRetryStrategy, PsycopgConnector, RetryDecision
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException, UniqueViolation
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager

from nomicwolf import __version__
from nomicwolf.contest.step import Parse
from nomicwolf.host import registry, settings
from nomicwolf.host.health import LOG, Meters, logging_to_stderr, serve
from nomicwolf.host.registry import Hosted, demand_valid_key, settings_in
from nomicwolf.host.schema import demand_fit, name_of
from nomicwolf.host.settings import HostSettings, ServerAllowance, demand_granted, granted, load_host
from nomicwolf.ledger.errors import Busy, Conflict, LedgerError
from nomicwolf.ledger.idle_check import Glance
from nomicwolf.ledger.postgres import CLIENT_SETTINGS, SessionPool, libpq, using_pool
from nomicwolf.post.routes import restricted_to
from nomicwolf.run.polling import poll_in_turn, reported
from nomicwolf.run.resources import LATER, NEEDS_YOU, PollReport, system_error_text, turn
from nomicwolf.settings.keys import Settings, SettingsError


class Unfit(Exception):
    """The worker's program may not touch the database as it is now; the text says what to do."""


class NotNow(Exception):
    """The turn could not be had or finished; the queue tries again, ever later."""


class InOtherHands(NotNow):
    """Somebody else works on the contest, or has all places at its mail server; that won't take long."""


@dataclass(slots=True)
class Ended:
    """The end of a turn: *had* if there was one, *alarm* when time next matters (UTC seconds).

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
        """Return the report to the contestmaster, with unsent letters even after turns that sent nothing."""
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
    """A worker that takes turns, by its *name* in logs and registry and the clock *now* (UTC seconds).

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
        with using_pool(self.pool), restricted_to(granted(self.host, name_of(contest.tenant))):
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


TURN, TICK = "nomicwolf.turn", "nomicwolf.tick"
_AT_ONCE = 5000  # contests that one tick puts into the queue
_AWAY = 5.0  # seconds to wait for a session; the pool asks ever more seldom for one that it waits for longer
_CHUNK = 500
_HOUR = 3600  # seconds
_KEPT = 24  # hours for which a job that failed can be looked at
_TRIES = 5
_SOON = 2  # seconds; a turn is rarely longer


class Again(BaseRetryStrategy):
    """Try a turn again soon if the contest is in other hands, else after 3, 9, 27, 81 and 243 seconds.

    After five tries it waits until it is due again.
    """

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """Return when to try again, None if not."""
        if job.attempts >= _TRIES or not isinstance(exception, NotNow):
            return None
        wait = _SOON if isinstance(exception, InOtherHands) else 3 ** (job.attempts + 1)
        return RetryDecision(retry_in={"seconds": wait})


class OneWaits(JobManager):
    """Procrastinate's job manager, which drops a job that can't wait again because another does.

    It would be *doing* for as long as its worker lives.
    """

    async def retry_job(self, job: Job, retry_at: datetime | None = None, priority: int | None = None,
                        queue: str | None = None, lock: str | None = None) -> None:
        """Put a job back into the queue."""
        try:
            await super().retry_job(job, retry_at, priority, queue, lock)
        except UniqueViolation:
            await self.finish_job(job, Status.SUCCEEDED, delete_job=True)


class HostQueue:
    """The app that procrastinate runs for a worker, and what made it stop."""

    def __init__(self, host: HostSettings, name: str, parse: Parse | None = None) -> None:
        self.host = host
        self.meters = Meters()
        self.worker = Worker(host, name, self.meters, parse)
        self.unfit = ""
        self.beat = time.monotonic()
        url = libpq(registry.without_sync(host.database.url))
        self.app = App(connector=PsycopgConnector(
            conninfo=url, kwargs=dict(CLIENT_SETTINGS), min_size=1, max_size=host.worker.at_once + 4,
            timeout=_AWAY, reconnect_timeout=_AWAY - 1))
        self.app.job_manager = OneWaits(self.app.connector)
        self.app.task(name=TURN, queue="turns", retry=Again())(self._turn)
        ticks = self.app.task(name=TICK, queue="ticks", priority=9, queueing_lock=TICK)(self._tick)
        self.app.periodic(cron=f"* * * * * */{host.worker.tick}")(ticks)

    def stuck(self) -> list[str]:
        """Return the contests whose turns have lasted too long."""
        long_ago = time.monotonic() - self.host.worker.longest
        return [contest for contest, began in list(self.worker.at_work.items()) if began < long_ago]

    def alive(self) -> bool:
        """Return whether the worker's loop has run lately."""
        return time.monotonic() - self.beat < 4 * self.host.worker.stale

    def _turn(self, contest: str) -> None:
        """Take a contest's turn; runs in a thread."""
        try:
            self.worker.take(contest)
        except Unfit as error:
            self.unfit = str(error)
            LOG.error("worker is unfit")
            os.kill(os.getpid(), signal.SIGTERM)  # the graceful way to stop
            raise NotNow(contest) from error

    async def _tick(self, timestamp: int) -> None:
        """Look which contests are due, and whose workers are gone."""
        lost = await self._rescue()
        if timestamp % _HOUR < self.host.worker.tick:
            await self.app.job_manager.delete_old_jobs(nb_hours=_KEPT, include_failed=True)
        contests = await asyncio.to_thread(self._due, lost, timestamp // 60 - 10)
        await self.defer(contests)
        if contests or lost:
            LOG.info("tick", extra={"due": len(contests)})

    def _due(self, lost: list[str], long_ago: int) -> list[str]:
        """Return the contests that are due, the *lost* ones among them."""
        with registry.turning(self.worker.pool, self.host) as connection:
            settings.forget(connection, long_ago)
            registry.forget_files(connection, self.host)
            registry.hurry(connection, lost)
            return registry.due(connection, int(time.time()), _AT_ONCE)

    async def _rescue(self) -> list[str]:
        """End the jobs of workers that are gone, and return their contests."""
        found = await self.app.job_manager.get_stalled_jobs(seconds_since_heartbeat=self.host.worker.stale)
        lost = []
        for job in found:
            await self.app.job_manager.finish_job(job, Status.FAILED, delete_job=False)
            if job.task_name == TURN:
                lost.append(str(job.task_kwargs["contest"]))
        return lost

    async def defer(self, contests: list[str]) -> None:
        """Put a job for each contest into the queue, unless one waits there."""
        for chunk in (contests[start:start + _CHUNK] for start in range(0, len(contests), _CHUNK)):
            jobs = [Job(
                id=None, queue="turns", lock=None, queueing_lock=registry.JOB + contest, task_name=TURN,
                task_kwargs={"contest": contest}) for contest in chunk]
            try:
                await self.app.job_manager.batch_defer_jobs_async(jobs)
            except AlreadyEnqueued:
                for job in jobs:
                    await self._defer_one(job)

    async def _defer_one(self, job: Job) -> None:
        with suppress(AlreadyEnqueued):
            await self.app.job_manager.defer_job_async(job)


_PAUSE = 2  # seconds
_LOOK = 2.0  # seconds between two looks at the queue; no notice is waited for, since any login may give one
_LEAP = 10  # seconds by which a clock is set, and not only kept right


def run_worker(host: HostSettings, name: str = "", parse: Parse | None = None) -> str:
    """Take contests' turns until SIGTERM or SIGINT; *parse* reads orders that come by mail.

    Return why the worker had to stop by itself, '' if it didn't; `LedgerError` or `SettingsError` if it can't begin.
    """
    import nomicwolf.run.poll_work  # noqa: F401 - what every turn needs, before the first one

    demand_valid_key(host.database.key)
    with registry.opened(host) as connection:
        demand_fit(connection)
    hands = HostQueue(host, name or f"{socket.gethostname()}-{os.getpid()}", parse)
    with logging_to_stderr(hands.worker.name), closing(hands.worker.pool):
        server = serve(host, hands.meters, hands.alive) if host.worker.listen else None
        LOG.info("worker began", extra={"version": __version__})
        try:
            asyncio.run(_run(hands))
        finally:
            if server is not None:
                server.shutdown()
            LOG.info("worker ended")
    return hands.unfit


async def _run(hands: HostQueue) -> None:
    """Work until asked to stop, however often the database goes away meanwhile."""
    stop = asyncio.create_task(_stop())
    async with hands.app.open_async():
        beating = asyncio.create_task(_beat(hands))
        try:
            while not stop.done():
                await _work(hands, stop)
        finally:
            beating.cancel()


async def _stop() -> None:
    """Return at SIGTERM or SIGINT."""
    signalled = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, signalled.set)
    await signalled.wait()


async def _work(hands: HostQueue, stop: asyncio.Task[None]) -> None:
    """Take turns until it is to *stop*, the clock is set, or the queue can't be had; those begun are finished first.

    The queue's ticks go on from the one before: after a clock was set back there would be none until it is there again,
    and after one was set forward all that lie between.
    """
    stale = hands.host.worker.stale
    working = asyncio.create_task(hands.app.run_worker_async(
        name=hands.worker.name, concurrency=hands.host.worker.at_once,
        update_heartbeat_interval=max(0.2, stale / 4), stalled_worker_timeout=stale,
        fetch_job_polling_interval=min(_LOOK, hands.host.worker.tick), delete_jobs="successful", listen_notify=False,
        install_signal_handlers=False))
    leaping = asyncio.create_task(_leap())
    await asyncio.wait({working, stop, leaping}, return_when=asyncio.FIRST_COMPLETED)
    leapt = leaping.done()
    leaping.cancel()
    working.cancel()
    await asyncio.wait({working})
    error = None if working.cancelled() else working.exception()
    if error is not None and not isinstance(error, ConnectorException):
        raise error
    if leapt:
        LOG.warning("the clock was set")
    elif not stop.done():
        LOG.warning("the queue is away, tried again")
        await asyncio.wait({stop}, timeout=_PAUSE)


async def _leap() -> None:
    """Return once this machine's clock was set, or the machine slept."""
    ahead = time.time() - time.monotonic()
    while True:
        await asyncio.sleep(1)
        before, ahead = ahead, time.time() - time.monotonic()
        if abs(ahead - before) > _LEAP:
            return


async def _beat(hands: HostQueue) -> None:
    """Note again and again that the loop goes round; end a worker that is stuck, for nothing else can."""
    while True:
        for contest in hands.stuck():
            LOG.critical("turn is stuck", extra={"contest": contest})
            os._exit(LATER)
        hands.beat = time.monotonic()
        await asyncio.sleep(1)


def __getattr__(name: str) -> App:
    """Make ``app`` when it is asked for."""
    if name != "app":
        raise AttributeError(name)
    return HostQueue(load_host(Path.cwd()), "shell").app
