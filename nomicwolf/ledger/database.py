"""Database engines, SQLite files and schema upgrades.

A writer on SQLite takes the file's lock when it begins. A writer on PostgreSQL locks its contest's row and sees the
ledger as of its beginning (REPEATABLE READ); if someone else has written since, that is a `Conflict`.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    bindparam,
    create_engine,
    event,
    inspect,
    make_url,
    text,
)
from sqlalchemy.exc import DatabaseError, DisconnectionError, IntegrityError, OperationalError, ProgrammingError

from nomicwolf.ledger.encryption import set_keys
from nomicwolf.ledger.errors import (
    UNKNOWN,
    Conflict,
    LedgerError,
    NoLedger,
    OldLedger,
    first_line,
    sqlstate,
    translated,
)

if TYPE_CHECKING:
    import psycopg
    from alembic.config import Config

BATCH = 1000
"""Rows per query."""
WAIT = 10
"""Seconds to wait for another writer."""
WHOLE = "current_setting('nomicwolf.host', true) = 'on'"
"""The condition under which the tables' owner sees the rows of every tenant of a host."""
_LASTING, _ROLE = "nomicwolf_lasting", "nomicwolf_role"
_TABLES = 0x6E6F6D6963  # the advisory lock of whoever changes the tables


def file_of(url: str) -> Path | None:
    """Return the file of an SQLite URL, or None for another database.

    The text after ``:///`` is the path verbatim; folders may have a % or a ? in their names.
    """
    if not url.startswith("sqlite"):
        return None
    path = url.partition(":///")[2]
    if path in ("", ":memory:"):
        raise LedgerError(f"{url}: a ledger needs a file, such as sqlite:///contest.db")
    return Path(path)


@contextmanager
def disposing_on_error(engine: Engine) -> Iterator[None]:
    """Dispose of *engine* if the block fails."""
    try:
        yield
    except BaseException:
        dispose(engine)
        raise


def dispose(engine: Engine) -> None:
    """Close the connections of *engine*, unless a pool keeps them for the next contest."""
    if not engine.get_execution_options().get(_LASTING):
        engine.dispose()


def connect(url: str, *, readonly: bool = False, keys: str = "") -> Engine:
    """Return an engine; SQLite writers take the write lock when they begin (BEGIN IMMEDIATE), readers never.

    Its errors never quote parameters, which may be letters. *keys* encrypt the secret columns.
    """
    path = file_of(url)
    if path is None:
        made = _kept_server if _is_kept() else _connect_server
        return made(url, keys, readonly=readonly)
    if not path.is_file():
        raise NoLedger(f"{path}: there is no ledger; `nomicwolf init` makes one, `nomicwolf restore` brings one back")
    engine = create_engine(URL.create("sqlite", database=str(path)), hide_parameters=True,
                           connect_args={"timeout": WAIT})
    set_keys(engine, keys)
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

    A process that opens ledgers again and again gets the same engine for the same keys, with its compiled statements;
    its connections are closed all the same.
    """
    return _server_engine(url, keys, readonly=readonly, pool_size=1)


def _is_kept() -> bool:
    """Return whether this context has a session pool."""
    pool = sys.modules.get("nomicwolf.ledger.postgres")
    return pool is not None and pool.current_pool() is not None


def _kept_server(url: str, keys: str, *, readonly: bool) -> Engine:
    """Return an engine for PostgreSQL over the session pool, in the role that the URL names."""
    from nomicwolf.ledger.postgres import current_pool, split_role

    pool, (whole, role) = current_pool(), split_role(url)
    assert pool is not None, "asked only where sessions are kept"
    engine = pool.engine(whole, readonly=readonly, make=_lasting)
    if keys.split():
        engine = pool.sealing(engine, keys, _sealing)
    return engine.execution_options(**{_LASTING: True, _ROLE: role})


def _sealing(engine: Engine, keys: str) -> Engine:
    """Return an engine that shares the sessions of *engine* and has a dialect of its own with these *keys*."""
    engine.raw_connection().close()  # a first session has told the dialect about its server
    made = engine.execution_options(compiled_cache={})
    made.dialect = copy(engine.dialect)
    vars(made.dialect).pop("_type_memos", None)  # how types write and read, which remembers whose dialect it was
    set_keys(made, keys)
    return made


def _lasting(url: str, *, readonly: bool) -> Engine:
    """Return an engine whose sessions outlast a contest's turn and take the role of whoever uses them."""
    import psycopg

    from nomicwolf.ledger.postgres import is_alive, set_role

    engine = _server_engine(url, "", readonly=readonly, pool_size=4, max_overflow=-1)

    @event.listens_for(engine, "checkout")
    def _answers(session: psycopg.Connection, *_: object) -> None:
        if not is_alive(session):
            raise DisconnectionError

    @event.listens_for(engine, "engine_connect")
    def _become(connection: Connection) -> None:
        wanted, there = connection.get_execution_options()[_ROLE], connection.connection
        if there.info.get(_ROLE, "") != wanted:
            try:
                assert isinstance(there.driver_connection, psycopg.Connection)
                set_role(there.driver_connection, wanted)
            except psycopg.Error as error:
                raise translated(error) from error
            there.info[_ROLE] = wanted

    return engine


def _server_engine(url: str, keys: str, *, readonly: bool, **pool: int) -> Engine:
    """Return an engine for PostgreSQL with the same lock timeout as SQLite."""
    try:
        from nomicwolf.ledger.postgres import CLIENT_SETTINGS, SERVER_SETTINGS

        parsed = make_url(url).set(drivername="postgresql+psycopg")
        ours = (
            *SERVER_SETTINGS, f"lock_timeout={WAIT}s", f"default_transaction_read_only={'on' if readonly else 'off'}")
        given = str(parsed.query.get("options", ""))
        options = " ".join((*(f"-c {setting}" for setting in ours), given)).strip()
        parsed = parsed.set(query={**CLIENT_SETTINGS, **parsed.query, "options": options})
        engine = create_engine(parsed, hide_parameters=True, isolation_level="REPEATABLE READ", **pool)
    except ModuleNotFoundError as error:
        raise LedgerError(f"{error.name} is missing; install nomicwolf[postgres], or stay with SQLite") from error
    set_keys(engine, keys)

    @event.listens_for(engine, "connect")
    def _told(session: psycopg.Connection, _: object) -> None:
        from nomicwolf.ledger.postgres import demand_options

        demand_options(session)

    return engine


def autocommitting(engine: Engine) -> Engine:
    """Return *engine* for single statements, which a server then runs without a transaction."""
    return engine if engine.dialect.name == "sqlite" else engine.execution_options(isolation_level="AUTOCOMMIT")


@contextmanager
def migrating(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that may change tables; others that want to change them wait."""
    if engine.dialect.name == "sqlite":
        with engine.begin() as connection:
            yield connection
        return
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection, connection.begin():
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_TABLES}), set_config('nomicwolf.host', 'on', true)")
        yield connection


@contextmanager
def translating() -> Iterator[None]:
    """Turn the database's errors into `LedgerError`, which says what to do."""
    try:
        yield
    except IntegrityError as error:
        raise Conflict(f"the ledger has changed meanwhile, nothing was written: {first_line(error)}") from error
    except OperationalError as error:
        raise translated(error.orig) from error
    except DatabaseError as error:
        if sqlstate(error.orig) or UNKNOWN in first_line(error):
            raise translated(error.orig) from error
        raise LedgerError(f"the ledger can't be used: {first_line(error)}; restore a backup of it") from error
    except UnicodeDecodeError as error:  # SQLite names what is broken, by bytes that are no text any more
        told = ascii(error.object.decode("utf-8", "replace"))
        raise LedgerError(f"the ledger can't be used: {told}; restore a backup of it") from error


def walk(
    engine: Engine, wanted: Select[Any], number: ColumnElement[int], contest: str, after: int = 0,
) -> Iterator[Row[Any]]:
    """Yield rows in the order of *number*, starting after *after*; the query takes the contest as *of*.

    Rows come in batches, and no transaction stays open between two of them.
    """
    more = wanted.where(number > bindparam("after")).order_by(number).limit(BATCH)
    while True:
        with translating(), engine.connect() as connection:
            rows = connection.execute(more, {"of": contest, "after": after}).all()
        yield from rows
        if len(rows) < BATCH:
            return
        after = rows[-1].number


NEWEST = "0006"
REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006")
"""All revisions, oldest first."""
_NO_TABLE = "42P01"


def revision(engine: Engine) -> str:
    """Return the revision of a database, '' if it has no tables of ours."""
    if engine.dialect.name != "sqlite":
        return _server_revision(engine)
    with translating(), engine.begin() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return ""
        return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")


def _server_revision(engine: Engine) -> str:
    """Return the same by a single query, which each run makes."""
    with translating(), autocommitting(engine).connect() as connection:
        try:
            return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")
        except ProgrammingError as error:
            if sqlstate(error.orig) == _NO_TABLE:
                return ""
            raise


def oldest(engine: Engine) -> str:
    """Return the oldest revision whose program may still use a database, because later ones only added to it."""
    with translating(), engine.begin() as connection:
        return str(connection.execute(text("SELECT oldest FROM alembic_version")).scalar() or "")


def demand_newest(engine: Engine) -> None:
    """Raise `OldLedger` or `LedgerError` unless this version can use the tables.

    A newer schema that only adds to this version's is good, so that two versions can work side by side.
    """
    found = revision(engine)
    if found == NEWEST or (found and found not in REVISIONS and oldest(engine) in REVISIONS):
        return
    if not found:
        raise LedgerError("this is no ledger of nomicwolf's; look at ledger.url in the settings, or restore a backup")
    if found in REVISIONS:
        raise OldLedger(f"the ledger has schema {found} and needs {NEWEST}; `nomicwolf poll` brings it there")
    raise LedgerError(f"the ledger has schema {found}, newer than {NEWEST}; install the nomicwolf that wrote it")


def prepare(url: str, keys: str) -> Engine:
    """Return an engine for a database, and create its tables if it has none; `LedgerError` if they are old."""
    path = file_of(url)
    if path is not None:
        make_file(path)
    engine = connect(url, keys=keys)
    with disposing_on_error(engine), translating():
        if not revision(engine):
            with migrating(engine) as connection:
                migrate(connection)
        demand_newest(engine)
    return engine


def upgrade(url: str) -> Path | None:
    """Upgrade a ledger to the newest schema; return the copy of its file made beforehand, if any."""
    engine = connect(url)
    try:
        found, path = revision(engine), file_of(url)
        if found == NEWEST:
            return None
        copy = None
        if path and found:
            copy = path.with_name(f"{path.name}.schema-{found}")
            copy_file(path, copy, over=True)
        with translating(), migrating(engine) as connection:
            migrate(connection)
        return copy
    finally:
        engine.dispose()


def migrate(connection: Connection) -> None:
    """Run the missing revisions in the transaction of *connection*."""
    from alembic import command

    config = configuration()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    connection.execute(text("UPDATE alembic_version SET oldest = :oldest"), {"oldest": _oldest(config)})


def _oldest(config: Config) -> str:
    """Return the last revision that isn't `additive`: its programs can work beside newer ones."""
    from alembic.script import ScriptDirectory

    steps = ScriptDirectory.from_config(config).walk_revisions()
    return next(step.revision for step in steps if not getattr(step.module, "additive", False))


def configuration() -> Config:
    """Return Alembic's configuration for the revisions in this package."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    return config


COMPANIONS = ("-journal", "-wal")
"""Suffixes of SQLite's files without which a ledger's file may be incomplete."""
BESIDE = ("", *COMPANIONS, "-shm")
"""Suffixes of all of a ledger's files."""


def make_file(path: Path, called: Path | None = None) -> None:
    """Create an empty file of mode 0600, a mode that SQLite gives its other files too; an existing file stays.

    `LedgerError` if it can't be created; the error names the file by *called*, its later name, if given.
    """
    name = called or path
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except FileNotFoundError as error:
        raise LedgerError(f"{name}: can't be made: {path.parent} is not there; make its folder first") from error
    except OSError as error:
        raise LedgerError(f"{name}: can't be made: {error.strerror}; let this user write in its folder") from error


def write_private(path: Path, text: str) -> None:
    """Replace a file atomically and durably by one of mode 0600 that contains *text*."""
    fresh = path.with_name(f".{path.name}.new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(text.strip() + "\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def copy_file(source: Path, target: Path, *, over: bool = False) -> None:
    """Copy an SQLite ledger, which may be in use, to a new file of mode 0600, and check the copy.

    The copy gets its name once it is complete and on the disk; leftovers of an interrupted one are removed.
    `LedgerError` if the target exists, unless *over* is set, or if the copy isn't sound.
    """
    if target.exists() and not over:
        raise LedgerError(f"{target}: is there already; move it away, or name another file")
    part = target.with_name(f"{target.name}.part")
    remove_file(part)
    make_file(part, target)
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(part)) as new:
            old.backup(new)
            sound = new.execute("PRAGMA integrity_check").fetchone()[0]
        if sound != "ok":
            raise LedgerError(f"{target}: the copy isn't sound ({sound}); check the disk, and copy again")
        part.replace(target)
        sync_folder(target.parent)
    except sqlite3.OperationalError as error:
        raise LedgerError(f"{target}: can't be written: {error}; free some room, and copy again") from error
    except sqlite3.DatabaseError as error:
        raise LedgerError(f"{source}: can't be copied: {error}; is it a ledger of nomicwolf's?") from error
    finally:
        remove_file(part)


def demand_tables(file: Path, names: Iterable[str]) -> None:
    """Raise `LedgerError` unless *names* are plain tables in somebody else's file, with stored columns only.

    A view or a computed column could run for ever.
    """
    try:
        with closing(sqlite3.connect(file)) as there:
            there.execute("PRAGMA trusted_schema=OFF")
            for name in names:
                kinds = there.execute(
                    "SELECT type, sql LIKE 'CREATE VIRTUAL%' FROM sqlite_schema WHERE name = ?", (name,))
                worked_out = there.execute("SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden <> 0", (name,))
                if kinds.fetchall() not in ([("table", 0)], []) or worked_out.fetchone():
                    raise LedgerError(f"{name} is no table of a ledger's; restore a backup of the ledger")
    except sqlite3.DatabaseError as error:
        raise LedgerError(f"the ledger can't be used: {error}; restore a backup of it") from error


def move_aside(file: Path, now: int) -> Path | None:
    """Move a ledger's files aside, so that SQLite can't take old ones for the new ledger's; return the new path.

    The journal is checkpointed first, so that an interrupted restore loses nothing of it.
    """
    if file.exists():
        with closing(sqlite3.connect(file)) as there, suppress(sqlite3.DatabaseError):  # a broken one is kept as it is
            there.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    aside = _free(file, now)
    found = [part for part in BESIDE if file.with_name(file.name + part).exists()]
    for part in found:
        file.with_name(file.name + part).rename(aside.with_name(aside.name + part))
    return aside if found else None


def _free(file: Path, now: int) -> Path:
    """Return an unused name beside *file*."""
    number = now
    while any(file.with_name(f"{file.name}.before-{number}{part}").exists() for part in BESIDE):
        number += 1
    return file.with_name(f"{file.name}.before-{number}")


def remove_file(file: Path) -> None:
    """Delete a ledger's files, as far as they exist."""
    for part in BESIDE:
        file.with_name(file.name + part).unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
