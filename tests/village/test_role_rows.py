"""Rows by lot: what a setup may say of them, whom they fit, and that the seed alone decides."""

from __future__ import annotations

from collections import Counter

import pytest

from nomicwolf.reports.setups import checked_setup, setup_page
from nomicwolf.village.events import Drawn
from nomicwolf.village.lots import draw
from nomicwolf.village.role_file import RoleError
from nomicwolf.village.role_rows import cases
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import ruleset
from tests.tables import each

ROWS = """
title = "Rows"
ruleset = "six-phases"
players = 9

[roles]
mafioso = 1

[[choice]]
rows = [["cop", "doctor"], ["mafioso", "mason", "mason"], []]

[[choice]]
rows = [["jailkeeper"], ["consort", "tracker", "townie"]]
"""
NAMES = [f"p{n}" for n in range(9)]


def test_the_seed_draws_one_row_of_each_choice() -> None:
    """By the tickets of numbered rows, so that anyone can redo it; over many seeds each comes up."""
    setup, rules, players = checked_setup(ROWS, "rows.toml", {})
    assert players == (9,)
    assert setup.roles == ("mafioso", "cop+doctor|mafioso+mason+mason|nothing", "jailkeeper|consort+tracker+townie")

    fallen = Counter[tuple[str, ...]]()
    for seed in range(300):
        dealt, lots = rules.dealt(NAMES, setup.roles, str(seed), {})
        first, second = lots[:2]
        options = ("1 cop+doctor", "2 mafioso+mason+mason", "3 nothing")
        assert first == Drawn("row 1", options, draw(str(seed), "row 1", options))
        fallen[first.result + second.result] += 1
        special = sorted(role for _, role in dealt if role != "townie")
        assert special in [sorted(role for role in case if role != "townie") for case in cases(setup.roles)]
    assert len(fallen) == 6
    assert min(fallen.values()) > 25


def test_the_page_has_the_rows_and_each_role_that_can_be() -> None:
    """What is dealt in any case, and the rest by lot."""
    told = " ".join(setup_page(*checked_setup(ROWS, "rows.toml", {})).split())

    assert "Dealt to 9: 3 townies and 1 mafioso, and more." in told
    assert "1 cop and 1 doctor; or 2 Masons and 1 mafioso; or nothing." in told
    for title in ("Mason (town)", "Consort (mafia)", "tracker (town)", "Jailkeeper (town)"):
        assert title in told


@each(("old", "new", "says"), [
    ('["jailkeeper"], ["consort", "tracker", "townie"]', '["jailkeeper"]', "a choice has rows, from 2 to 20"),
    ('["jailkeeper"]', '"jailkeeper"', "'jailkeeper' is no row; write a list of up to 20 names of roles"),
    ('["jailkeeper"]', '["jail|keeper"]', "['jail|keeper'] is no row"),
    ('["jailkeeper"]', '["nothing"]', "['nothing'] is no row"),
    ('["jailkeeper"]', '["jailkeper"]', "jailkeper: no such role; did you mean jailkeeper?"),
    ('rows = [["j', 'weight = 2\nrows = [["j', "a choice has rows, from 2 to 20, and nothing else"),
    ("mafioso = 1", "mafioso = 6", "roles: Only"),
    ('"mason", "mason"', '"mason", "seer"', "seer: no such role"),
])
def test_what_is_wrong_is_named(old: str, new: str, says: str) -> None:
    """With what could stand there; a row that can't be dealt is one, too."""
    assert old in ROWS
    with pytest.raises(RoleError) as refused:
        checked_setup(ROWS.replace(old, new, 1), "rows.toml", {})

    assert says in " ".join(refused.value.why.split())


def test_a_single_table_is_no_choice() -> None:
    """It is told how one looks."""
    with pytest.raises(RoleError, match=r"choice: write up to 6 tables under lines \[\[choice\]\]"):
        checked_setup(ROWS.partition("[[choice]]")[0] + "[choice]\nrows = [[]]\n", "rows.toml", {})


def test_too_many_ways_are_refused() -> None:
    """So that each of them can be tried."""
    choice = f"[[choice]]\nrows = [{', '.join(['[]'] * 8)}]\n"
    with pytest.raises(RoleError, match="more than 1000 ways"):
        checked_setup(ROWS.partition("[[choice]]")[0] + choice * 4, "rows.toml", {})


def test_a_row_with_an_unknown_role_is_refused_whatever_the_seed() -> None:
    """Not just when it falls."""
    with pytest.raises(Refusal, match="no role wizard"):
        ruleset("nomic-crossing").dealt(NAMES, ("seer|wizard",), "1", {})
