"""The benchmarks' table says what was measured."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import count
from types import SimpleNamespace

import pytest

from benchmarks import __main__ as table
from benchmarks.__main__ import ROWS
from benchmarks._harness import Against, Effort, Row, compare, grown, in_turns, plain, process, shown
from benchmarks.archives import HOURS, again, full
from tests.archive.stories import Story, play, published
from tests.tables import each

ROW = Row("row", "case", 10, "s", 0.25, "floor", "<=", 2.0, (1.5, 1.25, 1.75))


def test_ratios_are_paired_turn_by_turn() -> None:
    """Ours takes twice the floor's time in each turn, though both take longer and longer; the floor is half of ours."""
    mine, theirs = count(2, 2), count(1)
    found = list(compare(
        "row", "case", 10, {"ours": lambda: (next(mine),), "floor": lambda: (next(theirs),)},
        [Against("floor", "<=", 2), Against("floor", ">=", 1)], Effort(turns=5, seconds=0)))
    assert [row.ratio for row in found] == [(2.0, 2.0, 2.0), (0.5, 0.5, 0.5)]
    assert [row.reached for row in found] == [True, False]


def test_a_method_has_turns_enough() -> None:
    """However quick it is, there are as many turns as are asked for, and a first one that doesn't count."""
    calls = count()
    assert len(in_turns({"ours": lambda: (next(calls),)}, Effort(turns=4, seconds=0))["ours"]) == 4
    assert next(calls) == 5


@pytest.mark.parametrize(("costs", "slope"), [((1.0, 1.0, 1.0), 0.0), ((1.0, 10.0, 100.0), 1.0)])
def test_growth_is_the_slope_of_cost_by_size(costs: tuple[float, ...], slope: float) -> None:
    """Flat is 0 and linear 1; before three sizes nothing is said."""
    rows = [Row("r", "c", 10**n, "s", cost, "floor", "<=", 1, (1, 1, 1)) for n, cost in enumerate(costs, 1)]
    found = list(grown(rows))
    assert [row.growth is None for row in found] == [True, True, False]
    assert found[-1].growth == pytest.approx(slope)


def test_a_line_says_what_was_reached() -> None:
    """In the table by word, in JSON by value; a ratio beyond the reach is a miss."""
    missed = Row("row", "case", 10, "s", 0.25, "floor", ">=", 2.0, (1.5, 1.25, 1.75))
    assert shown(ROW).endswith("<= 2  reached")
    assert shown(missed).endswith(">= 2  MISSED")
    assert plain(ROW)["reached"] is True


def test_a_process_that_fails_is_told() -> None:
    """What it said comes with the error; one that ends as it should costs time, memory, and the processor's time."""
    time, memory, used = process(["true"])
    assert time > 0 < memory
    assert used >= 0
    assert len(process(["sh", "-c", "exit 3"], status=3)) == 3
    with pytest.raises(RuntimeError, match="no such"):
        process(["sh", "-c", "echo no such thing; exit 3"])


@each("name", ROWS)
def test_each_module_of_the_table_has_rows(name: str) -> None:
    """`python -m benchmarks --rows NAME` finds it."""
    assert callable(import_module(f"benchmarks.{name}").rows)


def test_what_cannot_run_or_comes_too_late_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other rows go on; a row that was begun in time is in the table."""

    def some(effort: Effort) -> Iterator[Row]:
        yield from (ROW, ROW)

    def none(effort: Effort) -> Iterator[Row]:
        yield ROW
        raise FileNotFoundError("no server")

    monkeypatch.setattr(table, "import_module", lambda name: SimpleNamespace(rows=none if "ledger" in name else some))
    monkeypatch.setattr(table, "lack", lambda *told: lacking.append(told))
    lacking: list[tuple[str, ...]] = []
    assert len(list(table.chosen_rows(("ledger", "votes"), Effort()))) == 3
    assert [(row, why.split(":")[0]) for row, _, why in lacking] == [("ledger", "FileNotFoundError")]
    assert list(table.chosen_rows(("votes",), Effort(), 0)) == []
    assert lacking[1][0] == "votes"


def test_the_archive_of_many_sessions_can_be_measured() -> None:
    """Sessions are begun and ended as the program takes it today, and an archive of them is written."""
    story, there = Story(), 2
    for played in range(there):
        play(story) if not played else again(story, HOURS * played)

    assert len(story.contest.sessions) == there
    assert story.contest.running is None
    assert all(cost > 0 for cost in full(published(story)))
