"""A session in which ballots came in late can be verified: what they bring about in the past comes out the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nomicwolf.archive.moving import Redone, moves
from nomicwolf.archive.redoing import redo
from nomicwolf.cli.app import order_of
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.reports.archive import publish
from nomicwolf.village.events import Ended, Lynched, Removed, Tried, Voted
from nomicwolf.village.rulesets import ruleset
from tests.archive.stories import posted
from tests.contest.test_late_together import with_a_leaving
from tests.contest.world import HOUR, START, World, setup

SCENARIOS = Path(__file__).parents[1] / "scenarios"
STORY = """
title: two late votes in one letter
ruleset: nomic-crossing
given:
  roles: {Ash: werewolf, Bex: villager, Cam: villager, Dov: villager, Eli: villager, Fay: villager, Gus: villager}
  at: 2026-12-01T00:00Z
  limit: {agora: 50}
when:
  - {at: 2026-12-01T08:00Z, from: Bex, to: forum, says: I vote for Gus.}
  - {at: 2026-12-01T09:00Z, from: Cam, to: forum, says: I vote for Gus.}
  - {at: 2026-12-01T11:00Z, from: Fay, to: forum, says: I vote for Gus.}
  - {at: 2026-12-01T12:00Z, letter: nomic-crossing/letters/late-vote-and-second-thought.eml}
  - {at: 2026-12-01T14:00Z, from: Dov, to: forum, says: I vote for Ash.}
  - {at: 2026-12-01T14:01Z, from: Eli, to: forum, says: I vote for Ash.}
  - {at: 2026-12-01T14:02Z, from: Fay, to: forum, says: I vote for Ash.}
  - {at: 2026-12-01T14:03Z, from: Bex, to: forum, says: I vote for Ash.}
"""


def test_late_ballots_come_out_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that were weighed together, too."""
    monkeypatch.chdir(SCENARIOS)
    played = rehearse(read_script(STORY), order_of)
    redone = redo(publish(played.contest, posted(played.letters)))

    assert played.contest.game is not None
    assert (played.contest.game.over, len(played.contest.game.ever(Voted, late=True))) == (True, 2)
    assert len(played.contest.game.ever(Voted, overtakes=True)) == 1
    assert redone.differs == []
    assert redone.checked["deaths"] == 1


def test_a_leaving_between_them_changes_nothing() -> None:
    """Who leaves and stays a townsperson (D-N11) stands in the record between ballots weighed together."""
    world = with_a_leaving("stay", "Gus", "Ash")
    redone = redo(publish(world.contest, posted(world.sent)))

    assert [e.at for e in world.events(Removed)] == [START + 8 * HOUR]
    assert len(world.events(Lynched)) == 1
    assert redone.differs == []
    assert redone.checked["deaths"] == 1


def test_hours_into_the_day_come_out_the_same() -> None:
    """NC 3 conditional: the record has the instants that they are of the day of the vote."""
    world = World().start(roles="")
    for who in ("Ash", "Bex", "Dov", "Eli"):
        world.write(who, "I vote for Cam if it is after 2 hours into the day.", at=1)
    world.tick(3)
    redone = redo(publish(world.contest, posted(world.sent)))

    assert [(e.at, e.event) for e in world.events(Lynched)] == [(START + 2 * HOUR, Lynched("Cam"))]
    assert redone.differs == []
    assert redone.checked["deaths"] == 1


def accused() -> World:
    """Let somebody be tried and convicted in narrated-mafia, though a verdict was given before the second was there.

    The second is of two o'clock and comes at four, the verdict is of three; those of four others follow, and convict.
    """
    world = World(replace(setup(switches={"dawn": "at once"}), ruleset="narrated-mafia")).start(roles="mafioso")
    assert world.contest.game is not None
    (wolf,), (one, two, three, four, five, _) = (world.contest.game.living(role) for role in ("mafioso", "civilian"))
    assert world.contest.game.place == "day 1"
    world.write(one, f"I accuse {wolf}.", at=1)
    world.write(two, "guilty", at=3)
    world.write(three, f"I second {wolf}.", at=2, arrives=4)
    for at, who in enumerate((one, three, four, five), 5):
        world.write(who, "guilty", at=at)
    return world


def test_a_verdict_that_was_refused_before_a_late_second_opened_its_vote_is_not_missed() -> None:
    """D-A8, NM 7a: its author was told that no vote was open; a verdict that was not refused is missed."""
    world = accused()
    told = publish(world.contest, posted(world.sent))
    redone = redo(told)

    assert [e.at for e in world.events(Tried)] == [START + 2 * HOUR]
    assert len(world.events(Ended)) == 1
    assert redone.differs == []
    assert redone.checked["deaths"] == 1
    first = next(e for e in told.entries if isinstance(e.event, Voted))
    left = [e for e in told.entries if e is not first and e.cause != f"entry {first.number}"]
    assert [wrong.partition(": ")[2] for wrong in moves(left, ruleset("narrated-mafia"), Redone())] == [
        f"{first.event.who} could guilty then, and nothing came of it"]  # type: ignore[attr-defined]
