"""The ledger's write transaction.

It runs for every few letters, so its statements are compiled once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Dialect, Insert, Table, bindparam, func, insert, select, update

from nomicwolf.ledger.codec import next_head, write_entry, write_value
from nomicwolf.ledger.encryption import sealed_columns
from nomicwolf.ledger.errors import Conflict
from nomicwolf.ledger.records import Happened, HeardLetter, Mark, Ruling
from nomicwolf.ledger.tables import (
    BUCKETS,
    CONTESTS,
    ENTRIES,
    HAPPENINGS,
    LETTERS,
    MARKS,
    ORIGINALS,
    OUTBOX,
    SETUPS,
)
from nomicwolf.letters.letter import Outgoing
from nomicwolf.village.events import Entry

_CONTEST = select(
    CONTESTS.c.last, CONTESTS.c.head, CONTESTS.c.received, CONTESTS.c.owed, CONTESTS.c.polled_at).where(
    CONTESTS.c.contest == bindparam("of")).with_for_update()
_CHANGED = update(CONTESTS).where(CONTESTS.c.contest == bindparam("of"))
_SETUP = select(SETUPS.c.digest).where(SETUPS.c.contest == bindparam("of"), SETUPS.c.digest == bindparam("digest"))
_MARKED = update(MARKS).where(MARKS.c.contest == bindparam("of"), MARKS.c.source == bindparam("named"))
_HAPPENED = select(func.max(HAPPENINGS.c.number)).where(HAPPENINGS.c.contest == bindparam("of"))


@dataclass(frozen=True, slots=True)
class Step:
    """What one happening adds to the ledger; see `Store.append`."""

    base: int
    entries: tuple[Entry, ...]
    heard: tuple[HeardLetter, ...]
    owed: tuple[Outgoing, ...]
    mark: Mark | None
    now: int
    alarm: int | None
    ruled: tuple[Ruling, ...]
    happened: Happened | None = None


def write_steps(connection: Connection, contest: str, steps: Sequence[Step]) -> None:
    """Write steps in order within the connection's transaction, all rows of a table at once.

    `Conflict` if the record has moved on since they were made.
    """
    draft = _Draft(contest, *connection.execute(_CONTEST, {"of": contest}).one())
    for step in steps:
        draft.add(step)
    insert_rows(connection, ENTRIES, draft.entries)
    insert_rows(connection, ORIGINALS, [
        {"contest": contest, "content": content, "data": data} for content, data in draft.originals.items()])
    insert_rows(connection, LETTERS, draft.letters)
    _ruled(connection, contest, [ruled for step in steps for ruled in step.ruled])
    insert_rows(connection, OUTBOX, draft.outbox)
    for source, validity, last in {step.mark[0]: step.mark for step in steps if step.mark}.values():
        _mark(connection, contest, source, {"validity": validity, "last": last})
    connection.execute(_CHANGED, {
        "of": contest, "last": draft.last, "head": draft.head, "received": draft.received, "owed": draft.owed,
        "alarm": steps[-1].alarm, "polled_at": draft.polled_at})
    if draft.happenings:
        _happenings(connection, contest, draft)


class _Draft:
    """The rows of a transaction by table, and the contest's row after them."""

    def __init__(self, contest: str, last: int, head: str, received: int, owed: int, polled_at: int) -> None:
        self.contest = contest
        self.last = last
        self.head = head
        self.received = received
        self.owed = owed
        self.polled_at = polled_at
        self.entries: list[dict[str, Any]] = []
        self.originals: dict[str, bytes] = {}
        self.letters: list[dict[str, Any]] = []
        self.outbox: list[dict[str, Any]] = []
        self.happenings: list[dict[str, Any]] = []
        self.setups: dict[str, str] = {}

    def add(self, step: Step) -> None:
        """Add a step; `Conflict` unless it builds on the last entry."""
        if self.last != step.base:
            raise Conflict(f"entry {step.base} was the last one when this was made, and now {self.last} is")
        self.polled_at = max(self.polled_at, step.now)
        for entry in step.entries:
            self._entry(entry)
        for heard in step.heard:
            self._letter(heard, step.now)
        for letter in step.owed:
            self._owed(letter, step.now)
        if step.happened is not None:
            self._happened(step, step.happened)

    def _entry(self, entry: Entry) -> None:
        self.last += 1
        if entry.number != self.last:
            raise ValueError(f"entry {entry.number} where {self.last} must follow: the record has no gaps")
        line = write_entry(entry)
        self.head = next_head(self.head, line)
        self.entries.append({"contest": self.contest, "number": self.last, "at": entry.at, "kind": entry.event.name,
                             "data": line, "head": self.head})

    def _letter(self, heard: HeardLetter, now: int) -> None:
        if heard.bucket not in BUCKETS:
            raise ValueError(f"{heard.bucket!r} is no bucket; there are {', '.join(BUCKETS)}")
        self.received += 1
        raw, content = heard.raw, sha256(heard.raw.data).hexdigest()
        self.originals[content] = raw.data
        self.letters.append({
            "contest": self.contest, "number": self.received, "place": storable(raw.place), "mailbox_order": raw.order,
            "arrived": raw.arrived, "size": raw.size, "truncated": int(raw.truncated), "content": content,
            "entry": heard.entry, "message_id": storable(heard.letter.message_id),
            "digest": storable(heard.letter.digest), "letter": write_value(heard.letter), "heard_at": now,
            "bucket": heard.bucket, "author": storable(heard.author), "why": storable(heard.why),
        })

    def _owed(self, letter: Outgoing, now: int) -> None:
        self.owed += 1
        self.outbox.append({
            "contest": self.contest, "number": self.owed, "key": storable(letter.key), "kind": letter.kind,
            "letter": write_value(letter), "state": "queued", "message_id": "", "data": None, "tries": 0,
            "doubtful": 0, "changed_at": now, "error": ""})

    def _happened(self, step: Step, happened: Happened) -> None:
        """Add the happening, a letter by its number and its run's.

        The settings seldom change during a run, and are hashed once.
        """
        digest = self.setups.get(happened.setup)
        if digest is None:
            digest = self.setups[happened.setup] = sha256(happened.setup.encode()).hexdigest()
        data = f"{self.received} {happened.data}".strip() if happened.kind == "letter" else happened.data
        self.happenings.append({
            "contest": self.contest, "kind": happened.kind, "data": data, "setup": digest, "now": step.now,
            "base": step.base, "last": self.last, "owed": self.owed})


def _ruled(connection: Connection, contest: str, ruled: Sequence[Ruling]) -> None:
    for ruling in ruled:
        done = connection.execute(
            update(LETTERS).values(bucket=ruling.bucket, why=storable(ruling.why)).where(
                LETTERS.c.contest == contest, LETTERS.c.entry == ruling.number, LETTERS.c.bucket == ruling.was))
        if done.rowcount != 1:
            raise Conflict(f"letter {ruling.number} is not held any more; `nomicwolf held` lists those that are")


def _mark(connection: Connection, contest: str, source: str, found: dict[str, int]) -> None:
    if not connection.execute(_MARKED, {"of": contest, "named": source, **found}).rowcount:
        insert_rows(connection, MARKS, [{"contest": contest, "source": source, **found}])


def _happenings(connection: Connection, contest: str, draft: _Draft) -> None:
    for setup, digest in draft.setups.items():
        if connection.execute(_SETUP, {"of": contest, "digest": digest}).first() is None:
            insert_rows(connection, SETUPS, [{"contest": contest, "digest": digest, "data": setup}])
    number = connection.execute(_HAPPENED, {"of": contest}).scalar() or 0
    insert_rows(connection, HAPPENINGS, [
        {**row, "number": place} for place, row in enumerate(draft.happenings, number + 1)])


def _unless_there(table: Table, dialect: Dialect) -> Insert:
    """Return the statement that inserts rows into *table* and skips those that are there."""
    if dialect.name == "sqlite":
        from sqlalchemy.dialects import sqlite

        return sqlite.insert(table).on_conflict_do_nothing()
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table).on_conflict_do_nothing()


class _Insertion:
    """An insert statement for the database's own driver; SQLAlchemy's takes longer than the insert itself."""

    def __init__(self, table: Table, dialect: Dialect) -> None:
        made = (_unless_there(table, dialect) if table is ORIGINALS else insert(table)).compile(dialect=dialect)
        self.text = str(made)
        self._values = itemgetter(*made.positiontup) if made.positiontup else None
        self._sealed = sealed_columns(table)

    def rows(self, rows: list[dict[str, Any]], dialect: Dialect) -> list[Any]:
        """Return *rows* as the driver takes them, secrets encrypted."""
        for name, kind in self._sealed.items():
            for row in rows:
                row[name] = kind.process_bind_param(row[name], dialect)
        return [*map(self._values, rows)] if self._values else rows


_INSERTIONS: dict[tuple[Table, str], _Insertion] = {}


def insert_rows(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows, whose dictionaries are changed by that; originals that are there already stay."""
    if rows:
        key = table, connection.dialect.name
        if key not in _INSERTIONS:
            _INSERTIONS[key] = _Insertion(table, connection.dialect)
        connection.exec_driver_sql(_INSERTIONS[key].text, _INSERTIONS[key].rows(rows, connection.dialect))


def storable(text: str) -> str:
    r"""Return *text* with the characters that a database may refuse (lone surrogates, NUL) escaped as ``\x00``."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
