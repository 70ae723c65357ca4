"""The connection to the database: how SQLite and PostgreSQL are made to keep their word, and what their errors mean.

A writer of SQLite takes the file's lock as it begins. PostgreSQL's takes the lock of its contest's row, and sees
the ledger as it stood when it began (REPEATABLE READ): if someone else wrote since, that is a `Conflict`.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DatabaseError, DisconnectionError, IntegrityError, OperationalError

from nomicwolf.ledger.errors import Conflict, LedgerError, NoLedger
from nomicwolf.ledger.meaning import UNKNOWN, first_line, meaning, state
from nomicwolf.ledger.sealing import give
from nomicwolf.ledger.urls import PATIENCE, SERVER_PATIENCE, as_role

if TYPE_CHECKING:
    import psycopg

WAIT = 10
"""Seconds to wait for another writer."""
WHOLE = "current_setting('nomicwolf.host', true) = 'on'"
"""What a session of the tables' owner must say where a host's tenants own the rows, to see and change them all."""
_LASTING, _ROLE = "nomicwolf_lasting", "nomicwolf_role"
_TABLES = 0x6E6F6D6963  # the advisory lock of whoever changes the tables


def file_of(url: str) -> Path | None:
    """Return the file of an SQLite URL, or None for another database.

    What stands behind ``:///`` is its path as it is: folders may have a % or a ? in their names.
    """
    if not url.startswith("sqlite"):
        return None
    path = url.partition(":///")[2]
    if path in ("", ":memory:"):
        raise LedgerError(f"{url}: a ledger needs a file, such as sqlite:///contest.db")
    return Path(path)


@contextmanager
def let_go_on_error(engine: Engine) -> Iterator[None]:
    """Close the connections of *engine* if what is done with it fails."""
    try:
        yield
    except BaseException:
        let_go(engine)
        raise


def let_go(engine: Engine) -> None:
    """Close the connections of *engine*, unless they are kept for the next contest."""
    if not engine.get_execution_options().get(_LASTING):
        engine.dispose()


def connect(url: str, *, readonly: bool = False, keys: str = "") -> Engine:
    """Return an engine; writers take SQLite's write lock as they begin (BEGIN IMMEDIATE), readers never.

    Its errors never quote what was written: that may be a letter. *keys* seal what is secret.
    """
    path = file_of(url)
    if path is None:
        made = _kept_server if _is_kept() else _connect_server
        return made(url, keys, readonly=readonly)
    if not path.is_file():
        raise NoLedger(f"{path}: there is no ledger; `nomicwolf init` makes one, `nomicwolf restore` brings one back")
    engine = create_engine(URL.create("sqlite", database=str(path)), hide_parameters=True,
                           connect_args={"timeout": WAIT})
    give(engine, keys)
    pragmas = ["foreign_keys=ON", "synchronous=FULL", *(["query_only=ON"] if readonly else ["journal_mode=WAL"])]

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None  # sqlite3 must not begin transactions by itself
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN" if readonly else "BEGIN IMMEDIATE")

    return engine


@lru_cache(maxsize=64)
def _connect_server(url: str, keys: str, *, readonly: bool) -> Engine:
    """Return an engine for PostgreSQL.

    A process that opens ledgers again and again gets the same engine for the same keys, which knows the server and its
    statements already; its connections are closed all the same.
    """
    return _server_engine(url, keys, readonly=readonly, pool_size=1)


def _is_kept() -> bool:
    """Tell whether sessions are kept here."""
    lines = sys.modules.get("nomicwolf.ledger.lines")
    return lines is not None and lines.kept() is not None


def _kept_server(url: str, keys: str, *, readonly: bool) -> Engine:
    """Return an engine for PostgreSQL whose sessions are kept for the next contest, and are this URL's role's now."""
    from nomicwolf.ledger.lines import kept

    lines, (whole, role) = kept(), as_role(url)
    assert lines is not None, "asked only where sessions are kept"
    engine = lines.engine(whole, readonly=readonly, make=_lasting)
    if keys.split():
        engine = lines.sealing(engine, keys, _sealing)
    return engine.execution_options(**{_LASTING: True, _ROLE: role})


def _sealing(engine: Engine, keys: str) -> Engine:
    """Return an engine with the sessions of *engine*, and a dialect of its own that alone seals and opens by *keys*."""
    engine.raw_connection().close()  # a first session has told the dialect about its server
    made = engine.execution_options(compiled_cache={})
    made.dialect = copy(engine.dialect)
    vars(made.dialect).pop("_type_memos", None)  # how types write and read, which remembers whose dialect it was
    give(made, keys)
    return made


def _lasting(url: str, *, readonly: bool) -> Engine:
    """Return an engine whose sessions last from contest to contest, and become the role of each that has them."""
    import psycopg

    from nomicwolf.ledger.lines import become, quiet

    engine = _server_engine(url, "", readonly=readonly, pool_size=4, max_overflow=-1)

    @event.listens_for(engine, "checkout")
    def _answers(session: psycopg.Connection, *_: object) -> None:
        if not quiet(session):
            raise DisconnectionError

    @event.listens_for(engine, "engine_connect")
    def _become(connection: Connection) -> None:
        wanted, there = connection.get_execution_options()[_ROLE], connection.connection
        if there.info.get(_ROLE, "") != wanted:
            try:
                assert isinstance(there.driver_connection, psycopg.Connection)
                become(there.driver_connection, wanted)
            except psycopg.Error as error:
                raise meaning(error) from error
            there.info[_ROLE] = wanted

    return engine


def _server_engine(url: str, keys: str, *, readonly: bool, **pool: int) -> Engine:
    """Return an engine for PostgreSQL, which waits for a lock as long as SQLite does."""
    parsed = make_url(url).set(drivername="postgresql+psycopg")
    given = str(parsed.query.get("options", ""))
    ours = (*SERVER_PATIENCE, f"lock_timeout={WAIT}s", f"default_transaction_read_only={'on' if readonly else 'off'}")
    options = " ".join((*(f"-c {setting}" for setting in ours), given)).strip()
    parsed = parsed.set(query={**PATIENCE, **parsed.query, "options": options})
    try:
        engine = create_engine(parsed, hide_parameters=True, isolation_level="REPEATABLE READ", **pool)
    except ModuleNotFoundError as error:
        raise LedgerError(f"{error.name} is missing; install nomicwolf[postgres], or stay with SQLite") from error
    give(engine, keys)

    @event.listens_for(engine, "connect")
    def _told(session: psycopg.Connection, _: object) -> None:
        from nomicwolf.ledger.lines import demand_told

        demand_told(session)

    return engine


def reading(engine: Engine) -> Engine:
    """Return *engine* for questions of one statement each, which on a server are asked without a transaction around."""
    return engine if engine.dialect.name == "sqlite" else engine.execution_options(isolation_level="AUTOCOMMIT")


@contextmanager
def migrating(engine: Engine) -> Iterator[Connection]:
    """Give a transaction in which the tables may be changed; whoever else wants to change them waits."""
    if engine.dialect.name == "sqlite":
        with engine.begin() as connection:
            yield connection
        return
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection, connection.begin():
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_TABLES}), set_config('nomicwolf.host', 'on', true)")
        yield connection


@contextmanager
def telling() -> Iterator[None]:
    """Turn the database's errors into ours, which say what to do."""
    try:
        yield
    except IntegrityError as error:
        raise Conflict(f"the ledger has changed meanwhile, nothing was written: {first_line(error)}") from error
    except OperationalError as error:
        raise meaning(error.orig) from error
    except DatabaseError as error:
        if state(error.orig) or UNKNOWN in first_line(error):
            raise meaning(error.orig) from error
        raise LedgerError(f"the ledger can't be used: {first_line(error)}; restore a backup of it") from error
    except UnicodeDecodeError as error:  # SQLite names what is broken, by bytes that are no text any more
        told = ascii(error.object.decode("utf-8", "replace"))
        raise LedgerError(f"the ledger can't be used: {told}; restore a backup of it") from error
