"""The record, letters heard and owed, and marks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_NUMBER: sa.types.TypeEngine[int] = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_BUCKETS = "'deeds', 'no-deed', 'machine', 'own', 'stranger', 'duplicate', 'held'"
_STATES = "'queued', 'sending', 'sent', 'unknown', 'failed'"
_FIXED = {
    "entries": ("contest", "number", "at", "kind", "data", "head"),
    "originals": ("contest", "content", "data"),
    "letters": (
        "contest", "number", "place", "arrived", "content", "entry", "message_id", "digest", "letter", "heard_at"),
}


def upgrade() -> None:
    """Create the tables, and forbid changes and deletions of what was recorded."""
    _contests()
    _letters()
    _outbox()
    for table, columns in _FIXED.items():
        (_guard_sqlite if op.get_bind().dialect.name == "sqlite" else _guard_postgres)(table, columns)


def _contests() -> None:
    op.create_table(
        "contests", _text("contest"), _number("last"), _text("head"), sa.Column("alarm", _NUMBER),
        _number("polled_at"), _number("received"), _number("owed"),
        sa.PrimaryKeyConstraint("contest", name="pk_contests"),
        sa.CheckConstraint("last >= 0 AND received >= 0 AND owed >= 0", name=op.f("ck_contests_counts")),
        sqlite_strict=True,
    )
    op.create_table(
        "entries", _text("contest"), _number("number"), _number("at"), _text("kind"), _text("data"), _text("head"),
        sa.PrimaryKeyConstraint("contest", "number", name="pk_entries"), _contest("entries"),
        sa.CheckConstraint("number > 0", name=op.f("ck_entries_number")),
        sqlite_strict=True,
    )
    op.create_table(
        "marks", _text("contest"), _text("source"), _number("validity"), _number("last"),
        sa.PrimaryKeyConstraint("contest", "source", name="pk_marks"), _contest("marks"),
        sqlite_strict=True,
    )


def _letters() -> None:
    op.create_table(
        "originals", _text("contest"), _text("content"), sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("contest", "content", name="pk_originals"), _contest("originals"),
        sqlite_strict=True,
    )
    op.create_table(
        "letters", _text("contest"), _number("number"), _text("place"), _number("mailbox_order"), _number("arrived"),
        _number("size"), sa.Column("truncated", sa.Integer(), nullable=False), _text("content"), _number("entry"),
        _text("message_id"), _text("digest"), _text("letter"), _number("heard_at"), _text("bucket"),
        _text("author"), _text("why"),
        sa.PrimaryKeyConstraint("contest", "number", name="pk_letters"),
        sa.ForeignKeyConstraint(
            ["contest", "content"], ["originals.contest", "originals.content"], name="fk_letters_contest_content"),
        sa.CheckConstraint(f"bucket IN ({_BUCKETS})", name=op.f("ck_letters_bucket")),
        sqlite_strict=True,
    )
    op.create_index("ix_letters_contest_place", "letters", ["contest", "place"], unique=True)
    for column in ("bucket", "content", "entry", "message_id"):
        op.create_index(f"ix_letters_contest_{column}", "letters", ["contest", column])


def _outbox() -> None:
    op.create_table(
        "outbox", _text("contest"), _number("number"), _text("key"), _text("kind"), _text("letter"), _text("state"),
        _text("message_id"), sa.Column("data", sa.LargeBinary()), _number("tries"), _number("doubtful"),
        _number("changed_at"), _text("error"),
        sa.PrimaryKeyConstraint("contest", "number", name="pk_outbox"), _contest("outbox"),
        sa.CheckConstraint(f"state IN ({_STATES})", name=op.f("ck_outbox_state")),
        sa.CheckConstraint("kind IN ('public', 'private')", name=op.f("ck_outbox_kind")),
        sa.CheckConstraint("state = 'queued' OR state = 'failed' OR data IS NOT NULL", name=op.f("ck_outbox_composed")),
        sqlite_strict=True,
    )
    op.create_index("ix_outbox_contest_key", "outbox", ["contest", "key"], unique=True)
    for column in ("state", "message_id"):
        op.create_index(f"ix_outbox_contest_{column}", "outbox", ["contest", column])


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, _NUMBER, nullable=False)


def _contest(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["contest"], ["contests.contest"], name=f"fk_{table}_contest")


def _guard_sqlite(table: str, columns: tuple[str, ...]) -> None:
    for deed in ("DELETE", f"UPDATE OF {', '.join(columns)}"):
        op.execute(
            f"CREATE TRIGGER keep_{table}_{deed[:6].lower()} BEFORE {deed} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'the ledger only grows: {table}'); END"
        )


def _guard_postgres(table: str, columns: tuple[str, ...]) -> None:
    op.execute(
        "CREATE OR REPLACE FUNCTION keep_record() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the ledger only grows: %', TG_TABLE_NAME; END $$"
    )
    op.execute(
        f"CREATE TRIGGER keep_{table} BEFORE DELETE OR UPDATE OF {', '.join(columns)} ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION keep_record()"
    )
