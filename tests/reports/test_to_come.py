"""What forums have had and is not counted yet is told to whoever asks for the votes (D-N9)."""

from __future__ import annotations

from nomicwolf.reports.asjson import votes_json
from nomicwolf.reports.terminal import votes_text
from tests.contest.world import HOUR, START, World, setup


def asked(at: float) -> World:
    """A session in which Bex voted at hour 1 and Cam six minutes later, and Cam asks for the votes at hour *at*."""
    world = World(setup(settling=600)).start()
    world.tick(0.9)
    world.write("Bex", "I vote for Gus.", at=1)
    world.write("Cam", "I endorse Bex.", at=1.1)
    world.tick(at)
    world.write("Cam", "votes", "contestmaster", at=at)
    return world


def test_a_vote_that_still_settles_is_told_beside_the_count() -> None:
    """Cam finds eir vote in the answer, and why it isn't in the count; the contestmaster reads the same."""
    world = asked(1.18)
    answer = next(m.body for m in world.letters if m.person == "Cam")

    assert "1/4  [#...]  Gus  Bex" in answer
    for told in (answer, votes_text(world.contest)):
        rest = told.partition("not in this count yet")[2]
        assert "counts 10 minutes after" in rest.replace("\n", " ")
        assert "01:06 UTC  Cam  endorse Bex" in rest
        assert "Gus" not in rest.partition("Open to you")[0]


def test_a_count_is_of_when_all_was_heard() -> None:
    """And not of the last vote: nobody has to wonder whether later ones are in it; an earlier poll tells nothing."""
    contest = asked(1.5).contest
    for heard, told in ((START + 3 * HOUR, "03:00"), (START, "01:")):
        assert f"as of Tue 1 Dec 2026 {told}" in votes_text(contest, heard)
        assert votes_json(contest, heard)["at"].startswith(f"2026-12-01T{told}")


def test_nothing_is_said_where_all_is_counted() -> None:
    """A quarter of an hour later there is nothing to tell."""
    world = asked(1.5)
    answer = next(m.body for m in world.letters if m.person == "Cam")

    assert "not in this count yet" not in answer
    assert "not in this count yet" not in votes_text(world.contest)
    assert "2/4  [##..]  Gus  Bex, Cam (endorsing Bex)" in answer
