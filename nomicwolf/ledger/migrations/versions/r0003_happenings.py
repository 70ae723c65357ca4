"""Happenings: causes of transactions, with their settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from nomicwolf.ledger.migrations.versions import number, of_contest, text

revision = "0003"
down_revision = "0002"
additive = True

_TABLES = ("setups", "happenings")


def upgrade() -> None:
    """Make the two tables, which only grow."""
    op.create_table(
        "setups", text("contest"), text("digest"), text("data"),
        sa.PrimaryKeyConstraint("contest", "digest", name="pk_setups"), of_contest("setups"),
        sqlite_strict=True,
    )
    op.create_table(
        "happenings", text("contest"), number("number"), text("kind"), text("data"), text("setup"),
        number("now"), number("base"), number("last"), number("owed"),
        sa.PrimaryKeyConstraint("contest", "number", name="pk_happenings"),
        sa.ForeignKeyConstraint(
            ["contest", "setup"], ["setups.contest", "setups.digest"], name="fk_happenings_contest_setup"),
        sa.CheckConstraint("kind IN ('letter', 'command', 'tick')", name=op.f("ck_happenings_kind")),
        sqlite_strict=True,
    )
    for table in _TABLES:
        (_guard_sqlite if op.get_bind().dialect.name == "sqlite" else _guard_postgres)(table)


def _guard_sqlite(table: str) -> None:
    for deed in ("DELETE", "UPDATE"):
        op.execute(
            f"CREATE TRIGGER keep_{table}_{deed.lower()} BEFORE {deed} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'the ledger only grows: {table}'); END"
        )


def _guard_postgres(table: str) -> None:
    op.execute(
        f"CREATE TRIGGER keep_{table} BEFORE DELETE OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION keep_record()")
