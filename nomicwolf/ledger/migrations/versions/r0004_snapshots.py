"""Snapshots of contests, and an index of words.

Both can be made again from the record at any time, so neither is guarded against changes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None
additive = True

_NUMBER: sa.types.TypeEngine[int] = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the two tables."""
    op.create_table(
        "snapshots", _text("contest"), _number("last"), _text("head"), _number("found"), _text("key"),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("contest", name="pk_snapshots"), _contest("snapshots"),
        sqlite_strict=True,
    )
    op.create_table(
        "finds", _text("contest"), _text("mark"), _number("number"),
        sa.PrimaryKeyConstraint("contest", "mark", "number", name="pk_finds"), _contest("finds"),
        sqlite_strict=True, sqlite_with_rowid=False,
    )


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, _NUMBER, nullable=False)


def _contest(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["contest"], ["contests.contest"], name=f"fk_{table}_contest")
