"""The schema of a ledger: which it has, and how it comes to the newest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import ProgrammingError

from nomicwolf.ledger.engine import connect, file_of, let_go_on_error, migrating, reading, telling
from nomicwolf.ledger.errors import LedgerError, OldLedger
from nomicwolf.ledger.files import copy_file, make_file
from nomicwolf.ledger.meaning import state

if TYPE_CHECKING:
    from alembic.config import Config

NEWEST = "0006"
REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006")
"""All revisions, oldest first."""
_NO_TABLE = "42P01"


def revision(engine: Engine) -> str:
    """Return the revision of a database's tables, '' if it has none of ours."""
    if engine.dialect.name != "sqlite":
        return _server_revision(engine)
    with telling(), engine.begin() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return ""
        return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")


def _server_revision(engine: Engine) -> str:
    """Return the same by one question alone, which each run asks."""
    with telling(), reading(engine).connect() as connection:
        try:
            return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")
        except ProgrammingError as error:
            if state(error.orig) == _NO_TABLE:
                return ""
            raise


def oldest(engine: Engine) -> str:
    """Return the oldest revision whose program may still work on a database's tables: later ones only added to them."""
    with telling(), engine.begin() as connection:
        return str(connection.execute(text("SELECT oldest FROM alembic_version")).scalar() or "")


def demand_newest(engine: Engine) -> None:
    """Raise `OldLedger` or `LedgerError` unless the tables are those that this version reads and writes.

    A newer schema is good if it only added to what this version knows: so two versions can work side by side.
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
    """Return an engine for a database with the newest tables, made if it has none; `LedgerError` if they are old."""
    path = file_of(url)
    if path is not None:
        make_file(path)
    engine = connect(url, keys=keys)
    with let_go_on_error(engine), telling():
        if not revision(engine):
            with migrating(engine) as connection:
                migrate(connection)
        demand_newest(engine)
    return engine


def upgrade(url: str) -> Path | None:
    """Bring a ledger to the newest schema; return the copy of its file that was made before, if one was needed."""
    engine = connect(url)
    try:
        found, path = revision(engine), file_of(url)
        if found == NEWEST:
            return None
        copy = None
        if path and found:
            copy = path.with_name(f"{path.name}.schema-{found}")
            copy_file(path, copy, over=True)
        with telling(), migrating(engine) as connection:
            migrate(connection)
        return copy
    finally:
        engine.dispose()


def migrate(connection: Connection) -> None:
    """Run the revisions that are missing, in the transaction of *connection*."""
    from alembic import command

    config = configuration()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    connection.execute(text("UPDATE alembic_version SET oldest = :oldest"), {"oldest": _oldest(config)})


def _oldest(config: Config) -> str:
    """Return the last revision that isn't `additive`: programs of that revision can go on beside newer ones."""
    from alembic.script import ScriptDirectory

    steps = ScriptDirectory.from_config(config).walk_revisions()
    return next(step.revision for step in steps if not getattr(step.module, "additive", False))


def configuration() -> Config:
    """Return Alembic's configuration, which finds the revisions in this package."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    return config
