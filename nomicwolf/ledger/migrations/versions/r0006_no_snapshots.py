"""Removal of snapshots and the index of words.

Both were made from the record alone, so nothing is lost. A program of the revision before uses them, so it can't work
beside this one.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
additive = False


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
