"""A session is paused, and goes on: clocks stand still, deeds wait, and the record can be redone (D-A15)."""

from __future__ import annotations

import pytest

from nomicwolf.archive.replay import redo
from nomicwolf.contest import Tick, hear, next_alarm
from nomicwolf.nomic.care import GuardRaised, Paused, PauseEnded
from nomicwolf.nomic.events import DeedDone, Reminded
from nomicwolf.nomic.owed import deeds_owed
from nomicwolf.reports.archive import publish
from nomicwolf.village.events import Voted
from tests.archive.stories import posted
from tests.contest.test_caring import DAY, night
from tests.contest.world import HOUR, SEVEN, START, World, setup


def test_what_is_owed_is_due_later_by_the_pause() -> None:
    """NC 1j: the seven days of a night stand still, and nobody is reminded meanwhile."""
    world, seer = night()
    world.command("pause", 3 * DAY, why="a wedding")
    world.tick(30 * DAY)
    assert not world.events(Reminded)
    assert next_alarm(world.contest) is None
    world.command("resume", 30 * DAY)

    assert [o.until for o in deeds_owed(world.contest) if o.who == seer] == [START + (2 + 34 * DAY) * HOUR]
    world.tick(2 + 33 * DAY)
    assert [e.at for e in world.events(Reminded)]


def test_a_letter_that_comes_late_out_of_a_pause_counts_from_its_end() -> None:
    """Its stamp lies in the pause, and it reaches the contest after it: it is no earlier than what waited."""
    world = World(setup(settling=600)).start()
    world.command("pause", 1, why="a wedding")
    world.write("Ash", "I vote for Gus.", at=2)
    world.command("resume", 10)
    world.write("Bex", "I vote for Gus.", at=3, arrives=11)
    world.tick(12)

    assert [(e.event.who, e.at) for e in world.events(Voted) if isinstance(e.event, Voted)] == [
        ("Ash", START + 10 * HOUR), ("Bex", START + 10 * HOUR)]


def test_a_letter_from_before_the_pause_counts_in_it_from_its_own_moment() -> None:
    """It was sent in time, and nothing that was due before is undone by a pause."""
    world = World().start()
    world.command("pause", 5, why="a wedding")
    world.write("Ash", "I vote for Gus.", at=4, arrives=6)

    (vote,) = world.events(Voted)
    assert vote.at == START + 4 * HOUR


def test_an_objection_does_not_wait() -> None:
    """A nomic's own time goes on, in which B's intents happen by themselves."""
    world = World().start()
    world.command("intend", 1, what="remove", who="Eli", why="silence")
    world.command("pause", 2, why="a wedding")
    world.write("Ash", "I object to intent 1.", at=3)

    assert world.contest.law.intents[1].objections
    assert [e.event.says for e in world.events(DeedDone) if isinstance(e.event, DeedDone)] == ["object: 1"]


def test_it_is_told_once_and_twice_is_refused() -> None:
    """All are told of the beginning and of the end, with the reason; nothing else is resumed."""
    world = World().start()
    assert world.command("resume", 1).status == 1
    assert world.command("pause", 1, why=" ").status == 2
    world.command("pause", 1, why="a wedding")
    assert "a wedding" in world.to("agora")
    assert world.command("pause", 2, why="another").status == 1
    for command in ("extend", "close", "announce"):
        assert "resume" in world.command(command, 3, until="2026-12-09T00:00Z").said
    world.command("resume", 4)
    assert "takes effect now" in world.to("b")
    assert [type(e.event) for e in world.contest.entries if isinstance(e.event, Paused | PauseEnded)] == [
        Paused, PauseEnded]


def test_nobody_has_to_poll_in_a_pause() -> None:
    """D-N39: an outage can't be one of clocks that stand still."""
    world = World().start()
    world.command("pause", 1, why="a wedding")
    outcome = hear(world.contest, Tick(since=START + HOUR), START + 30 * DAY * HOUR)

    assert not [e for e in outcome.entries if isinstance(e.event, GuardRaised)]


@pytest.mark.parametrize("arrives", [20, 50])
def test_the_session_can_be_redone(arrives: float) -> None:
    """Verifying the archive takes what was sent in a pause as of its end, though it came even later."""
    world = World().start()
    world.write("Ash", "I vote for Gus.", at=1)
    world.command("pause", 2, why="a wedding")
    for hour, who in enumerate([p for p in SEVEN if p not in ("Ash", "Gus", "Bex")], 3):
        world.write(who, "I vote for Gus." if hour < 5 else "I vote for Bex.", at=hour)
    world.command("resume", 40)
    world.write("Bex", "I vote for Gus.", at=10, arrives=arrives)
    world.command("end", 60, why="enough")

    assert redo(publish(world.contest, posted(world.sent))).differs == []
