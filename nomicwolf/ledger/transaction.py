"""A run's writes: steps, and the outbox.

Each letter owed is queued, sending, then sent, unknown or failed. Every change of state is committed. A letter is
*sending* before its first byte leaves. If the run dies then, the next one marks the letter *unknown*, because it may
have arrived (RFC 1047). Every try has the same Message-ID, and the same bytes unless the recipient's address has
changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from hashlib import sha256
from importlib import import_module
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    Table,
    and_,
    bindparam,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from nomicwolf.ledger.database import translating, walk
from nomicwolf.ledger.errors import Conflict
from nomicwolf.ledger.records import (
    Happened,
    HeardLetter,
    Mark,
    OwedLetter,
    Ruling,
    State,
    next_head,
    read_value,
    write_entry,
    write_value,
)
from nomicwolf.ledger.tables import BUCKETS, CONTESTS, ENTRIES, HAPPENINGS, LETTERS, MARKS, ORIGINALS, OUTBOX, SETUPS
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
class Step:
    """Letters, the entries that followed, the letters owed, and the mailbox's mark.

    *base* is the number of the entry that this builds on. *ruled* moves held letters to other buckets. *happened* is
    the cause of it all, for `replay`. *alarm* is the instant at which the contest must be asked again; *now* is UTC
    seconds.
    """

    base: int
    entries: Sequence[Entry] = ()
    heard: Sequence[HeardLetter] = ()
    owed: Sequence[Outgoing] = ()
    mark: Mark | None = None
    _: KW_ONLY
    now: int
    alarm: int | None = None
    ruled: Sequence[Ruling] = ()
    happened: Happened | None = None


def write_steps(connection: Connection, contest: str, steps: Sequence[Step]) -> None:
    """Write steps in order within the connection's transaction, all rows of a table at once.

    `Conflict` if the record has moved on since they were made.
    """
    draft = _Draft(contest, *connection.execute(_CONTEST, {"of": contest}).one())
    for step in steps:
        draft.add(step)
    insert_rows(connection, ENTRIES, draft.entries)
    insert_rows(connection, ORIGINALS, [
        {"contest": contest, "content": content, "data": data} for content, data in draft.originals.items()])
    insert_rows(connection, LETTERS, draft.letters)
    _ruled(connection, contest, [ruled for step in steps for ruled in step.ruled])
    insert_rows(connection, OUTBOX, draft.outbox)
    for source, validity, last in {step.mark[0]: step.mark for step in steps if step.mark}.values():
        _mark(connection, contest, source, {"validity": validity, "last": last})
    connection.execute(_CHANGED, {
        "of": contest, "last": draft.last, "head": draft.head, "received": draft.received, "owed": draft.owed,
        "alarm": steps[-1].alarm, "polled_at": draft.polled_at})
    if draft.happenings:
        _happenings(connection, contest, draft)


class _Draft:
    """The rows of a transaction by table, and the contest's row after them."""

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

    def add(self, step: Step) -> None:
        """Add a step; `Conflict` unless it builds on the last entry."""
        if self.last != step.base:
            raise Conflict(f"entry {step.base} was the last one when this was made, and now {self.last} is")
        self.polled_at = max(self.polled_at, step.now)
        for entry in step.entries:
            self._entry(entry)
        for heard in step.heard:
            self._letter(heard, step.now)
        for letter in step.owed:
            self._owed(letter, step.now)
        if step.happened is not None:
            self._happened(step, step.happened)

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
            "contest": self.contest, "number": self.received, "place": storable(raw.place), "mailbox_order": raw.order,
            "arrived": raw.arrived, "size": raw.size, "truncated": int(raw.truncated), "content": content,
            "entry": heard.entry, "message_id": storable(heard.letter.message_id),
            "digest": storable(heard.letter.digest), "letter": write_value(heard.letter), "heard_at": now,
            "bucket": heard.bucket, "author": storable(heard.author), "why": storable(heard.why),
        })

    def _owed(self, letter: Outgoing, now: int) -> None:
        self.owed += 1
        self.outbox.append({
            "contest": self.contest, "number": self.owed, "key": storable(letter.key), "kind": letter.kind,
            "letter": write_value(letter), "state": "queued", "message_id": "", "data": None, "tries": 0,
            "doubtful": 0, "changed_at": now, "error": ""})

    def _happened(self, step: Step, happened: Happened) -> None:
        """Add the happening, a letter by its number and its run's.

        The settings seldom change during a run, and are hashed once.
        """
        digest = self.setups.get(happened.setup)
        if digest is None:
            digest = self.setups[happened.setup] = sha256(happened.setup.encode()).hexdigest()
        data = f"{self.received} {happened.data}".strip() if happened.kind == "letter" else happened.data
        self.happenings.append({
            "contest": self.contest, "kind": happened.kind, "data": data, "setup": digest, "now": step.now,
            "base": step.base, "last": self.last, "owed": self.owed})


def _ruled(connection: Connection, contest: str, ruled: Sequence[Ruling]) -> None:
    for ruling in ruled:
        done = connection.execute(
            update(LETTERS).values(bucket=ruling.bucket, why=storable(ruling.why)).where(
                LETTERS.c.contest == contest, LETTERS.c.entry == ruling.number, LETTERS.c.bucket == ruling.was))
        if done.rowcount != 1:
            raise Conflict(f"letter {ruling.number} is not held any more; `nomicwolf held` lists those that are")


def _mark(connection: Connection, contest: str, source: str, found: dict[str, int]) -> None:
    if not connection.execute(_MARKED, {"of": contest, "named": source, **found}).rowcount:
        insert_rows(connection, MARKS, [{"contest": contest, "source": source, **found}])


def _happenings(connection: Connection, contest: str, draft: _Draft) -> None:
    for setup, digest in draft.setups.items():
        if connection.execute(_SETUP, {"of": contest, "digest": digest}).first() is None:
            insert_rows(connection, SETUPS, [{"contest": contest, "digest": digest, "data": setup}])
    number = connection.execute(_HAPPENED, {"of": contest}).scalar() or 0
    insert_rows(connection, HAPPENINGS, [
        {**row, "number": place} for place, row in enumerate(draft.happenings, number + 1)])


def insert_rows(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows; originals that are there already stay."""
    if rows:
        dialect = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
        connection.execute(
            dialect.insert(table).on_conflict_do_nothing() if table is ORIGINALS else insert(table), rows)


def storable(text: str) -> str:
    r"""Return *text* with the characters that a database may refuse (lone surrogates, NUL) escaped as ``\x00``."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


_NOT_SENT: tuple[State, ...] = ("queued", "sending", "unknown", "failed")
_OF = OUTBOX.c.contest == bindparam("of")
_OWED = select(OUTBOX).where(_OF)
_ONE = select(OUTBOX).where(_OF, OUTBOX.c.key == bindparam("named")).with_for_update()
_UPDATED = update(OUTBOX).where(_OF, OUTBOX.c.key == bindparam("named"))
_NAMES = select(OUTBOX.c.number, OUTBOX.c.message_id).where(_OF, OUTBOX.c.message_id != "")
_PUBLISHED = select(OUTBOX.c.number, OUTBOX.c.data).where(
    _OF, OUTBOX.c.kind == "public", OUTBOX.c.data.is_not(None))
_ECHOED = select(OUTBOX.c.key).where(
    _OF, OUTBOX.c.message_id == bindparam("echoed"), OUTBOX.c.state.in_(_NOT_SENT)).order_by(OUTBOX.c.number)
_Change = Callable[[Row[Any]], dict[str, Any]]
"""From a row to the columns that change, with their new values."""


class Outbox:
    """The outbox of one contest; *questions* is *engine* as `autocommitting` returns it."""

    def __init__(self, engine: Engine, questions: Engine, contest: str) -> None:
        self._engine = engine
        self._questions = questions
        self._contest = contest

    def owed(self, doubts: int = 3) -> tuple[OwedLetter, ...]:
        """Return the letters to send now, oldest first.

        These are the queued ones, and the private ones whose fate is unknown after fewer than *doubts* doubtful tries.
        A public letter of unknown fate waits for its echo instead, so that no forum gets it twice.
        """
        doubtful = and_(OUTBOX.c.kind == "private", OUTBOX.c.doubtful < doubts)
        return self._where(and_(OUTBOX.c.state.in_(("queued", "unknown")), or_(OUTBOX.c.state == "queued", doubtful)))

    def between(self, after: int, last: int) -> tuple[OwedLetter, ...]:
        """Return the letters after number *after* up to number *last*, in order."""
        return self._where(and_(OUTBOX.c.number > after, OUTBOX.c.number <= last)) if after < last else ()

    def each(self) -> Iterator[OwedLetter]:
        """Yield every letter of the outbox, oldest first."""
        return map(_owed, self._walk(_OWED))

    def names(self) -> Iterator[tuple[int, str]]:
        """Yield the number and the Message-ID of every letter that has one, in order."""
        return map(tuple, self._walk(_NAMES))

    def published(self) -> Iterator[tuple[int, bytes]]:
        """Yield the number and the bytes of every public letter that was composed, in order."""
        return map(tuple, self._walk(_PUBLISHED))

    def _walk(self, wanted: Select[Any]) -> Iterator[Row[Any]]:
        return walk(self._questions, wanted, OUTBOX.c.number, self._contest)

    def _scalars(self, wanted: Select[Any], **values: str) -> Sequence[Any]:
        with translating(), self._questions.connect() as connection:
            return connection.execute(wanted, {"of": self._contest, **values}).scalars().all()

    def sent_since(self, since: int) -> tuple[int, ...]:
        """Return when letters were taken by the server, from *since* on (UTC seconds)."""
        wanted = select(OUTBOX.c.changed_at).where(_OF, OUTBOX.c.state == "sent", OUTBOX.c.changed_at >= since)
        return tuple(self._scalars(wanted))

    def in_state(self, *states: State) -> tuple[OwedLetter, ...]:
        """Return the letters in any of these states, oldest first."""
        return self._where(OUTBOX.c.state.in_(states))

    def not_back(self, since: int) -> tuple[OwedLetter, ...]:
        """Return the public letters sent at *since* (UTC seconds) or later whose echo has not come yet."""
        heard = exists().where(LETTERS.c.contest == OUTBOX.c.contest,
                               LETTERS.c.message_id == OUTBOX.c.message_id)
        sent = and_(OUTBOX.c.state == "sent", OUTBOX.c.changed_at >= since)
        return self._where(and_(sent, OUTBOX.c.kind == "public", ~heard))

    def heard_again(self, message_id: str) -> bool:
        """Return whether the letter with that Message-ID has come back through a forum."""
        heard = select(LETTERS.c.number).where(
            LETTERS.c.contest == self._contest, LETTERS.c.message_id == storable(message_id),
            LETTERS.c.bucket == "own")
        return bool(self._scalars(heard.limit(1)))

    def reported_before(self, report: bytes) -> bool:
        """Return whether a letter of these very bytes is in the ledger, as after a change of UIDVALIDITY."""
        heard = select(LETTERS.c.number).where(
            LETTERS.c.contest == self._contest, LETTERS.c.content == sha256(report).hexdigest())
        return bool(self._scalars(heard.limit(1)))

    def get(self, key: str) -> OwedLetter | None:
        """Return an owed letter by its key, None if there is none."""
        found = self._where(OUTBOX.c.key == storable(key))
        return found[0] if found else None

    def by_message_id(self, message_id: str) -> OwedLetter | None:
        """Return the letter with a Message-ID, None if there is none."""
        found = self._where(OUTBOX.c.message_id == storable(message_id)) if message_id else ()
        return found[0] if found else None

    def _where(self, clause: ColumnElement[bool]) -> tuple[OwedLetter, ...]:
        """Return letters in order; sorted here, because ORDER BY makes SQLite scan the whole table."""
        with translating(), self._questions.connect() as connection:
            rows = connection.execute(_OWED.where(clause), {"of": self._contest}).all()
        return tuple(_owed(row) for row in sorted(rows, key=lambda row: row.number))

    def settle_interrupted(self, now: int) -> tuple[OwedLetter, ...]:
        """Mark the letters that an interrupted run left as sending unknown, and return them."""
        left = self.in_state("sending")
        for letter in left:
            self.mark_unknown(letter.letter.key, "the run that was sending it was interrupted", now)
        return left

    def mark_sending(self, key: str, data: bytes, message_id: str, now: int) -> None:
        """Mark *key* as being sent; its bytes must be those of earlier tries."""

        def change(row: Row[Any]) -> dict[str, Any]:
            if row.data not in {None, data}:
                raise Conflict(f"{key} was composed before with other bytes; send those")
            return {"state": "sending", "data": data, "message_id": storable(message_id), "tries": row.tries + 1}

        self._change(key, ("queued", "unknown"), now, change)

    def mark_sent(self, key: str, now: int) -> None:
        """Mark *key* as accepted by the server."""
        self._to(key, ("sending",), "sent", "", now)

    def mark_queued(self, key: str, error: str, now: int) -> None:
        """Mark *key* as not accepted this time, with the reason; doubt from an earlier try stays."""

        def change(row: Row[Any]) -> dict[str, Any]:
            left = "unknown" if row.doubtful else "queued"
            return {"state": left if row.state == "sending" else row.state, "error": storable(error)}

        self._change(key, ("queued", "sending", "unknown"), now, change)

    def mark_unknown(self, key: str, error: str, now: int) -> None:
        """Mark *key* as perhaps accepted, with the reason for the doubt."""
        self._change(key, ("sending",), now, lambda row: {
            "state": "unknown", "error": storable(error), "doubtful": row.doubtful + 1})

    def mark_failed(self, key: str, error: str, now: int) -> None:
        """Mark *key* as refused for good, or impossible to compose."""
        self._to(key, ("queued", "sending", "unknown"), "failed", error, now)

    def mark_bounced(self, key: str, error: str, now: int) -> None:
        """Mark *key* as bounced after the server had accepted it; do nothing if that is known."""
        owed = self.get(key)
        if owed is not None and owed.state in ("sent", "unknown"):
            self._to(key, ("sent", "unknown"), "failed", error, now)

    def requeue(self, key: str, now: int) -> None:
        """Queue a failed or unknown letter again, without doubts: the contestmaster has looked into it."""
        self._change(key, ("failed", "unknown"), now, lambda _: {"state": "queued", "error": "", "doubtful": 0})

    def forget_bytes(self, key: str, now: int) -> None:
        """Drop the composed bytes of *key*, because its recipient's address has changed."""
        self._change(key, ("queued", "unknown"), now, lambda _: {"data": None})

    def tried(self) -> frozenset[str]:
        """Return the Message-IDs of the letters that were tried and may not have been accepted."""
        wanted = select(OUTBOX.c.message_id).where(_OF, OUTBOX.c.message_id != "", OUTBOX.c.state.in_(_NOT_SENT))
        return frozenset(self._scalars(wanted))

    def settle_by_echo(self, message_id: str, now: int) -> bool:
        """Mark the letter whose copy came back through its forum as sent; return whether that was open.

        A queued letter with a Message-ID has been tried before, and is not sent again. A failed one was reported as
        bounced or refused, but the forum has it.
        """
        if not message_id:
            return False
        found = self._scalars(_ECHOED, echoed=storable(message_id))
        for key in found:
            self._to(key, _NOT_SENT, "sent", "", now)
        return bool(found)

    def _to(self, key: str, before: tuple[State, ...], state: State, error: str, now: int) -> None:
        self._change(key, before, now, lambda _: {"state": state, "error": storable(error)})

    def _change(self, key: str, before: tuple[State, ...], now: int, change: _Change) -> None:
        one = {"of": self._contest, "named": storable(key)}
        with translating(), self._engine.begin() as connection:
            row = connection.execute(_ONE, one).first()
            if row is None or row.state not in before:
                raise Conflict(f"{key} is {row.state if row else 'not owed'}, so it can't be dealt with as {before[0]}")
            connection.execute(_UPDATED, {**one, **change(row), "changed_at": now})


def _owed(row: Row[Any]) -> OwedLetter:
    letter: Outgoing = read_value(Outgoing, row.letter)
    return OwedLetter(row.number, letter, row.state, row.data, row.message_id, row.tries, row.doubtful, row.error,
                      row.changed_at)
