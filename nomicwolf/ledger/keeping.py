"""What one transaction writes: letters heard, the entries that followed, the letters owed, the mark.

It is written for each few letters, so its statements are made once.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Dialect, Insert, Table, bindparam, func, insert, select, update

from nomicwolf.dataclass import dataclass
from nomicwolf.ledger.chain import next_head
from nomicwolf.ledger.codec import write_entry, write_value
from nomicwolf.ledger.errors import Conflict
from nomicwolf.ledger.records import Happened, HeardLetter, Mark, Ruling
from nomicwolf.ledger.sealing import sealed_columns
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
class Bundle:
    """Everything that belongs together; see `Store.keep`."""

    base: int
    entries: tuple[Entry, ...]
    heard: tuple[HeardLetter, ...]
    owed: tuple[Outgoing, ...]
    mark: Mark | None
    now: int
    alarm: int | None
    ruled: tuple[Ruling, ...]
    happened: Happened | None = None


def keep_bundles(connection: Connection, contest: str, bundles: Sequence[Bundle]) -> None:
    """Write bundles, each behind the one before, in the connection's transaction: a table's rows at once.

    `Conflict` if the record isn't as it was thought to be.
    """
    draft = _Draft(contest, *connection.execute(_CONTEST, {"of": contest}).one())
    for bundle in bundles:
        draft.add(bundle)
    put_in(connection, ENTRIES, draft.entries)
    put_in(connection, ORIGINALS, [{"contest": contest, "content": c, "data": d} for c, d in draft.originals.items()])
    put_in(connection, LETTERS, draft.letters)
    _ruled(connection, contest, [ruled for bundle in bundles for ruled in bundle.ruled])
    put_in(connection, OUTBOX, draft.outbox)
    for source, validity, last in {bundle.mark[0]: bundle.mark for bundle in bundles if bundle.mark}.values():
        _mark(connection, contest, source, {"validity": validity, "last": last})
    connection.execute(_CHANGED, {
        "of": contest, "last": draft.last, "head": draft.head, "received": draft.received, "owed": draft.owed,
        "alarm": bundles[-1].alarm, "polled_at": draft.polled_at})
    if draft.happenings:
        _happenings(connection, contest, draft)


class _Draft:
    """The rows of a transaction, table by table, and how the contest stands after them."""

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

    def add(self, bundle: Bundle) -> None:
        """Take in a bundle, which must have been made right behind the last one."""
        if self.last != bundle.base:
            raise Conflict(f"entry {bundle.base} was the last one when this was made, and now {self.last} is")
        self.polled_at = max(self.polled_at, bundle.now)
        for entry in bundle.entries:
            self._entry(entry)
        for heard in bundle.heard:
            self._letter(heard, bundle.now)
        for letter in bundle.owed:
            self._owed(letter, bundle.now)
        if bundle.happened is not None:
            self._happened(bundle, bundle.happened)

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
            "contest": self.contest, "number": self.received, "place": plain(raw.place), "mailbox_order": raw.order,
            "arrived": raw.arrived, "size": raw.size, "truncated": int(raw.truncated), "content": content,
            "entry": heard.entry, "message_id": plain(heard.letter.message_id), "digest": plain(heard.letter.digest),
            "letter": write_value(heard.letter), "heard_at": now, "bucket": heard.bucket,
            "author": plain(heard.author), "why": plain(heard.why),
        })

    def _owed(self, letter: Outgoing, now: int) -> None:
        self.owed += 1
        self.outbox.append({
            "contest": self.contest, "number": self.owed, "key": plain(letter.key), "kind": letter.kind,
            "letter": write_value(letter), "state": "queued", "message_id": "", "data": None, "tries": 0,
            "doubtful": 0, "changed_at": now, "error": ""})

    def _happened(self, bundle: Bundle, happened: Happened) -> None:
        """Keep what it was, without its number; the circumstances are the same for most of a run, and hashed once."""
        digest = self.setups.get(happened.setup)
        if digest is None:
            digest = self.setups[happened.setup] = sha256(happened.setup.encode()).hexdigest()
        data = str(self.received) if happened.kind == "letter" else happened.data
        self.happenings.append({
            "contest": self.contest, "kind": happened.kind, "data": data, "setup": digest, "now": bundle.now,
            "base": bundle.base, "last": self.last, "owed": self.owed})


def _ruled(connection: Connection, contest: str, ruled: Sequence[Ruling]) -> None:
    for ruling in ruled:
        done = connection.execute(
            update(LETTERS).values(bucket=ruling.bucket, why=plain(ruling.why)).where(
                LETTERS.c.contest == contest, LETTERS.c.entry == ruling.number, LETTERS.c.bucket == ruling.was))
        if done.rowcount != 1:
            raise Conflict(f"letter {ruling.number} is not held any more; `nomicwolf held` lists those that are")


def _mark(connection: Connection, contest: str, source: str, found: dict[str, int]) -> None:
    if not connection.execute(_MARKED, {"of": contest, "named": source, **found}).rowcount:
        put_in(connection, MARKS, [{"contest": contest, "source": source, **found}])


def _happenings(connection: Connection, contest: str, draft: _Draft) -> None:
    for setup, digest in draft.setups.items():
        if connection.execute(_SETUP, {"of": contest, "digest": digest}).first() is None:
            put_in(connection, SETUPS, [{"contest": contest, "digest": digest, "data": setup}])
    number = connection.execute(_HAPPENED, {"of": contest}).scalar() or 0
    put_in(connection, HAPPENINGS, [
        {**row, "number": place} for place, row in enumerate(draft.happenings, number + 1)])


def _unless_there(table: Table, dialect: Dialect) -> Insert:
    """Return the statement that adds rows to *table*, and leaves those that are there."""
    if dialect.name == "sqlite":
        from sqlalchemy.dialects import sqlite

        return sqlite.insert(table).on_conflict_do_nothing()
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table).on_conflict_do_nothing()


class _Insertion:
    """How rows are put into a table of one kind of database, past SQLAlchemy, which takes longer than that does."""

    def __init__(self, table: Table, dialect: Dialect) -> None:
        made = (_unless_there(table, dialect) if table is ORIGINALS else insert(table)).compile(dialect=dialect)
        self.text = str(made)
        self._values = itemgetter(*made.positiontup) if made.positiontup else None
        self._sealed = sealed_columns(table)

    def rows(self, rows: list[dict[str, Any]], dialect: Dialect) -> list[Any]:
        """Return *rows* as the database's own library takes them, secrets sealed."""
        for name, kind in self._sealed.items():
            for row in rows:
                row[name] = kind.process_bind_param(row[name], dialect)
        return [*map(self._values, rows)] if self._values else rows


_INSERTIONS: dict[tuple[Table, str], _Insertion] = {}


def put_in(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Write rows, which are used up by that; those of `_REPEATED` that are there already stay as they are."""
    if rows:
        key = table, connection.dialect.name
        if key not in _INSERTIONS:
            _INSERTIONS[key] = _Insertion(table, connection.dialect)
        connection.exec_driver_sql(_INSERTIONS[key].text, _INSERTIONS[key].rows(rows, connection.dialect))


def plain(text: str) -> str:
    r"""Return *text* with what a database may refuse (half characters, NUL) written as ``\x00``."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
