"""The types of the ledger's rows, and what a database's errors say."""

from __future__ import annotations

import inspect
import sqlite3
from typing import get_args

from sqlalchemy import Table

from nomicwolf.ledger import tables
from nomicwolf.ledger.errors import translated
from nomicwolf.ledger.tables import Row, contest_tables
from tests.tables import each

KINDS = [kind for _, kind in inspect.getmembers(tables, inspect.isclass) if issubclass(kind, Row) and kind is not Row]


@each("kind", KINDS)
def test_a_row_has_the_columns_of_its_table(kind: type[Row]) -> None:
    """In their order, of the types that come out of the database."""
    table: Table = vars(kind)["__table__"]
    types = {column.name: getattr(column.type, "impl", column.type).python_type for column in table.columns}

    assert list(kind.model_fields) == list(types)
    for name, field in kind.model_fields.items():
        known = set(get_args(field.annotation)) or {field.annotation}
        assert known == ({types[name], type(None)} if table.columns[name].nullable else {types[name]})


def test_each_table_has_a_class() -> None:
    """The ledger has no others."""
    assert {vars(kind)["__table__"].name for kind in KINDS} == {table.name for table in contest_tables()}


@each(("said", "told"), [
    ("disk I/O error", "see whether its disk is full"), ("database or disk is full", "free some, nothing is lost"),
    ("attempt to write a readonly database", "let this user write it"),
    ("unable to open database file", "let this user write it and its folder"),
    ("database is locked", "the next run tries again"),
])
def test_an_error_of_sqlite_says_what_to_do(said: str, told: str) -> None:
    """SQLite has no codes in its words; a full disk of which not even the log can be made is an I/O error."""
    error = translated(sqlite3.OperationalError(said))

    assert said in str(error)
    assert told in str(error)
