"""What spares a run to read the whole record: a snapshot of the contest, and where words stand in the record.

Both are made from the record, and can be at any time; who uses them checks them against it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Any

from sqlalchemy import Engine, PoolProxiedConnection, Select, bindparam, func, insert, select, update
from sqlalchemy.dialects import sqlite
from sqlalchemy.types import TypeEngine

from nomicwolf.ledger.codec import read_entry
from nomicwolf.ledger.engine import let_go, reading, telling
from nomicwolf.ledger.keeping import put_in
from nomicwolf.ledger.records import Snapshot
from nomicwolf.ledger.tables import ENTRIES, FINDS, HAPPENINGS, SNAPSHOTS
from nomicwolf.village.events import Entry

_ASKED = 500
"""How many marks are asked for at once."""
_WRITTEN = 500
"""How many finds are written at once: each is a row of its own in memory, several times as large as in the ledger."""
_FOUND = select(FINDS.c.number).where(
    FINDS.c.contest == bindparam("of"), FINDS.c.mark == bindparam("mark")).order_by(FINDS.c.number)
_THERE = select(FINDS.c.mark, FINDS.c.number).where(
    FINDS.c.contest == bindparam("of"), FINDS.c.mark.in_(bindparam("marks", expanding=True)),
    FINDS.c.number.between(bindparam("first"), bindparam("last")))
_HEAD = select(ENTRIES.c.head).where(
    ENTRIES.c.contest == bindparam("of"), ENTRIES.c.number == bindparam("number"))
_ENDS = select(
    select(func.count()).where(HAPPENINGS.c.contest == bindparam("of")).scalar_subquery(),
    select(func.max(ENTRIES.c.number)).where(ENTRIES.c.contest == bindparam("of")).scalar_subquery())
_PAGE = select(ENTRIES.c.data).where(
    ENTRIES.c.contest == bindparam("of"), ENTRIES.c.number.between(bindparam("first"), bindparam("last"))
).order_by(ENTRIES.c.number)


@cache
def _in_file(wanted: Select[Any]) -> tuple[str, Sequence[str], TypeEngine[Any]]:
    """Return what is *wanted* as SQLite is asked, the names of its values in their order, and what comes of it."""
    made = wanted.compile(dialect=sqlite.dialect())
    return str(made), made.positiontup or (), wanted.selected_columns[0].type


class Shortcuts:
    """One contest's snapshot and finds; *reader* is a connection that takes no lock of a writer's, *engine* writes."""

    def __init__(self, engine: Engine, reader: Engine, contest: str) -> None:
        self._engine = engine
        self._reader = reader
        self._questions = reading(reader)
        self._line: PoolProxiedConnection | None = None
        self.contest = contest

    def close(self) -> None:
        """Let go of the readers' connections."""
        if self._line is not None:
            self._line.close()
            self._line = None
        let_go(self._reader)

    def snapshot(self) -> Snapshot | None:
        """Return the snapshot; None where there is none, or where its head is not the one that the record has there."""
        with telling(), self._questions.connect() as connection:
            row = connection.execute(select(SNAPSHOTS).where(SNAPSHOTS.c.contest == self.contest)).first()
            if row is None:
                return None
            head = connection.execute(_HEAD, {"of": self.contest, "number": row.last}).scalar()
        return Snapshot(row.last, row.head, row.found, row.key, row.data) if head == row.head else None

    def forget(self) -> None:
        """Let there be no snapshot, and find out anew where words stand; what is found already may stay."""
        gone = update(SNAPSHOTS).where(SNAPSHOTS.c.contest == self.contest).values(last=0, head="", found=0, data=b"")
        with telling(), self._engine.begin() as connection:
            connection.execute(gone)

    def head_at(self, number: int) -> str:
        """Return the chain's head after entry *number*, '' if there is no such entry."""
        with telling(), self._questions.connect() as connection:
            return connection.execute(_HEAD, {"of": self.contest, "number": number}).scalar() or ""

    def ends(self) -> tuple[int, int]:
        """Return how many happenings there are, and the number of the last entry, both as of one instant."""
        with telling(), self._questions.connect() as connection:
            happened, last = connection.execute(_ENDS, {"of": self.contest}).one()
        return happened, last or 0

    def found(self, mark: str) -> tuple[int, ...]:
        """Return the numbers of the entries under a mark, in order."""
        return tuple(self._asked(_FOUND, {"of": self.contest, "mark": mark}))

    def there(self, marks: Iterable[str], first: int, last: int) -> set[tuple[str, int]]:
        """Return which of *marks* have which of the numbers *first* to *last*: (mark, number)."""
        asked, found = [*marks], set[tuple[str, int]]()
        with telling(), self._questions.connect() as connection:
            for start in range(0, len(asked), _ASKED):
                some = {"of": self.contest, "marks": asked[start:start + _ASKED], "first": first, "last": last}
                found.update((mark, number) for mark, number in connection.execute(_THERE, some))
        return found

    def entries(self, first: int, last: int) -> list[Entry]:
        """Return the entries of the numbers *first* to *last*; `Garbled` at one that can't be read."""
        return [*map(read_entry, self._asked(_PAGE, {"of": self.contest, "first": first, "last": last}))]

    def _asked(self, wanted: Select[Any], values: dict[str, str | int]) -> Sequence[Any]:
        """Return the one column of what is *wanted*.

        It is asked for each letter: a file is asked past SQLAlchemy, in a tenth of the time.
        """
        if self._reader.dialect.name == "sqlite":
            with suppress(sqlite3.Error):  # the question below says what is wrong
                return self._asked_of_file(wanted, values)
        with telling(), self._questions.connect() as connection:
            return connection.execute(wanted, values).scalars().all()

    def _asked_of_file(self, wanted: Select[Any], values: dict[str, str | int]) -> Sequence[Any]:
        if self._line is None:
            self._line = self._reader.raw_connection()
        file: sqlite3.Connection = self._line.driver_connection  # type: ignore[assignment]
        text, names, kind = _in_file(wanted)
        read = kind.result_processor(self._reader.dialect, None)
        rows = file.execute(text, [values[name] for name in names])
        return [read(value) if read else value for value, in rows]

    def keep(self, snapshot: Snapshot, finds: Iterable[tuple[str, int]]) -> None:
        """Put *snapshot* in place of the one before, together with more *finds*: (mark, number)."""
        self._write(finds, {"last": snapshot.last, "head": snapshot.head, "found": snapshot.found,
                            "key": snapshot.key, "data": snapshot.data})

    def add(self, found: int, key: str, finds: Iterable[tuple[str, int]]) -> None:
        """Put in more *finds*, up to entry *found*, that were made with the key of that name; the snapshot stays."""
        self._write(finds, {"found": found, "key": key})

    def found_upto(self, key: str) -> int:
        """Return the number of the last entry of which finds by the key of that name are in the ledger, 0 for none."""
        there = SNAPSHOTS.c
        wanted = select(there.last, there.head, there.found, there.key).where(there.contest == self.contest)
        with telling(), self._questions.connect() as connection:
            row = connection.execute(wanted).first()
        if row is None or row.key != key or (row.last and self.head_at(row.last) != row.head):
            return 0
        return int(row.found)

    def _write(self, finds: Iterable[tuple[str, int]], told: dict[str, Any]) -> None:
        """Put in *finds*, and what is *told* of them or of a snapshot."""
        with telling(), self._engine.begin() as connection:
            rest = iter(finds)
            while rows := [{"contest": self.contest, "mark": m, "number": n} for m, n in islice(rest, _WRITTEN)]:
                put_in(connection, FINDS, rows)
            there = update(SNAPSHOTS).where(SNAPSHOTS.c.contest == self.contest)
            if not connection.execute(there.values(**told)).rowcount:
                none = {"last": 0, "head": "", "data": b""}
                connection.execute(insert(SNAPSHOTS).values(contest=self.contest, **{**none, **told}))
