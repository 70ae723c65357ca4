"""Deeds undone, also those that came in late."""

from __future__ import annotations

import pytest

from nomicwolf.archive.replay import redo
from nomicwolf.contest.sessions import Position, people, stand
from nomicwolf.nomic.events import LetterHeld
from nomicwolf.nomic.law_events import DeedUndone
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.terminal import explain_text
from nomicwolf.village.events import Agreed, Chose, Event, Lynched, Voted
from nomicwolf.village.rulesets import ruleset
from tests.archive.stories import published
from tests.contest.test_late import trials
from tests.contest.test_tools import started, vote_numbers
from tests.contest.world import HOUR, SEVEN, START, World, setup

NIGHT = {"Ash": "werewolf", "Bex": "witch", "Cam": "hunter"}


def by_night(**more: str) -> World:
    """Night 1 of seven: a werewolf, a Witch, a Hunter, and others, some of whom hold *more* roles."""
    world = World(setup())
    names = dict.fromkeys(SEVEN, "villager") | NIGHT | more
    world.contest = stand(
        people(world.contest, {n: (f"{n.lower()}@players.example",) for n in SEVEN}, {"agora": 50}, START),
        Position(tuple(names.items()), START, "night", 1, seed="7"))
    return world


def number(world: World, verb: str) -> str:
    """The entry of the choice to *verb*."""
    return str(next(e.number for e in world.events(Chose) if isinstance(e.event, Chose) and e.event.verb == verb))


def running(world: World) -> Contest:
    """The contest, whose session is on."""
    assert world.contest.running is not None
    return world.contest


def undone(world: World) -> list[Event]:
    """What was undone, in order."""
    return [e.event for e in world.events(DeedUndone)]


def test_what_the_witch_answered_to_an_attack_is_undone_with_it() -> None:
    """NC 7b: eir power to heal isn't spent on an attack that counts as not done, and e answers the next one."""
    world = by_night()
    world.write("Ash", "attack Gus", "contestmaster", 1)
    world.write("Bex", "heal\npoison Fay", "contestmaster", 2)

    said = world.command("undo", 3, number=number(world, "attack"), why="Ash meant Hal", authority="CFJ 1")

    assert said.status == 0
    assert said.said.endswith("So is what Bex answered to it.")
    assert [(e.who, e.says) for e in undone(world) if isinstance(e, DeedUndone)] == [
        ("Ash", "attack Gus"), ("Bex", "heal Gus"), ("Bex", "poison Fay")]
    assert "heal Gus" in world.to("Bex")
    assert "Ash" not in world.to("Bex")
    world.write("Ash", "attack Dov", "contestmaster", 4)
    game = running(world).game
    assert game is not None
    assert {("Bex", "heal"), ("Bex", "poison")} <= set(ruleset("nomic-crossing").owed(game))
    world.write("Bex", "heal\npoison Gus", "contestmaster", 5)
    world.tick(40)
    assert world.game.shown_dead == ("Gus",)


def test_what_was_done_before_an_attack_stays_when_it_is_undone() -> None:
    """D-N42: only what could not have been said without it goes with it."""
    world = by_night()
    world.write("Ash", "attack Gus", "contestmaster", 1)
    world.write("Bex", "heal", "contestmaster", 2)
    assert world.command("undo", 3, number=number(world, "heal"), why="a slip").status == 0

    assert [e.says for e in undone(world) if isinstance(e, DeedUndone)] == ["heal Gus"]
    assert [c.verb for c in running(world).game.now(Chose)] == ["attack"]  # type: ignore[union-attr]


def test_nothing_of_a_night_is_undone_while_the_hunter_it_has_killed_chooses() -> None:
    """D-N42, NC 7c: a death depends on it, though it isn't announced."""
    world = by_night()
    world.write("Ash", "attack Cam", "contestmaster", 1)
    world.write("Bex", "heal nobody\npoison nobody", "contestmaster", 2)
    world.tick(9)
    assert "Cam" not in world.game.alive

    said = world.command("undo", 9.5, number=number(world, "attack"), why="a slip", authority="CFJ 1")

    assert (said.status, "death depends" in said.said) == (1, True)
    assert world.contest.clock <= START + 10 * HOUR


def test_a_vote_is_undone_though_somebody_has_left_since() -> None:
    """D-N42, D-A2: that death hangs on no vote; the vote before it, for em, counts for nobody.

    So it is in the second in which the vote was cast.
    """
    world = World(setup(switches={"departure": "kill"}))
    names = dict.fromkeys(SEVEN, "villager") | NIGHT
    world.contest = stand(
        people(world.contest, {n: (f"{n.lower()}@players.example",) for n in SEVEN}, {"agora": 50}, START),
        Position(tuple(names.items()), START, "day", 1, seed="7"))
    for at, text in enumerate(("I vote for Gus.", "I vote for Fay."), 1):
        world.write("Bex", text, at=at)
    for nomic in ("agora", "b"):
        world.write("Gus", "I leave this contract.", nomic, 3)
    assert "Gus" not in running(world).game.alive  # type: ignore[union-attr]

    world.write("Dov", "I vote for Fay.", at=4)
    at_once = world.command("undo", 4, number=str(world.events(Voted)[-1].number), why="a slip")
    assert (at_once.status, running(world).game.table["Dov"]) == (0, None)  # type: ignore[union-attr]
    slip = next(e.number for e in reversed(world.events(Voted)) if e.event.who == "Bex")  # type: ignore[attr-defined]
    said = world.command("undo", 4, number=str(slip), why="a slip")

    assert (said.status, said.said) == (0, "Bex's vote is undone; it is nobody again.")
    assert running(world).game.table["Bex"] is None  # type: ignore[union-attr]


def test_werewolves_agree_when_what_keeps_them_apart_is_undone() -> None:
    """D-N13, NC 4a: all the living ones name the same again, so that is settled."""
    world = World()
    names = dict.fromkeys((*SEVEN, "Hal"), "villager") | {"Ash": "werewolf", "Bex": "werewolf"}
    world.contest = stand(
        people(world.contest, {n: (f"{n.lower()}@players.example",) for n in names}, {"agora": 50}, START),
        Position(tuple(names.items()), START, "night", 1, seed="7"))
    for at, (who, whom) in enumerate((("Ash", "Gus"), ("Ash", "Fay"), ("Bex", "Gus")), 1):
        world.write(who, f"attack {whom}", "contestmaster", at)
    slip = str(world.events(Chose)[1].number)
    assert not world.events(Agreed)

    assert world.command("undo", 4, number=slip, why="a slip", authority="CFJ 1").status == 0

    assert [e.event.whom for e in world.events(Agreed)] == [("Gus",)]  # type: ignore[attr-defined]


def test_what_the_pack_has_said_is_not_undone() -> None:
    """Words are no deed: nothing is owed again without them, and whoever read them knows them."""
    world = by_night(Dov="werewolf")
    world.write("Ash", "attack Gus", "contestmaster", 1)
    world.write("Ash", "say pack: Gus it is", "contestmaster", 2)

    said = world.command("undo", 3, number=number(world, "say"), why="a slip", authority="CFJ 1")

    assert (said.status, undone(world)) == (1, [])
    assert "is no vote and no choice of this session" in said.said
    assert said.said.endswith(f"Possible: {number(world, 'attack')}.")


def late_undone(at: float = 4) -> World:
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
    world = late_undone()
    world.write("Bex", "I vote for Eli.", at=stamp, arrives=5)

    assert world.game.table["Bex"] == "Eli"
    said = " ".join(world.to("agora").split())
    assert said.count("Bex's vote took effect") == 1
    assert f"took effect at Tue 1 Dec 2026 0{stamp}:00 UTC" in said
    assert "Bex nobody -> Eli" in said
    assert "by Bex: I vote for Eli." in explain_text(world.contest, "Bex")
    assert redo(published(ended(world))).differs == []


def test_what_stands_again_is_what_was_said_last() -> None:
    """Of three late ones the last posted stands, in whatever order they come."""
    world = late_undone()
    for stamp, whom in ((1, "Eli"), (1.5, "Fay"), (0.5, "Cam")):
        world.write("Bex", f"I vote for {whom}.", at=stamp, arrives=5 + stamp)

    assert world.game.table["Bex"] == "Fay"
    assert redo(published(ended(world))).differs == []


def test_a_vote_that_stands_again_can_be_undone_and_replaced() -> None:
    """The late one that stands since the undoing goes back to the one before it, and a new vote replaces any."""
    world = late_undone()
    world.write("Bex", "I vote for Fay.", at=0.5, arrives=5)
    world.write("Bex", "I vote for Eli.", at=1, arrives=6)
    late = next(e for e in world.events(Voted) if e.at == START + HOUR)
    assert world.command("undo", 7, number=str(late.number), why="a slip").status == 0
    assert world.game.table["Bex"] == "Fay"
    world.write("Bex", "I vote for Cam.", at=8)
    world.write("Bex", "I vote for Dov.", at=1.5, arrives=9)

    assert world.game.table["Bex"] == "Cam"


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

    assert world.game.table["Bex"] is None


def test_a_late_verdict_stands_again_in_its_trial() -> None:
    """So it is with verdicts, and where several come in late together the one posted last stands."""
    world = trials("narrated-mafia", mafioso="mafioso")
    world.write("N1", "I accuse N6.", at=1)
    world.write("N2", "I second the accusation of N6.", at=1)
    world.write("N3", "innocent", at=3)
    assert world.game.stage == "ballot"
    assert world.command("undo", 4, number=str(vote_numbers(world, "N3")[-1]), why="a slip").status == 0
    world.write("N4", "guilty", at=4.5)
    world.write("N3", "guilty", at=2, arrives=5)

    assert (world.game.table["N3"], world.game.table["N4"]) == ("guilty", "guilty")
    for who in ("N5", "N1"):
        world.write(who, "guilty", at=6)
    (entry,) = world.events(Lynched)
    assert (entry.event, entry.at) == (Lynched("N6"), START + 6 * HOUR)
