"""What a power cut could take: each commit waits for the disk, and a new file's folder is synced."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from nomicwolf.ledger.database import connect, copy_file
from nomicwolf.ledger.store import Store


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
