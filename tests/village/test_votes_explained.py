"""The steps that explain a vote: sixty situations word for word, and what holds of every explanation (NC 3)."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from nomicwolf.plainyaml import load
from nomicwolf.tally import tally
from nomicwolf.village.ballots import Endorse, For, Nobody
from nomicwolf.village.explaining import explain
from nomicwolf.village.resolution import resolve
from nomicwolf.village.town import Town
from tests.village import towns

SITUATIONS = cast(list[dict[str, Any]], load((Path(__file__).parent / "explanations.yaml").read_text("utf-8")))
RECORD = {
    "townspersons": ["Ash", "Bex", "Cam", "Dov", "Eli"], "killed": ["Zed"], "disclosed": {"Zed": "not a werewolf"},
    "phase": "day 2", "now": "2026-12-01T12:00Z", "facts": {"the moon is full": "true"},
}


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation["title"])
def test_situation_is_explained_in_these_words(situation: dict[str, Any]) -> None:
    """Value, status and steps of Ash's vote."""
    vote = tally({**RECORD, "votes": situation["votes"]})["votes"]["Ash"]

    assert (vote["value"] or "nobody", vote["status"]) == (situation["value"], situation["status"])
    assert vote["why"] == situation["why"]


@given(st.integers(0, 10**9))
def test_every_vote_has_steps_that_end_at_its_value(seed: int) -> None:
    """None for plain votes; else the last step says what it comes to, or the first why it counts as null."""
    town, ballots = towns.town(Random(seed), 9)
    table = resolve(town, ballots)
    note(repr((town, ballots)))
    for who, value in table.values.items():
        steps = explain(town, ballots, table, who)
        note(f"{who}: {steps}")
        status, ballot = table.statuses[who], ballots.get(who, Nobody())
        assert all(step and "  " not in step and step == step.strip() for step in steps)
        if status == "no vote" or ballot == Nobody() or (isinstance(ballot, For) and value):
            assert steps == ()
        elif status in ("circular", "paradox", "secret"):
            assert steps[0].startswith(f"{who}'s vote counts as null: ")
            assert "(NC 3)" in steps[0]
        elif value is not None:
            assert value in steps[-1]
        else:
            assert any(word in steps[-1] for word in ("nobody", "null", "no vote", "votes for", "can only be"))


def test_another_contract_is_cited_by_its_own_clause() -> None:
    """The same votes serve other rule sets."""
    town, ballots = Town(("Ash", "Bex")), {"Ash": Endorse("Ash")}
    steps = explain(town, ballots, resolve(town, ballots), "Ash", clause="GAD 4")
    assert steps == ("Ash's vote counts as null: Ash → Ash is a circle (GAD 4)",)


def test_an_explanation_needs_a_living_townsperson() -> None:
    """KeyError for the dead and strangers, as promised."""
    town, ballots = towns.town(Random(1))
    with pytest.raises(KeyError):
        explain(town, ballots, resolve(town, ballots), "Z")
