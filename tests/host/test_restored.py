"""A database brought back from a dump, clocks that are set, and poolers, which are refused."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from psycopg import sql
from sqlalchemy import make_url

from nomicwolf.cli.app import run
from nomicwolf.maillist import distributed
from tests.host.hosted import Host, until
from tests.run.world import FORUMS, letter
from tests.servers.here import PATIENCE, program
from tests.servers.pooler import KINDS, Kind, pooled

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
