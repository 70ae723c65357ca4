"""The ledger's schema as SQLModel classes, and its queries.

The tables are as the newest migration leaves them, each keyed by the contest. Column types are those of SQLite's STRICT
tables; instants are UTC seconds. Texts by people are stored as JSON in ASCII or as bytes, which are safe in any
database. Hashes of texts that can be guessed (a head of the chain, a digest of words) are encrypted like the texts. A
query takes the contest as *of*.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    and_,
    bindparam,
    func,
    select,
)
from sqlalchemy.types import TypeEngine
from sqlmodel import Field, SQLModel

from nomicwolf.ledger.encryption import SealedBytes, SealedText

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
    """A row of one of the ledger's tables, each of a contest's."""

    metadata = METADATA
    contest: str = Field(sa_type=Text, primary_key=True)


def _one_of(column: str, options: tuple[str, ...]) -> CheckConstraint:
    """Return the constraint that *column* is one of the *options*."""
    return CheckConstraint(f"{column} IN ({', '.join(repr(option) for option in options)})", name=column)


class ContestRow(Row, table=True):
    """A contest: the tip of its record, and the numbers of letters received and owed, counted one by one."""

    __tablename__ = "contests"
    __table_args__ = (
        CheckConstraint("last >= 0 AND received >= 0 AND owed >= 0", name="counts"),
        _STRICT,
    )
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
    number: int = Field(sa_type=NUMBER, primary_key=True)
    at: int = Field(sa_type=NUMBER)
    kind: str = Field(sa_type=SealedText)
    data: str = Field(sa_type=SealedText)
    head: str = Field(sa_type=SealedText)


class OriginalRow(Row, table=True):
    """The bytes of a letter, stored once however often it came."""

    __tablename__ = "originals"
    __table_args__ = (ForeignKeyConstraint(["contest"], ["contests.contest"]), _STRICT)
    content: str = Field(sa_type=Text, primary_key=True)
    data: bytes = Field(sa_type=SealedBytes)


class LetterRow(Row, table=True):
    """A letter that was heard, and its bucket; *letter* is the `Letter` as JSON.

    *entry* is the number of the entry that records it, 0 if none does.
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
    """A letter of the outbox; *data* are its bytes since its first try."""

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
    """How far a source of letters has been read: its UIDVALIDITY and last UID."""

    __tablename__ = "marks"
    __table_args__ = (ForeignKeyConstraint(["contest"], ["contests.contest"]), _STRICT)
    source: str = Field(sa_type=Text, primary_key=True)
    validity: int = Field(sa_type=NUMBER)
    last: int = Field(sa_type=NUMBER)


class SetupRow(Row, table=True):
    """A contest's setup by its settings at some time: canonical JSON under its SHA-256."""

    __tablename__ = "setups"
    __table_args__ = (ForeignKeyConstraint(["contest"], ["contests.contest"]), _STRICT)
    digest: str = Field(sa_type=Text, primary_key=True)
    data: str = Field(sa_type=SealedText)


class HappeningRow(Row, table=True):
    """The cause of a transaction at *now*: entries after *base* up to *last*, letters owed up to *owed*.

    *data* is the letter's number and that of the run in which it was heard, or a command or a tick as JSON.
    """

    __tablename__ = "happenings"
    __table_args__ = (
        ForeignKeyConstraint(["contest", "setup"], ["setups.contest", "setups.digest"]),
        _one_of("kind", OCCASIONS),
        _STRICT,
    )
    number: int = Field(sa_type=NUMBER, primary_key=True)
    kind: str = Field(sa_type=Text)
    data: str = Field(sa_type=SealedText)
    setup: str = Field(sa_type=Text)
    now: int = Field(sa_type=NUMBER)
    base: int = Field(sa_type=NUMBER)
    last: int = Field(sa_type=NUMBER)
    owed: int = Field(sa_type=NUMBER)


CONTESTS, ENTRIES, ORIGINALS, LETTERS, OUTBOX, MARKS, SETUPS, HAPPENINGS = (METADATA.tables[name] for name in (
    "contests", "entries", "originals", "letters", "outbox", "marks", "setups", "happenings"))


def contest_tables() -> list[Table]:
    """Return the ledger's tables in the order of their foreign keys."""
    return [table for table in METADATA.sorted_tables if "contest" in table.columns]


KNOWN_PLACES = select(LETTERS.c.place).where(
    LETTERS.c.contest == bindparam("of"), LETTERS.c.place.in_(bindparam("places", expanding=True)))
KEPT_LETTERS = select(LETTERS, ORIGINALS.c.data).join(ORIGINALS).where(LETTERS.c.contest == bindparam("of"))
NAMESAKES = select(LETTERS.c.message_id, LETTERS.c.letter).where(
    LETTERS.c.contest == bindparam("of"), LETTERS.c.message_id.in_(bindparam("ids", expanding=True)))
HEAD = select(ENTRIES.c.head).where(ENTRIES.c.contest == bindparam("of"), ENTRIES.c.number == bindparam("number"))
ENDS = select(
    select(func.count()).where(HAPPENINGS.c.contest == bindparam("of")).scalar_subquery().label("happened"),
    select(func.max(ENTRIES.c.number)).where(ENTRIES.c.contest == bindparam("of")).scalar_subquery().label("last"))
_LATEST = HAPPENINGS.alias("latest")
ENDED = select(_LATEST.c.number, _LATEST.c.owed).where(
    _LATEST.c.contest == bindparam("of"), _LATEST.c.kind != "letter"
).order_by(_LATEST.c.number.desc()).limit(1)
"""The latest happening that posted what there was to tell."""
HEARD_SINCE = select(func.min(HAPPENINGS.c.base).label("base")).where(
    HAPPENINGS.c.contest == bindparam("of"), HAPPENINGS.c.number > bindparam("ended"))
STANDING = select(CONTESTS).where(CONTESTS.c.contest == bindparam("of"))
MARK = select(MARKS.c.validity, MARKS.c.last).where(
    MARKS.c.contest == bindparam("of"), MARKS.c.source == bindparam("named"))
_EARLIER = HAPPENINGS.alias("earlier")
_BEFORE = select(_EARLIER.c.number).where(
    _EARLIER.c.contest == bindparam("of"), _EARLIER.c.owed < bindparam("owed")
).order_by(_EARLIER.c.number.desc()).limit(1).scalar_subquery()
HEAD_WHEN_OWED = select(ENTRIES.c.head).join(HAPPENINGS, and_(
    HAPPENINGS.c.contest == ENTRIES.c.contest, HAPPENINGS.c.last == ENTRIES.c.number
)).where(HAPPENINGS.c.contest == bindparam("of"), HAPPENINGS.c.number > func.coalesce(_BEFORE, 0)
).order_by(HAPPENINGS.c.number).limit(1)
"""The head when a letter became owed."""
_OF_CONTEST = tuple(
    select(bindparam(None, column.name), bindparam(None, ""), column).where(CONTESTS.c.contest == bindparam("of"))
    for column in (CONTESTS.c.received, CONTESTS.c.owed))
_OF_LETTERS = tuple(
    select(bindparam(None, column.name), column, func.count()).where(
        column.table.c.contest == bindparam("of")).group_by(column) for column in (LETTERS.c.bucket, OUTBOX.c.state))
COUNTS = _OF_CONTEST[0].union_all(_OF_CONTEST[1], *_OF_LETTERS)
"""The letters received and owed, and those in each bucket and state, as (what, name, count)."""
RECORD = select(ENTRIES.c.number, ENTRIES.c.data).where(ENTRIES.c.contest == bindparam("of"))
HEADS = select(ENTRIES.c.number, ENTRIES.c.head).where(ENTRIES.c.contest == bindparam("of"))
HAPPENED = select(HAPPENINGS, SETUPS.c.data.label("setup_data")).join(SETUPS).where(
    HAPPENINGS.c.contest == bindparam("of"))
