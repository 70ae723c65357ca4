"""A contest moves between databases, both ways, and is proved equal; nothing is ever written over."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nomicwolf.ledger import store
from nomicwolf.ledger.errors import Conflict, LedgerError, NoLedger
from nomicwolf.ledger.store import Store, copy_contest
from nomicwolf.ledger.tables import METADATA, contest_tables
from nomicwolf.ledger.transaction import Step
from nomicwolf.letters.letter import Outgoing
from tests.ledger.below import rows, unguarded
from tests.ledger.test_store import entries, heard, owed
from tests.servers.postgres import Postgres


def filled(url: str, contest: str = "s3", count: int = 3) -> None:
    """Make a ledger with something in every table."""
    with Store.create(url, contest) as store:
        store.append(Step(0, entries(1, count), [heard("p1"), heard("p2", b"\x00\xff", bucket="held")],
                   [owed("k1"), owed("f1", "public")], ("imap:x", 5, 42), now=70, alarm=99))
        store.outbox().mark_sending("k1", b"Message-ID: <k1@x>\r\n\r\nbytes \x00", "<k1@x>", 71)


@pytest.fixture
def other_url(postgres: Postgres, ledger_url: str, tmp_path: Path) -> str:
    """Return where a ledger of the other kind of database may be made; PostgreSQL's has no tables yet."""
    return postgres.empty() if ledger_url.startswith("sqlite") else f"sqlite:///{tmp_path / 'other.db'}"


def test_a_contest_moves(ledger_url: str, other_url: str) -> None:
    """SQLite to PostgreSQL and back: the same record, letters, bytes, states, marks and sums, and it goes on there."""
    filled(ledger_url)
    copied = copy_contest(ledger_url, other_url, "s3")
    with Store.open(ledger_url, "s3") as old, Store.open(other_url, "s3") as new:
        assert (copied.last, copied.head) == (3, old.tip().head)
        assert copied.rows == {"contests": 1, "entries": 3, "originals": 2, "letters": 2, "outbox": 2, "marks": 1} | {
            name: rows_of for name, rows_of in copied.rows.items() if rows_of == 0}
        assert new.tip() == old.tip()
        assert tuple(new.record()) == tuple(old.record())
        assert tuple(new.letters()) == tuple(old.letters())
        assert new.outbox().in_state("queued", "sending") == old.outbox().in_state("queued", "sending")
        assert new.mark("imap:x") == ("imap:x", 5, 42)
        assert str(new.check()) == str(old.check())
        new.append(Step(3, entries(4, 1), [heard("p3")], now=80))
        assert new.verify() == []


def test_a_target_that_has_the_contest_is_left_alone(ledger_url: str, other_url: str) -> None:
    """Nothing is written over, and other contests there stay as they were."""
    filled(ledger_url)
    filled(other_url, "s4", 2)
    copy_contest(ledger_url, other_url, "s3")
    with pytest.raises(Conflict, match="already"):
        copy_contest(ledger_url, other_url, "s3")
    with Store.open(other_url, "s4") as neighbour:
        assert neighbour.last() == 2
        assert neighbour.verify() == []


def test_a_broken_ledger_is_not_copied(ledger_url: str, other_url: str) -> None:
    """A copy would only make the damage look right; the target has no trace of the try."""
    filled(ledger_url)
    rows(ledger_url, *unguarded(ledger_url, "entries"), "UPDATE entries SET at = 0 WHERE number = 2")
    with pytest.raises(LedgerError, match="entry 2: is not what its columns say"):
        copy_contest(ledger_url, other_url, "s3")
    with pytest.raises(LedgerError):
        Store.open(other_url, "s3")


@pytest.mark.parametrize(("reading", "says"), [(1, "row 2 of entries"), (3, "the copy isn't whole")])
def test_a_row_that_came_over_otherwise_takes_all_back(
    ledger_url: str, other_url: str, monkeypatch: pytest.MonkeyPatch, reading: int, says: str
) -> None:
    """If the databases don't agree on a row, nothing is committed."""
    filled(ledger_url)
    filled(other_url, "s4")
    whole, readings = store._rows, count()

    def clipped(connection: object, table: object, contest: str) -> object:
        for row in whole(connection, table, contest):  # type: ignore[arg-type]
            wrong = getattr(table, "name", "") == "entries" and row[1] == 2 and next(readings) < reading
            yield (*row[:-1], "9" * 64) if wrong else row

    monkeypatch.setattr(store, "_rows", clipped)
    with pytest.raises(LedgerError, match=says):
        copy_contest(ledger_url, other_url, "s3")
    with pytest.raises(NoLedger):
        Store.open(other_url, "s3")


def test_a_contest_that_is_not_there(ledger_url: str, other_url: str) -> None:
    """The source must have the contest."""
    filled(ledger_url)
    with pytest.raises(NoLedger, match="no contest s9"):
        copy_contest(ledger_url, other_url, "s9")


def test_every_table_is_copied() -> None:
    """No table of the ledger is forgotten, and a table comes after those that it refers to."""
    assert {table.name for table in contest_tables()} == set(METADATA.tables)
    seen: set[str] = set()
    for table in contest_tables():
        assert {key.column.table.name for key in table.foreign_keys} <= seen
        seen.add(table.name)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.text(), st.binary()), max_size=5))
def test_whatever_was_written_comes_back(postgres_url: str, tmp_path: Path, letters: list[tuple[str, bytes]]) -> None:
    """Any text and any bytes make the way to PostgreSQL and back unchanged."""
    number = len(list(tmp_path.iterdir()))
    contest = f"c{number}"
    first, last = f"sqlite:///{tmp_path / f'{number}-a.db'}", f"sqlite:///{tmp_path / f'{number}-b.db'}"
    with Store.create(first, contest) as store:
        store.append(Step(0, heard=[heard(f"p{n}", data, why=text) for n, (text, data) in enumerate(letters)],
                   owed=[Outgoing(f"k{n}", "private", text, text, 1, to="a@b.c")
                         for n, (text, _) in enumerate(letters)], now=1))
    there = copy_contest(first, postgres_url, contest)
    back = copy_contest(postgres_url, last, contest)
    assert there == back
    with Store.open(first, contest) as old, Store.open(last, contest) as new:
        assert tuple(new.letters()) == tuple(old.letters())
        assert new.outbox().owed() == old.outbox().owed()
