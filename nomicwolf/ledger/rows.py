"""The rows of the tables with their types, as SQLModel has them, for what goes through a ledger at leisure.

The tables stand in `nomicwolf.ledger.tables` alone: a class here takes its columns from there. A poll doesn't import
this, for SQLModel and Pydantic would be a third of what it takes to start (`tests/architecture/test_cold_path.py`).
"""

from __future__ import annotations

from sqlmodel import Field, SQLModel

from nomicwolf.ledger.tables import CONTESTS, HAPPENINGS, LETTERS, OUTBOX, SETUPS


class ContestRow(SQLModel, table=True):
    """A row of `CONTESTS`."""

    __table__ = CONTESTS
    contest: str = Field(sa_column=CONTESTS.c.contest)
    last: int = Field(sa_column=CONTESTS.c.last)
    head: str = Field(sa_column=CONTESTS.c.head)
    alarm: int | None = Field(sa_column=CONTESTS.c.alarm)
    polled_at: int = Field(sa_column=CONTESTS.c.polled_at)
    received: int = Field(sa_column=CONTESTS.c.received)
    owed: int = Field(sa_column=CONTESTS.c.owed)


class LetterRow(SQLModel, table=True):
    """A row of `LETTERS`."""

    __table__ = LETTERS
    contest: str = Field(sa_column=LETTERS.c.contest)
    number: int = Field(sa_column=LETTERS.c.number)
    place: str = Field(sa_column=LETTERS.c.place)
    mailbox_order: int = Field(sa_column=LETTERS.c.mailbox_order)
    arrived: int = Field(sa_column=LETTERS.c.arrived)
    size: int = Field(sa_column=LETTERS.c.size)
    truncated: int = Field(sa_column=LETTERS.c.truncated)
    content: str = Field(sa_column=LETTERS.c.content)
    entry: int = Field(sa_column=LETTERS.c.entry)
    message_id: str = Field(sa_column=LETTERS.c.message_id)
    digest: str = Field(sa_column=LETTERS.c.digest)
    letter: str = Field(sa_column=LETTERS.c.letter)
    heard_at: int = Field(sa_column=LETTERS.c.heard_at)
    bucket: str = Field(sa_column=LETTERS.c.bucket)
    author: str = Field(sa_column=LETTERS.c.author)
    why: str = Field(sa_column=LETTERS.c.why)


class OutboxRow(SQLModel, table=True):
    """A row of `OUTBOX`."""

    __table__ = OUTBOX
    contest: str = Field(sa_column=OUTBOX.c.contest)
    number: int = Field(sa_column=OUTBOX.c.number)
    key: str = Field(sa_column=OUTBOX.c.key)
    kind: str = Field(sa_column=OUTBOX.c.kind)
    letter: str = Field(sa_column=OUTBOX.c.letter)
    state: str = Field(sa_column=OUTBOX.c.state)
    message_id: str = Field(sa_column=OUTBOX.c.message_id)
    data: bytes | None = Field(sa_column=OUTBOX.c.data)
    tries: int = Field(sa_column=OUTBOX.c.tries)
    doubtful: int = Field(sa_column=OUTBOX.c.doubtful)
    changed_at: int = Field(sa_column=OUTBOX.c.changed_at)
    error: str = Field(sa_column=OUTBOX.c.error)


class SetupRow(SQLModel, table=True):
    """A row of `SETUPS`."""

    __table__ = SETUPS
    contest: str = Field(sa_column=SETUPS.c.contest)
    digest: str = Field(sa_column=SETUPS.c.digest)
    data: str = Field(sa_column=SETUPS.c.data)


class HappeningRow(SQLModel, table=True):
    """A row of `HAPPENINGS`."""

    __table__ = HAPPENINGS
    contest: str = Field(sa_column=HAPPENINGS.c.contest)
    number: int = Field(sa_column=HAPPENINGS.c.number)
    kind: str = Field(sa_column=HAPPENINGS.c.kind)
    data: str = Field(sa_column=HAPPENINGS.c.data)
    setup: str = Field(sa_column=HAPPENINGS.c.setup)
    now: int = Field(sa_column=HAPPENINGS.c.now)
    base: int = Field(sa_column=HAPPENINGS.c.base)
    last: int = Field(sa_column=HAPPENINGS.c.last)
    owed: int = Field(sa_column=HAPPENINGS.c.owed)
