"""What one transaction writes: the letter heard, the entries that followed, the letters owed, the mark.

It is written once a letter, so its statements are made once.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Insert, Table, bindparam, func, insert, select, update

from nomicwolf.ledger.chain import next_head
from nomicwolf.ledger.codec import write_entry, write_value
from nomicwolf.ledger.errors import Conflict
from nomicwolf.ledger.records import Happened, HeardLetter, Mark
from nomicwolf.ledger.tables import BUCKETS, CONTESTS, ENTRIES, HAPPENINGS, LETTERS, MARKS, ORIGINALS, OUTBOX, SETUPS
from nomicwolf.letters.letter import Bucket, Outgoing
from nomicwolf.village.events import Entry

_CONTEST = select(
    CONTESTS.c.last, CONTESTS.c.head, CONTESTS.c.received, CONTESTS.c.owed, CONTESTS.c.polled_at).where(
    CONTESTS.c.contest == bindparam("of")).with_for_update()
_CHANGED = update(CONTESTS).where(CONTESTS.c.contest == bindparam("of"))
_ORIGINAL = select(ORIGINALS.c.content).where(
    ORIGINALS.c.contest == bindparam("of"), ORIGINALS.c.content == bindparam("content"))
_SETUP = select(SETUPS.c.digest).where(SETUPS.c.contest == bindparam("of"), SETUPS.c.digest == bindparam("digest"))
_MARKED = update(MARKS).where(MARKS.c.contest == bindparam("of"), MARKS.c.source == bindparam("named"))
_HAPPENED = select(func.max(HAPPENINGS.c.number)).where(HAPPENINGS.c.contest == bindparam("of"))
_INSERTS: dict[Table, Insert] = {
    table: insert(table) for table in (ENTRIES, HAPPENINGS, LETTERS, MARKS, ORIGINALS, OUTBOX, SETUPS)}


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


def keep_bundle(connection: Connection, contest: str, bundle: Bundle) -> None:
    """Write a bundle in the connection's transaction; `Conflict` if the record isn't as it was thought to be."""
    row = connection.execute(_CONTEST, {"of": contest}).one()
    if row.last != bundle.base:
        raise Conflict(f"entry {bundle.base} was the last one when this was made, and now {row.last} is")
    lines = [write_entry(entry) for entry in bundle.entries]
    counted = {
        "last": row.last + len(bundle.entries), "head": _entries(connection, contest, row.head, bundle, lines),
        "received": row.received + len(bundle.heard), "owed": row.owed + len(bundle.owed), "alarm": bundle.alarm,
        "polled_at": max(row.polled_at, bundle.now),
    }
    _letters(connection, contest, row.received, bundle)
    _ruled(connection, contest, bundle)
    _owed(connection, contest, row.owed, bundle)
    if bundle.mark is not None:
        _mark(connection, contest, bundle.mark)
    connection.execute(_CHANGED, {"of": contest, **counted})
    if bundle.happened is not None:
        _happened(connection, contest, bundle, bundle.happened, counted)


def _mark(connection: Connection, contest: str, mark: Mark) -> None:
    source, validity, last = mark
    found = {"validity": validity, "last": last}
    if not connection.execute(_MARKED, {"of": contest, "named": source, **found}).rowcount:
        _insert(connection, MARKS, [{"contest": contest, "source": source, **found}])


def _entries(connection: Connection, contest: str, head: str, bundle: Bundle, lines: list[str]) -> str:
    rows = []
    for number, (entry, line) in enumerate(zip(bundle.entries, lines, strict=True), bundle.base + 1):
        if entry.number != number:
            raise ValueError(f"entry {entry.number} where {number} must follow: the record has no gaps")
        head = next_head(head, line)
        rows.append({"contest": contest, "number": number, "at": entry.at, "kind": entry.event.name,
                     "data": line, "head": head})
    _insert(connection, ENTRIES, rows)
    return head


def _letters(connection: Connection, contest: str, received: int, bundle: Bundle) -> None:
    originals: dict[str, bytes] = {}
    rows = []
    for number, heard in enumerate(bundle.heard, received + 1):
        if heard.bucket not in BUCKETS:
            raise ValueError(f"{heard.bucket!r} is no bucket; there are {', '.join(BUCKETS)}")
        raw, content = heard.raw, sha256(heard.raw.data).hexdigest()
        if content not in originals and not connection.execute(
                _ORIGINAL, {"of": contest, "content": content}).first():
            originals[content] = raw.data
        rows.append({
            "contest": contest, "number": number, "place": plain(raw.place), "mailbox_order": raw.order,
            "arrived": raw.arrived, "size": raw.size, "truncated": int(raw.truncated), "content": content,
            "entry": heard.entry, "message_id": plain(heard.letter.message_id), "digest": plain(heard.letter.digest),
            "letter": write_value(heard.letter), "heard_at": bundle.now, "bucket": heard.bucket,
            "author": plain(heard.author), "why": plain(heard.why),
        })
    _insert(connection, ORIGINALS, [{"contest": contest, "content": c, "data": d} for c, d in originals.items()])
    _insert(connection, LETTERS, rows)


def _ruled(connection: Connection, contest: str, bundle: Bundle) -> None:
    for number, bucket, why in bundle.ruled:
        done = connection.execute(
            update(LETTERS).values(bucket=bucket, why=plain(why)).where(
                LETTERS.c.contest == contest, LETTERS.c.entry == number, LETTERS.c.bucket == "held"))
        if done.rowcount != 1:
            raise Conflict(f"letter {number} is not held any more; `nomicwolf held` lists those that are")


def _owed(connection: Connection, contest: str, owed: int, bundle: Bundle) -> None:
    _insert(connection, OUTBOX, [
        {"contest": contest, "number": number, "key": plain(letter.key), "kind": letter.kind,
         "letter": write_value(letter), "state": "queued", "message_id": "", "data": None, "tries": 0, "doubtful": 0,
         "changed_at": bundle.now, "error": ""}
        for number, letter in enumerate(bundle.owed, owed + 1)
    ])


def _happened(
    connection: Connection, contest: str, bundle: Bundle, happened: Happened, counted: dict[str, Any]
) -> None:
    digest = sha256(happened.setup.encode()).hexdigest()
    if connection.execute(_SETUP, {"of": contest, "digest": digest}).first() is None:
        _insert(connection, SETUPS, [{"contest": contest, "digest": digest, "data": happened.setup}])
    number = connection.execute(_HAPPENED, {"of": contest}).scalar()
    data = str(counted["received"]) if happened.kind == "letter" else happened.data
    _insert(connection, HAPPENINGS, [{
        "contest": contest, "number": (number or 0) + 1, "kind": happened.kind, "data": data, "setup": digest,
        "now": bundle.now, "base": bundle.base, "last": counted["last"], "owed": counted["owed"],
    }])


def _insert(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(_INSERTS[table], rows)


def plain(text: str) -> str:
    r"""Return *text* with what a database may refuse (half characters, NUL) written as ``\x00``."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
