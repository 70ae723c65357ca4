"""Snapshots of contests, and an index of words.

Both can be made again from the record at any time, so neither is guarded against changes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from nomicwolf.ledger.migrations.versions import number, of_contest, text

revision = "0004"
down_revision = "0003"
additive = True


def upgrade() -> None:
    """Make the two tables."""
    op.create_table(
        "snapshots", text("contest"), number("last"), text("head"), number("found"), text("key"),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("contest", name="pk_snapshots"), of_contest("snapshots"),
        sqlite_strict=True,
    )
    op.create_table(
        "finds", text("contest"), text("mark"), number("number"),
        sa.PrimaryKeyConstraint("contest", "mark", "number", name="pk_finds"), of_contest("finds"),
        sqlite_strict=True, sqlite_with_rowid=False,
    )
