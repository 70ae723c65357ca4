"""Awards that come to nothing for everyone are given all the same: the end is announced, and play goes on (NC 5i)."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.nomic.events import Awarded, AwardsHeld
from tests.contest.world import SEVEN, World, setup


def test_a_share_of_nothing_in_the_only_nomic_ends_the_waiting() -> None:
    """NC 5i, D-N21: P of 3 among six winners is 0 for each; with that the end is told, and a session can be started."""
    usual = setup()
    found = World(replace(usual, forums=tuple(f for f in usual.forums if f.law.awards == "points")))
    for player in SEVEN:
        found.write(player, "I join.")
    assert found.command("start", seed="7").status == 0
    evil = [who for who in SEVEN if found.contest.game is not None and found.contest.game.sides[who] == "werewolves"]
    for voter in [who for who in SEVEN if who not in evil][:4]:
        found.write(voter, f"I vote for {evil[0]}.", at=1)
    found.tick(at=2)
    assert found.events(AwardsHeld)
    assert found.command("start", seed="8").status == 1

    assert found.command("award", limit="agora=3").status == 0
    assert not found.events(Awarded)
    over = [x.body for x in found.letters if "is over" in x.subject]
    assert over
    assert "so no points are awarded in Agora" in " ".join(over[0].split())
    assert found.command("start", seed="8").status == 0
