"""Every scenario of the rule sets that there are comes out as it says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nomicwolf.cli.app import order_of
from nomicwolf.contest import Contest
from nomicwolf.ledger.records import read_entry, write_entry
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.rehearsal.outcome import Played
from nomicwolf.reports.awards import book_csv, results_of
from nomicwolf.run.contest_setup import own_roles
from nomicwolf.village.rulesets import BUILT_IN
from tests.rehearsal.year import FOLDER, letters, played

SCENARIOS = Path(__file__).parents[1] / "scenarios"
FILES = sorted(path for name in BUILT_IN for path in (SCENARIOS / name).glob("*.yaml"))


@pytest.mark.parametrize("ruleset", sorted(BUILT_IN))
def test_a_scenario_comes_out_as_it_says(ruleset: str, subtests: pytest.Subtests) -> None:
    """Played through the path of mail, all that a file expects is so."""
    for path in FILES:
        if path.parent.name == ruleset:
            with subtests.test(path.stem):
                script = read_script(path.read_text(encoding="utf-8"), path.parent)
                played = rehearse(replace(script, roles=own_roles(path.parent)), order_of)

                assert played.failures == []
                assert played.passed


def test_each_rule_set_has_scenarios() -> None:
    """No rule set is without its folder, and no folder without its rule set."""
    assert {path.parent.name for path in FILES} == set(BUILT_IN)
    assert {path.name for path in SCENARIOS.iterdir() if path.is_dir() and path.name[0] != "_"} <= set(BUILT_IN)


@pytest.fixture(scope="module")
def year() -> Played:
    """The year, played once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(Path(__file__).parents[2])
        return played()


@pytest.mark.slow
def test_the_year_goes_as_it_says(year: Played) -> None:
    """Every expectation of the rehearsal holds."""
    assert year.failures == []
    assert year.checked


@pytest.mark.slow
def test_every_letter_is_the_same(year: Played) -> None:
    """``python -m tests.rehearsal.year`` writes them anew after a change that was meant."""
    assert (FOLDER / "letters.txt").read_text(encoding="utf-8") == letters(year)


@pytest.mark.slow
def test_the_year_can_be_told_again_from_its_record(year: Played) -> None:
    """X-15: rebuilt from the lines of the ledger, everything stands as it did."""
    lines = [write_entry(entry) for entry in year.contest.entries]
    again = Contest.of(year.contest.setup, map(read_entry, lines))

    assert again.law == year.contest.law
    assert (again.parties, again.persons, again.deeds) == (
        year.contest.parties, year.contest.persons, year.contest.deeds)
    assert results_of(again).players == results_of(year.contest).players


@pytest.mark.slow
def test_the_award_book_is_the_same(year: Played) -> None:
    """Awards and corrections, in the order in which they were announced."""
    assert (FOLDER / "awards.csv").read_bytes().decode() == book_csv(year.contest)
