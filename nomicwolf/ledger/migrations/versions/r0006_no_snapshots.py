"""Removal of snapshots and the index of words.

Both were made from the record alone, so nothing is lost. A program of the revision before uses them, so it can't work
beside this one.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None
additive = False

_NUMBER: sa.types.TypeEngine[int] = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Drop the two tables; where contests are kept in PostgreSQL, empty them.

    There, dropping a table that refers to another waits for all who read that one, as each run does.
    """
    here = op.get_bind()
    dropped = here.dialect.name == "sqlite" or here.execute(sa.text("SELECT 1 FROM contests LIMIT 1")).first() is None
    for table in ("finds", "snapshots"):
        if dropped:
            op.drop_table(table)
        else:
            op.execute(sa.delete(sa.table(table)))


def downgrade() -> None:
    """Make them again, empty."""
    if sa.inspect(op.get_bind()).has_table("snapshots"):
        return
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
