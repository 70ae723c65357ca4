"""A ballot that comes in late after a later one of the same player's was undone (D-N42, D-A8)."""

from __future__ import annotations

import pytest

from nomicwolf.archive.replay import redo
from nomicwolf.nomic.events import LetterHeld
from nomicwolf.reports.terminal import explain_text
from nomicwolf.village.events import Lynched, Voted
from tests.archive.stories import published
from tests.contest.test_late import trials
from tests.contest.test_tools import game_of, started, vote_numbers
from tests.contest.world import HOUR, SEVEN, START, World


def undone(at: float = 4) -> World:
    """Return a day on which Bex's vote for Gus of the hour 2 was undone at the hour *at*."""
    world = started()
    world.write("Bex", "I vote for Gus.", at=2)
    assert world.command("undo", at, number=str(vote_numbers(world, "Bex")[-1]), why="a slip").status == 0
    return world


def ended(world: World) -> World:
    """Return *world* after the contestmaster has ended its session, so that all of it can be redone."""
    assert world.command("end", 30, why="enough").status == 0
    return world


@pytest.mark.parametrize("stamp", [1, 3])
def test_only_the_vote_that_was_undone_is_gone(stamp: int) -> None:
    """Another vote stands that was posted before it, or after it and before the undoing."""
    world = undone()
    world.write("Bex", "I vote for Eli.", at=stamp, arrives=5)

    assert game_of(world).table["Bex"] == "Eli"
    said = " ".join(world.to("agora").split())
    assert said.count("Bex's vote took effect") == 1
    assert f"took effect at Tue 1 Dec 2026 0{stamp}:00 UTC" in said
    assert "Bex nobody -> Eli" in said
    assert "by Bex: I vote for Eli." in explain_text(world.contest, "Bex")
    assert redo(published(ended(world))).differs == []


def test_what_stands_again_is_what_was_said_last() -> None:
    """Of three late ones the last posted stands, in whatever order they come."""
    world = undone()
    for stamp, whom in ((1, "Eli"), (1.5, "Fay"), (0.5, "Cam")):
        world.write("Bex", f"I vote for {whom}.", at=stamp, arrives=5 + stamp)

    assert game_of(world).table["Bex"] == "Fay"
    assert redo(published(ended(world))).differs == []


def test_a_vote_that_stands_again_can_be_undone_and_replaced() -> None:
    """The late one that stands since the undoing goes back to the one before it, and a new vote replaces any."""
    world = undone()
    world.write("Bex", "I vote for Fay.", at=0.5, arrives=5)
    world.write("Bex", "I vote for Eli.", at=1, arrives=6)
    late = next(e for e in world.events(Voted) if e.at == START + HOUR)
    assert world.command("undo", 7, number=str(late.number), why="a slip").status == 0
    assert game_of(world).table["Bex"] == "Fay"
    world.write("Bex", "I vote for Cam.", at=8)
    world.write("Bex", "I vote for Dov.", at=1.5, arrives=9)

    assert game_of(world).table["Bex"] == "Cam"


def test_the_day_is_weighed_with_both() -> None:
    """A late vote lynches from the minute of the undoing on, and not while the one that was undone stood."""
    world = started()
    three = [who for who in SEVEN if who not in ("Bex", "Eli")][:3]
    world.write("Bex", "I vote for Gus.", at=1)
    for who in three:
        world.write(who, "I vote for Eli.", at=2)
    assert world.command("undo", 4, number=str(vote_numbers(world, "Bex")[-1]), why="a slip").status == 0
    world.write("Bex", "I vote for Eli.", at=0.5, arrives=5)

    (entry,) = world.events(Lynched)
    assert (entry.event, entry.at) == (Lynched("Eli"), START + 4 * HOUR)
    assert "took effect at Tue 1 Dec 2026 00:30 UTC" in " ".join(world.to("agora").split())
    assert redo(published(ended(world))).differs == []


def test_in_its_time_it_lynches_before() -> None:
    """A late vote that made a majority before the one that was undone was cast does so at its own minute."""
    world = started()
    three = [who for who in SEVEN if who not in ("Bex", "Eli")][:3]
    for who in three:
        world.write(who, "I vote for Eli.", at=1)
    world.write("Bex", "I vote for Gus.", at=3)
    assert world.command("undo", 4, number=str(vote_numbers(world, "Bex")[-1]), why="a slip").status == 0
    world.write("Bex", "I vote for Eli.", at=2, arrives=5)

    (entry,) = world.events(Lynched)
    assert (entry.event, entry.at) == (Lynched("Eli"), START + 2 * HOUR)
    assert redo(published(ended(world))).differs == []


def test_once_the_day_is_over_it_is_held_with_what_would_have_come() -> None:
    """The contestmaster is told of the lynching that the vote would have brought from the undoing on."""
    world = started()
    four = [who for who in SEVEN if who not in ("Bex", "Eli")][:4]
    world.write("Bex", "I vote for Gus.", at=1)
    for who in four[:3]:
        world.write(who, "I vote for Eli.", at=2)
    assert world.command("undo", 4, number=str(vote_numbers(world, "Bex")[-1]), why="a slip").status == 0
    world.write(four[3], "I vote for Eli.", at=8)
    assert world.events(Lynched)
    world.write("Bex", "I vote for Eli.", at=0.5, arrives=12)

    (held,) = world.events(LetterHeld)
    assert held.event.other == "With it, Eli would have been lynched at Tue 1 Dec 2026 04:00 UTC."  # type: ignore[attr-defined]


def test_who_takes_a_vote_back_emself_has_said_eir_last_word() -> None:
    """What e had posted before and comes in late doesn't stand."""
    world = started()
    world.write("Bex", "I vote for Gus.", at=2)
    world.write("Bex", "I retract my vote.", at=3)
    world.write("Bex", "I vote for Eli.", at=1, arrives=5)

    assert game_of(world).table["Bex"] is None


def test_a_late_verdict_stands_again_in_its_trial() -> None:
    """So it is with verdicts, and where several come in late together the one posted last stands."""
    world = trials("narrated-mafia", mafioso="mafioso")
    world.write("N1", "I accuse N6.", at=1)
    world.write("N2", "I second the accusation of N6.", at=1)
    world.write("N3", "innocent", at=3)
    assert game_of(world).stage == "ballot"
    assert world.command("undo", 4, number=str(vote_numbers(world, "N3")[-1]), why="a slip").status == 0
    world.write("N4", "guilty", at=4.5)
    world.write("N3", "guilty", at=2, arrives=5)

    assert (game_of(world).table["N3"], game_of(world).table["N4"]) == ("guilty", "guilty")
    for who in ("N5", "N1"):
        world.write(who, "guilty", at=6)
    (entry,) = world.events(Lynched)
    assert (entry.event, entry.at) == (Lynched("N6"), START + 6 * HOUR)
