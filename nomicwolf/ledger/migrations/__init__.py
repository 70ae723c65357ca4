"""Schema revisions, run through Alembic by `nomicwolf.ledger.database`."""
