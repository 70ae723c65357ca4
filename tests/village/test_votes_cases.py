"""Every case of ``vote_cases.json`` that looks at one instant, against the resolution and against the oracle."""

from __future__ import annotations

from typing import Any

import pytest

from nomicwolf.village.resolution import resolve
from tests.village import oracle
from tests.village.vote_trees import CASES, ballot, town

STATIC = pytest.mark.parametrize("case", CASES["static"], ids=lambda case: case["id"])
REASON = {"ring": "circular", "not-public": "secret"}


@STATIC
def test_case_comes_to_what_the_page_says(case: dict[str, Any]) -> None:
    """NC 3: values, reasons and the majority are as the case expects."""
    table = resolve(town(case["town"]), {voter: ballot(tree) for voter, tree in case["ballots"].items()})

    assert dict(table.values) == case["expect"]
    assert table.lynched == case["majority"]
    flagged = {voter: status for voter, status in table.statuses.items() if status in ("circular", "paradox", "secret")}
    assert flagged == {voter: REASON.get(why, why) for voter, why in case["flags"].items()}


@STATIC
def test_oracle_agrees_with_the_page(case: dict[str, Any]) -> None:
    """The judge of the other tests knows the cases too."""
    votes, flags = oracle.resolve(town(case["town"]), {voter: ballot(tree) for voter, tree in case["ballots"].items()})

    assert votes == case["expect"]
    assert flags == {voter: REASON.get(why, why) for voter, why in case["flags"].items()}
