"""Schema revisions, and the upgrade to the newest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import ProgrammingError

from nomicwolf.ledger.engine import autocommitting, connect, disposing_on_error, file_of, migrating, translating
from nomicwolf.ledger.errors import LedgerError, OldLedger, sqlstate
from nomicwolf.ledger.files import copy_file, make_file

if TYPE_CHECKING:
    from alembic.config import Config

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
