"""How the tables came to be, one revision at a time; `nomicwolf.ledger.schema` runs them through Alembic."""
