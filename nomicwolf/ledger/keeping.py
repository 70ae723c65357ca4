"""What one transaction writes: the letter heard, the entries that followed, the letters owed, the mark."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import func, insert, update
from sqlmodel import Session, SQLModel, col, select

from nomicwolf.ledger.chain import next_head
from nomicwolf.ledger.codec import write_entry, write_value
from nomicwolf.ledger.errors import Conflict
from nomicwolf.ledger.records import Happened, HeardLetter, Mark
from nomicwolf.ledger.tables import (
    BUCKETS,
    ContestRow,
    EntryRow,
    HappeningRow,
    LetterRow,
    MarkRow,
    OriginalRow,
    OutboxRow,
    SetupRow,
)
from nomicwolf.letters.letter import Bucket, Outgoing
from nomicwolf.village.events import Entry


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
    ruled: tuple[tuple[int, Bucket, str], ...]
    happened: Happened | None = None


def keep_bundle(session: Session, contest: str, bundle: Bundle) -> None:
    """Write a bundle in the session's transaction; `Conflict` if the record isn't as it was thought to be."""
    row = session.exec(select(ContestRow).where(col(ContestRow.contest) == contest).with_for_update()).one()
    if row.last != bundle.base:
        raise Conflict(f"entry {bundle.base} was the last one when this was made, and now {row.last} is")
    lines = [write_entry(entry) for entry in bundle.entries]
    head = _entries(session, contest, row.head, bundle, lines)
    _letters(session, contest, row.received, bundle)
    _ruled(session, contest, bundle)
    _owed(session, contest, row.owed, bundle)
    if bundle.mark is not None:
        source, validity, last = bundle.mark
        session.merge(MarkRow(contest=contest, source=source, validity=validity, last=last))
    row.last += len(bundle.entries)
    row.head = head
    row.received += len(bundle.heard)
    row.owed += len(bundle.owed)
    row.alarm = bundle.alarm
    row.polled_at = max(row.polled_at, bundle.now)
    session.add(row)
    if bundle.happened is not None:
        _happened(session, row, bundle, bundle.happened)


def _entries(session: Session, contest: str, head: str, bundle: Bundle, lines: list[str]) -> str:
    rows = []
    for number, (entry, line) in enumerate(zip(bundle.entries, lines, strict=True), bundle.base + 1):
        if entry.number != number:
            raise ValueError(f"entry {entry.number} where {number} must follow: the record has no gaps")
        head = next_head(head, line)
        rows.append({"contest": contest, "number": number, "at": entry.at, "kind": entry.event.name,
                     "data": line, "head": head})
    _insert(session, EntryRow, rows)
    return head


def _letters(session: Session, contest: str, received: int, bundle: Bundle) -> None:
    originals: dict[str, bytes] = {}
    rows = []
    for number, heard in enumerate(bundle.heard, received + 1):
        if heard.bucket not in BUCKETS:
            raise ValueError(f"{heard.bucket!r} is no bucket; there are {', '.join(BUCKETS)}")
        raw, content = heard.raw, sha256(heard.raw.data).hexdigest()
        if content not in originals and session.get(OriginalRow, (contest, content)) is None:
            originals[content] = raw.data
        rows.append({
            "contest": contest, "number": number, "place": plain(raw.place), "mailbox_order": raw.order,
            "arrived": raw.arrived, "size": raw.size, "truncated": int(raw.truncated), "content": content,
            "entry": heard.entry, "message_id": plain(heard.letter.message_id), "digest": plain(heard.letter.digest),
            "letter": write_value(heard.letter), "heard_at": bundle.now, "bucket": heard.bucket,
            "author": plain(heard.author), "why": plain(heard.why),
        })
    _insert(session, OriginalRow, [{"contest": contest, "content": c, "data": d} for c, d in originals.items()])
    _insert(session, LetterRow, rows)


def _ruled(session: Session, contest: str, bundle: Bundle) -> None:
    for number, bucket, why in bundle.ruled:
        done = session.connection().execute(
            update(LetterRow).values(bucket=bucket, why=plain(why)).where(
                col(LetterRow.contest) == contest, col(LetterRow.entry) == number, col(LetterRow.bucket) == "held"))
        if done.rowcount != 1:
            raise Conflict(f"letter {number} is not held any more; `nomicwolf held` lists those that are")


def _owed(session: Session, contest: str, owed: int, bundle: Bundle) -> None:
    _insert(session, OutboxRow, [
        {"contest": contest, "number": number, "key": plain(letter.key), "kind": letter.kind,
         "letter": write_value(letter), "state": "queued", "message_id": "", "data": None, "tries": 0, "doubtful": 0,
         "changed_at": bundle.now, "error": ""}
        for number, letter in enumerate(bundle.owed, owed + 1)
    ])


def _happened(session: Session, row: ContestRow, bundle: Bundle, happened: Happened) -> None:
    digest = sha256(happened.setup.encode()).hexdigest()
    if session.get(SetupRow, (row.contest, digest)) is None:
        _insert(session, SetupRow, [{"contest": row.contest, "digest": digest, "data": happened.setup}])
    number = session.exec(select(func.max(HappeningRow.number)).where(col(HappeningRow.contest) == row.contest)).one()
    data = str(row.received) if happened.kind == "letter" else happened.data
    _insert(session, HappeningRow, [{
        "contest": row.contest, "number": (number or 0) + 1, "kind": happened.kind, "data": data, "setup": digest,
        "now": bundle.now, "base": bundle.base, "last": row.last, "owed": row.owed,
    }])


def _insert(session: Session, kind: type[SQLModel], rows: list[dict[str, Any]]) -> None:
    if rows:
        session.connection().execute(insert(kind), rows)


def plain(text: str) -> str:
    r"""Return *text* with what a database may refuse (half characters, NUL) written as ``\x00``."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
