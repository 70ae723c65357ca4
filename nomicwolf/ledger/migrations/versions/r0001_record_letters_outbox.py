"""The record, letters heard and owed, and marks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from nomicwolf.ledger.migrations.versions import NUMBER, number, of_contest, text

revision = "0001"
down_revision = None

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
        "contests", text("contest"), number("last"), text("head"), sa.Column("alarm", NUMBER),
        number("polled_at"), number("received"), number("owed"),
        sa.PrimaryKeyConstraint("contest", name="pk_contests"),
        sa.CheckConstraint("last >= 0 AND received >= 0 AND owed >= 0", name=op.f("ck_contests_counts")),
        sqlite_strict=True,
    )
    op.create_table(
        "entries", text("contest"), number("number"), number("at"), text("kind"), text("data"), text("head"),
        sa.PrimaryKeyConstraint("contest", "number", name="pk_entries"), of_contest("entries"),
        sa.CheckConstraint("number > 0", name=op.f("ck_entries_number")),
        sqlite_strict=True,
    )
    op.create_table(
        "marks", text("contest"), text("source"), number("validity"), number("last"),
        sa.PrimaryKeyConstraint("contest", "source", name="pk_marks"), of_contest("marks"),
        sqlite_strict=True,
    )


def _letters() -> None:
    op.create_table(
        "originals", text("contest"), text("content"), sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("contest", "content", name="pk_originals"), of_contest("originals"),
        sqlite_strict=True,
    )
    op.create_table(
        "letters", text("contest"), number("number"), text("place"), number("mailbox_order"), number("arrived"),
        number("size"), sa.Column("truncated", sa.Integer(), nullable=False), text("content"), number("entry"),
        text("message_id"), text("digest"), text("letter"), number("heard_at"), text("bucket"),
        text("author"), text("why"),
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
        "outbox", text("contest"), number("number"), text("key"), text("kind"), text("letter"), text("state"),
        text("message_id"), sa.Column("data", sa.LargeBinary()), number("tries"), number("doubtful"),
        number("changed_at"), text("error"),
        sa.PrimaryKeyConstraint("contest", "number", name="pk_outbox"), of_contest("outbox"),
        sa.CheckConstraint(f"state IN ({_STATES})", name=op.f("ck_outbox_state")),
        sa.CheckConstraint("kind IN ('public', 'private')", name=op.f("ck_outbox_kind")),
        sa.CheckConstraint("state = 'queued' OR state = 'failed' OR data IS NOT NULL", name=op.f("ck_outbox_composed")),
        sqlite_strict=True,
    )
    op.create_index("ix_outbox_contest_key", "outbox", ["contest", "key"], unique=True)
    for column in ("state", "message_id"):
        op.create_index(f"ix_outbox_contest_{column}", "outbox", ["contest", column])


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
