"""A table of examples is one test, and each row that fails is reported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tables import each

HALVES = """
import pytest
from tests.tables import each

@pytest.mark.parametrize("top", [1, 2])
@each(("number", "half"), [(2, 1), (3, 1), (4, 2), (5, None)])
def test_halves(top, number, half, tmp_path):
    if half is None:
        pytest.fail("no half")
    assert top == 2 or number == half * 2
"""


def test_each_row_that_fails_is_reported_with_its_values(tmp_path: Path) -> None:
    """In a run of its own, with a fixture and rows of another table: the rows after a failure are tried, too."""
    (tmp_path / "test_halves.py").write_text(HALVES, encoding="utf-8")
    line = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "pythonpath=.", "--rootdir", ".",
            str(tmp_path)]
    ran = subprocess.run(line, check=False, capture_output=True, text=True, cwd=Path(__file__).parents[1])

    told = [line for line in ran.stdout.splitlines() if line.startswith("SUBFAILED")]

    assert ran.returncode == 1
    assert [line.count("number=3, half=1") for line in told] == [1, 0, 0]
    assert [line.count("number=5, half=None") for line in told] == [0, 1, 1]


def test_a_table_has_rows() -> None:
    """A table that lost its rows would pass for ever."""
    with pytest.raises(AssertionError, match="has no rows"):
        each("number", [])(test_a_table_has_rows)
