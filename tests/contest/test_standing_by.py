"""Who stands by says so by mail; the list is public, and questions say who is on it (D-N41)."""

from __future__ import annotations

from nomicwolf.nomic.absence import StandbyEnded, StandbyOffered
from nomicwolf.nomic.events import Answered, Refused
from nomicwolf.reports.answers import QUESTIONS
from nomicwolf.reports.prose import packaged
from tests.contest.world import World
from tests.tables import each


def test_a_stranger_is_told_to_join_first() -> None:
    """Only a party can play on; nobody else is on the list."""
    world = World().start()
    world.write("Ida", "I join.", at=1)
    world.command("party-remove", 2, who="Ida", why="by mistake")
    world.write("Ida", "standby", "contestmaster", at=3)

    assert not world.events(StandbyOffered)
    assert [e.event.why for e in world.events(Refused) if isinstance(e.event, Refused) and "join" in e.event.why]


def test_who_is_dealt_in_stands_by_no_more() -> None:
    """The list is of those who don't play."""
    world = World()
    for who in ("Ash", "Bex", "Cam", "Dov", "Eli"):
        world.write(who, "I join.\n\nStandby.", at=1)
    assert len(world.contest.law.standby) == 5
    world.command("start", 2, seed="7", limit="agora=50", how="as reckoned")

    assert not world.contest.law.standby


def test_it_is_taken_back_once() -> None:
    """Twice is refused, and so is what was never offered."""
    world = World().start()
    world.write("Ida", "I join.", at=1)
    for at, words in enumerate(("standby", "standby", "I'm no longer on standby.", "standby: over"), 2):
        world.write("Ida", words, "contestmaster", at=at)

    assert [type(e.event) for e in world.contest.entries if isinstance(e.event, StandbyOffered | StandbyEnded)] == [
        StandbyOffered, StandbyEnded]
    assert len([e for e in world.events(Refused) if getattr(e.event, "verb", "") == "standby"]) == 2


@each("verb", QUESTIONS)
def test_a_question_is_a_row_and_a_template(verb: str) -> None:
    """Each is answered by its own template, in a letter to whoever asks, and `help` lists it."""
    world = World().start()
    words = f"{verb}: I vote for Gus." if QUESTIONS[verb].words else verb
    world.write("Ash", words, "contestmaster", at=1)

    assert QUESTIONS[verb].template in packaged()
    assert [e.event.topic for e in world.events(Answered) if isinstance(e.event, Answered)] == [verb]
    assert world.to("Ash")
    world.write("Bex", "help", "contestmaster", at=2)
    assert verb == "help" or f'"{verb}' in world.to("Bex")


@each("verb", ["role", "who"])
def test_a_word_of_talk_asks_nothing_in_a_forum(verb: str) -> None:
    """“Who?” is talk there."""
    world = World().start()
    outcome = world.write("Ash", f"{verb.capitalize()}?", at=1)

    assert outcome.bucket == "no-deed"
    assert not world.events(Answered)
