"""The outbox of letters owed.

Each letter is queued, sending, then sent, unknown or failed. Every change of state is committed. A letter is *sending*
before its first byte leaves. If the run dies then, the next one marks the letter *unknown*, because it may have arrived
(RFC 1047). Every try has the same Message-ID, and the same bytes unless the recipient's address has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

from sqlalchemy import ColumnElement, Engine, Row, Select, and_, bindparam, exists, or_, select, update

from nomicwolf.ledger.codec import read_value
from nomicwolf.ledger.database import translating, walk
from nomicwolf.ledger.errors import Conflict
from nomicwolf.ledger.records import OwedLetter, State
from nomicwolf.ledger.tables import LETTERS, OUTBOX
from nomicwolf.ledger.transaction import storable
from nomicwolf.letters.letter import Outgoing

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

    def sent_since(self, since: int) -> tuple[int, ...]:
        """Return when letters were taken by the server, from *since* on (UTC seconds)."""
        wanted = select(OUTBOX.c.changed_at).where(_OF, OUTBOX.c.state == "sent", OUTBOX.c.changed_at >= since)
        with translating(), self._questions.connect() as connection:
            return tuple(connection.execute(wanted, {"of": self._contest}).scalars())

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
        with translating(), self._questions.connect() as connection:
            return connection.execute(heard.limit(1)).first() is not None

    def reported_before(self, report: bytes) -> bool:
        """Return whether a letter of these very bytes is in the ledger, as after a change of UIDVALIDITY."""
        heard = select(LETTERS.c.number).where(
            LETTERS.c.contest == self._contest, LETTERS.c.content == sha256(report).hexdigest())
        with translating(), self._questions.connect() as connection:
            return connection.execute(heard.limit(1)).first() is not None

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
        with translating(), self._questions.connect() as connection:
            return frozenset(connection.execute(wanted, {"of": self._contest}).scalars())

    def settle_by_echo(self, message_id: str, now: int) -> bool:
        """Mark the letter whose copy came back through its forum as sent; return whether that was open.

        A queued letter with a Message-ID has been tried before, and is not sent again. A failed one was reported as
        bounced or refused, but the forum has it.
        """
        if not message_id:
            return False
        with translating(), self._questions.connect() as connection:
            found = connection.execute(_ECHOED, {"of": self._contest, "echoed": storable(message_id)}).scalars().all()
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
            connection.execute(_CHANGED, {**one, **change(row), "changed_at": now})


def _owed(row: Row[Any]) -> OwedLetter:
    letter: Outgoing = read_value(Outgoing, row.letter)
    return OwedLetter(row.number, letter, row.state, row.data, row.message_id, row.tries, row.doubtful, row.error,
                      row.changed_at)
