"""Prove a ledger whole: the chain, the numbers, the forms, the bytes, the sums, and the file itself."""

from __future__ import annotations

from hashlib import sha256

from sqlalchemy import and_, func, text
from sqlalchemy import select as sql_select
from sqlmodel import Session, col, select

from nomicwolf.ledger.chain import first_head, next_head
from nomicwolf.ledger.codec import check_entry, read_value
from nomicwolf.ledger.errors import Garbled
from nomicwolf.ledger.keeping import plain
from nomicwolf.ledger.tables import ContestRow, EntryRow, HappeningRow, LetterRow, OriginalRow, OutboxRow, SetupRow
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.nomic.events import LetterHeard


def problems_of(session: Session, contest: str) -> list[str]:
    """Return what is wrong with a contest's ledger, each line naming the place; nothing if all is well."""
    row = session.get_one(ContestRow, contest)
    return [
        *_file_problems(session),
        *_record_problems(session, row),
        *_letter_problems(session, row),
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


def _record_problems(session: Session, contest: ContestRow) -> list[str]:
    found, head, last = [], first_head(contest.contest), 0
    columns = (col(EntryRow.number), col(EntryRow.at), col(EntryRow.kind), col(EntryRow.data), col(EntryRow.head))
    wanted = sql_select(*columns).where(col(EntryRow.contest) == contest.contest).order_by(col(EntryRow.number))
    for number, at, kind, data, kept in session.connection().execute(wanted.execution_options(yield_per=1000)):
        if number != last + 1:
            found.append(f"entry {number}: follows entry {last}")
        last, head = number, next_head(head, data)
        if kept != head:
            found.append(f"entry {number}: the chain breaks here; it, or one before it, was changed")
            head = kept
        found += _entry_problems(number, at, kind, data)
    if (contest.last, contest.head) != (last, head):
        found.append(f"record: ends with entry {last}, and was left at entry {contest.last}")
    return found


def _entry_problems(number: int, at: int, kind: str, data: str) -> list[str]:
    try:
        entry = check_entry(data)
    except Garbled as error:
        return [f"entry {number}: {error}"]
    if (entry.number, entry.at, entry.event.name) != (number, at, kind):
        return [f"entry {number}: is not what its columns say"]
    return []


def _letter_problems(session: Session, contest: ContestRow) -> list[str]:
    found = [
        f"letter {row.number}: its bytes are not those that came"
        for row, data in session.exec(select(LetterRow, OriginalRow.data).join(OriginalRow).where(
            col(LetterRow.contest) == contest.contest))
        if sha256(data).hexdigest() != row.content
    ]
    rows = session.exec(select(LetterRow).where(col(LetterRow.contest) == contest.contest)).all()
    heard = _heard(session, contest)
    for row in rows:
        try:
            letter: Letter = read_value(Letter, row.letter)
        except Garbled as error:
            found.append(f"letter {row.number}: {error}")
            continue
        if (plain(letter.message_id), plain(letter.digest)) != (row.message_id, row.digest):
            found.append(f"letter {row.number}: is not what its columns say")
        if heard.get(row.entry, row.author) != row.author:
            found.append(f"letter {row.number}: is not by {row.author}, as entry {row.entry} says")
    if sorted(row.number for row in rows) != list(range(1, contest.received + 1)):
        found.append(f"letters: {len(rows)} are there and {contest.received} came")
    return found


def _heard(session: Session, contest: ContestRow) -> dict[int, str]:
    """Return the authors of letters by the numbers of the entries that tell of them."""
    wanted = select(EntryRow.data).join(LetterRow, and_(
        col(LetterRow.contest) == EntryRow.contest, col(LetterRow.entry) == EntryRow.number))
    found: dict[int, str] = {}
    for line in session.exec(wanted.where(col(EntryRow.contest) == contest.contest)):
        try:
            entry = check_entry(line)
        except Garbled:
            continue  # told with the record
        if isinstance(entry.event, LetterHeard):
            found[entry.number] = plain(entry.event.author)
    return found


def _setup_problems(session: Session, contest: ContestRow) -> list[str]:
    rows = session.exec(select(SetupRow).where(col(SetupRow.contest) == contest.contest))
    return [f"settings {row.digest[:12]}: are not those that were in force then"
            for row in rows if sha256(row.data.encode()).hexdigest() != row.digest]


def _happening_problems(session: Session, contest: ContestRow) -> list[str]:
    found, before = [], 0
    wanted = select(HappeningRow).where(col(HappeningRow.contest) == contest.contest)
    for row in session.exec(wanted.order_by(col(HappeningRow.number))):
        if not before <= row.base <= row.last <= contest.last:
            found.append(f"happening {row.number}: is of entries {row.base} to {row.last}, behind entry {before}")
        if (row.kind == "letter" and not row.data.isdecimal()) or (row.kind != "letter" and row.data[:1] != "{"):
            found.append(f"happening {row.number}: can't be read")
        before = max(before, row.last)
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
