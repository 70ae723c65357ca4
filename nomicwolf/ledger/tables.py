"""The ledger's schema: a class for each table, as the newest migration leaves it; every table is keyed by the contest.

Types are those that SQLite's STRICT tables know, so that nothing of another type gets in; instants are UTC seconds.
Texts that people wrote are JSON in ASCII or bytes: any character is safe in any database. Hashes of what can be guessed
(a head of the chain, a digest of words) are sealed like the words themselves.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, CheckConstraint, ForeignKeyConstraint, Index, Integer, MetaData, Table, Text
from sqlalchemy.types import TypeEngine
from sqlmodel import Field, SQLModel

from nomicwolf.ledger.sealing import SealedBytes, SealedText

BUCKETS = ("deeds", "no-deed", "machine", "own", "stranger", "duplicate", "held")
KINDS = ("public", "private")
OCCASIONS = ("letter", "command", "tick")
STATES = ("queued", "sending", "sent", "unknown", "failed")
NUMBER: TypeEngine[int] = BigInteger().with_variant(Integer(), "sqlite")

METADATA = MetaData(naming_convention={
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
})
_STRICT: Final = {"sqlite_strict": True}


class Row(SQLModel):
    """A row of one of the ledger's tables."""

    metadata = METADATA


def _one_of(column: str, options: tuple[str, ...]) -> CheckConstraint:
    """Return the check that *column* holds one of some words."""
    return CheckConstraint(f"{column} IN ({', '.join(repr(option) for option in options)})", name=column)


class ContestRow(Row, table=True):
    """A contest: the head of its record, and how many letters came and are owed, counted one by one."""

    __tablename__ = "contests"
    __table_args__ = (
        CheckConstraint("last >= 0 AND received >= 0 AND owed >= 0", name="counts"),
        _STRICT,
    )
    contest: str = Field(sa_type=Text, primary_key=True)
    last: int = Field(sa_type=NUMBER)
    head: str = Field(sa_type=SealedText)
    alarm: int | None = Field(sa_type=NUMBER)
    polled_at: int = Field(sa_type=NUMBER)
    received: int = Field(sa_type=NUMBER)
    owed: int = Field(sa_type=NUMBER)


class EntryRow(Row, table=True):
    """A line of the record: *data* is the entry's canonical JSON, *head* the chain's head after it."""

    __tablename__ = "entries"
    __table_args__ = (
        ForeignKeyConstraint(["contest"], ["contests.contest"]),
        CheckConstraint("number > 0", name="number"),
        _STRICT,
    )
    contest: str = Field(sa_type=Text, primary_key=True)
    number: int = Field(sa_type=NUMBER, primary_key=True)
    at: int = Field(sa_type=NUMBER)
    kind: str = Field(sa_type=SealedText)
    data: str = Field(sa_type=SealedText)
    head: str = Field(sa_type=SealedText)


class OriginalRow(Row, table=True):
    """The bytes of a letter as they came, once, however often it came."""

    __tablename__ = "originals"
    __table_args__ = (
        ForeignKeyConstraint(["contest"], ["contests.contest"]),
        _STRICT,
    )
    contest: str = Field(sa_type=Text, primary_key=True)
    content: str = Field(sa_type=Text, primary_key=True)
    data: bytes = Field(sa_type=SealedBytes)


class LetterRow(Row, table=True):
    """A letter that was heard, and the one bucket it is in; *letter* is what was made of it, as JSON.

    *entry* is the number of the entry that tells of it, 0 if none does.
    """

    __tablename__ = "letters"
    __table_args__ = (
        ForeignKeyConstraint(["contest", "content"], ["originals.contest", "originals.content"]),
        _one_of("bucket", BUCKETS),
        Index(None, "contest", "place", unique=True),
        Index(None, "contest", "bucket"),
        Index(None, "contest", "content"),
        Index(None, "contest", "entry"),
        Index(None, "contest", "message_id"),
        _STRICT,
    )
    contest: str = Field(sa_type=Text, primary_key=True)
    number: int = Field(sa_type=NUMBER, primary_key=True)
    place: str = Field(sa_type=Text)
    mailbox_order: int = Field(sa_type=NUMBER)
    arrived: int = Field(sa_type=NUMBER)
    size: int = Field(sa_type=NUMBER)
    truncated: int = Field(sa_type=Integer)
    content: str = Field(sa_type=Text)
    entry: int = Field(sa_type=NUMBER)
    message_id: str = Field(sa_type=Text)
    digest: str = Field(sa_type=SealedText)
    letter: str = Field(sa_type=SealedText)
    heard_at: int = Field(sa_type=NUMBER)
    bucket: str = Field(sa_type=Text)
    author: str = Field(sa_type=SealedText)
    why: str = Field(sa_type=SealedText)


class OutboxRow(Row, table=True):
    """A letter that is owed, until it is known to be sent; *data* are its bytes from its first try on."""

    __tablename__ = "outbox"
    __table_args__ = (
        ForeignKeyConstraint(["contest"], ["contests.contest"]),
        _one_of("state", STATES),
        _one_of("kind", KINDS),
        CheckConstraint("state = 'queued' OR state = 'failed' OR data IS NOT NULL", name="composed"),
        Index(None, "contest", "key", unique=True),
        Index(None, "contest", "state"),
        Index(None, "contest", "state", "changed_at"),
        Index(None, "contest", "message_id"),
        _STRICT,
    )
    contest: str = Field(sa_type=Text, primary_key=True)
    number: int = Field(sa_type=NUMBER, primary_key=True)
    key: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    letter: str = Field(sa_type=SealedText)
    state: str = Field(sa_type=Text)
    message_id: str = Field(sa_type=Text)
    data: bytes | None = Field(sa_type=SealedBytes)
    tries: int = Field(sa_type=NUMBER)
    doubtful: int = Field(sa_type=NUMBER)
    changed_at: int = Field(sa_type=NUMBER)
    error: str = Field(sa_type=SealedText)


class MarkRow(Row, table=True):
    """How far a source of letters has been read: its validity (UIDVALIDITY) and its last number (UID)."""

    __tablename__ = "marks"
    __table_args__ = (
        ForeignKeyConstraint(["contest"], ["contests.contest"]),
        _STRICT,
    )
    contest: str = Field(sa_type=Text, primary_key=True)
    source: str = Field(sa_type=Text, primary_key=True)
    validity: int = Field(sa_type=NUMBER)
    last: int = Field(sa_type=NUMBER)


class SetupRow(Row, table=True):
    """What a contest was by its settings when something happened to it: canonical JSON under its SHA-256."""

    __tablename__ = "setups"
    __table_args__ = (
        ForeignKeyConstraint(["contest"], ["contests.contest"]),
        _STRICT,
    )
    contest: str = Field(sa_type=Text, primary_key=True)
    digest: str = Field(sa_type=Text, primary_key=True)
    data: str = Field(sa_type=SealedText)


class HappeningRow(Row, table=True):
    """What a transaction followed from, at *now*: the entries behind *base* up to *last*, letters owed up to *owed*.

    *data* is the letter's number, or a command or a tick as JSON.
    """

    __tablename__ = "happenings"
    __table_args__ = (
        ForeignKeyConstraint(["contest", "setup"], ["setups.contest", "setups.digest"]),
        _one_of("kind", OCCASIONS),
        _STRICT,
    )
    contest: str = Field(sa_type=Text, primary_key=True)
    number: int = Field(sa_type=NUMBER, primary_key=True)
    kind: str = Field(sa_type=Text)
    data: str = Field(sa_type=SealedText)
    setup: str = Field(sa_type=Text)
    now: int = Field(sa_type=NUMBER)
    base: int = Field(sa_type=NUMBER)
    last: int = Field(sa_type=NUMBER)
    owed: int = Field(sa_type=NUMBER)


CONTESTS: Final[Table] = METADATA.tables["contests"]
ENTRIES: Final[Table] = METADATA.tables["entries"]
ORIGINALS: Final[Table] = METADATA.tables["originals"]
LETTERS: Final[Table] = METADATA.tables["letters"]
OUTBOX: Final[Table] = METADATA.tables["outbox"]
MARKS: Final[Table] = METADATA.tables["marks"]
SETUPS: Final[Table] = METADATA.tables["setups"]
HAPPENINGS: Final[Table] = METADATA.tables["happenings"]


def contest_tables() -> list[Table]:
    """Return the ledger's tables, those that others refer to first; every one is keyed by the contest."""
    return [table for table in METADATA.sorted_tables if "contest" in table.columns]
