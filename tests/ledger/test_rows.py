"""The typed rows are those of the tables: each column once, and None only where the database knows NULL."""

from __future__ import annotations

import inspect
from typing import get_args

import pytest
from sqlalchemy import Table
from sqlmodel import SQLModel

from nomicwolf.ledger import rows
from nomicwolf.ledger.tables import METADATA

KINDS = [kind for _, kind in inspect.getmembers(rows, inspect.isclass)
         if issubclass(kind, SQLModel) and kind is not SQLModel]


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_has_the_columns_of_its_table(kind: type[SQLModel]) -> None:
    """In their order, of the types that come out of the database."""
    table: Table = vars(kind)["__table__"]
    types = {column.name: getattr(column.type, "impl", column.type).python_type for column in table.columns}

    assert table is METADATA.tables[table.name]
    assert list(kind.model_fields) == list(types)
    for name, field in kind.model_fields.items():
        known = set(get_args(field.annotation)) or {field.annotation}
        assert known == ({types[name], type(None)} if table.columns[name].nullable else {types[name]})


def test_the_tables_are_defined_once() -> None:
    """SQLModel has no tables of its own beside them."""
    assert KINDS
    assert not SQLModel.metadata.tables
