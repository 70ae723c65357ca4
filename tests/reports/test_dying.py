"""``explain death``: the deed behind a death by night, the votes behind one by day."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nomicwolf.cli.app import order_of
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.reports.explain import Unexplained, explain_json

SCENARIOS = Path(__file__).parents[1] / "scenarios"


def death(case: str, who: str) -> dict[str, Any]:
    """How *who* died in the scenario whose file begins with *case*."""
    path = next(SCENARIOS.glob(f"*/{case}*.yaml"))
    played = rehearse(read_script(path.read_text(encoding="utf-8"), path.parent), order_of)
    return explain_json(played.contest, f"death {who}")


@pytest.mark.parametrize(("case", "who", "events", "text"), [
    ("N-102-", "Gus", ["killed", "due", "chose", "deed-heard", "letter-heard"], "attack Gus"),
    ("G-06-", "N1", ["killed", "due", "agreed", "chose", "deed-heard", "letter-heard"], "attack N1"),
    ("T-15-the-seers", "Ha", ["killed", "due", "seen", "chose", "deed-heard", "letter-heard"], "see Ha"),
    ("M-122-", "Ada", ["killed", "due", "chose", "deed-heard", "letter-heard"], "shoot Ada"),
])
def test_a_death_by_night_leads_to_the_letter_that_asked_for_it(
    case: str, who: str, events: list[str], text: str
) -> None:
    """Not only to the clock that struck when the night was over."""
    found = death(case, who)

    assert [e["event"] for e in found["events"]] == events
    assert found["letter"]["text"] == text


@pytest.mark.parametrize(("case", "who", "why"), [
    ("N-27-", "Gus", ["Bex: Gus", "Cam: endorse Bex = Gus: endorses Bex; Bex votes for Gus",
                      "Dov: endorse Cam = Gus: endorses Cam; Cam votes for Gus",
                      "Fay: endorse Dov = Gus: endorses Dov; Dov votes for Gus"]),
    ("G-184-", "G1", [("N1: guilty if it is after 2026-12-03T09:00Z, otherwise innocent = guilty: "
                      "it is after 2026-12-03T09:00Z; so guilty"),
                      "N2: guilty", "N3: guilty", "N4: guilty", "P1: guilty"]),
    ("M-09-", "Ada", ["Cat: guilty", "Dan: guilty", "Eve: guilty", "Fay: guilty"]),
    ("T-161-", "V1", ["W2: V1"]),
])
def test_a_death_by_day_names_the_votes_that_condemned(case: str, who: str, why: list[str]) -> None:
    """With their reasons, as they stood then; those for others are left out."""
    assert death(case, who)["why"] == why


@pytest.mark.parametrize("what", ["Dov", "death dov"])
def test_who_was_replaced_is_asked_for_by_the_name_of_who_plays_on(what: str) -> None:
    """D-N41: whatever was eirs is the substitute's."""
    path = next(SCENARIOS.glob("*/N-339-*.yaml"))
    played = rehearse(read_script(path.read_text(encoding="utf-8"), path.parent), order_of)

    with pytest.raises(Unexplained, match=r"Dov was replaced, and what was eirs is Ida's now \(D-N41\)"):
        explain_json(played.contest, what)
