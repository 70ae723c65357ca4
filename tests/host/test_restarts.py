"""PostgreSQL itself is ended and started again in the midst of turns, and has no place left for anyone."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import psycopg
import pytest

from tests.host.hosted import Host, new_host, overlaps, until
from tests.host.test_worker import answers, turns
from tests.servers.here import PATIENCE
from tests.servers.postgres import OwnPostgres, Postgres, own_postgres, plain

CONTESTS = ("c1", "c2")


@pytest.fixture(scope="module")
def server() -> Iterator[OwnPostgres]:
    """Run a server of few places."""
    with own_postgres("max_connections = 20\n") as own:
        yield own


@pytest.fixture(scope="module")
def databases(server: OwnPostgres) -> Postgres:
    """Return the server as what makes databases."""
    return Postgres(server.url)


@pytest.fixture
def host(databases: Postgres, tmp_path: Path) -> Iterator[Host]:
    """Give a host on that server, which has contests and a worker that was at each of them."""
    with new_host(databases, tmp_path / "host") as made:
        made.configure(at_once=2)
        for name in CONTESTS:
            made.contest(name)
        made.start("w1")
        until("turns", lambda: turns(made, "w1") >= len(CONTESTS), lambda: made.log_file("w1").read_text()[-2000:])
        yield made


def whole(host: Host) -> None:
    """The worker is the same one as ever, no two were at one contest, and each ledger is whole."""
    assert host.running[0].poll() is None
    host.stop()
    assert overlaps(host.log()) == []
    for name in CONTESTS:
        assert host.host("do", name, "ledger", "verify") == 0


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGQUIT])
def test_a_server_that_is_started_again_while_letters_are_sent(
    host: Host, server: OwnPostgres, by: signal.Signals
) -> None:
    """The worker goes on where it was; what was just being sent is doubted, and goes twice at most."""
    before = answers(host)
    host.smtp.go.clear()
    for name in CONTESTS:
        host.deliver(name, "q1")
    until("letters to be on their way", lambda: host.ask("SELECT 1 FROM outbox WHERE state = 'sending' OFFSET 1"))
    assert host.smtp.whole.wait(PATIENCE)
    doing = host.ask("SELECT message_id FROM outbox WHERE state = 'sending'")
    server.end(by)
    host.smtp.go.set()
    server.start()
    until("all answers", lambda: answers(host) == before + len(CONTESTS),
          lambda: [*host.standing(), host.log_file("w1").read_text()[-2000:]])
    went = Counter(data.partition(b"Message-ID: ")[2].partition(b"\r\n")[0].decode() for _, data in host.smtp.taken)
    assert {message_id for message_id, times in went.items() if times > 1} <= {row[0] for row in doing}
    assert set(went.values()) <= {1, 2}
    assert host.ask("SELECT count(*) FROM outbox WHERE state <> 'sent'") == [(0,)]
    whole(host)


def test_no_place_is_left(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """Others have taken each session that the worker lost: it waits, a second one and commands are for later (75)."""
    before = answers(host)
    ours = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> {}"
    with ExitStack() as crowd:
        first = crowd.enter_context(psycopg.connect(plain(host.url), autocommit=True))
        keep = first.info.backend_pid
        for name in CONTESTS:
            host.deliver(name, "q1")

        def taken() -> bool:
            first.execute(ours.format(keep))
            with suppress(psycopg.OperationalError):
                while True:
                    crowd.enter_context(psycopg.connect(plain(host.postgres.url)))
            return not first.execute(
                "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> %s", (keep,)).fetchall()

        until("the worker to have no session", taken)
        until("it to say so", lambda: any(line["level"] != "info" for line in host.log("w1")))
        assert host.start("w2").wait(PATIENCE) == 75
        for words in (["list"], ["metrics"], ["do", "c1", "status"]):
            capsys.readouterr()
            assert host.host(*words) == 75
            assert "too many clients" in capsys.readouterr().err
    until("all answers", lambda: answers(host) == before + len(CONTESTS), host.standing)
    assert len(host.smtp.taken) == len(CONTESTS)
    whole(host)
