"""Every scenario of the rule sets that there are comes out as it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.cli.app import order_of
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.village.rulesets import BUILT_IN

SCENARIOS = Path(__file__).parents[1] / "scenarios"
FILES = sorted(path for name in BUILT_IN for path in (SCENARIOS / name).glob("*.yaml"))


@pytest.mark.parametrize("ruleset", sorted(BUILT_IN))
def test_a_scenario_comes_out_as_it_says(ruleset: str, subtests: pytest.Subtests) -> None:
    """Played through the path of mail, all that a file expects is so."""
    for path in FILES:
        if path.parent.name == ruleset:
            with subtests.test(path.stem):
                played = rehearse(read_script(path.read_text(encoding="utf-8"), path.parent), order_of)

                assert played.failures == []
                assert played.passed


def test_each_rule_set_has_scenarios() -> None:
    """No rule set is without its folder, and no folder without its rule set."""
    assert {path.parent.name for path in FILES} == set(BUILT_IN)
    assert {path.name for path in SCENARIOS.iterdir() if path.is_dir() and path.name[0] != "_"} <= set(BUILT_IN)
