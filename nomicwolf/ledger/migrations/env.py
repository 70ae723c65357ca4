"""Alembic's entry point for migrations.

The connection is given by `nomicwolf.ledger.database`, in its transaction.
"""

from __future__ import annotations

from alembic import context

from nomicwolf.ledger.tables import METADATA


def run() -> None:
    """Run the revisions that are wanted, on the connection that came with the configuration."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=METADATA,
        render_as_batch=True,
        compare_type=True,
        transaction_per_migration=False,
    )
    context.run_migrations()


if __name__ == "env_py":  # the name under which Alembic loads this file
    run()
