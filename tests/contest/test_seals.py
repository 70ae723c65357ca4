"""Which signed texts may be old ones sent again (D-N45)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nomicwolf.contest import LetterCame, hear
from nomicwolf.contest.mail.assurance import AHEAD, freshness
from nomicwolf.letters.letter import Seal
from nomicwolf.nomic.events import LetterHeard
from tests.contest.world import World

DAY = 86_400


@pytest.mark.parametrize(("text", "before", "why"), [
    ("see Gus", 0, ""),
    ("see Gus", 1, "from before this session"),
    ("session 1, night 9\nsee Gus", 0, "which is not now"),
    ("session 2, day 1\nsee Gus", 0, "which is not now"),
])
def test_a_signature_is_of_this_session(text: str, before: int, why: str) -> None:
    """One from before the session began counts only for the phase that it names, however young it is."""
    world = World().start()
    game = world.contest.running
    assert game is not None
    letter = replace(world.letter("Ash", text, "contestmaster", at=1), body=text)
    seal = Seal("AB", game.entries[0].at - before, "digest")

    found = freshness(world.contest, letter, seal)
    assert why in found
    assert bool(found) == bool(why)


def test_a_signature_is_neither_old_nor_from_the_future() -> None:
    """Two days are what a text is good for that names no phase; clocks may be an hour ahead."""
    world = World().start()
    letter = world.letter("Ash", "see Gus", "contestmaster", at=1)
    late = replace(letter, arrived=letter.arrived + 30 * DAY)

    assert "older than" in freshness(world.contest, late, Seal("AB", letter.arrived, "digest"))
    assert "future" in freshness(world.contest, letter, Seal("AB", letter.arrived + AHEAD + 1, "digest"))


def test_a_signed_text_counts_once() -> None:
    """One that came in an earlier letter, whatever became of that, is told as an old one; any other isn't."""
    world = World().start()
    letter = replace(world.letter("Ash", "see Gus", "contestmaster", at=1), body="see Gus")
    letter = replace(letter, seal=Seal("AB", letter.arrived, "d" * 64), signers=("players.example",))
    assert letter.seal is not None
    assert freshness(world.contest, letter, letter.seal) == ""

    world.contest = hear(world.contest, LetterCame(letter), letter.arrived).contest

    (heard,) = [entry for entry in world.events(LetterHeard) if entry.event.seals]  # type: ignore[attr-defined]
    assert world.contest.by_seal == {"d" * 64: heard.number}
    assert "came before" in freshness(world.contest, letter, letter.seal)
    assert freshness(world.contest, letter, replace(letter.seal, digest="e" * 64)) == ""
