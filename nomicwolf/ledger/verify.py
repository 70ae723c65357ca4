"""Prove a ledger whole: the chain, the numbers, the forms, the bytes, the sums, and the file itself."""

from __future__ import annotations

from hashlib import sha256

from sqlalchemy import func, text
from sqlmodel import Session, col, select

from nomicwolf.ledger.chain import first_head, next_head
from nomicwolf.ledger.codec import read_entry, read_value, write_entry
from nomicwolf.ledger.errors import Garbled
from nomicwolf.ledger.tables import ContestRow, EntryRow, LetterRow, OriginalRow, OutboxRow
from nomicwolf.letters.letter import Letter, Outgoing


def problems_of(session: Session, contest: str) -> list[str]:
    """Return what is wrong with a contest's ledger, each line naming the place; nothing if all is well."""
    row = session.get_one(ContestRow, contest)
    return [
        *_file_problems(session),
        *_record_problems(session, row),
        *_letter_problems(session, row),
        *_outbox_problems(session, row),
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


def _record_problems(session: Session, contest: ContestRow) -> list[str]:
    found, head, number = [], first_head(contest.contest), 0
    for row in session.exec(
        select(EntryRow).where(col(EntryRow.contest) == contest.contest).order_by(col(EntryRow.number))
    ):
        if row.number != number + 1:
            found.append(f"entry {row.number}: follows entry {number}")
        number, head = row.number, next_head(head, row.data)
        if row.head != head:
            found.append(f"entry {row.number}: the chain breaks here; it, or one before it, was changed")
            head = row.head
        found += _entry_problems(row)
    if (contest.last, contest.head) != (number, head):
        found.append(f"record: ends with entry {number}, and was left at entry {contest.last}")
    return found


def _entry_problems(row: EntryRow) -> list[str]:
    try:
        entry = read_entry(row.data)
    except Garbled as error:
        return [f"entry {row.number}: {error}"]
    if write_entry(entry) != row.data or (entry.number, entry.at, entry.event.name) != (row.number, row.at, row.kind):
        return [f"entry {row.number}: is not what its columns say"]
    return []


def _letter_problems(session: Session, contest: ContestRow) -> list[str]:
    found = [
        f"letter {row.number}: its bytes are not those that came"
        for row, data in session.exec(select(LetterRow, OriginalRow.data).join(OriginalRow).where(
            col(LetterRow.contest) == contest.contest))
        if sha256(data).hexdigest() != row.content
    ]
    rows = session.exec(select(LetterRow).where(col(LetterRow.contest) == contest.contest)).all()
    for row in rows:
        try:
            read_value(Letter, row.letter)
        except Garbled as error:
            found.append(f"letter {row.number}: {error}")
    if sorted(row.number for row in rows) != list(range(1, contest.received + 1)):
        found.append(f"letters: {len(rows)} are there and {contest.received} came")
    return found


def _outbox_problems(session: Session, contest: ContestRow) -> list[str]:
    found = []
    for row in session.exec(select(OutboxRow).where(col(OutboxRow.contest) == contest.contest)):
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
