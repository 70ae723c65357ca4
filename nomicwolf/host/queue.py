"""The queue, which is procrastinate's: ticks that look which contests are due, and one job a contest.

A job that is lost, doubled or late does no harm: the contest's lock decides who works on it, the registry when.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from contextlib import suppress
from datetime import datetime

from procrastinate import App, BaseRetryStrategy, PsycopgConnector, RetryDecision
from procrastinate.exceptions import AlreadyEnqueued, UniqueViolation
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager

from nomicwolf.contest.step import Parse
from nomicwolf.host import limits, registry
from nomicwolf.host.health import Meters
from nomicwolf.host.logs import LOG
from nomicwolf.host.settings import HostSettings
from nomicwolf.host.turns import InOtherHands, NotNow, Unfit, Worker
from nomicwolf.ledger.postgres import CLIENT_SETTINGS, libpq

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
    """What procrastinate asks of its tables, but that a job which can't wait again, as another does, is done with.

    It would be *doing* for as long as its worker lives.
    """

    async def retry_job(self, job: Job, retry_at: datetime | None = None, priority: int | None = None,
                        queue: str | None = None, lock: str | None = None) -> None:
        """Let a job wait again."""
        try:
            await super().retry_job(job, retry_at, priority, queue, lock)
        except UniqueViolation:
            await self.finish_job(job, Status.SUCCEEDED, delete_job=True)


class Hands:
    """A worker's hands: the app that procrastinate runs, and what made it stop."""

    def __init__(self, host: HostSettings, name: str, parse: Parse | None = None) -> None:
        self.host = host
        self.meters = Meters()
        self.worker = Worker(host, name, self.meters, parse)
        self.unfit = ""
        self.beat = time.monotonic()
        url = libpq(registry.unhurried(host.database.url))
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
        """Tell whether the worker's loop has gone round lately."""
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
            limits.forget(connection, long_ago)
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
            jobs = [self._job(contest) for contest in chunk]
            try:
                await self.app.job_manager.batch_defer_jobs_async(jobs)
            except AlreadyEnqueued:
                for job in jobs:
                    await self._defer_one(job)

    def _job(self, contest: str) -> Job:
        return Job(
            id=None, queue="turns", lock=None, queueing_lock=registry.JOB + contest, task_name=TURN,
            task_kwargs={"contest": contest})

    async def _defer_one(self, job: Job) -> None:
        with suppress(AlreadyEnqueued):
            await self.app.job_manager.defer_job_async(job)
