"""What a power cut could take from a ledger's file, and that a byte of it that changes is found."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nomicwolf.contest  # noqa: F401 - declares every kind of event
from nomicwolf.ledger.database import connect, copy_file
from nomicwolf.ledger.encryption import make_key
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.idle_check import glance
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.tables import contest_tables
from tests.run.world import BEGIN, new_world, started


def test_each_commit_waits_for_the_disk(tmp_path: Path) -> None:
    """WAL with ``synchronous=FULL`` (2): with NORMAL the last commits may be lost (SQLite, PRAGMA synchronous)."""
    url = f"sqlite:///{tmp_path}/contest.db"
    Store.create(url, "w1").close()
    engine = connect(url)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    engine.dispose()


def test_a_copy_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Backups and upgrades: SQLite syncs the copy's bytes itself, the folder's new name is synced by us (fsync(2))."""
    Store.create(f"sqlite:///{tmp_path}/contest.db", "w1").close()
    synced: list[bool] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        synced.append(stat.S_ISDIR(os.fstat(handle).st_mode))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    copy_file(tmp_path / "contest.db", tmp_path / "copy.db")

    assert synced == [True]
    with closing(sqlite3.connect(tmp_path / "copy.db")) as plain:
        assert plain.execute("PRAGMA synchronous").fetchone() == (2,)


EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "60"))
KEY = make_key()
OPEN = {
    "contests": {"alarm", "polled_at"}, "marks": {"source", "validity", "last"},
    "outbox": {"state", "message_id", "tries", "doubtful", "changed_at", "error"},
    "happenings": {"now", "kind", "base", "last", "owed", "setup"},
    "letters": {"mailbox_order", "size", "truncated", "heard_at", "place", "bucket", "why"},
}
"""What the chain doesn't bind: how far was read, what was tried to be sent, where a letter lay."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sealed ledger of a contest that has begun."""
    folder = tmp_path_factory.mktemp("flips")
    with new_world(folder) as world:
        (folder / "ledger.key").write_text(KEY)
        with (folder / "contest.toml").open("a", encoding="utf-8") as file:
            file.write('[ledger]\nkey_file = "ledger.key"\n')
        started(world)
        world.post("v1", "Ash", "I vote for Gus.", BEGIN + 60)
        world.poll(BEGIN + 86_400)
    Store.open(f"sqlite:///{folder}/contest.db", "w1", keys=KEY).close()
    with closing(sqlite3.connect(folder / "contest.db")) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        raw.execute("PRAGMA journal_mode=DELETE")
    return folder / "contest.db"


def told(file: Path) -> list[list[tuple[object, ...]]]:
    """What stands in the ledger's tables, as it lies there, but for what nothing binds."""
    with closing(sqlite3.connect(file)) as raw:
        raw.text_factory = bytes
        return [sorted(raw.execute(f'SELECT {names(table.name)} FROM "{table.name}"').fetchall(), key=repr)
                for table in contest_tables() if names(table.name)]


def names(table: str) -> str:
    """The columns of a table that are bound."""
    found = next(t for t in contest_tables() if t.name == table).columns
    return ", ".join(f'"{c.name}"' for c in found if c.name not in OPEN.get(table, ()))


@pytest.mark.slow
@settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_flipped_byte_is_found_or_tells_nothing_else(whole: Path, tmp_path: Path, data: st.DataObject) -> None:
    """Anywhere in the file: sealed values, hashes, numbers, pages, the schema."""
    file = tmp_path / "flipped.db"
    shutil.copy(whole, file)
    bytes_ = bytearray(file.read_bytes())
    place = data.draw(st.integers(0, len(bytes_) - 1))
    bytes_[place] ^= data.draw(st.integers(1, 255))
    file.write_bytes(bytes_)
    try:
        with Store.open(f"sqlite:///{file}", "w1", keys=KEY) as store:
            problems = store.verify()
    except LedgerError as error:
        problems = [str(error)]
    assert problems or told(file) == told(whole)


@pytest.mark.slow
@pytest.mark.parametrize("what", [b"CREATE TABLE letters", b"ix_letters_contest_place"])
def test_a_name_in_the_schema_that_is_no_text_is_told(whole: Path, tmp_path: Path, what: bytes) -> None:
    """SQLite quotes what it can't read, as the bytes it is; that is said in a line, too."""
    file = tmp_path / "flipped.db"
    file.write_bytes(whole.read_bytes().replace(what, what[:2] + b"\xe9" + what[3:], 1))
    with pytest.raises(LedgerError, match=r"malformed database schema.*restore a backup"):
        Store.open(f"sqlite:///{file}", "w1", keys=KEY)
    assert glance(f"sqlite:///{file}", "w1", 0) is None
