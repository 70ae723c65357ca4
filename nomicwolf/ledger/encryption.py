"""Encryption of the ledger's secret columns (Fernet).

An encrypted value begins with `MARK`. A value without it was written before there was a key and is read as it is; plain
values that begin like `MARK` or `PLAIN` are written behind `PLAIN`. The hash chain runs over the plain lines, so it
doesn't depend on the key; its heads are encrypted too, because guesses at a line could be tested against them. Of
several keys the first encrypts and all decrypt.
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
        """Parse *keys*, separated by white space; `LedgerError` for a malformed one."""
        from cryptography.fernet import Fernet, MultiFernet

        try:
            self._fernet = MultiFernet([Fernet(key) for key in keys.split()])
        except ValueError as error:
            raise LedgerError("ledger.key: that is no key; `nomicwolf ledger rekey` makes one") from error

    def seal(self, plain: bytes) -> bytes:
        """Return *plain* encrypted by the first key."""
        return MARK + self._fernet.encrypt(plain)

    def open(self, sealed: bytes) -> bytes:
        """Return *sealed* decrypted; `LedgerError` if its key is missing or it was changed."""
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


def set_keys(engine: Engine, keys: str) -> None:
    """Make *engine* encrypt and decrypt the secret columns by *keys*; without keys they are plain."""
    setattr(engine.dialect, ATTRIBUTE, Seals(keys) if keys.split() else None)


def _seals(dialect: Dialect) -> Seals | None:
    seals: Seals | None = getattr(dialect, ATTRIBUTE, None)
    return seals


def _sealed(value: bytes, dialect: Dialect) -> bytes:
    seals = _seals(dialect)
    if seals is not None and value:  # nothing is no secret, and a letter whose bytes were erased has none
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
    """A text column that is encrypted at rest."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the stored value; without keys that is nearly always the text itself."""
        if value is None or not (_seals(dialect) or value.startswith(_MARKED)):
            return value
        return _sealed(value.encode(), dialect).decode()

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[str | None], str | None]:
        """Return the function that decrypts stored values, of which the record has one per line."""
        def opened(value: str | None) -> str | None:
            if value is None or not value.startswith(_MARKED):
                return value
            return _opened(value.encode(), dialect).decode()

        return opened


class SealedBytes(TypeDecorator[bytes]):
    """A column of bytes that is encrypted at rest."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the stored value."""
        return None if value is None else _sealed(value, dialect)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the decrypted value."""
        return None if value is None else _opened(bytes(value), dialect)


def sealed_columns(table: Table) -> dict[str, SealedText | SealedBytes]:
    """Return the types of a table's encrypted columns by name."""
    return {column.name: column.type for column in table.columns if isinstance(column.type, (SealedText, SealedBytes))}


def reseal(connection: Connection, tables: list[Table], contest: str) -> int:
    """Encrypt the secret columns of *contest* anew by the first key; return the number of rows.

    Their meaning stays the same, so the triggers that make the ledger append-only are disabled meanwhile.
    """
    with without_triggers(connection, tables):
        return _seal_each(connection, tables, contest)


@contextmanager
def without_triggers(connection: Connection, tables: list[Table]) -> Iterator[None]:
    """Disable the tables' triggers during the block."""
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
