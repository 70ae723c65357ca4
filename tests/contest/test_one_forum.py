"""NC 1g as the contestmaster sees it: who writes to one nomic's forum alone."""

from __future__ import annotations

from nomicwolf.reports.echoes import one_forum_only
from nomicwolf.reports.terminal import status_text
from tests.contest.world import World


def test_status_tells_who_writes_to_one_forum_alone() -> None:
    """A letter whose copy came through the other forum too is not listed; its vote counted all the same."""
    world = World().start()
    joined = len(one_forum_only(world.contest))
    world.write("Bex", "I vote for Gus.", at=1, message_id="<both@players.example>")
    world.write("Cam", "I vote for Fay.", at=1)
    assert len(one_forum_only(world.contest)) == joined + 2

    world.write("Bex", "I vote for Gus.", "b", at=1.1, message_id="<both@players.example>")

    assert [author for _, author, _ in one_forum_only(world.contest)[joined:]] == ["Cam"]
    assert "Cam 2 in agora" in status_text(world.contest)
    assert world.contest.game is not None
    assert world.contest.game.table["Cam"] == "Fay"
