"""Verification of a ledger, and erasure from it.

Verification checks chain, numbers, forms, bytes, sums, and the file itself.

Erasure rewrites rows. A rewritten entry no longer leads to its head. The `Erased` entry after it excuses that: it is
part of the chain, and its seal binds the new lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine, Executable, Row, Table, and_, bindparam, select, update

from nomicwolf.ledger.database import file_of, translating
from nomicwolf.ledger.encryption import without_triggers
from nomicwolf.ledger.errors import Garbled, LedgerError
from nomicwolf.ledger.records import check_entry, digest_after, first_head, read_entry, read_value, write_value
from nomicwolf.ledger.tables import (
    CONTESTS,
    ENTRIES,
    HAPPENINGS,
    LETTERS,
    ORIGINALS,
    OUTBOX,
    SETUPS,
    STANDING,
    ContestRow,
    HappeningRow,
    LetterRow,
    OutboxRow,
    SetupRow,
)
from nomicwolf.ledger.transaction import Step, storable, write_steps
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.nomic.events import Erased, Erasures, LetterHeard, spans
from nomicwolf.village.events import Entry

R = TypeVar("R")
_HEAD = re.compile("[0-9a-f]{64}")
_LETTER = re.compile("[0-9]+(?: [0-9]+)?")
ROWS_PER_FETCH = {"yield_per": 1000}
"""Rows per fetch."""
_RECORD = select(ENTRIES.c.number, ENTRIES.c.at, ENTRIES.c.kind, ENTRIES.c.data, ENTRIES.c.head).where(
    ENTRIES.c.contest == bindparam("of")).order_by(ENTRIES.c.number)
_ORIGINALS = select(LETTERS.c.number, LETTERS.c.content, ORIGINALS.c.data).join(ORIGINALS).where(
    LETTERS.c.contest == bindparam("of"))
_LETTERS, _OUTBOX, _SETUPS = (
    select(table).where(table.c.contest == bindparam("of")) for table in (LETTERS, OUTBOX, SETUPS))
_HAPPENINGS = select(HAPPENINGS).where(HAPPENINGS.c.contest == bindparam("of")).order_by(HAPPENINGS.c.number)


class _Rows:
    """Queries about a *contest* over a connection."""

    def __init__(self, connection: Connection, contest: str) -> None:
        self._connection = connection
        self._contest = contest

    def parts(self, wanted: Executable) -> Iterable[Any]:
        """Return the rows of a query as tuples of its columns."""
        return self._connection.execute(wanted, {"of": self._contest}, execution_options=ROWS_PER_FETCH)

    def of(self, wanted: Executable, _kind: type[R]) -> Iterable[R]:
        """Return whole rows of a table, which have the columns of *_kind*."""
        return self.parts(wanted)


def problems_of(connection: Connection, contest: str) -> list[str]:
    """Return a contest's faults, a line each with its place."""
    rows, heard, erased = _Rows(connection, contest), dict[int, str](), Erasures.none()
    (row,) = rows.of(STANDING, ContestRow)
    return [
        *_file_problems(connection),
        *_record_problems(rows, row, heard, erased),
        *_letter_problems(rows, row, heard, erased.letters),
        *_outbox_problems(rows, row),
        *[f"settings {row.digest[:12]}: are not those that were in force then"
          for row in rows.of(_SETUPS, SetupRow) if sha256(row.data.encode()).hexdigest() != row.digest],
        *_happening_problems(rows, row),
    ]


def _file_problems(connection: Connection) -> list[str]:
    if connection.dialect.name != "sqlite":
        return []
    sound = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
    loose = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    return [
        *(f"file: {line}" for line in sound if line != "ok"),
        *(f"file: {table} row {row} hangs loose" for table, row, *_ in loose),
    ]


def seal_of(lines: Iterable[tuple[int, str, str]]) -> str:
    """Return the seal of rewritten lines, which binds each with its number and the head after it, in order."""
    seal = sha256()
    for number, head, line in lines:
        seal.update(f"{number} {head} {line}\n".encode())
    return seal.hexdigest()


def _record_problems(rows: _Rows, contest: ContestRow, heard: dict[int, str], erased: Erasures) -> list[str]:
    """Follow the chain and read each entry.

    The authors of letters are added to *heard* by the numbers of their entries, and what was rewritten to *erased*.
    """
    found, broken, head, last = list[str](), list[tuple[int, str, str]](), bytes.fromhex(first_head(contest.contest)), 0
    for number, at, kind, data, kept in rows.parts(_RECORD):
        if number != last + 1:
            found.append(f"entry {number}: follows entry {last}")
        last, head = number, digest_after(head, data)
        if kept != head.hex():
            broken.append((number, kept, data))
            head = bytes.fromhex(kept) if _HEAD.fullmatch(kept) else head
        try:
            entry = check_entry(data)
        except Garbled as error:
            found.append(f"entry {number}: {error}")
            continue
        if (entry.number, entry.at, entry.event.name) != (number, at, kind):
            found.append(f"entry {number}: is not what its columns say")
        if isinstance(entry.event, LetterHeard):
            heard[number] = storable(entry.event.author)
        erased.record(entry)
    found += _break_problems(broken, erased)
    if (contest.last, contest.head) != (last, head.hex()):
        found.append(f"record: ends with entry {last}, and was left at entry {contest.last}")
    return found


def _break_problems(broken: list[tuple[int, str, str]], erased: Erasures) -> Iterator[str]:
    """Yield where the chain breaks, except for entries that an erasure rewrote and sealed."""
    for number, _, _ in broken:
        if number not in erased.entries:
            yield f"entry {number}: the chain breaks here; it, or one before it, was changed"
    if erased.last is not None and isinstance(erased.last.event, Erased):
        end, seal = erased.last.number, erased.last.event.seal
        if seal_of(line for line in broken if line[0] in erased.entries and line[0] < end) != seal:
            yield f"entry {end}: what was erased before it is not as it was left then"


def _letter_problems(rows: _Rows, contest: ContestRow, heard: dict[int, str], erased: set[int]) -> list[str]:
    found = [
        f"letter {number}: its bytes are not those that came"
        for number, content, data in rows.parts(_ORIGINALS)
        if number not in erased and sha256(data).hexdigest() != content
    ]
    count, beside = 0, False
    for row in rows.of(_LETTERS, LetterRow):
        count, beside = count + 1, beside or not 0 < row.number <= contest.received
        try:
            letter: Letter = read_value(Letter, row.letter)
        except Garbled as error:
            found.append(f"letter {row.number}: {error}")
            continue
        if (storable(letter.message_id), storable(letter.digest)) != (row.message_id, row.digest):
            found.append(f"letter {row.number}: is not what its columns say")
        if heard.get(row.entry, row.author) != row.author:
            found.append(f"letter {row.number}: is not by {row.author or 'nobody'}, as entry {row.entry} says")
    if beside or count != contest.received:
        found.append(f"letters: {count} are there and {contest.received} came")
    return found


def _happening_problems(rows: _Rows, contest: ContestRow) -> list[str]:
    found, before, owed, number = list[str](), 0, 0, 1
    for row in rows.of(_HAPPENINGS, HappeningRow):
        if row.number != number:
            found.append(f"happening {row.number}: number {number} is gone")
        number = row.number + 1
        if not before <= row.base <= row.last <= contest.last:
            found.append(f"happening {row.number}: is of entries {row.base} to {row.last}, behind entry {before}")
        if not owed <= row.owed <= contest.owed:
            found.append(f"happening {row.number}: owes letters up to {row.owed}, behind letter {owed}, and "
                         f"{contest.owed} became owed")
        if not (_LETTER.fullmatch(row.data) if row.kind == "letter" else row.data.startswith("{")):
            found.append(f"happening {row.number}: can't be read")
        before, owed = max(before, row.last), max(owed, row.owed)
    return found


def _outbox_problems(rows: _Rows, contest: ContestRow) -> list[str]:
    found, count = [], 0
    for row in rows.of(_OUTBOX, OutboxRow):
        count += 1
        try:
            letter: Outgoing = read_value(Outgoing, row.letter)
        except Garbled as error:
            found.append(f"owed letter {row.number}: {error}")
            continue
        if (letter.key, letter.kind) != (row.key, row.kind):
            found.append(f"owed letter {row.number}: is not what its columns say")
        elif row.data and row.message_id.encode("ascii", "replace") not in row.data.partition(b"\r\n\r\n")[0]:
            found.append(f"owed letter {row.number}: its bytes are not those that were made of it")
    if count != contest.owed:
        found.append(f"outbox: {count} letters are there and {contest.owed} became owed")
    return found


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
        demand_whole(problems_of(connection, contest), "the ledger isn't whole, and nothing was erased")
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
            last, (Entry(last + 1, now, event, (), "command"),), mark=(ERASURE_SOURCE, int(bool(who)), now), now=now,
            alarm=alarm)])
        prove(_entries(connection, contest))
        demand_whole(problems_of(connection, contest), "it can't be erased whole, and nothing was changed")
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


def demand_whole(problems: Sequence[str], what: str) -> None:
    """Raise `LedgerError` with the *problems* under *what*, if there are any."""
    if problems:
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
