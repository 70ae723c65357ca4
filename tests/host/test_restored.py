"""A host's database that is brought back from a dump: what came since is heard again, and told nobody twice."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from psycopg import sql
from sqlalchemy import make_url

from nomicwolf.maillist import distributed
from tests.host.hosted import Host, until
from tests.run.world import FORUMS, letter
from tests.servers.here import PATIENCE, program

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
