"""The revisions, and the columns they share."""

from __future__ import annotations

import sqlalchemy as sa

NUMBER: sa.types.TypeEngine[int] = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def text(name: str) -> sa.Column[str]:
    """Return a column of text."""
    return sa.Column(name, sa.Text(), nullable=False)


def number(name: str) -> sa.Column[int]:
    """Return a column of whole numbers."""
    return sa.Column(name, NUMBER, nullable=False)


def of_contest(table: str) -> sa.ForeignKeyConstraint:
    """Return the constraint that a row of *table* is a contest's."""
    return sa.ForeignKeyConstraint(["contest"], ["contests.contest"], name=f"fk_{table}_contest")
