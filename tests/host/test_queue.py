"""What a worker's ticks do: contests that are due get a job each, whatever became of the workers before."""

from __future__ import annotations

import asyncio
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from sqlalchemy import make_url

from nomicwolf.host.health import serve
from nomicwolf.host.worker import TICK, HostQueue, _beat
from tests.host.hosted import Host
from tests.servers.here import free_ports

JOBS = "SELECT queueing_lock, status FROM procrastinate_jobs ORDER BY queueing_lock"
SILENT = "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 hour'"


def at_work(hands: HostQueue, do: Callable[[], Awaitable[object]]) -> None:
    """Do something while the worker's queue is open."""

    async def open_() -> None:
        async with hands.app.open_async():
            await do()

    asyncio.run(open_())


def test_one_that_waits_keeps_no_other_from_the_queue(host: Host) -> None:
    """A contest was put there meanwhile by another worker's tick: the rest get their jobs all the same."""
    hands = HostQueue(host.settings, "w1")

    async def put() -> None:
        await hands.defer(["c2"])
        await hands.defer(["c1", "c2", "c3"])

    at_work(hands, put)
    assert host.ask(JOBS) == [(f"contest:{name}", "todo") for name in ("c1", "c2", "c3")]


def test_workers_that_are_gone_leave_nothing_at_work(host: Host) -> None:
    """One died at a tick, another at a turn: both jobs have failed, and the contest is due at once and has another."""
    host.configure(every=600)
    host.contest("c1", player=False)
    host.ask("UPDATE host.contests SET due_at = 4000000000")
    hands = HostQueue(host.settings, "w1")

    async def go_on() -> None:
        jobs = hands.app.job_manager
        await hands.defer(["c1"])
        await hands.app.tasks[TICK].defer_async(timestamp=60)
        for _ in range(2):
            assert await jobs.fetch_job(None, await jobs.register_worker()) is not None
        host.ask(SILENT)
        await hands.app.tasks[TICK](timestamp=1800)

    at_work(hands, go_on)
    assert host.ask(f"{JOBS}, status::text") == [("contest:c1", "failed"), ("contest:c1", "todo"), (TICK, "failed")]
    assert host.ask("SELECT due_at FROM host.contests") == [(0,)]


def test_a_database_that_is_away_is_asked_every_few_seconds(host: Host) -> None:
    """Whoever waits for it is told soon, and begins anew; it is not asked more seldom the longer it is away."""
    hands, database = HostQueue(host.settings, "w1"), make_url(host.url).database

    async def ask() -> None:
        jobs = hands.app.job_manager
        host.postgres.run(f"ALTER DATABASE {database} ALLOW_CONNECTIONS false")
        host.postgres.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")
        async with asyncio.timeout(20):
            with pytest.raises(ConnectorException):
                await jobs.register_worker()
        host.postgres.run(f"ALTER DATABASE {database} ALLOW_CONNECTIONS true")
        assert await jobs.register_worker()

    at_work(hands, ask)


def test_a_tick_comes_before_turns(host: Host) -> None:
    """However many wait; and where all workers are busy for long, ticks don't pile up."""
    hands = HostQueue(host.settings, "w1")
    found = []

    async def put() -> None:
        await hands.defer(["c1", "c2"])
        await hands.app.tasks[TICK].defer_async(timestamp=60)
        with pytest.raises(AlreadyEnqueued):
            await hands.app.tasks[TICK].defer_async(timestamp=75)
        job = await hands.app.job_manager.fetch_job(None, await hands.app.job_manager.register_worker())
        assert job is not None
        found.append(job.task_name)

    at_work(hands, put)
    assert found == [TICK]


def test_letters_of_minutes_long_gone_are_counted_no_more(host: Host) -> None:
    """Those of the last minutes are: turns that began then still count theirs."""
    minute = 1_000_000
    with host.postgres_connection() as connection:
        for back in (-1, 0, 9, 10, 11, 600):
            connection.execute("INSERT INTO host.sends VALUES ('mx.test', %s, 1)", (minute - back,))
    hands = HostQueue(host.settings, "w1")
    at_work(hands, lambda: hands.app.tasks[TICK](timestamp=60 * minute + 59))
    found = [minute - row[0] for row in host.ask("SELECT minute FROM host.sends ORDER BY minute DESC")]
    assert found == [-1, 0, 9, 10]


def test_a_worker_that_goes_round_no_more_is_not_well(host: Host) -> None:
    """Whoever restarts it learns so, and how many seconds it takes hangs on worker.stale alone."""
    (port,) = free_ports(1)
    settings = host.configure(worker=f'listen = "127.0.0.1:{port}"', stale=10).settings
    hands = HostQueue(settings, "w1")
    server = serve(settings, hands.meters, hands.alive)

    def health() -> int:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health") as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    async def beat() -> None:
        beating = asyncio.create_task(_beat(hands))
        await asyncio.sleep(0)
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating

    try:
        hands.beat = time.monotonic() - 30
        assert health() == 200
        hands.beat = time.monotonic() - 41
        assert health() == 503
        asyncio.run(beat())
        assert health() == 200
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(("ago", "stuck"), [(50, []), (70, ["c1"])])
def test_a_turn_is_stuck_when_it_takes_longer_than_any_may(host: Host, ago: float, stuck: list[str]) -> None:
    """By worker.longest; one that others have begun since isn't."""
    hands = HostQueue(host.configure(longest=60).settings, "w1")
    hands.worker.at_work |= {"c1": time.monotonic() - ago, "c2": time.monotonic()}
    assert hands.stuck() == stuck
