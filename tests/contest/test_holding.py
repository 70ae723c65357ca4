"""Letters that wait for a ruling: one journal tells of all that a poll has brought, each letter once."""

from __future__ import annotations

from nomicwolf.contest import LetterCame, Tick, hear
from nomicwolf.letters.letter import Outgoing
from tests.contest.world import HOUR, START, World

SECRET = "-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA\r\n-----END PGP MESSAGE-----"


def poll(world: World, who: tuple[str, ...], at: float) -> list[Outgoing]:
    """Let a letter of each come that must be held, then time pass, as a poll does; return the contestmaster's mail."""
    letters: list[Outgoing] = []
    for place, name in enumerate(who):
        letter = world.letter(name, SECRET, at=at + place / 100)
        outcome = hear(world.contest, LetterCame(letter), START + int(at * HOUR) + 60)
        world.contest, letters = outcome.contest, [*letters, *outcome.letters]
    outcome = hear(world.contest, Tick(), START + int(at * HOUR) + 60)
    world.contest = outcome.contest
    return [letter for letter in (*letters, *outcome.letters) if letter.person == "Murphy"]


def test_one_journal_for_all_that_a_poll_holds() -> None:
    """It names each; the next poll tells only what is new, and one without any tells nothing."""
    world = World().start()
    (first,) = poll(world, ("Ash", "Bex", "Cam", "Dov"), 1)
    numbers = sorted(world.contest.held)

    assert f"Held since the last journal: {', '.join(map(str, numbers))}." in " ".join(first.body.split())
    assert "4 letters wait for your ruling" in " ".join(first.body.split())
    assert poll(world, (), 2) == []
    (second,) = poll(world, ("Eli",), 3)
    (new,) = set(world.contest.held) - set(numbers)
    assert f"Held since the last journal: {new}." in " ".join(second.body.split())


def test_what_is_ruled_on_is_told_no_more() -> None:
    """A letter that was rejected before anybody was told isn't news."""
    world = World().start()
    poll(world, ("Ash",), 1)
    (number,) = world.contest.held
    assert world.command("reject", 2, number=str(number), why="unreadable").status == 0

    assert poll(world, (), 3) == []
