"""What a poll asks of its database is found by an index, however many letters and entries there are."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Engine, event

from nomicwolf.ledger import idle_check
from tests.run.world import BEGIN, letter, running_world

WHOLE = re.compile(r"(SCAN|SEARCH) (?!contests|marks|alembic_version|earlier|latest|m |c )\w+\b"
                   r"(?! USING [\w ]+ \(contest=\? AND)")
"""How SQLite's plan says that it goes through a table, or through all of a contest in it.

Of happenings *earlier* than a letter was owed, or that ended a run, it looks for the *latest* alone, from the last one
back.
"""
MEANT = re.compile(r"SELECT max\(|.*GROUP BY letters.bucket", re.DOTALL)
"""The sums at a poll's end look at each letter, in an index that has nothing else; a greatest number is the last."""


@contextmanager
def asked() -> Iterator[dict[str, object]]:
    """Yield what is asked of databases meanwhile, with the values of one question of each kind."""
    found: dict[str, object] = {}

    def note(_connection: object, _cursor: object, statement: str, values: object, *_rest: object) -> None:
        found[statement] = values

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def plans(file: Path, asked_: dict[str, object]) -> dict[str, str]:
    """Return the steps of SQLite's plan for each question, without statistics of what is in the tables."""
    with closing(sqlite3.connect(file)) as database:
        return {
            text: "; ".join(row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {text}", values))  # type: ignore[arg-type]
            for text, values in asked_.items() if re.match(r"SELECT|UPDATE", text) and not isinstance(values, list)}


def test_no_poll_goes_through_what_grows(tmp_path: Path) -> None:
    """A vote, a question, a copy, an echo, letters sent: each question of such polls names its rows.

    There are no backups here: the one before a phase reads the whole ledger, to prove that it is whole.
    """
    with asked() as found, running_world(tmp_path) as world:
        world.add("\n[keep]\nbackup_count = 0\n")
        found.clear()
        world.post("v1", "Ash", "I vote for Gus.", BEGIN + 3600)
        world.deliver("again", letter("v1", "Ash", "I vote for Gus.", BEGIN + 3600, "b-business@lists.b.test"),
                      BEGIN + 3660)
        world.deliver("q", letter("q", "Cam", "help\nvotes\nhistory", BEGIN + 3700, "wolf@contest.test"),
                      BEGIN + 3700)
        for who in ("Bex", "Cam", "Dov", "Eli"):
            world.post(f"l-{who}", who, "I vote for Gus.", BEGIN + 4000)
        assert world.poll(BEGIN + 7200).status == 0
        assert world.poll(BEGIN + 90_000).status == 0
        with world.store() as store:
            store.outbox().not_back(BEGIN)
        found[idle_check._SEEN] = (3, "w1")

        seen = plans(world.folder / "contest.db", found)

    assert len(seen) > 20
    wide = {text: plan for text, plan in seen.items() if WHOLE.search(plan) and not MEANT.match(text)}
    assert wide == {}
