"""Verification of a ledger.

It checks chain, numbers, forms, bytes, sums, and the file itself.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, TypeVar

from sqlalchemy import Connection, Executable, bindparam, select

from nomicwolf.ledger.errors import Garbled
from nomicwolf.ledger.records import check_entry, digest_after, first_head, read_value
from nomicwolf.ledger.tables import (
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
from nomicwolf.ledger.transaction import storable
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.nomic.events import Erased, Erasures, LetterHeard

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


class Authors:
    """The authors of letters by the numbers of the entries that record them, in 16 bytes each; added in order.

    >>> heard = Authors()
    >>> heard.add(7, "Ash"), heard.add(9, "Ash"), heard.of(9), heard.of(8)
    (None, None, 'Ash', None)
    """

    def __init__(self) -> None:
        self._entries, self._who = array("q"), array("L")
        self._places: dict[str, int] = {}
        self._names: list[str] = []

    def add(self, entry: int, name: str) -> None:
        """Note that *entry* records a letter by *name*."""
        if name not in self._places:
            self._places[name] = len(self._names)
            self._names.append(name)
        self._entries.append(entry)
        self._who.append(self._places[name])

    def of(self, entry: int) -> str | None:
        """Return the author of the letter that *entry* records, None if it records none."""
        place = bisect_left(self._entries, entry)
        there = place < len(self._entries) and self._entries[place] == entry
        return self._names[self._who[place]] if there else None


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
    rows, heard, erased = _Rows(connection, contest), Authors(), Erasures.none()
    (row,) = rows.of(STANDING, ContestRow)
    return [
        *_file_problems(connection),
        *_record_problems(rows, row, heard, erased),
        *_letter_problems(rows, row, heard, erased.letters),
        *_outbox_problems(rows, row),
        *_setup_problems(rows),
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


def _record_problems(rows: _Rows, contest: ContestRow, heard: Authors, erased: Erasures) -> list[str]:
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
            heard.add(number, storable(entry.event.author))
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


def _letter_problems(rows: _Rows, contest: ContestRow, heard: Authors, erased: set[int]) -> list[str]:
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
        if heard.of(row.entry) not in {None, row.author}:
            found.append(f"letter {row.number}: is not by {row.author or 'nobody'}, as entry {row.entry} says")
    if beside or count != contest.received:
        found.append(f"letters: {count} are there and {contest.received} came")
    return found


def _setup_problems(rows: _Rows) -> list[str]:
    return [f"settings {row.digest[:12]}: are not those that were in force then"
            for row in rows.of(_SETUPS, SetupRow) if sha256(row.data.encode()).hexdigest() != row.digest]


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
