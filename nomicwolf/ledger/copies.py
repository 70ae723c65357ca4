"""Verified copies of a contest in another database."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, Table, column, insert, select
from sqlalchemy import table as lightweight

from nomicwolf.ledger.database import connect, file_of, prepare, translating
from nomicwolf.ledger.encryption import sealed_row
from nomicwolf.ledger.errors import Conflict, LedgerError
from nomicwolf.ledger.files import copy_file
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.tables import METADATA, contest_tables
from nomicwolf.ledger.verify import problems_of

_BATCH = 1000
"""Rows per insert."""


@dataclass(frozen=True, slots=True)
class Copied:
    """A verified copy: the number of rows of each table, the last entry, the chain's head."""

    rows: dict[str, int]
    last: int
    head: str


def copy_contest(source: str, target: str, contest: str, keys: str = "") -> Copied:
    """Copy a contest from the ledger at one URL to the one at another, and compare them row by row.

    The source is only read, in one snapshot, and the target written in one transaction. `Conflict` if the target has
    the contest, `LedgerError` if the source has faults or a row differs; either leaves the target unchanged.
    """
    with Store.open(source, contest, readonly=True, keys=keys) as store:
        _demand_whole(store.verify(), "the ledger isn't whole, so it isn't copied")
    made = prepare(target, keys)
    engine = connect(source, readonly=True, keys=keys)
    try:
        with translating(), engine.begin() as old, made.begin() as new:
            if new.execute(_of(METADATA.tables["contests"], contest)).first():
                raise Conflict(f"contest {contest} has a ledger there already; nothing was copied")
            counts = {table.name: _fill(new, table, _rows(old, table, contest)) for table in contest_tables()}
            for table in contest_tables():
                with closing(_rows(old, table, contest)) as there, closing(_rows(new, table, contest)) as here:
                    _demand_equal(table, there, here)
            _demand_whole(problems_of(new, contest), "the copy isn't whole, so it was taken back")
            head = new.execute(_of(METADATA.tables["contests"], contest)).one()
            return Copied(counts, head.last, head.head)
    finally:
        engine.dispose()
        made.dispose()


def backup(url: str, contest: str, target: Path, keys: str = "") -> None:
    """Back up the ledger at *url*, which may be in use, to a new file of mode 0600; of a server only *contest*.

    The file's folder is created for this user alone if need be. `LedgerError` if that fails, the ledger has no such
    contest, a server's ledger has faults, or *target* exists.
    """
    with Store.open(url, contest, readonly=True, keys=keys):
        _make_folder(target.parent)
        path = file_of(url)
        if path is not None:
            copy_file(path, target)
        elif target.exists():
            raise LedgerError(f"{target}: is there already; move it away, or name another file")
        else:
            copy_contest(url, f"sqlite:///{target.absolute()}", contest, keys)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise LedgerError(f"{folder}: is no folder, and can't be made one: {error.strerror}; name another, or make it "
                          "yourself") from error


def _of(table: Table, contest: str) -> Select[Any]:
    return select(table).where(table.columns["contest"] == contest).order_by(*table.primary_key)


def _rows(connection: Connection, table: Table, contest: str) -> Generator[tuple[Any, ...], None, None]:
    """Yield a contest's rows in the order of the key."""
    with connection.execute(_of(table, contest), execution_options={"yield_per": _BATCH}) as found:
        yield from (tuple(row) for row in found)


def _fill(connection: Connection, table: Table, rows: Iterable[tuple[Any, ...]]) -> int:
    """Insert rows, by COPY on PostgreSQL; return their number."""
    if connection.dialect.name == "postgresql":
        return _copy_in(connection, table, rows)
    count = 0
    for batch in _batches(rows):
        connection.execute(insert(table), [dict(zip(table.columns.keys(), row, strict=True)) for row in batch])
        count += len(batch)
    return count


def _copy_in(connection: Connection, table: Table, rows: Iterable[tuple[Any, ...]]) -> int:
    """Insert rows by COPY; through a temporary table where row-level security is active, which COPY doesn't support."""
    count, into = 0, table.name
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    guarded = connection.exec_driver_sql(f"SELECT row_security_active('{table.name}')").scalar()
    if guarded:
        into = f"incoming_{table.name}"
        connection.exec_driver_sql(f'CREATE TEMPORARY TABLE "{into}" (LIKE "{table.name}") ON COMMIT DROP')
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor, cursor.copy(f'COPY "{into}" ({names}) FROM STDIN') as copy:
        for row in rows:
            copy.write_row(sealed_row(table, row, connection.dialect))
            count += 1
    if guarded:
        beside = lightweight(into, *(column(name) for name in table.columns.keys()))  # noqa: SIM118 - a collection of columns, not a dict
        connection.execute(insert(table).from_select(beside.columns.keys(), select(beside)))
    return count


def _batches(rows: Iterable[tuple[Any, ...]]) -> Iterator[Sequence[tuple[Any, ...]]]:
    batch: list[tuple[Any, ...]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _demand_equal(table: Table, old: Iterable[tuple[Any, ...]], new: Iterable[tuple[Any, ...]]) -> None:
    for number, (there, here) in enumerate(zip_longest(old, new), 1):
        if there != here:
            raise LedgerError(f"row {number} of {table.name} came over otherwise than it was; nothing was copied")


def _demand_whole(problems: Sequence[str], what: str) -> None:
    if problems:
        raise LedgerError("\n".join((f"{what}:", *problems)))
