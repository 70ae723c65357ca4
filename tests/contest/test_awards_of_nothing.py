"""Awards that come to nothing, or are more than the roster yields, and what the end of a session waits for (NC 5i)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from nomicwolf.nomic.events import Awarded, AwardsHeld
from tests.contest.world import SEVEN, World, setup


def ended(found: World, **started: Any) -> World:
    """Let all seven join, start a session, and let the villagers lynch the werewolf; settle it."""
    for player in SEVEN:
        found.write(player, "I join.")
    assert found.command("start", seed="7", **started).status == 0
    evil = [who for who in SEVEN if found.contest.game is not None and found.contest.game.sides[who] == "werewolves"]
    for voter in [who for who in SEVEN if who not in evil][:4]:
        found.write(voter, f"I vote for {evil[0]}.", at=1)
    found.tick(at=2)
    return found


def test_a_share_of_nothing_in_the_only_nomic_ends_the_waiting() -> None:
    """NC 5i, D-N21: P of 3 among six winners is 0 for each; with that the end is told, and a session can be started."""
    usual = setup()
    found = World(replace(usual, forums=tuple(f for f in usual.forums if f.law.awards == "points")))
    ended(found)
    assert found.events(AwardsHeld)
    assert found.command("start", seed="8").status == 1

    assert found.command("award", limit="agora=3").status == 0
    assert not found.events(Awarded)
    over = [x.body for x in found.letters if "is over" in x.subject]
    assert over
    assert "so no points are awarded in Agora" in " ".join(over[0].split())
    assert found.command("start", seed="8").status == 0


@pytest.mark.parametrize(("limit", "started"), [
    ({"agora": 36}, {}), ({}, {"limit": "agora=36"}), ({}, {"limit": "agora=36", "how": "5 times 7, and one for luck"}),
    ({"agora": 35}, {}), ({}, {"limit": "agora=35"}),
])
def test_more_than_the_roster_yields_is_awarded_by_a_word_of_that_time_alone(
    limit: dict[str, int], started: dict[str, str]
) -> None:
    """Wherever P was said, and however it was reckoned: it waits, and the journal says by how much it is too much."""
    found = ended(World(setup(limit=limit)), **started)
    waits = 36 in limit.values() or "36" in started.get("limit", "")
    assert bool(found.events(AwardsHeld)) == waits
    assert bool(found.events(Awarded)) != waits
    assert ("which is 1 more than the roster yields" in " ".join(found.sent[-1].body.split())) == waits

    assert found.command("award", at=3, limit="agora=36").status == 0
    assert len([e for e in found.events(Awarded) if e.event.nomic == "agora"]) == 6  # type: ignore[attr-defined]


def test_who_leaves_makes_less_of_p() -> None:
    """What the roster yielded when P was confirmed at the start is too much once one of seven has left."""
    found = World(setup())
    for player in (*SEVEN, "Hal"):
        found.write(player, "I join.")
    found.command("award", limit="agora=40")
    found.write("Hal", "I leave the contract.", at=0.5)
    ended(found)
    assert found.events(AwardsHeld)
    assert not found.events(Awarded)
