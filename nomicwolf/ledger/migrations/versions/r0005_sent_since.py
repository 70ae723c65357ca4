"""An index of sent letters by time."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"
additive = True


def upgrade() -> None:
    """Add an index by states and by the instants of the last changes.

    The one by states alone stays: to drop it would wait for all who read the table.
    """
    op.create_index("ix_outbox_contest_state_changed_at", "outbox", ["contest", "state", "changed_at"])
