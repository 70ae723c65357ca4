"""The tables, as the newest migration leaves them; every one is keyed by the contest.

Types are those that SQLite's STRICT tables know, so that nothing of another type gets in; instants are UTC
seconds. Texts that people wrote are JSON in ASCII or bytes: any character is safe in any database. Hashes of what can
be guessed (a head of the chain, a digest of words) are sealed like the words themselves.

A poll reads and writes these as they are; `nomicwolf.ledger.rows` gives their rows types, for whoever reads at leisure.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, Column, ForeignKeyConstraint, Index, Integer, MetaData, Table, Text
from sqlalchemy.types import TypeEngine

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


def contest_tables() -> list[Table]:
    """Return the ledger's tables, those that others refer to first; every one is keyed by the contest."""
    return [table for table in METADATA.sorted_tables if "contest" in table.columns]


def _key(name: str, kind: TypeEngine[Any] | type[TypeEngine[Any]]) -> Column[Any]:
    return Column(name, kind, primary_key=True)


def _column(name: str, kind: TypeEngine[Any] | type[TypeEngine[Any]], *, needed: bool = True) -> Column[Any]:
    return Column(name, kind, nullable=not needed)


def _one_of(column: str, options: tuple[str, ...]) -> CheckConstraint:
    """Return the check that *column* holds one of some words."""
    return CheckConstraint(f"{column} IN ({', '.join(repr(option) for option in options)})", name=column)


CONTESTS = Table(
    "contests", METADATA,
    _key("contest", Text),
    _column("last", NUMBER),
    _column("head", SealedText),
    _column("alarm", NUMBER, needed=False),
    _column("polled_at", NUMBER),
    _column("received", NUMBER),
    _column("owed", NUMBER),
    CheckConstraint("last >= 0 AND received >= 0 AND owed >= 0", name="counts"),
    sqlite_strict=True,
)
"""A contest: the head of its record, and how many letters came and are owed, counted one by one."""

ENTRIES = Table(
    "entries", METADATA,
    _key("contest", Text),
    _key("number", NUMBER),
    _column("at", NUMBER),
    _column("kind", SealedText),
    _column("data", SealedText),
    _column("head", SealedText),
    ForeignKeyConstraint(["contest"], ["contests.contest"]),
    CheckConstraint("number > 0", name="number"),
    sqlite_strict=True,
)
"""A line of the record: *data* is the entry's canonical JSON, *head* the chain's head after it."""

ORIGINALS = Table(
    "originals", METADATA,
    _key("contest", Text),
    _key("content", Text),
    _column("data", SealedBytes),
    ForeignKeyConstraint(["contest"], ["contests.contest"]),
    sqlite_strict=True,
)
"""The bytes of a letter as they came, once, however often it came."""

LETTERS = Table(
    "letters", METADATA,
    _key("contest", Text),
    _key("number", NUMBER),
    _column("place", Text),
    _column("mailbox_order", NUMBER),
    _column("arrived", NUMBER),
    _column("size", NUMBER),
    _column("truncated", Integer),
    _column("content", Text),
    _column("entry", NUMBER),
    _column("message_id", Text),
    _column("digest", SealedText),
    _column("letter", SealedText),
    _column("heard_at", NUMBER),
    _column("bucket", Text),
    _column("author", SealedText),
    _column("why", SealedText),
    ForeignKeyConstraint(["contest", "content"], ["originals.contest", "originals.content"]),
    _one_of("bucket", BUCKETS),
    Index(None, "contest", "place", unique=True),
    Index(None, "contest", "bucket"),
    Index(None, "contest", "content"),
    Index(None, "contest", "entry"),
    Index(None, "contest", "message_id"),
    sqlite_strict=True,
)
"""A letter that was heard, and the one bucket it is in; *letter* is what was made of it, as JSON.

*entry* is the number of the entry that tells of it, 0 if none does.
"""

OUTBOX = Table(
    "outbox", METADATA,
    _key("contest", Text),
    _key("number", NUMBER),
    _column("key", Text),
    _column("kind", Text),
    _column("letter", SealedText),
    _column("state", Text),
    _column("message_id", Text),
    _column("data", SealedBytes, needed=False),
    _column("tries", NUMBER),
    _column("doubtful", NUMBER),
    _column("changed_at", NUMBER),
    _column("error", SealedText),
    ForeignKeyConstraint(["contest"], ["contests.contest"]),
    _one_of("state", STATES),
    _one_of("kind", KINDS),
    CheckConstraint("state = 'queued' OR state = 'failed' OR data IS NOT NULL", name="composed"),
    Index(None, "contest", "key", unique=True),
    Index(None, "contest", "state"),
    Index(None, "contest", "state", "changed_at"),
    Index(None, "contest", "message_id"),
    sqlite_strict=True,
)
"""A letter that is owed, until it is known to be sent; *data* are its bytes from its first try on."""

MARKS = Table(
    "marks", METADATA,
    _key("contest", Text),
    _key("source", Text),
    _column("validity", NUMBER),
    _column("last", NUMBER),
    ForeignKeyConstraint(["contest"], ["contests.contest"]),
    sqlite_strict=True,
)
"""How far a source of letters has been read: its validity (UIDVALIDITY) and its last number (UID)."""

SETUPS = Table(
    "setups", METADATA,
    _key("contest", Text),
    _key("digest", Text),
    _column("data", SealedText),
    ForeignKeyConstraint(["contest"], ["contests.contest"]),
    sqlite_strict=True,
)
"""What a contest was by its settings when something happened to it: canonical JSON under its SHA-256."""

HAPPENINGS = Table(
    "happenings", METADATA,
    _key("contest", Text),
    _key("number", NUMBER),
    _column("kind", Text),
    _column("data", SealedText),
    _column("setup", Text),
    _column("now", NUMBER),
    _column("base", NUMBER),
    _column("last", NUMBER),
    _column("owed", NUMBER),
    ForeignKeyConstraint(["contest", "setup"], ["setups.contest", "setups.digest"]),
    _one_of("kind", OCCASIONS),
    sqlite_strict=True,
)
"""What a transaction followed from, at *now*: the entries behind *base* up to *last*, letters owed up to *owed*.

*data* is the letter's number, or a command or a tick as JSON.
"""
