"""Happenings: causes of transactions, with their settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None
additive = True

_NUMBER: sa.types.TypeEngine[int] = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_TABLES = ("setups", "happenings")


def upgrade() -> None:
    """Make the two tables, which only grow."""
    op.create_table(
        "setups", _text("contest"), _text("digest"), _text("data"),
        sa.PrimaryKeyConstraint("contest", "digest", name="pk_setups"), _contest("setups"),
        sqlite_strict=True,
    )
    op.create_table(
        "happenings", _text("contest"), _number("number"), _text("kind"), _text("data"), _text("setup"),
        _number("now"), _number("base"), _number("last"), _number("owed"),
        sa.PrimaryKeyConstraint("contest", "number", name="pk_happenings"),
        sa.ForeignKeyConstraint(
            ["contest", "setup"], ["setups.contest", "setups.digest"], name="fk_happenings_contest_setup"),
        sa.CheckConstraint("kind IN ('letter', 'command', 'tick')", name=op.f("ck_happenings_kind")),
        sqlite_strict=True,
    )
    for table in _TABLES:
        (_guard_sqlite if op.get_bind().dialect.name == "sqlite" else _guard_postgres)(table)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, _NUMBER, nullable=False)


def _contest(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["contest"], ["contests.contest"], name=f"fk_{table}_contest")


def _guard_sqlite(table: str) -> None:
    for deed in ("DELETE", "UPDATE"):
        op.execute(
            f"CREATE TRIGGER keep_{table}_{deed.lower()} BEFORE {deed} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'the ledger only grows: {table}'); END"
        )


def _guard_postgres(table: str) -> None:
    op.execute(
        f"CREATE TRIGGER keep_{table} BEFORE DELETE OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION keep_record()")
