"""Prove a ledger whole: the chain, the numbers, the forms, the bytes, the sums, and the file itself."""

from __future__ import annotations

import re
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


def problems_of(session: Session, contest: str) -> list[str]:
    """Return what is wrong with a contest's ledger, each line naming the place; nothing if all is well."""
    row, heard = session.get_one(ContestRow, contest), dict[int, str]()
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


def _record_problems(session: Session, contest: ContestRow, heard: dict[int, str]) -> list[str]:
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
            heard[number] = plain(entry.event.author)
    if (contest.last, contest.head) != (last, head.hex()):
        found.append(f"record: ends with entry {last}, and was left at entry {contest.last}")
    return found


def _letter_problems(session: Session, contest: ContestRow, heard: dict[int, str]) -> list[str]:
    found = [
        f"letter {number}: its bytes are not those that came"
        for number, content, data in session.exec(
            select(LetterRow.number, LetterRow.content, OriginalRow.data).join(OriginalRow).where(
                col(LetterRow.contest) == contest.contest), execution_options=FEW)
        if sha256(data).hexdigest() != content
    ]
    numbers: list[int] = []
    for row in session.exec(select(LetterRow).where(col(LetterRow.contest) == contest.contest), execution_options=FEW):
        numbers.append(row.number)
        try:
            letter: Letter = read_value(Letter, row.letter)
        except Garbled as error:
            found.append(f"letter {row.number}: {error}")
            continue
        if (plain(letter.message_id), plain(letter.digest)) != (row.message_id, row.digest):
            found.append(f"letter {row.number}: is not what its columns say")
        if heard.get(row.entry, row.author) != row.author:
            found.append(f"letter {row.number}: is not by {row.author}, as entry {row.entry} says")
    if sorted(numbers) != list(range(1, contest.received + 1)):
        found.append(f"letters: {len(numbers)} are there and {contest.received} came")
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
