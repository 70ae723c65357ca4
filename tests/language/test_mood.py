"""The mood table: each row has examples, and each example comes to what its row says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from nomicwolf.language.mood import ROWS, Row
from nomicwolf.language.reader import read
from tests.language.scoring import SENT, TOWN
from tests.tables import each

WITH_EXAMPLES = [(row, text) for row in ROWS for text in row.examples]


@pytest.mark.parametrize(("row", "text"), WITH_EXAMPLES, ids=[text for _, text in WITH_EXAMPLES])
def test_an_example_comes_to_what_its_row_says(row: Row, text: str) -> None:
    """A deed is done, a doubt is asked about, and talk is passed over, in a forum."""
    found = read([(1, text)], TOWN, to="forum", instant=SENT)
    assert (bool(found.deeds), bool(found.problems)) == (row.mood == "does", row.mood == "ask")


def test_rows_have_three_examples_each() -> None:
    """Three sentences show what a row means; those of private letters are shown by tests of their own."""
    assert {row.name for row in ROWS if len(row.examples) < 3} == {"denied choice", "asked of the contestmaster"}


def test_the_handbook_has_the_table() -> None:
    """``python scripts/moods.py`` prints what ``docs/language.md`` has."""
    root = Path(__file__).resolve().parents[2]
    made = subprocess.run([sys.executable, root / "scripts/moods.py"], capture_output=True, text=True, check=True)
    assert made.stdout in (root / "docs/language.md").read_text(encoding="utf-8")


def test_a_choice_that_is_denied_by_night_is_a_choice_of_nobody() -> None:
    """"I don't heal" is the Witch's word that nobody is healed (NC 7b)."""
    found = read([(1, "I don't heal.")], TOWN, to="contestmaster", instant=SENT, role="witch",
                 open_verbs=frozenset({"heal", "poison"}))
    assert [deed.says for deed in found.deeds] == ["heal nobody"]


@each(("text", "deeds"), [
    ("Could you look at Bex for me, please?", ["see Bex"]), ("Would you kindly see Bex tonight?", ["see Bex"]),
    ("Can you check Bex?", ["see Bex"]), ("You can see Bex from here.", []), ("Did you see Bex?", []),
])
def test_the_contestmaster_is_asked_for_a_deed_of_the_night(text: str, deeds: list[str]) -> None:
    """As a question or with courtesy; what e could or did see e is not asked for."""
    found = read([(1, text)], TOWN, to="contestmaster", instant=SENT, role="seer", open_verbs=frozenset({"see"}))
    assert [deed.says for deed in found.deeds] == deeds
