"""Ledgers as each released schema left them, for tests of upgrades.

``python -m tests.ledger.old`` makes those that are missing in ``tests/ledger/fixtures``: a contest of today, cut down
to the tables and columns of that revision. Files that are there stay as they are: they are what was released.
"""

from __future__ import annotations

import gzip
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from alembic import command

from nomicwolf.ledger.database import REVISIONS, configuration, connect, make_file, migrating
from tests.run.world import BEGIN, World, letter, running_world

FIXTURES = Path(__file__).parent / "fixtures"
FIRST_OLDEST = "0002"
"""The revision that brought the column which says how old a program may be."""


def contest(folder: Path) -> World:
    """Return a contest in which something of everything happened."""
    with running_world(folder) as world:
        world.post("v1", "Ash", "I vote for Gus.", BEGIN + 3600)
        world.deliver("q", letter("q", "Cam", "help", BEGIN + 3700, "wolf@contest.test"), BEGIN + 3700)
        world.deliver("bad", b"\x00\xff" * 9, BEGIN + 3800)
        world.poll(BEGIN + 7200)
    return world


def cut_down(source: Path, target: Path, revision: str) -> None:
    """Make *target* a ledger of an older *revision*, with what it can hold of *source*."""
    make_file(target)
    engine = connect(f"sqlite:///{target}")
    config = configuration()
    with migrating(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()
    with closing(sqlite3.connect(target)) as new:
        new.execute("ATTACH ? AS whole", (str(source),))
        old, now = ({row[0] for row in new.execute(f"SELECT name FROM {of}.sqlite_master WHERE type = 'table'")}
                    for of in ("main", "whole"))
        for table in sorted((old & now) - {"alembic_version"}):
            columns = ", ".join(row[1] for row in new.execute(f"PRAGMA main.table_info({table})"))
            new.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM whole.{table}")
        if revision >= FIRST_OLDEST:
            new.execute("UPDATE alembic_version SET oldest = ?", (REVISIONS[0],))
        new.commit()
        new.execute("DETACH whole")
        new.execute("PRAGMA journal_mode=DELETE")
        new.execute("VACUUM")


def main() -> None:
    """Make the ledgers that are missing."""
    with tempfile.TemporaryDirectory() as folder:
        world = contest(Path(folder) / "contest")
        with closing(sqlite3.connect(world.folder / "contest.db")) as made:
            made.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for revision in REVISIONS:
            target = FIXTURES / f"schema-{revision}.db.gz"
            if not target.exists():
                cut_down(world.folder / "contest.db", Path(folder) / revision, revision)
                target.write_bytes(gzip.compress((Path(folder) / revision).read_bytes(), mtime=0))
        for name in ("contest.toml", "contest.key"):
            if not (FIXTURES / name).exists():
                shutil.copy(world.folder / name, FIXTURES / name)


if __name__ == "__main__":
    main()
