"""Nobody joins by a name that looks like another's: votes for one would be taken for the other (NC 3)."""

from __future__ import annotations

import pytest

from nomicwolf.contest.rosters import looks_like
from tests.contest.world import World, setup
from tests.tables import each


@each("name", ["Bëx", "Be\u0301x", "Bex\u0327", "B\u0335ex", "Ｂëx", "Веx", "b\u00e9X"])
def test_marks_on_letters_make_no_other_name(name: str) -> None:
    """By mail it is refused to a stranger and as an alias, and by command to the contestmaster."""
    world = World(setup()).start()
    came = world.write("Zoe", f"I join this contract as {name}.", sender="Zoe <zoe@new.example>", at=1)
    assert came.bucket == "stranger"
    came = world.write("Zoe", "I join this contract.", sender=f"{name} <zoe@new.example>", at=1)
    assert came.bucket == "stranger"

    world.write("Cam", f"alias: {name}", "contestmaster", at=2)
    assert "looks like Bex" in world.to("Cam")
    added = world.command("party-add", 3, who=name, address="zoe@new.example")
    assert "looks like Bex" in added.said
    assert added.status == 1


@each(
    ("name", "other"), [("がな", "かな"), ("राम", "रम"), ("Ash", "Asha"), ("Jörg", "Jürgen"), ("Ola", "Ole")])
def test_other_sounds_are_other_names(name: str, other: str) -> None:
    """Marks that are vowels or sounds of their own stay what they are."""
    assert looks_like(name, [other]) == ""


@pytest.mark.parametrize(("name", "other"), [("Søren", "Soren"), ("Łukasz", "Lukasz"), ("Đorđe", "Dorde")])
def test_strokes_are_marks(name: str, other: str) -> None:
    """They have no combining character, and look like the letter without them all the same."""
    assert looks_like(name, [other]) == f"“{name}” looks like {other}."
