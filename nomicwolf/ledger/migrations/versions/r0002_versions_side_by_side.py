"""The oldest compatible revision, beside the schema's own.

A revision that only adds (tables, columns with a default, indexes) says ``additive = True``; programs of the one before
go on beside it. Any other shuts them out.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
additive = False


def upgrade() -> None:
    """Add the column; whoever migrates fills it in."""
    op.add_column("alembic_version", sa.Column("oldest", sa.Text(), nullable=False, server_default=revision))
