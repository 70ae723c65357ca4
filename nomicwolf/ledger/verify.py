"""Prove a ledger whole: the chain, the numbers, the forms, the bytes, the sums, and the file itself."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from hashlib import sha256

from sqlalchemy import func, text
from sqlalchemy import select as sql_select
from sqlmodel import Session, col, select

from nomicwolf.ledger.chain import digest_after, first_head
from nomicwolf.ledger.codec import check_entry, read_value
from nomicwolf.ledger.errors import Garbled
from nomicwolf.ledger.keeping import plain
from nomicwolf.ledger.rows import ContestRow, EntryRow, HappeningRow, LetterRow, OriginalRow, OutboxRow, SetupRow
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.nomic.events import LetterHeard

_HEAD = re.compile("[0-9a-f]{64}")
FEW = {"yield_per": 1000}
"""So many rows are in memory at once, however many there are."""


class Authors:
    """Who wrote the letters of which entries tell, in 16 bytes each; they are added by rising numbers.

    >>> heard = Authors()
    >>> heard.add(7, "Ash"), heard.add(9, "Ash"), heard.of(9), heard.of(8)
    (None, None, 'Ash', None)
    """

    def __init__(self) -> None:
        self._entries, self._who = array("q"), array("L")
        self._places: dict[str, int] = {}
        self._names: list[str] = []

    def add(self, entry: int, name: str) -> None:
        """Say that *entry* tells of a letter by *name*."""
        if name not in self._places:
            self._places[name] = len(self._names)
            self._names.append(name)
        self._entries.append(entry)
        self._who.append(self._places[name])

    def of(self, entry: int) -> str | None:
        """Return whose letter *entry* tells of, None if it tells of none."""
        place = bisect_left(self._entries, entry)
        there = place < len(self._entries) and self._entries[place] == entry
        return self._names[self._who[place]] if there else None


def problems_of(session: Session, contest: str) -> list[str]:
    """Return what is wrong with a contest's ledger, each line naming the place; nothing if all is well."""
    row, heard = session.get_one(ContestRow, contest), Authors()
    return [
        *_file_problems(session),
        *_record_problems(session, row, heard),
        *_letter_problems(session, row, heard),
        *_outbox_problems(session, row),
        *_setup_problems(session, row),
        *_happening_problems(session, row),
    ]


def _file_problems(session: Session) -> list[str]:
    if session.get_bind().dialect.name != "sqlite":
        return []
    sound = session.connection().execute(text("PRAGMA integrity_check")).scalars().all()
    loose = session.connection().execute(text("PRAGMA foreign_key_check")).all()
    return [
        *(f"file: {line}" for line in sound if line != "ok"),
        *(f"file: {table} row {row} hangs loose" for table, row, *_ in loose),
    ]


def _record_problems(session: Session, contest: ContestRow, heard: Authors) -> list[str]:
    """Follow the chain, and read each entry; *heard* takes the authors of letters by the numbers of their entries."""
    found, head, last = [], bytes.fromhex(first_head(contest.contest)), 0
    columns = (col(EntryRow.number), col(EntryRow.at), col(EntryRow.kind), col(EntryRow.data), col(EntryRow.head))
    wanted = sql_select(*columns).where(col(EntryRow.contest) == contest.contest).order_by(col(EntryRow.number))
    for number, at, kind, data, kept in session.connection().execute(wanted.execution_options(**FEW)):
        if number != last + 1:
            found.append(f"entry {number}: follows entry {last}")
        last, head = number, digest_after(head, data)
        if kept != head.hex():
            found.append(f"entry {number}: the chain breaks here; it, or one before it, was changed")
            head = bytes.fromhex(kept) if _HEAD.fullmatch(kept) else head
        try:
            entry = check_entry(data)
        except Garbled as error:
            found.append(f"entry {number}: {error}")
            continue
        if (entry.number, entry.at, entry.event.name) != (number, at, kind):
            found.append(f"entry {number}: is not what its columns say")
        if isinstance(entry.event, LetterHeard):
            heard.add(number, plain(entry.event.author))
    if (contest.last, contest.head) != (last, head.hex()):
        found.append(f"record: ends with entry {last}, and was left at entry {contest.last}")
    return found


def _letter_problems(session: Session, contest: ContestRow, heard: Authors) -> list[str]:
    found = [
        f"letter {number}: its bytes are not those that came"
        for number, content, data in session.exec(
            select(LetterRow.number, LetterRow.content, OriginalRow.data).join(OriginalRow).where(
                col(LetterRow.contest) == contest.contest), execution_options=FEW)
        if sha256(data).hexdigest() != content
    ]
    count, beside = 0, False
    for row in session.exec(select(LetterRow).where(col(LetterRow.contest) == contest.contest), execution_options=FEW):
        count, beside = count + 1, beside or not 0 < row.number <= contest.received
        try:
            letter: Letter = read_value(Letter, row.letter)
        except Garbled as error:
            found.append(f"letter {row.number}: {error}")
            continue
        if (plain(letter.message_id), plain(letter.digest)) != (row.message_id, row.digest):
            found.append(f"letter {row.number}: is not what its columns say")
        if heard.of(row.entry) not in {None, row.author}:
            found.append(f"letter {row.number}: is not by {row.author}, as entry {row.entry} says")
    if beside or count != contest.received:
        found.append(f"letters: {count} are there and {contest.received} came")
    return found


def _setup_problems(session: Session, contest: ContestRow) -> list[str]:
    rows = session.exec(select(SetupRow).where(col(SetupRow.contest) == contest.contest))
    return [f"settings {row.digest[:12]}: are not those that were in force then"
            for row in rows if sha256(row.data.encode()).hexdigest() != row.digest]


def _happening_problems(session: Session, contest: ContestRow) -> list[str]:
    found, before = [], 0
    wanted = select(HappeningRow).where(col(HappeningRow.contest) == contest.contest)
    for row in session.exec(wanted.order_by(col(HappeningRow.number)), execution_options=FEW):
        if not before <= row.base <= row.last <= contest.last:
            found.append(f"happening {row.number}: is of entries {row.base} to {row.last}, behind entry {before}")
        if (row.kind == "letter" and not row.data.isdecimal()) or (row.kind != "letter" and row.data[:1] != "{"):
            found.append(f"happening {row.number}: can't be read")
        before = max(before, row.last)
    return found


def _outbox_problems(session: Session, contest: ContestRow) -> list[str]:
    found = []
    for row in session.exec(select(OutboxRow).where(col(OutboxRow.contest) == contest.contest), execution_options=FEW):
        try:
            letter: Outgoing = read_value(Outgoing, row.letter)
        except Garbled as error:
            found.append(f"owed letter {row.number}: {error}")
            continue
        if (letter.key, letter.kind) != (row.key, row.kind):
            found.append(f"owed letter {row.number}: is not what its columns say")
    count = session.exec(select(func.count()).where(col(OutboxRow.contest) == contest.contest)).one()
    if count != contest.owed:
        found.append(f"outbox: {count} letters are there and {contest.owed} became owed")
    return found
