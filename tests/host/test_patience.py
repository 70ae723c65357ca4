"""A database server's own limits on sessions: a turn lasts as long as its letters take, and what passes is awaited."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import psycopg
import pytest
from sqlalchemy import make_url

from nomicwolf.host.health import Meters
from nomicwolf.host.registry import settings_in
from nomicwolf.host.worker import InOtherHands, NotNow, Worker
from nomicwolf.ledger.database import connect
from nomicwolf.ledger.errors import Busy, LedgerError, translated
from nomicwolf.ledger.postgres import begin_session
from nomicwolf.run.resources import PollReport, turn
from tests.host.hosted import Host, until
from tests.servers.here import PATIENCE

SHORT = 0.2  # seconds


@contextmanager
def server_wide(host: Host, setting: str) -> Iterator[None]:
    """Let all sessions of the host's database that begin meanwhile have a setting, as its administrator gives it."""
    database = make_url(host.url).database
    host.postgres.run(f"ALTER DATABASE {database} SET {setting}")
    try:
        yield
    finally:
        host.postgres.run(f"ALTER DATABASE {database} RESET ALL")


def asked(host: Host, statement: str) -> list[tuple[object, ...]]:
    """Ask the database with no other limit than ours."""
    with host.postgres.session(host.url, "-c statement_timeout=0") as connection:
        return connection.execute(statement).fetchall()


def test_a_turn_is_held_however_long_it_does_nothing(host: Host) -> None:
    """The lock is a transaction that waits for mail servers: let go of, another would send the same letters."""
    folder = host.contest("c1")
    limits = ["idle_in_transaction_session_timeout"]
    if host.ask("SELECT current_setting('server_version_num')::int >= 170000") == [(True,)]:
        limits.append("transaction_timeout")
    with ExitStack() as stack:
        for limit in limits:
            stack.enter_context(server_wide(host, f"{limit} = '{1000 * SHORT:.0f}ms'"))
        held = stack.enter_context(turn(settings_in(host.settings, folder, "nomicwolf_t_murphy")))
        held.note(1)
        time.sleep(3 * SHORT)
        with pytest.raises(InOtherHands):
            Worker(host.settings, "w1", Meters()).take("c1")
        held.note(2)


def test_a_turn_is_noted_however_long_its_letters_take(host: Host) -> None:
    """The registry's session does nothing meanwhile, and holds the places at mail servers."""
    host.contest("c1")
    host.deliver("c1", "q1")
    host.smtp.go.clear()
    worker, reports = Worker(host.settings, "w1", Meters()), list[PollReport]()
    with server_wide(host, f"idle_session_timeout = '{1000 * SHORT:.0f}ms'"):
        taking = threading.Thread(target=lambda: reports.append(worker.take("c1")))
        taking.start()
        until("the letter to be on its way", lambda: asked(host, "SELECT 1 FROM outbox WHERE state = 'sending'"))
        time.sleep(3 * SHORT)
        host.smtp.go.set()
        taking.join(PATIENCE)
    assert [(report.status, report.sent) for report in reports] == [(0, 1)]
    assert host.ask("SELECT status, ended_at > 0 FROM host.contests") == [(0, True)]


def test_no_statement_is_cut(host: Host) -> None:
    """A limit that is meant for others' questions would end each turn at its longest one, again and again."""
    host.contest("c1")
    host.deliver("c1", "q1")
    with server_wide(host, "statement_timeout = '1ms'"):
        assert Worker(host.settings, "w1", Meters()).take("c1").sent == 1
        assert host.host("do", "c1", "ledger", "verify") == 0


def test_a_database_that_takes_no_changes(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """A standby answers, or the primary is kept from changes for a while: turns and commands are for later."""
    host.contest("c1")
    host.deliver("c1", "q1")
    worker = Worker(host.settings, "w1", Meters())
    with server_wide(host, "default_transaction_read_only = on"):
        with pytest.raises(NotNow):
            worker.take("c1")
        capsys.readouterr()
        for words in (["pause", "c1"], ["do", "c1", "party", "add", "Bex", "bex@players.test"], ["do", "c1", "poll"]):
            assert host.host(*words) == 75
            assert "takes no changes now" in capsys.readouterr().err
        assert host.host("list") == host.host("do", "c1", "status") == 0
    assert host.smtp.taken == []
    worker.pool.close()
    assert worker.take("c1").sent == 1


@pytest.mark.parametrize("state", ["40001", "40P01"])
@pytest.mark.parametrize("table", ["letters", "outbox", "host.contests"])
def test_a_transaction_that_the_server_takes_back(host: Host, table: str, state: str) -> None:
    """Deadlocks and what can't be put in a row: the turn is tried again, whatever it was at, and all is done once."""
    host.contest("c1")
    host.deliver("c1", "q1")
    host.ask(f"""CREATE FUNCTION pick() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN RAISE EXCEPTION 'taken back' USING ERRCODE = '{state}'; END $$;
             CREATE TRIGGER pick BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION pick()""")
    worker = Worker(host.settings, "w1", Meters())
    with pytest.raises(NotNow):
        worker.take("c1")
    host.ask(f"DROP TRIGGER pick ON {table}")
    until("the turn to be done", lambda: worker.take("c1").idle)
    assert host.host("do", "c1", "ledger", "verify") == 0
    assert host.ask("SELECT count(*) FROM letters") == [(1,)]
    assert len(host.smtp.taken) == 1


@pytest.mark.parametrize("of", ["ROLE", "DATABASE"])
def test_all_places_are_taken(host: Host, of: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The server lets no more sessions in for now: that isn't a matter of who may, and the command is for later."""
    role, url = f"crowd_{os.getpid()}", make_url(host.url)
    host.postgres.run(f"CREATE ROLE {role} LOGIN")
    host.postgres.run(f"ALTER {of} {role if of == 'ROLE' else url.database} CONNECTION LIMIT 0")
    host.url = url.set(username=role).render_as_string(hide_password=False)
    host.configure()
    try:
        for words in (["list"], ["worker"], ["do", "c1", "status"]):
            capsys.readouterr()
            assert host.host(*words) == 75
            assert "too many connections" in (said := capsys.readouterr().err)
            assert "the next run tries again" in said
    finally:
        host.url = url.render_as_string(hide_password=False)
        host.postgres.run(f"DROP ROLE {role}")


def test_a_session_that_is_gone_is_told_once(host: Host, caplog: pytest.LogCaptureFixture) -> None:
    """The server ends all at once, as when its disk is full: the run tells it, psycopg adds nothing to cron's mail."""
    settings = settings_in(host.settings, host.contest("c1"), "nomicwolf_t_murphy")

    def away() -> None:
        with turn(settings):
            host.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'"
                     " AND datname = current_database()")
            raise Busy("as the ledger's session says")

    with pytest.raises(Busy):
        away()
    assert caplog.records == []


@pytest.mark.parametrize(("said", "kind"), [
    ("failed to resolve host 'db.test': [Errno -3] Temporary failure in name resolution", Busy),
    ("failed to resolve host 'db.test': [Errno -2] Name or service not known", LedgerError),
    ("consuming input failed: SSL SYSCALL error: EOF detected", Busy),
    ("consuming input failed: could not receive data from server: Connection timed out", Busy),
])
def test_what_passes_by_itself(said: str, kind: type[LedgerError]) -> None:
    """Of a server that no longer receives, the kernel says that the connection timed out (tcp_user_timeout).

    A name that nobody knows is a matter of the settings.
    """
    assert type(translated(psycopg.OperationalError(said))) is kind


def test_a_question_that_no_server_takes_ends(host: Host) -> None:
    """Keepalives find out about idle sessions alone; of bytes that stay without receipt the kernel takes care."""
    engine = connect(host.url)
    with begin_session(host.url) as connection, engine.connect() as connected:
        driver = connected.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        for number in (connection.fileno(), driver.fileno()):
            with socket.socket(fileno=number) as there:
                found = there.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
                there.detach()
            assert found == 30_000
    engine.dispose()
