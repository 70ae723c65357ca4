"""The year of `examples/a-year` is what the program makes of it, letter by letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.contest import Contest
from nomicwolf.ledger.records import read_entry, write_entry
from nomicwolf.rehearsal.outcome import Played
from nomicwolf.reports.awards import book_csv
from nomicwolf.reports.statistics import results_of
from tests.rehearsal.year import FOLDER, letters, played

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def year() -> Played:
    """The year, played once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(Path(__file__).parents[2])
        return played()


def test_the_year_goes_as_it_says(year: Played) -> None:
    """Every expectation of the rehearsal holds."""
    assert year.failures == []
    assert year.checked


def test_every_letter_is_the_same(year: Played) -> None:
    """``python -m tests.rehearsal.year`` writes them anew after a change that was meant."""
    assert (FOLDER / "letters.txt").read_text(encoding="utf-8") == letters(year)


def test_the_year_can_be_told_again_from_its_record(year: Played) -> None:
    """X-15: rebuilt from the lines of the ledger, everything stands as it did."""
    lines = [write_entry(entry) for entry in year.contest.entries]
    again = Contest.of(year.contest.setup, map(read_entry, lines))

    assert again.law == year.contest.law
    assert (again.parties, again.persons, again.deeds) == (
        year.contest.parties, year.contest.persons, year.contest.deeds)
    assert results_of(again).players == results_of(year.contest).players


def test_the_award_book_is_the_same(year: Played) -> None:
    """Awards and corrections, in the order in which they were announced."""
    assert (FOLDER / "awards.csv").read_bytes().decode() == book_csv(year.contest)
