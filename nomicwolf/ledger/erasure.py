"""Rows rewritten to erase something from the ledger.

A rewritten entry no longer leads to its head. The `Erased` entry after it excuses that: it is part of the chain, and
its seal binds the new lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol, TypeAlias

from sqlalchemy import Connection, Engine, Row, Table, and_, bindparam, select, update

from nomicwolf.ledger.database import file_of, translating
from nomicwolf.ledger.encryption import without_triggers
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.records import read_entry, read_value, write_value
from nomicwolf.ledger.tables import CONTESTS, ENTRIES, HAPPENINGS, LETTERS, ORIGINALS, OUTBOX, SETUPS
from nomicwolf.ledger.transaction import Step, write_steps
from nomicwolf.ledger.verify import problems_of, seal_of
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.nomic.events import Erased, Erasures, spans
from nomicwolf.village.events import Entry

ERASURE_SOURCE = "erasing"
"""The source whose mark records that the file may still hold old bytes; validity 1 for those of a person."""
_BATCH = 500
_Changes: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class KeptRow:
    """The parts of a received letter that an erasure may change."""

    letter: Letter
    message_id: str
    author: str
    why: str
    data: bytes


class Change(Protocol):
    """How an erasure changes each thing in the ledger; results equal to the original are left alone."""

    def entry(self, line: str) -> str:
        """Return an entry's line of JSON."""

    def came(self, number: int, row: KeptRow) -> KeptRow:
        """Return a received letter."""

    def owed(self, number: int, letter: Outgoing, data: bytes | None, message_id: str) -> tuple[Outgoing, bytes | None]:
        """Return an owed letter, and its bytes."""

    def order(self, text: str) -> str:
        """Return a command or circumstances (JSON)."""

    def error(self, text: str) -> str:
        """Return what a server said about a letter."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """How much was rewritten."""

    entries: int
    letters: int
    owed: int


def rewrite(
    engine: Engine, contest: str, who: str, change: Change, now: int, alarm: int | None,
    prove: Callable[[Iterable[Entry]], None],
) -> Rewritten:
    """Rewrite a contest's rows in one transaction, with the entry that records it, and mark the erasure.

    *prove* raises if the new record is impossible. `LedgerError`, with nothing changed, if the ledger has faults before
    or would have them afterwards.
    """
    tables = [ENTRIES, ORIGINALS, LETTERS, OUTBOX, SETUPS, HAPPENINGS]
    with translating(), engine.begin() as connection:
        _demand_whole(connection, contest, "the ledger isn't whole, and nothing was erased")
        before = Erasures.of(_entries(connection, contest))
        with without_triggers(connection, tables):
            entries = _rewrite_entries(connection, contest, change)
            letters = _rewrite_letters(connection, contest, change)
            owed = _rewrite_outbox(connection, contest, change)
            _rewrite_happenings(connection, contest, change)
        if not who and not entries and not letters and not owed:
            return Rewritten(0, 0, 0)
        last = connection.execute(select(CONTESTS.c.last).where(CONTESTS.c.contest == contest)).scalar_one()
        event = Erased(who, spans(entries), spans(letters), spans(owed),
                       seal_of(_lines(connection, contest, {*entries, *before.entries})))
        write_steps(connection, contest, [Step(
            last, (Entry(last + 1, now, event, (), "command"),), (), (), (ERASURE_SOURCE, int(bool(who)), now), now,
            alarm, ())])
        prove(_entries(connection, contest))
        _demand_whole(connection, contest, "it can't be erased whole, and nothing was changed")
    return Rewritten(len(entries), len(letters), len(owed))


def sweep_files(engine: Engine, url: str) -> bool:
    """Remove old bytes from the ledger's file and those beside it; return whether that was possible.

    Another process that is reading the ledger prevents it. A server has its own VACUUM.
    """
    if file_of(url) is None:
        return True
    with translating(), engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("VACUUM")
        busy, *_ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
    return not busy


def _demand_whole(connection: Connection, contest: str, what: str) -> None:
    if problems := problems_of(connection, contest):
        raise LedgerError("\n".join((f"{what}:", *problems)))


def _entries(connection: Connection, contest: str) -> Iterator[Entry]:
    for row in _batches(connection, contest, ENTRIES):
        yield read_entry(row.data)


def _lines(connection: Connection, contest: str, numbers: set[int]) -> Iterator[tuple[int, str, str]]:
    for row in _batches(connection, contest, ENTRIES):
        if row.number in numbers:
            yield row.number, row.head, row.data


def _batches(connection: Connection, contest: str, table: Table) -> Iterator[Row[Any]]:
    """Yield a contest's rows by number in batches, so that each can be changed before the next is read."""
    after, wanted = 0, select(table).where(
        table.c.contest == contest, table.c.number > bindparam("after")).order_by(table.c.number).limit(_BATCH)
    while rows := connection.execute(wanted, {"after": after}).all():
        yield from rows
        after = rows[-1].number


def _set(connection: Connection, table: Table, contest: str, number: int, changes: Mapping[str, Any]) -> None:
    connection.execute(
        update(table).where(table.c.contest == contest, table.c.number == number).values(**changes))


def _rewrite_entries(connection: Connection, contest: str, change: Change) -> list[int]:
    found = []
    for row in _batches(connection, contest, ENTRIES):
        line = change.entry(row.data)
        if line != row.data:
            _set(connection, ENTRIES, contest, row.number, {"data": line})
            found.append(row.number)
    return found


def _rewrite_letters(connection: Connection, contest: str, change: Change) -> list[int]:
    """Rewrite letters with their bytes; all letters with the same bytes count as rewritten."""
    touched, emptied = set[int](), set[str]()
    for row in _batches(connection, contest, LETTERS):
        place = and_(ORIGINALS.c.contest == contest, ORIGINALS.c.content == row.content)
        data = connection.execute(select(ORIGINALS.c.data).where(place)).scalar_one()
        was = KeptRow(read_value(Letter, row.letter), row.message_id, row.author, row.why, data)
        new = change.came(row.number, was)
        if new == was and row.content not in emptied:
            continue
        touched.add(row.number)
        _set(connection, LETTERS, contest, row.number, {
            "letter": write_value(new.letter), "message_id": new.message_id, "author": new.author, "why": new.why})
        if new.data != data:
            connection.execute(update(ORIGINALS).where(place).values(data=new.data))
            emptied.add(row.content)
    if emptied:
        same = select(LETTERS.c.number, LETTERS.c.content).where(LETTERS.c.contest == contest)
        touched.update(row.number for row in connection.execute(same) if row.content in emptied)
    return sorted(touched)


def _rewrite_outbox(connection: Connection, contest: str, change: Change) -> list[int]:
    found = []
    for row in _batches(connection, contest, OUTBOX):
        was: Outgoing = read_value(Outgoing, row.letter)
        letter, data = change.owed(row.number, was, row.data, row.message_id)
        changes: _Changes = {}
        if (letter, data) != (was, row.data):
            changes = {"letter": write_value(letter), "key": letter.key, "data": data}
            if letter.to != was.to and row.state in ("queued", "unknown", "sending"):
                changes |= {"state": "failed"}
        if (error := change.error(row.error)) != row.error:
            changes["error"] = error
        if changes:
            _set(connection, OUTBOX, contest, row.number, changes)
            found.append(row.number)
    return found


def _rewrite_happenings(connection: Connection, contest: str, change: Change) -> None:
    """Rewrite commands and circumstances; the latter are stored under their digest, which changes too."""
    for row in connection.execute(select(SETUPS).where(SETUPS.c.contest == contest)).all():
        data = change.order(row.data)
        if data == row.data:
            continue
        digest, of = sha256(data.encode()).hexdigest(), SETUPS.c.contest == contest
        if connection.execute(select(SETUPS.c.digest).where(of, SETUPS.c.digest == digest)).first() is None:
            connection.execute(SETUPS.insert().values(contest=contest, digest=digest, data=data))
        connection.execute(update(HAPPENINGS).where(
            HAPPENINGS.c.contest == contest, HAPPENINGS.c.setup == row.digest).values(setup=digest))
        connection.execute(SETUPS.delete().where(of, SETUPS.c.digest == row.digest))
    for row in _batches(connection, contest, HAPPENINGS):
        if row.kind != "letter" and (data := change.order(row.data)) != row.data:
            _set(connection, HAPPENINGS, contest, row.number, {"data": data})
