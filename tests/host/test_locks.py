"""The contest's lock in the database is what counts: the queue may say what it will; the lock ends with its holder."""

from __future__ import annotations

import asyncio
import threading
import time

import psycopg
import pytest
from procrastinate.jobs import Job, Status
from procrastinate.utils import utcnow
from psycopg.rows import scalar_row

from nomicwolf.host.health import Meters
from nomicwolf.host.worker import TICK, TURN, Again, HostQueue, InOtherHands, NotNow, Worker
from nomicwolf.ledger.database import connect
from nomicwolf.ledger.postgres import libpq
from tests.host.hosted import Host, overlaps, until
from tests.servers.here import PATIENCE

JOB = ("SELECT procrastinate_defer_jobs_v1(ARRAY[ROW('turns', 'nomicwolf.turn', 0, NULL, NULL,"
       " '{\"contest\": \"c1\"}', NULL)::procrastinate_job_to_defer_v1])")
"""A job of a contest's without a queueing lock, of which any number can wait."""


QUESTIONS = ("help", "status", "votes", "history", "resend")
"""Of one kind one is answered in a turn; these are of five."""


def answers(host: Host) -> list[bytes]:
    """Return the letters to Ash that were sent since the contest was made."""
    return [data for to, data in host.smtp.taken if to == "ash@players.test"]


def test_two_workers_are_given_the_same_contest(host: Host) -> None:
    """Twenty doubled jobs, three workers of two threads: letters are heard once each, turns never overlap.

    The first turn lasts until others were turned away; how those were is gone with their jobs once they had theirs.
    """
    host.configure(every=600, at_once=2)
    host.contest("c1")
    for question in QUESTIONS:
        host.deliver("c1", question, question)
    for _ in range(20):
        host.ask(JOB)
    host.smtp.go.clear()
    for name in ("w1", "w2", "w3"):
        host.start(name)
    until("others to be turned away", lambda: host.ask(
        "SELECT 1 FROM procrastinate_jobs WHERE task_name = 'nomicwolf.turn' AND attempts > 0 OFFSET 4"), host.standing)
    host.smtp.go.set()
    until("all jobs to be done", lambda: host.ask(
        "SELECT 1 WHERE NOT EXISTS (SELECT FROM procrastinate_jobs WHERE task_name = 'nomicwolf.turn' "
        "AND (status = 'doing' OR status = 'todo' AND attempts = 0))"), host.standing)
    until("the answers", lambda: host.answered() >= len(QUESTIONS))
    host.stop()
    assert overlaps(host.log()) == []
    assert host.ask("SELECT count(*) FROM letters WHERE bucket <> 'duplicate'") == [(5,)]
    assert (len(answers(host)), host.answered()) == (1, len(QUESTIONS)), "one letter for all that a turn heard"
    assert host.host("do", "c1", "ledger", "verify") == 0


def test_the_second_of_two_gets_no_turn(host: Host) -> None:
    """While one worker is in the midst of a turn, another that is handed the contest does nothing, and comes later."""
    host.contest("c1")
    host.deliver("c1", "q1")
    host.smtp.go.clear()
    first, second = (Worker(host.settings, name, Meters()) for name in ("first", "second"))
    turn = threading.Thread(target=first.take, args=("c1",))
    turn.start()
    until("the letter to be on its way", lambda: host.ask("SELECT 1 FROM outbox WHERE state = 'sending'"))
    before = host.ask("SELECT * FROM host.contests")
    with pytest.raises(InOtherHands):
        second.take("c1")
    assert host.ask("SELECT * FROM host.contests") == before, "who comes in vain writes nothing down"
    assert host.ask("SELECT worker FROM host.contests") == [("first",)]
    host.smtp.go.set()
    turn.join(PATIENCE)
    assert second.take("c1").status == 0
    assert len(answers(host)) == 1


def test_who_was_too_late_comes_again_soon() -> None:
    """What is in other hands is asked for every two seconds, what a server kept from its end ever later."""
    job = Job(id=1, queue="turns", lock=None, queueing_lock="c1", task_name=TURN, task_kwargs={})
    found: list[list[int | None]] = []
    for error in (InOtherHands("c1"), NotNow("c1"), ValueError()):
        tries = [Again().get_retry_decision(exception=error, job=job.evolve(attempts=number)) for number in range(6)]
        waits = [None if at is None or at.retry_at is None else at.retry_at - utcnow() for at in tries]
        found.append([None if wait is None else round(wait.total_seconds()) for wait in waits])

    assert found == [[2, 2, 2, 2, 2, None], [3, 9, 27, 81, 243, None], [None] * 6]


def test_a_turn_whose_lock_was_lost_writes_nothing_over_anothers(host: Host) -> None:
    """The database cuts the first worker's lock mid-turn and the second takes over: the record stays one and whole."""
    host.contest("c1")
    host.deliver("c1", "q1")
    host.smtp.go.clear()
    first, second = (Worker(host.settings, name, Meters(), now=lambda: int(time.time())) for name in ("one", "two"))
    ended: list[BaseException | None] = []

    def run() -> None:
        try:
            first.take("c1")
            ended.append(None)
        except NotNow as error:
            ended.append(error)

    turn = threading.Thread(target=run)
    turn.start()
    until("the letter to be on its way", lambda: host.ask("SELECT 1 FROM outbox WHERE state = 'sending'"))
    host.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'"
             " AND datname = current_database()")
    host.deliver("c1", "q2")
    host.smtp.go.set()
    second.take("c1")
    turn.join(PATIENCE)
    assert [type(error) for error in ended] == [NotNow], "it is tried again"
    until("both to be answered", lambda: second.take("c1").idle)
    assert host.host("do", "c1", "ledger", "verify") == 0
    assert host.ask("SELECT count(*) FROM letters WHERE bucket <> 'duplicate'") == [(2,)]
    assert host.ask("SELECT count(*) FROM outbox WHERE state <> 'sent'") == [(0,)]


def test_the_server_notices_a_machine_that_is_gone(host: Host) -> None:
    """A session's locks end half a minute after its machine, without a word of it: the server itself asks for it."""
    wanted = {"tcp_keepalives_idle": "15", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3",
              "tcp_user_timeout": "30000"}
    with psycopg.connect(libpq(host.url), row_factory=scalar_row) as connection:
        assert {name: connection.execute(f"SHOW {name}").fetchone() for name in wanted} == wanted
    engine = connect(host.url)
    with engine.connect() as connected:
        assert {name: connected.exec_driver_sql(f"SHOW {name}").scalar() for name in wanted} == wanted
    engine.dispose()
    given = f"{host.url}?options=-c%20tcp_keepalives_idle%3D40"
    with psycopg.connect(libpq(given), row_factory=scalar_row) as connection:
        assert connection.execute("SHOW tcp_keepalives_idle").fetchone() == "40", "who sets it knows better"
        assert connection.execute("SHOW tcp_keepalives_count").fetchone() == "3"


def test_a_server_of_mailboxes_whose_places_are_taken(host: Host) -> None:
    """All connections that it may be asked for are open, whoever's: the contest comes later, and asks for none."""
    host.configure(every=600, connections=1, servers=[f"127.0.0.1:{host.port}", "127.0.0.1:1"])
    folder = host.contest("c1")
    toml = (folder / "contest.toml").read_text()
    imap = '[imap]\nhost = "127.0.0.1"\nport = 1\nsecurity = "none"\nuser = "x"\npassword = "hidden"\n'
    (folder / "contest.toml").write_text(toml[:toml.index("[maildir]")] + imap + toml[toml.index("[smtp]"):])
    assert host.host("add", str(folder), "--tenant", "murphy") == 0
    worker = Worker(host.settings, "w1", Meters())
    with host.postgres_connection() as other:
        other.execute("SELECT pg_advisory_lock(hashtext('127.0.0.1'), 1)")
        with pytest.raises(NotNow):
            worker.take("c1")
        assert host.ask("SELECT status, said FROM host.contests") == [
            (75, "127.0.0.1: 1 connections are open already; this contest's turn comes later")]
    with pytest.raises(NotNow):
        worker.take("c1")
    assert "imap 127.0.0.1:1" in host.ask("SELECT said FROM host.contests")[0][0], "now it was asked"


def test_a_job_that_can_not_wait_again_is_done_with(host: Host) -> None:
    """While a contest's job was done, its next one was put into the queue: one waits, and none seems to be at work."""
    hands = HostQueue(host.settings, "w1")

    async def at_work() -> None:
        async with hands.app.open_async():
            jobs = hands.app.job_manager
            await hands.defer(["c1"])
            job = await jobs.fetch_job(None, await jobs.register_worker())
            assert job is not None
            await hands.defer(["c1", "c1"])
            await jobs.retry_job(job)

    asyncio.run(at_work())
    assert host.ask("SELECT queueing_lock, status FROM procrastinate_jobs") == [("contest:c1", "todo")]


def test_jobs_that_failed_are_kept_for_a_day(host: Host) -> None:
    """An hourly tick forgets those that failed long ago, with what the queue noted of them."""
    hands = HostQueue(host.settings, "w1")

    async def at_work() -> None:
        async with hands.app.open_async():
            jobs = hands.app.job_manager
            for contest in ("c1", "c2"):
                await hands.defer([contest])
                job = await jobs.fetch_job(None, await jobs.register_worker())
                assert job is not None
                await jobs.finish_job(job, Status.FAILED, delete_job=False)
            host.ask("UPDATE procrastinate_events SET at = at - interval '25 hours' FROM procrastinate_jobs j"
                     " WHERE j.id = job_id AND queueing_lock = 'contest:c1'")
            await hands.app.tasks[TICK](timestamp=3601)
            assert host.ask("SELECT count(*) FROM procrastinate_jobs") == [(2,)], "not each tick"
            await hands.app.tasks[TICK](timestamp=7200)

    asyncio.run(at_work())
    assert host.ask("SELECT queueing_lock FROM procrastinate_jobs") == [("contest:c2",)]
