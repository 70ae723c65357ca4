"""Whether a server's guards hold for whoever logs in there: row-level security binds no superuser."""

from __future__ import annotations

import psycopg

from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.lines import session
from nomicwolf.ledger.meaning import meaning

_UNBOUND = "SELECT rolname FROM pg_roles WHERE rolname = session_user AND (rolsuper OR rolbypassrls)"


def demand_bound(connection: psycopg.Connection) -> None:
    """Raise `LedgerError` if the user of a session passes every guard, whichever role the session has taken."""
    row = connection.execute(_UNBOUND).fetchone()
    if row is not None:
        raise LedgerError(
            f"the database's user {row[0]} is a superuser, or passes row-level security: nothing would keep one "
            "contest's rows from another's. Make a user who is neither (createuser --createdb --createrole "
            "nomicwolf), let em own the database and its tables, and name em in the database's URL")


def demand_bound_at(url: str) -> None:
    """Raise `LedgerError` if the user of a server's *url* passes every guard, or can't be asked."""
    try:
        with session(url) as connection:
            demand_bound(connection)
    except psycopg.Error as error:
        raise meaning(error) from error
