"""Ledgers of every released schema: each is brought to the newest, is whole, and the contest goes on from it."""

from __future__ import annotations

import gzip
import hmac
import json
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from alembic import command

from nomicwolf.cli.app import run
from nomicwolf.contest import Contest
from nomicwolf.ledger.database import NEWEST, REVISIONS, configuration, connect, migrating
from nomicwolf.ledger.errors import OldLedger
from nomicwolf.ledger.records import check_entry, first_head, next_head, write_entry
from nomicwolf.ledger.tables import METADATA
from nomicwolf.nomic.events import LetterHeard
from nomicwolf.run.contest_setup import setup_of
from nomicwolf.run.replay import recording_of, replay
from nomicwolf.settings.load import load, secret_of
from tests.ledger.old import FIRST_OLDEST, FIXTURES
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, World, make_settings
from tests.servers.postgres import Postgres, plain


def test_each_released_schema_has_a_ledger() -> None:
    """A new revision comes with ``python -m tests.ledger.old``, which keeps what it leaves."""
    assert sorted(path.name for path in FIXTURES.glob("*.gz")) == [f"schema-{revision}.db.gz" for revision in REVISIONS]


def moved(file: Path, revision: str, url: str) -> None:
    """Make the tables of an older revision in a server's database, and move there what the file has."""
    engine, config = connect(url), configuration()
    with migrating(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()
    with closing(sqlite3.connect(file)) as old, psycopg.connect(plain(url)) as new, new.cursor() as cursor:
        for table in (each.name for each in METADATA.sorted_tables if "contest" in each.columns):
            columns = [row[1] for row in old.execute(f"PRAGMA table_info({table})")]
            if columns:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
                cursor.executemany(
                    f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(['%s'] * len(columns))})",
                    old.execute(f"SELECT * FROM {table}").fetchall())
                cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
        if revision >= FIRST_OLDEST:
            cursor.execute("UPDATE alembic_version SET oldest = %s", (REVISIONS[0],))
    file.unlink()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("revision", REVISIONS)
def test_an_old_ledger_goes_on(revision: str, kind: str, tmp_path: Path, postgres: Postgres) -> None:
    """It is opened only after an upgrade, of which a copy is kept; then it verifies, replays, and hears a vote."""
    script = SmtpScript()
    folder = tmp_path / "contest"
    for part in ("new", "cur", "tmp"):
        (folder / "mail" / part).mkdir(parents=True)
    shutil.copy(FIXTURES / "contest.key", folder / "contest.key")
    (folder / "contest.db").write_bytes(gzip.decompress((FIXTURES / f"schema-{revision}.db.gz").read_bytes()))
    (folder / "contest.db").chmod(0o600)
    (folder / "contest.key").chmod(0o600)
    url = postgres.empty() if kind == "postgresql" else ""
    if url:
        moved(folder / "contest.db", revision, url)
    with smtp_server(script) as port:
        world = World(make_settings(folder, port, url), script)
        if revision != NEWEST:
            with pytest.raises(OldLedger, match="nomicwolf poll"):
                world.store()
        world.post("v2", "Bex", "I vote for Gus.", BEGIN + 8000)

        report = world.poll(BEGIN + 9000)

    assert report.status == 0, report.said
    copy = folder / f"contest.db.schema-{revision}"
    if not url:
        assert copy.exists() == (revision != NEWEST)
        assert stat.S_IMODE((copy if copy.exists() else folder / "contest.db").stat().st_mode) == 0o600
    settings = load(folder, {})
    with world.store() as store:
        assert store.verify() == []
        assert store.check().received == 6
        setup = setup_of(settings, secret_of(settings).encode())
        contest = Contest.of(setup, store.record())
        heard = [e.event for e in contest.entries if isinstance(e.event, LetterHeard)]
        assert [event.author for event in heard if event.bucket == "deeds"] == ["Ash", "Cam", "Bex"]
        done = replay(recording_of(settings, setup, store))
    assert done.given + done.entries >= contest.last
    assert (done.given == 0) == (revision >= "0003")
    if url:
        postgres.drop(url)


def test_a_snapshot_of_an_older_program_is_never_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Snapshots were pickles, which name what is to be run; no command looks at one, and a poll drops the table."""
    folder, ran = tmp_path / "contest", tmp_path / "ran"
    for part in ("new", "cur", "tmp"):
        (folder / "mail" / part).mkdir(parents=True)
    shutil.copy(FIXTURES / "contest.key", folder / "contest.key")
    (folder / "contest.key").chmod(0o600)
    (folder / "contest.db").write_bytes(gzip.decompress((FIXTURES / "schema-0005.db.gz").read_bytes()))
    program = f"cnomicwolf.run.ahead\nsubprocess.Popen\n((Vtouch\nV{ran}\nltR.".encode()
    mac = hmac.digest((FIXTURES / "contest.key").read_bytes(), program, "sha256")
    with closing(sqlite3.connect(folder / "contest.db")) as old, old:
        for data in (program, gzip.compress(program), mac + gzip.compress(program)):
            old.execute(
                "INSERT OR REPLACE INTO snapshots SELECT contest, last, head, last, '', ? FROM contests", (data,))
    with smtp_server(SmtpScript()) as port:
        make_settings(folder, port)
        for words in (["status"], ["history"], ["ledger", "verify"], ["poll"], ["status"], ["ledger", "verify"]):
            run(["-C", str(folder), *words])

    assert not ran.exists()
    with closing(sqlite3.connect(folder / "contest.db")) as new:
        tables = {name for (name,) in new.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert tables >= {"entries", "letters", "outbox"}
    assert not tables & {"snapshots", "finds"}
    assert "Letters heard: 4 (2 with deeds" in capsys.readouterr().out


@pytest.mark.parametrize("revision", REVISIONS)
def test_each_entry_of_an_older_ledger_is_read_as_it_stands(revision: str, tmp_path: Path) -> None:
    """The chain holds line by line, each is a step of the fold, and is written again as it is but for parts since."""
    file = tmp_path / "old.db"
    file.write_bytes(gzip.decompress((FIXTURES / f"schema-{revision}.db.gz").read_bytes()))
    with closing(sqlite3.connect(file)) as old:
        rows = old.execute("SELECT contest, data, head FROM entries ORDER BY number").fetchall()
    settings = load(FIXTURES, {}, mail=False)
    head, contest = first_head(rows[0][0]), Contest(setup_of(settings, b""))
    for number, (_, line, kept) in enumerate(rows, 1):
        entry = check_entry(line)
        head = next_head(head, line)
        contest.record(entry)
        ((name, was),), now = json.loads(line)["event"].items(), json.loads(write_entry(entry))["event"]
        assert (head, contest.last) == (kept, number)
        assert {part: now[name][part] for part in was} == was
        assert write_entry(entry) == line or now[name].keys() > was.keys()
    assert len(contest.parties["agora"]) == 7
