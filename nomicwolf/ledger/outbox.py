"""The letters that are owed: queued, sending, then sent, unknown or failed; every step is committed.

A letter is *sending* before its first byte leaves. A run that dies then leaves it so, and the next one calls
it *unknown*: it may have arrived (RFC 1047). Its Message-ID is the same for every try, and so are its bytes,
unless its reader has another address by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

from sqlalchemy import ColumnElement, Engine, Row, Select, and_, bindparam, exists, or_, select, update

from nomicwolf.ledger.codec import read_value
from nomicwolf.ledger.engine import telling
from nomicwolf.ledger.errors import Conflict
from nomicwolf.ledger.keeping import plain
from nomicwolf.ledger.records import OwedLetter, State
from nomicwolf.ledger.tables import LETTERS, OUTBOX
from nomicwolf.letters.letter import Outgoing

_BATCH = 500
"""Rows that are asked for at once."""
_NOT_SENT: tuple[State, ...] = ("queued", "sending", "unknown", "failed")
_OF = OUTBOX.c.contest == bindparam("of")
_OWED = select(OUTBOX).where(_OF)
_ONE = select(OUTBOX).where(_OF, OUTBOX.c.key == bindparam("named")).with_for_update()
_CHANGED = update(OUTBOX).where(_OF, OUTBOX.c.key == bindparam("named"))
_NAMES = select(OUTBOX.c.number, OUTBOX.c.message_id).where(_OF, OUTBOX.c.message_id != "")
_PUBLISHED = select(OUTBOX.c.number, OUTBOX.c.data).where(
    _OF, OUTBOX.c.kind == "public", OUTBOX.c.data.is_not(None))
_ECHOED = select(OUTBOX.c.key).where(
    _OF, OUTBOX.c.message_id == bindparam("echoed"), OUTBOX.c.state.in_(_NOT_SENT)).order_by(OUTBOX.c.number)
_Change = Callable[[Row[Any]], dict[str, Any]]
"""What becomes of a row: the columns that change, with their values."""


class Outbox:
    """The outbox of one contest; *questions* is what `reading` makes of *engine*."""

    def __init__(self, engine: Engine, questions: Engine, contest: str) -> None:
        self._engine = engine
        self._questions = questions
        self._contest = contest

    def owed(self, doubts: int = 3) -> tuple[OwedLetter, ...]:
        """Return what is to be sent now, in the order in which it became owed.

        That is all that is queued, and private letters of unknown fate until *doubts* tries of them have
        ended so; a public one waits for its echo instead, for a forum is never told twice without need.
        """
        doubtful = and_(OUTBOX.c.kind == "private", OUTBOX.c.doubtful < doubts)
        return self._where(and_(OUTBOX.c.state.in_(("queued", "unknown")), or_(OUTBOX.c.state == "queued", doubtful)))

    def between(self, after: int, last: int) -> tuple[OwedLetter, ...]:
        """Return the letters behind number *after*, up to number *last*, in that order."""
        return self._where(and_(OUTBOX.c.number > after, OUTBOX.c.number <= last)) if after < last else ()

    def each(self) -> Iterator[OwedLetter]:
        """Yield every letter that ever was owed, in the order in which it became so; few are in memory at once."""
        return map(_owed, self._along(_OWED))

    def names(self) -> Iterator[tuple[int, str]]:
        """Yield the number and the Message-ID of every letter that has one, in order."""
        return map(tuple, self._along(_NAMES))

    def published(self) -> Iterator[tuple[int, bytes]]:
        """Yield the number and the bytes of every public letter that was composed, in order."""
        return map(tuple, self._along(_PUBLISHED))

    def _along(self, wanted: Select[Any]) -> Iterator[Row[Any]]:
        """Yield rows in order, of which few are in memory at once."""
        after, more = 0, wanted.where(OUTBOX.c.number > bindparam("after")).order_by(OUTBOX.c.number).limit(_BATCH)
        while True:
            with telling(), self._questions.connect() as connection:
                rows = connection.execute(more, {"of": self._contest, "after": after}).all()
            yield from rows
            if len(rows) < _BATCH:
                return
            after = rows[-1].number

    def in_state(self, *states: State) -> tuple[OwedLetter, ...]:
        """Return the letters in any of these states, in the order in which they became owed."""
        return self._where(OUTBOX.c.state.in_(states))

    def not_back(self, since: int) -> tuple[OwedLetter, ...]:
        """Return the public letters that were sent at *since* (UTC seconds) or later and have not been heard again."""
        heard = exists().where(LETTERS.c.contest == OUTBOX.c.contest,
                               LETTERS.c.message_id == OUTBOX.c.message_id)
        sent = and_(OUTBOX.c.state == "sent", OUTBOX.c.changed_at >= since)
        return self._where(and_(sent, OUTBOX.c.kind == "public", ~heard))

    def heard_again(self, message_id: str) -> bool:
        """Return whether the letter of that Message-ID has come back through a forum."""
        heard = select(LETTERS.c.number).where(
            LETTERS.c.contest == self._contest, LETTERS.c.message_id == plain(message_id),
            LETTERS.c.bucket == "own")
        with telling(), self._questions.connect() as connection:
            return connection.execute(heard.limit(1)).first() is not None

    def reported_before(self, report: bytes) -> bool:
        """Return whether a letter of these very bytes was heard before, as all are where a mailbox is numbered anew."""
        heard = select(LETTERS.c.number).where(
            LETTERS.c.contest == self._contest, LETTERS.c.content == sha256(report).hexdigest())
        with telling(), self._questions.connect() as connection:
            return connection.execute(heard.limit(1)).first() is not None

    def get(self, key: str) -> OwedLetter | None:
        """Return an owed letter by its key, None if there is none."""
        found = self._where(OUTBOX.c.key == plain(key))
        return found[0] if found else None

    def by_message_id(self, message_id: str) -> OwedLetter | None:
        """Return the letter that was sent under a Message-ID, None if there is none."""
        found = self._where(OUTBOX.c.message_id == plain(message_id)) if message_id else ()
        return found[0] if found else None

    def _where(self, clause: ColumnElement[bool]) -> tuple[OwedLetter, ...]:
        """Return letters in order; if the database were asked for order, it would go through all of them (SQLite)."""
        with telling(), self._questions.connect() as connection:
            rows = connection.execute(_OWED.where(clause), {"of": self._contest}).all()
        return tuple(_owed(row) for row in sorted(rows, key=lambda row: row.number))

    def settle_interrupted(self, now: int) -> tuple[OwedLetter, ...]:
        """Call unknown what an interrupted run left as sending; return those letters."""
        left = self.in_state("sending")
        for letter in left:
            self.mark_unknown(letter.letter.key, "the run that was sending it was interrupted", now)
        return left

    def mark_sending(self, key: str, data: bytes, message_id: str, now: int) -> None:
        """Say that *key* is being sent; its bytes and Message-ID must be those of any try before."""

        def change(row: Row[Any]) -> dict[str, Any]:
            if row.data not in {None, data}:
                raise Conflict(f"{key} was composed before with other bytes; send those")
            return {"state": "sending", "data": data, "message_id": plain(message_id), "tries": row.tries + 1}

        self._change(key, ("queued", "unknown"), now, change)

    def mark_sent(self, key: str, now: int) -> None:
        """Say that the server has taken *key*."""
        self._to(key, ("sending",), "sent", "", now)

    def mark_queued(self, key: str, error: str, now: int) -> None:
        """Say that *key* was not taken this time, and why; doubt from an earlier try stays."""

        def change(row: Row[Any]) -> dict[str, Any]:
            left = "unknown" if row.doubtful else "queued"
            return {"state": left if row.state == "sending" else row.state, "error": plain(error)}

        self._change(key, ("queued", "sending", "unknown"), now, change)

    def mark_unknown(self, key: str, error: str, now: int) -> None:
        """Say that nobody knows whether *key* was taken."""
        self._change(key, ("sending",), now, lambda row: {
            "state": "unknown", "error": plain(error), "doubtful": row.doubtful + 1})

    def mark_failed(self, key: str, error: str, now: int) -> None:
        """Say that the server refused *key* for good, or that it can't be made."""
        self._to(key, ("queued", "sending", "unknown"), "failed", error, now)

    def mark_bounced(self, key: str, error: str, now: int) -> None:
        """Say that *key* came back after it had been taken; nothing changes if that is known."""
        owed = self.get(key)
        if owed is not None and owed.state in ("sent", "unknown"):
            self._to(key, ("sent", "unknown"), "failed", error, now)

    def requeue(self, key: str, now: int) -> None:
        """Send a failed or unknown letter once more: the contestmaster has looked, so there is no doubt any longer."""
        self._change(key, ("failed", "unknown"), now, lambda _: {"state": "queued", "error": "", "doubtful": 0})

    def forget_bytes(self, key: str, now: int) -> None:
        """Let *key* be made anew: the address that its bytes name is its reader's no longer."""
        self._change(key, ("queued", "unknown"), now, lambda _: {"data": None})

    def tried(self) -> frozenset[str]:
        """Return the Message-IDs of the letters that were tried to be sent, and aren't known to have been taken."""
        wanted = select(OUTBOX.c.message_id).where(_OF, OUTBOX.c.message_id != "", OUTBOX.c.state.in_(_NOT_SENT))
        with telling(), self._questions.connect() as connection:
            return frozenset(connection.execute(wanted, {"of": self._contest}).scalars())

    def settle_by_echo(self, message_id: str, now: int) -> bool:
        """Call sent the letter whose copy came back through its forum; tell whether that was open.

        One that is queued has been tried before if it has a Message-ID, and isn't sent a second time then. One that is
        failed was said to have come back, or refused; the forum has it all the same.
        """
        if not message_id:
            return False
        with telling(), self._questions.connect() as connection:
            found = connection.execute(_ECHOED, {"of": self._contest, "echoed": plain(message_id)}).scalars().all()
        for key in found:
            self._to(key, _NOT_SENT, "sent", "", now)
        return bool(found)

    def _to(self, key: str, before: tuple[State, ...], state: State, error: str, now: int) -> None:
        self._change(key, before, now, lambda _: {"state": state, "error": plain(error)})

    def _change(self, key: str, before: tuple[State, ...], now: int, change: _Change) -> None:
        one = {"of": self._contest, "named": plain(key)}
        with telling(), self._engine.begin() as connection:
            row = connection.execute(_ONE, one).first()
            if row is None or row.state not in before:
                raise Conflict(f"{key} is {row.state if row else 'not owed'}, so it can't be dealt with as {before[0]}")
            connection.execute(_CHANGED, {**one, **change(row), "changed_at": now})


def _owed(row: Row[Any]) -> OwedLetter:
    letter: Outgoing = read_value(Outgoing, row.letter)
    return OwedLetter(row.number, letter, row.state, row.data, row.message_id, row.tries, row.doubtful, row.error)
