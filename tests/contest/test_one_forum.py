"""NC 1g as the contestmaster sees it: who writes to one nomic's forum alone."""

from __future__ import annotations

from nomicwolf.reports.public import one_forum_only
from nomicwolf.reports.terminal import status_text
from tests.contest.world import ADDRESSES, World


def test_status_tells_who_writes_to_one_forum_alone() -> None:
    """A letter whose copy came through the other forum too is not listed; its vote counted all the same."""
    world = World().start()
    joined = len(one_forum_only(world.contest))
    world.write("Bex", "I vote for Gus.", at=1, message_id="<both@players.example>")
    world.write("Cam", "I vote for Fay.", at=1)
    assert len(one_forum_only(world.contest)) == joined + 2

    world.write("Bex", "I vote for Gus.", "b", at=1.1, message_id="<both@players.example>")

    assert [author for _, author, _ in one_forum_only(world.contest)[joined:]] == ["Cam"]
    assert "since the session began (NC 1g): Cam 1 in agora." in status_text(world.contest)
    assert world.contest.game is not None
    assert world.contest.game.table["Cam"] == "Fay"


def test_a_copy_is_told_by_the_list_that_it_came_through() -> None:
    """A letter addressed to both forums comes once through each; the second copy is b's, whatever its To says."""
    world = World().start()
    listed = len(one_forum_only(world.contest))
    world.write("Bex", "I vote for Gus.", at=1, message_id="<two@players.example>", headers=f"Cc: {ADDRESSES['b']}\r\n")
    world.write("Bex", "I vote for Gus.", "b", at=1.1, message_id="<two@players.example>",
                headers=f"Cc: {ADDRESSES['agora']}\r\n")

    assert len(one_forum_only(world.contest)) == listed


def test_leaving_by_a_copy_leaves_there_too() -> None:
    """Whoever posts the same leave to each forum, as two copies of one letter, is a party of neither (NC 1c)."""
    world = World()
    for nomic in ("agora", "b"):
        world.write("Ida", "I join.", nomic, message_id="<in@players.example>")
    assert all("Ida" in names for names in world.contest.parties.values())

    for nomic in ("agora", "b"):
        world.write("Ida", "I leave this contract.", nomic, at=1, message_id="<out@players.example>")

    assert not any("Ida" in names for names in world.contest.parties.values())


def test_who_names_one_nomic_joins_there_alone() -> None:
    """NC 1c: "I join in B", posted to both forums, is no word about Agora; posted to Agora alone it is refused."""
    world = World()
    for nomic in ("agora", "b"):
        world.write("Ida", "I join in B.", nomic, message_id="<b@players.example>")
    world.write("Joe", "I join this contract in B Nomic.", "agora", at=1)

    assert "Ida" in world.contest.parties["b"]
    assert "Ida" not in world.contest.parties["agora"]
    assert not any("Joe" in names for names in world.contest.parties.values())
    assert any("forum of b" in letter.body for letter in world.sent)
