"""Names and addresses of one's own are told the contest alone: in a forum such words are talk (D-N53)."""

from __future__ import annotations

import pytest

from nomicwolf.nomic.events import Asked, PersonKnown, Refused
from tests.contest.world import World


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
