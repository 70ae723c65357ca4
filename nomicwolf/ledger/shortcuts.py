"""What spares a run to read the whole record: a snapshot of the contest, and where words stand in the record.

Both are made from the record, and can be at any time; who uses them checks them against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from sqlalchemy import Engine, bindparam, func, insert, select, update

from nomicwolf.ledger.codec import read_entry
from nomicwolf.ledger.engine import reading, telling
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


class Shortcuts:
    """One contest's snapshot and finds; *reader* is a connection that takes no lock of a writer's, *engine* writes."""

    def __init__(self, engine: Engine, reader: Engine, contest: str) -> None:
        self._engine = engine
        self._reader = reader
        self._questions = reading(reader)
        self.contest = contest

    def snapshot(self) -> Snapshot | None:
        """Return the snapshot; None where there is none, or where its head is not the one that the record has there."""
        with telling(), self._questions.connect() as connection:
            row = connection.execute(select(SNAPSHOTS).where(SNAPSHOTS.c.contest == self.contest)).first()
            if row is None:
                return None
            head = connection.execute(_HEAD, {"of": self.contest, "number": row.last}).scalar()
        return Snapshot(row.last, row.head, row.found, row.key, row.data) if head == row.head else None

    def forget(self) -> None:
        """Let there be no snapshot; where words stand stays, as that is looked up again in any case."""
        gone = update(SNAPSHOTS).where(SNAPSHOTS.c.contest == self.contest).values(last=0, head="", data=b"")
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
        with telling(), self._questions.connect() as connection:
            return tuple(connection.execute(_FOUND, {"of": self.contest, "mark": mark}).scalars())

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
        with telling(), self._questions.connect() as connection:
            lines = connection.execute(_PAGE, {"of": self.contest, "first": first, "last": last}).scalars().all()
        return [read_entry(line) for line in lines]

    def since(self, number: int, last: int) -> Iterator[Entry]:
        """Yield the entries behind *number* up to *last*, of which few are in memory at once."""
        for first in range(number + 1, last + 1, _WRITTEN):
            yield from self.entries(first, min(first + _WRITTEN - 1, last))

    def keep(self, snapshot: Snapshot, finds: Iterable[tuple[str, int]]) -> None:
        """Put *snapshot* in place of the one before, together with more *finds*: (mark, number)."""
        row = {"last": snapshot.last, "head": snapshot.head, "found": snapshot.found, "key": snapshot.key,
               "data": snapshot.data}
        with telling(), self._engine.begin() as connection:
            rest = iter(finds)
            while rows := [{"contest": self.contest, "mark": m, "number": n} for m, n in islice(rest, _WRITTEN)]:
                put_in(connection, FINDS, rows)
            there = update(SNAPSHOTS).where(SNAPSHOTS.c.contest == self.contest)
            if not connection.execute(there.values(**row)).rowcount:
                connection.execute(insert(SNAPSHOTS).values(contest=self.contest, **row))
