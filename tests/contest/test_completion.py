"""Seconds that name nobody (GA 5c, D-G19), and personal words in a forum (D-N53)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nomicwolf.contest import LetterCame, hear
from nomicwolf.nomic.events import Asked, DeedHeard, PersonKnown, Refused
from nomicwolf.village.events import Tried
from tests.contest.test_clock import TWELVE
from tests.contest.world import HOUR, START, World, setup

pytestmark = pytest.mark.slow

FIRST, SECOND, THIRD, FOURTH = TWELVE[:4]


def by_day(settling: int = 0) -> World:
    """The first day of a gadianton session of twelve, on which everybody lives; letters settle for some seconds."""
    found = World(replace(setup(settling=settling), ruleset="gadianton"))
    for player in TWELVE:
        found.write(player, "I join.")
    found.tick(at=0.5)
    assert found.command("start", at=0.5, seed="7", limit="agora=35").status == 0
    assert found.command("close", at=1).status == 0
    assert found.game.phase == "day"
    return found


def tried(found: World) -> list[str]:
    """Who has been put on trial."""
    return [each.who for each in found.game.ever(Tried)]


def asked(found: World) -> list[str]:
    """What was asked about."""
    return [entry.event.text for entry in found.contest.entries if isinstance(entry.event, Asked)]


@pytest.mark.parametrize("says", ["I second that.", "I second this!", "Yes, I hereby second that.\n\nE is too quiet."])
def test_the_only_accusation_is_seconded_without_a_name(says: str) -> None:
    """It brings the accused to trial, and is remembered with eir name."""
    found = by_day()
    found.write(FIRST, f"I accuse {SECOND}.", at=2)
    found.write(THIRD, says, at=3)

    assert tried(found) == [SECOND]
    assert asked(found) == []
    heard = [each.event for each in found.events(DeedHeard) if isinstance(each.event, DeedHeard)]
    assert [each.says for each in heard if each.verb == "second"] == [
        f"second {SECOND}"]


def test_an_accusation_that_settles_still_is_open_already() -> None:
    """Both letters of one poll: the accusation happens first, then its second."""
    found = by_day(settling=900)
    found.write(FIRST, f"I accuse {SECOND}.", at=2)
    found.write(THIRD, "I second that.", at=2.1)
    assert tried(found) == []
    found.tick(at=3)

    assert tried(found) == [SECOND]


def test_an_accusation_of_the_same_poll_that_came_later_is_not_meant() -> None:
    """D-N9: in a late poll that is seconded which was open when it was written."""
    found = by_day()
    letters = [found.letter(FIRST, f"I accuse {SECOND}.", at=2), found.letter(FIRST, f"I accuse {FOURTH}.", at=3),
               found.letter(THIRD, "I second that.", at=2.5)]
    for letter in letters:
        found.contest = hear(found.contest, LetterCame(letter), START + 4 * HOUR).contest
    found.tick(at=4)

    assert (tried(found), asked(found)) == ([SECOND], [])


def test_of_two_accusations_one_must_be_named() -> None:
    """Nobody can tell which is meant, so nobody is tried and the question names both."""
    found = by_day()
    found.write(FIRST, f"I accuse {SECOND}.", at=2)
    found.write(FIRST, f"I accuse {FOURTH}.", at=2.5)
    found.write(THIRD, "I second that.", at=3)

    assert (tried(found), asked(found)) == ([], ["I second that."])
    assert f"those of {SECOND} and {FOURTH}" in " ".join(found.to(THIRD).split())


@pytest.mark.parametrize(("quoted", "clear"), [
    (f"I accuse {SECOND}.", True), (f"{SECOND} is too quiet, and {FOURTH} too.", False), ("Let's have lunch.", False),
])
def test_a_quotation_says_what_that_is(quoted: str, clear: bool) -> None:
    """Below other words than the accusation "that" may be those: e is asked."""
    found = by_day()
    found.write(FIRST, f"I accuse {SECOND}.", at=2)
    found.write(THIRD, f"On Tue, 1 Dec 2026, {FIRST} wrote:\n> {quoted}\n\nI second that.", at=3)

    assert (tried(found), asked(found)) == (([SECOND], []) if clear else ([], ["I second that."]))


@pytest.mark.parametrize("says", [
    "Lunch is at noon, says Player05.\nI second that.", "I second that emotion.", "I don't second that.",
    "I second that?"])
def test_other_words_second_nobody(says: str) -> None:
    """What stands above it may be what is seconded; what is asked or denied is no second."""
    found = by_day()
    found.write(FIRST, f"I accuse {SECOND}.", at=2)
    found.write(THIRD, says, at=3)

    assert tried(found) == []


def test_neither_accuser_nor_accused_is_heard_as_a_second() -> None:
    """D-G9: it is the support of a third person; from them these words are talk."""
    found = by_day()
    found.write(FIRST, f"I accuse {SECOND}.", at=2)
    found.write(FIRST, "I second that.", at=3)
    found.write(SECOND, "I second that.", at=4)

    assert (tried(found), asked(found)) == ([], [])


@pytest.mark.parametrize("to", ["discussion", "contestmaster"])
def test_only_a_forum_hears_it(to: str) -> None:
    """Where nobody can second, the words are talk (GA 5c)."""
    found = by_day()
    found.write(FIRST, f"I accuse {SECOND}.", at=2)
    found.write(THIRD, "I second that.", to, at=3)

    assert tried(found) == []


def test_where_nobody_is_accused_it_is_talk() -> None:
    """Nomics second many things: in a game without accusations the words are nobody's deed."""
    found = World().start()
    found.write("Ash", "I second that.", at=1)

    assert not found.events(DeedHeard)
    assert asked(found) == []


@pytest.mark.parametrize(("says", "whom"), [
    ("+1, seconded", [SECOND]), ("Agreed, seconded.", [SECOND]), ("Accusing Player07.", []),
    ("I'm accusing Player07!", []),
])
def test_few_words_second_or_accuse(says: str, whom: list[str]) -> None:
    """They are as plain as a sentence: nobody is asked (D-G19)."""
    found = by_day()
    found.write(FIRST, f"I accuse {SECOND}.", at=2)
    found.write(THIRD, says, at=3)

    assert (tried(found), asked(found)) == (whom, [])
    assert found.events(DeedHeard)[-1].event.who == THIRD  # type: ignore[attr-defined]


def told(world: World) -> list[str]:
    """What Cam is told by way of questions and refusals."""
    return [entry.event.text for entry in world.contest.entries
            if isinstance(entry.event, Asked | Refused) and entry.event.who == "Cam"]


@pytest.mark.parametrize("text", [
    "Thanks all.\n\naddress the above known issues", "The list's server says:\n\nalias: USER\nstatus: 5.1.1",
    "address the above known issues", "The new machines:\n\naddress: root@host.example\nalias: beta",
])
def test_prose_in_a_forum_is_no_command_of_the_roster(text: str) -> None:
    """Nor what a machine reports: nothing is changed, and nobody is answered."""
    world = World().start()
    known = world.events(PersonKnown)

    assert world.write("Cam", text, at=1).bucket == "no-deed"
    assert (world.events(PersonKnown), told(world)) == (known, [])


@pytest.mark.parametrize("line", ["alias: Camilla", "address: cam@new.example", "I am also known as Camilla.",
                                  "observe: daily", "digest: daily", "timezone: Europe/Berlin", "statistics: off"])
def test_who_posts_nothing_else_is_told_where_to_write(line: str) -> None:
    """E seems to mean it, and can write it privately."""
    world = World().start()
    world.write("Cam", line, at=1)

    assert told(world) == [line]
    assert "send this to its own address" in " ".join(world.to("Cam").split())


def test_privately_they_are_deeds() -> None:
    """As they have been: a further name counts at once."""
    world = World().start()
    world.write("Cam", "alias: Camilla", "contestmaster", at=1)

    assert "Camilla" in world.contest.persons["Cam"].aliases


def test_what_gives_no_address_is_no_change_of_one() -> None:
    """Only with a colon e is told what is wrong with it."""
    world = World().start()
    world.write("Cam", "Dear Murphy,\n\naddress the above known issues", "contestmaster", at=1)
    assert not [each for each in world.events(Refused) if "address" in str(each.event)]

    world.write("Cam", "address: nowhere", "contestmaster", at=2)
    assert "That is no address" in world.to("Cam")


@pytest.mark.parametrize("text", ["I confirm that.", "I confirm that Gus wrote to me.", "Confirm your votes, please."])
def test_who_confirms_something_in_a_forum_is_not_answered(text: str) -> None:
    """Such words are talk: no word of ours is without digits and hyphens."""
    world = World().start()

    assert world.write("Cam", text, at=1).bucket == "no-deed"
    assert told(world) == []


def test_who_confirms_privately_without_the_word_is_told_what_to_send() -> None:
    """E means the letter that asked em."""
    world = World().start()
    world.write("Cam", "I confirm that.", "contestmaster", at=1)

    assert "Send the line that begins with" in " ".join(world.to("Cam").split())
