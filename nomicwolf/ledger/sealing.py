"""Secrets at rest: columns that hold letters and events are encrypted, if the ledger has a key (Fernet).

A sealed value begins with `MARK`; one without it was written before there was a key, and is read as it is (behind
`PLAIN`, which is put before what begins like either). The chain of hashes runs over the plain lines, so it is the same
whatever the key; its heads are sealed too, for a guess at a line could be tried on them. Several keys can be given:
the first seals, all of them open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Dialect, Engine, LargeBinary, Table, Text, select, update
from sqlalchemy.types import TypeDecorator

from nomicwolf.ledger.errors import LedgerError

MARK = b"nomicwolf sealed 1:"
PLAIN = b"nomicwolf plain 1:"
_MARKED = (MARK.decode(), PLAIN.decode())
ATTRIBUTE = "nomicwolf_seals"


class Seals:
    """The keys of one ledger."""

    def __init__(self, keys: str) -> None:
        """Take *keys*, apart by white space; `LedgerError` for one that is none."""
        from cryptography.fernet import Fernet, MultiFernet

        try:
            self._fernet = MultiFernet([Fernet(key) for key in keys.split()])
        except ValueError as error:
            raise LedgerError("ledger.key: that is no key; `nomicwolf ledger rekey` makes one") from error

    def seal(self, plain: bytes) -> bytes:
        """Return *plain* so that only who has the key can read it."""
        return MARK + self._fernet.encrypt(plain)

    def open(self, sealed: bytes) -> bytes:
        """Return what was sealed; `LedgerError` if it was with another key, or was changed."""
        from cryptography.fernet import InvalidToken

        try:
            return self._fernet.decrypt(sealed.removeprefix(MARK))
        except InvalidToken as error:
            raise LedgerError("the ledger is sealed with another key than ledger.key, or was changed; put the right "
                              "key there, from a backup") from error


def make_key() -> str:
    """Return a new key."""
    from cryptography.fernet import Fernet

    return Fernet.generate_key().decode("ascii")


def give(engine: Engine, keys: str) -> None:
    """Let all that goes through *engine* be sealed and opened by *keys*; none of it is without keys."""
    setattr(engine.dialect, ATTRIBUTE, Seals(keys) if keys.split() else None)


def _seals(dialect: Dialect) -> Seals | None:
    seals: Seals | None = getattr(dialect, ATTRIBUTE, None)
    return seals


def _sealed(value: bytes, dialect: Dialect) -> bytes:
    seals = _seals(dialect)
    if seals is not None:
        return seals.seal(value)
    return PLAIN + value if value.startswith((MARK, PLAIN)) else value


def _opened(value: bytes, dialect: Dialect) -> bytes:
    if not value.startswith(MARK):
        return value.removeprefix(PLAIN)
    seals = _seals(dialect)
    if seals is None:
        raise LedgerError("the ledger is sealed, and the settings have no ledger.key; put it back, from a backup")
    return seals.open(value)


class SealedText(TypeDecorator[str]):
    """A text that is encrypted where it lies."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return what is written; without keys that is nearly always the text itself."""
        if value is None or not (_seals(dialect) or value.startswith(_MARKED)):
            return value
        return _sealed(value.encode(), dialect).decode()

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[str | None], str | None]:
        """Return what tells what was meant: each line of the record goes through it, so it is one step, not two."""
        def opened(value: str | None) -> str | None:
            if value is None or not value.startswith(_MARKED):
                return value
            return _opened(value.encode(), dialect).decode()

        return opened


class SealedBytes(TypeDecorator[bytes]):
    """Bytes that are encrypted where they lie."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return what is written."""
        return None if value is None else _sealed(value, dialect)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return what was meant."""
        return None if value is None else _opened(bytes(value), dialect)


def sealed_columns(table: Table) -> dict[str, SealedText | SealedBytes]:
    """Return the types of a table's columns that are sealed, by their names."""
    return {column.name: column.type for column in table.columns if isinstance(column.type, (SealedText, SealedBytes))}


def as_written(table: Table, row: tuple[Any, ...], dialect: Dialect) -> tuple[Any, ...]:
    """Return a row with its sealed columns as they are written, for what goes past SQLAlchemy."""
    kinds = [column.type for column in table.columns]
    return tuple(kind.process_bind_param(value, dialect) if isinstance(kind, (SealedText, SealedBytes)) else value
                 for kind, value in zip(kinds, row, strict=True))


def seal_again(connection: Connection, tables: list[Table], contest: str) -> int:
    """Seal every value of *contest* by the present first key, and return how many rows had any.

    What lies there changes, what it means doesn't: so the triggers that let the ledger only grow stand aside meanwhile.
    """
    with _without_triggers(connection, tables):
        return _seal_each(connection, tables, contest)


@contextmanager
def _without_triggers(connection: Connection, tables: list[Table]) -> Iterator[None]:
    """Take the tables' triggers away, and put them back."""
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all()
        for name, _ in found:
            connection.exec_driver_sql(f'DROP TRIGGER "{name}"')
        yield
        for _, made in found:
            connection.exec_driver_sql(made)
        return
    for table in tables:
        connection.exec_driver_sql(f'ALTER TABLE "{table.name}" DISABLE TRIGGER USER')
    yield
    for table in tables:
        connection.exec_driver_sql(f'ALTER TABLE "{table.name}" ENABLE TRIGGER USER')


def _seal_each(connection: Connection, tables: list[Table], contest: str) -> int:
    count = 0
    for table in tables:
        names = sealed_columns(table)
        if not names:
            continue
        keys = list(table.primary_key)
        rows = connection.execute(select(*keys, *(table.c[name] for name in names)).where(
            table.c.contest == contest)).all()
        for row in rows:
            place: list[Any] = [column == value for column, value in zip(keys, row, strict=False)]
            values = dict(zip(names, row[len(keys):], strict=True))
            connection.execute(update(table).where(*place).values(**values))
        count += len(rows)
    return count
