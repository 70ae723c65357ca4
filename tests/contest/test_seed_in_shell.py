"""What the forums are told of the seed can be copied into a shell as it stands (NC 2b)."""

from __future__ import annotations

import re
import subprocess

from tests.contest.world import SEVEN, World


def test_the_shell_line_of_the_letter_gives_the_commitment() -> None:
    """Nothing has to be put into it: id, session and seed are there, and no line is too long for mail."""
    world = World().start(seed="5f0c2a9e7d41b8363f9a1c5e0d7b24869e3f1ad05c7b8246e9d13a7f5b0c8e42")
    game = world.contest.game
    assert game is not None
    werewolf = game.holders("werewolf")[0]
    for who in [name for name in SEVEN if name != werewolf][:4]:
        world.write(who, f"I vote for {werewolf}.", at=1)
    letter = next(o.body for o in world.sent if "roles and seed" in o.subject)
    line = re.search(r"In a shell:\n(.*sha256sum)$", letter, re.DOTALL | re.MULTILINE)
    bound = re.search(r"Commitment published at the start:\n  ([0-9a-f]{64})", letter)

    assert line is not None
    assert bound is not None
    assert max(map(len, letter.splitlines())) <= 72
    told = subprocess.run(["sh", "-c", line[1]], capture_output=True, text=True, timeout=60, check=True).stdout
    assert told == f"{bound[1]}  -\n"
