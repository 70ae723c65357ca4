"""A session in which ballots came in late can be verified: what they bring about in the past comes out the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from nomicwolf.archive.replay import Redone, redo, replay_moves
from nomicwolf.cli.app import order_of
from nomicwolf.nomic.events import DeedHeard, Refused
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.reports.archive import publish
from nomicwolf.village.events import Declared, Ended, Entry, Event, Lynched, Removed, Tried, Voted
from nomicwolf.village.rulesets import ruleset
from tests.archive.stories import posted
from tests.contest.test_late import with_a_leaving
from tests.contest.world import HOUR, START, World, setup
from tests.tables import each

SCENARIOS = Path(__file__).parents[1] / "scenarios"
STORY = """
title: two late votes in one letter
ruleset: nomic-crossing
given:
  roles: {Ash: werewolf, Bex: villager, Cam: villager, Dov: villager, Eli: villager, Fay: villager, Gus: villager}
  at: 2026-12-01T00:00Z
  limit: {agora: 35}
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
    world.command("award", at=9, limit="agora=30")
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


def accused(verdict: float = 3, arrives: float = 4, settling: int = 0) -> World:
    """Let somebody be tried and convicted in narrated-mafia, though a verdict was given before the second was there.

    The second is of two o'clock and *arrives* at four, the *verdict* is of three (hours of day 1); those of four others
    follow, and convict. Letters wait *settling* seconds for earlier ones.
    """
    own = replace(setup(settling, switches={"dawn": "at once"}), ruleset="narrated-mafia")
    world = World(own).start(roles="mafioso")
    assert world.contest.game is not None
    (wolf,), (one, two, three, four, five, _) = (world.contest.game.living(role) for role in ("mafioso", "civilian"))
    assert world.contest.game.place == "day 1"
    world.write(one, f"I accuse {wolf}.", at=1)
    world.write(two, "guilty", at=verdict)
    world.write(three, f"I second {wolf}.", at=2, arrives=arrives)
    for at, who in enumerate((one, three, four, five), 5):
        world.write(who, "guilty", at=at)
    world.tick(10)
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
    assert [wrong.partition(": ")[2] for wrong in replay_moves(left, ruleset("narrated-mafia"), Redone())] == [
        f"{first.event.who} could guilty then, and nothing came of it"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("settling", [0, 600])
@each("arrives", [2, 2.1, 4])
def test_a_verdict_of_the_seconds_own_instant_that_came_before_it_is_not_missed(arrives: float, settling: int) -> None:
    """What shares an instant is done in the order in which it came: no vote was open for the verdict."""
    world = accused(verdict=2, arrives=arrives, settling=settling)
    told = publish(world.contest, posted(world.sent))

    assert len([e for e in told.entries if isinstance(e.event, Voted)]) == 4
    assert redo(told).differs == []


@pytest.mark.parametrize(("verdict", "settling"), [(3, 7200), (3.9, 600)])
def test_a_verdict_that_still_waited_when_the_second_came_is_missed(verdict: float, settling: int) -> None:
    """It counted, for the second had opened the vote by then; who leaves it out of the record is found."""
    world = accused(verdict, settling=settling)
    told = publish(world.contest, posted(world.sent))
    assert redo(told).differs == []
    voted = [e for e in told.entries if isinstance(e.event, Voted)]
    first = min(voted, key=lambda e: e.at)
    assert (len(voted) > 3, first.at) == (True, START + round(verdict * HOUR))
    left = tuple(e for e in told.entries if e is not first and e.cause != f"entry {first.number}")
    assert [wrong.partition(": ")[2] for wrong in redo(replace(told, entries=left)).differs[:1]] == [
        f"{first.event.who} could guilty then, and nothing came of it"]  # type: ignore[attr-defined]


class Watched(int):
    """The number of an entry that counts how often it is compared."""

    seen = 0

    def __lt__(self, other: int) -> bool:
        """Compare, and count it."""
        Watched.seen += 1
        return int(self) < other


def looked_at(votes: int) -> int:
    """How often a ballot that was refused is looked at where as many of them lie between as many *votes*."""
    world = World().start()
    world.write("Hal", "I join.", at=0.5)
    for number in range(votes):
        world.write("Bex", f"I vote for {('Gus', 'Eli')[number % 2]}.", at=1 + number / 100)
        world.write("Hal", "I vote for Bex.", at=1.005 + number / 100)
    entries = [replace(e, number=Watched(e.number)) if isinstance(e.event, DeedHeard) else e
               for e in world.contest.entries if not isinstance(e.event, Refused)]
    done, Watched.seen = Redone(), 0
    assert list(replay_moves(entries, ruleset("nomic-crossing"), done)) == []
    assert done.checked["counts"] == votes
    return Watched.seen


def test_a_refused_ballot_is_looked_at_when_it_came_and_not_with_each_move() -> None:
    """So the archive of a session with many of them verifies in proportion to its length."""
    assert looked_at(40) <= 2.5 * looked_at(20)


def later(entry: Entry) -> Entry:
    """Tell what was done a second later."""
    return replace(entry, at=entry.at + 1)


def by_another(entry: Entry) -> Entry:
    """Tell what was done of somebody else."""
    assert isinstance(entry.event, Declared)
    return replace(entry, event=replace(entry.event, who="Nobody"))


@pytest.mark.parametrize(("kind", "lie", "said"), [
    (Voted, later, "it is told to have been done later than it came"),
    (Declared, later, "it is told to have been done later than it came"),
    (Declared, by_another, " wrote 'accuse "),
])
def test_what_was_done_by_a_letter_is_its_authors_and_of_its_time(
    kind: type[Event], lie: Callable[[Entry], Entry], said: str
) -> None:
    """Public deeds are there to compare with; an accusation that is put off would change who is tried."""
    world = accused()
    told = publish(world.contest, posted(world.sent))
    place = next(i for i, e in enumerate(told.entries) if isinstance(e.event, kind) and e.cause.startswith("deed "))
    lied = (*told.entries[:place], lie(told.entries[place]), *told.entries[place + 1:])
    differs = redo(replace(told, entries=lied)).differs

    assert any(said in wrong for wrong in differs), differs
