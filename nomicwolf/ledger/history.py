"""What happened to a contest, from its first day on: for a replay, which goes through all of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from nomicwolf.ledger.engine import telling
from nomicwolf.ledger.records import KeptHappening
from nomicwolf.ledger.tables import HappeningRow, SetupRow

_BATCH = 1000
"""Rows that are asked for at once."""


def happenings_of(engine: Engine, contest: str) -> Iterator[KeptHappening]:
    """Return what happened to a contest, in order, as far as it was written down (since schema 0003)."""
    wanted = select(HappeningRow, SetupRow.data).join(SetupRow).where(col(HappeningRow.contest) == contest)
    after = 0
    while True:
        more = wanted.where(col(HappeningRow.number) > after).order_by(col(HappeningRow.number)).limit(_BATCH)
        with telling(), Session(engine) as session:
            rows = session.exec(more).all()
        for row, setup in rows:
            kind: Any = row.kind
            yield KeptHappening(kind, row.data, setup, row.now, row.base, row.last, row.owed)
            after = row.number
        if len(rows) < _BATCH:
            return
