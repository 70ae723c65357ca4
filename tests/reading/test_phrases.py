"""The table of phrases: what each comes to, a deed, a question or talk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from nomicwolf.reading.deeds import People, Reading
from nomicwolf.reading.reader import read

TOWN = People(
    living=(
        "Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal", "G.", "0x44", "D. Margaux", "Bob", "Bob the Builder",
        "O'Brien", "Zoë Ångström", "λ", "IF", "vote", "-dash-", "Player #7", "天火狐", "No", "Mr. X",
    ),
    dead=("Zed",), others=("Murphy",), aliases={"Gustav": "Gus", "GG": "Gus"}, author="Ash",
)
SENT = 1_796_119_200
"""2026-12-01T10:00Z."""
DAY_BEGAN = SENT - 5 * 3600
TABLES = tuple(
    Path(__file__).with_name(name)
    for name in ("phrases.yaml", "phrases-2.yaml", "phrases-3.yaml", "phrases-4.yaml", "phrases-5.yaml",
                 "phrases-6.yaml", "phrases-7.yaml", "phrases-8.yaml", "phrases-9.yaml"))


def phrases(table: Path) -> list[dict[str, Any]]:
    """The rows of a *table*; every scalar a string."""
    rows: list[dict[str, Any]] = yaml.load(table.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    return rows


def all_phrases() -> list[dict[str, Any]]:
    """The rows of all tables."""
    return [row for table in TABLES for row in phrases(table)]


def understood(row: dict[str, Any]) -> Reading:
    """What is made of a row's text."""
    to = row.get("to", "forum")
    return read(enumerate(row["text"].split("\n"), 1), TOWN, to=to, instant=SENT, day_began=DAY_BEGAN)


@pytest.mark.parametrize("row", all_phrases(), ids=lambda row: row["text"][:50])
def test_a_phrase_comes_to_what_the_table_says(row: dict[str, Any]) -> None:
    """Deeds in canonical form, problems by kind, and nothing at all for talk (NC 3)."""
    found = understood(row)
    assert [deed.says for deed in found.deeds] == row.get("says", [])
    assert [problem.problem for problem in found.problems] == row.get("problem", [])


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_a_table_is_large_and_half_of_it_is_talk_or_doubtful(table: Path) -> None:
    """At least 400 phrases, about half of them no deeds."""
    rows = phrases(table)
    assert len(rows) >= 400
    assert sum("says" not in row for row in rows) * 5 >= len(rows) * 2
