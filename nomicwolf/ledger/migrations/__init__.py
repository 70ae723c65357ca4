"""How the tables came to be, one revision at a time; `nomicwolf.ledger.database` runs them through Alembic."""
