"""A host's database and clock that stop, start, come back, or are set while workers work."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from nomicwolf.cli.app import run
from nomicwolf.maillist import distributed
from tests.host.hosted import Host, new_host, overlaps, until
from tests.host.test_worker import answers, turns
from tests.run.world import FORUMS, letter
from tests.servers.here import PATIENCE, program
from tests.servers.pooler import KINDS, Kind, pooled
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


VOTERS = ("Ash", "Bex", "Cam", "Dov", "Eli")


def vote(host: Host, who: str) -> None:
    """Let *who* vote for Gus on the forum."""
    at = int(time.time())
    copy = distributed(letter(f"vote-{who}", who, "I vote for Gus.", at), FORUMS["agora"], at)
    file = host.folder / "mail" / "c1" / "tmp" / who
    file.write_bytes(copy)
    file.rename(host.folder / "mail" / "c1" / "new" / who)


def told(host: Host) -> int:
    """Return how many announcements the forum got."""
    return sum(recipient.startswith("agora-business@") for recipient, _ in host.smtp.taken)


def bring_back(host: Host, dump: Path) -> None:
    """Put the dump in the database's place."""
    name = sql.Identifier(str(make_url(host.url).database))
    with host.postgres.session() as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0 OWNER {}").format(
            name, sql.Identifier(str(make_url(host.url).username))))
    subprocess.run([program("psql", "postgresql"), "-q", "-v", "ON_ERROR_STOP=1", "-d",
                    host.postgres.seeing_all(host.url), "-f", dump],
                   check=True, capture_output=True)


def test_no_announcement_is_made_twice(host: Host, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Votes that came since the dump lynch Gus once more; the forum, which has been told, isn't told again.

    Eight have two werewolves, so that no lynching ends the session, which would be told in two letters.
    """
    host.contest("c1", ledger="[switches]\nsettling = 0", player=False)
    for who in (*VOTERS, "Fay", "Gus", "Hal"):
        assert host.host("do", "c1", "party", "add", who, f"{who.lower()}@players.test") == 0
    assert host.host("do", "c1", "start") == 0
    host.smtp.taken.clear()
    dump = tmp_path / "dump.sql"
    subprocess.run([program("pg_dump", "postgresql"), "-f", dump, host.postgres.seeing_all(host.url)], check=True,
                   capture_output=True)
    worker = host.start("w1")
    for who in VOTERS:
        vote(host, who)
    until("the announcement", lambda: told(host))
    until("the turn's end", lambda: host.ask("SELECT 1 FROM host.contests WHERE ended_at >= began_at"))
    worker.terminate()
    assert worker.wait(PATIENCE) == 0
    assert told(host) == 1

    bring_back(host, dump)
    assert host.ask("SELECT count(*) FROM letters") == [(0,)]
    assert host.host("restored") == 0
    host.start("w2")
    until("the votes to be heard again", lambda: host.ask("SELECT 1 FROM letters OFFSET 4"))
    until("all to be looked at", lambda: host.ask("SELECT 1 FROM marks WHERE source = 'restored' AND last = 0"))
    assert told(host) == 1
    assert host.ask("SELECT count(*) FROM outbox WHERE state = 'unknown' AND kind = 'public'") == [(1,)]
    capsys.readouterr()
    assert host.host("do", "c1", "unsent") == 0
    assert "it may have gone out before" in " ".join(capsys.readouterr().out.split())
    assert host.host("do", "c1", "ledger", "verify") == 0


PROGRAM = """
import sys, time
from pathlib import Path
real, leap = time.time, Path(sys.argv[1])
time.time = lambda: real() + (int(leap.read_text()) if leap.exists() else 0)
from nomicwolf.cli.main import main
main(sys.argv[2:])
"""
"""A worker on a machine whose clock is ahead by as many seconds as a file says."""


def ticks(host: Host) -> int:
    """Return the instant of the latest tick that was put into the queue (UTC seconds), 0 if none was yet."""
    found = host.ask("SELECT defer_timestamp FROM procrastinate_periodic_defers ORDER BY id DESC LIMIT 1")
    return int(found[0][0]) if found else 0


@pytest.mark.parametrize("seconds", [-3600, 86_400])
def test_ticks_go_on_when_the_clock_is_set(host: Host, seconds: int) -> None:
    """Set back, the hour isn't waited for until it has passed again; set forward, no tick between is made up for."""
    leap = host.folder / "leap"
    with host.log_file("w1").open("ab") as log:
        worker = subprocess.Popen([sys.executable, "-c", PROGRAM, str(leap), "-C", str(host.folder), "host", "worker"],
                                  stderr=log, stdout=log, cwd=host.folder)
    host.running.append(worker)
    until("a tick", lambda: ticks(host))
    before = ticks(host)
    leap.write_text(str(seconds))
    until("a tick of the new time", lambda: abs(ticks(host) - before - seconds) < 1800, lambda: host.log("w1"))
    assert worker.poll() is None
    assert "the clock was set" in [line["event"] for line in host.log("w1")]
    assert {line["worker"] for line in host.log("w1")} == {f"{socket.gethostname()}-{worker.pid}"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_pooler_is_refused(host: Host, kind: Kind, capsys: pytest.CaptureFixture[str]) -> None:
    """Workers, commands, polls and `check` say so at once, and that waiting doesn't mend it."""
    folder = host.contest("c1")
    host.deliver("c1", "q1")
    toml = folder / "contest.toml"
    with pooled(host.url, kind) as url:
        host.url = url
        host.configure()
        toml.write_text(f'{toml.read_text()}\n[ledger]\nurl = "{url}"\n')
        for words in (["worker"], ["list"], ["do", "c1", "poll"], ["-C", str(folder), "poll"],
                      ["-C", str(folder), "status"], ["-C", str(folder), "check"]):
            capsys.readouterr()
            status = run(words) if words[0] == "-C" else host.host(*words)
            said = capsys.readouterr()
            assert (status, "a pooler such as PgBouncer" in said.err + said.out) == (1, True), (words, said)
    assert host.smtp.taken == []
