"""Letters that wait for a ruling: one journal tells of all that a poll has brought, each letter once."""

from __future__ import annotations

import pytest

from nomicwolf.contest import Command, LetterCame, Outcome, Tick, hear
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.nomic.events import Refused
from tests.contest.world import HOUR, START, World
from tests.tables import each

pytestmark = pytest.mark.slow

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


OPAQUE = "MIAGCSqGSIb3DQEHAqCAMIACAQExDzANBglghkgBZQMEAgEFADCABgkqhkiG9w0BBwGggCSABIIB"
OPAQUE_HEADERS = ("MIME-Version: 1.0\r\nContent-Transfer-Encoding: base64\r\n"
                  "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\r\n")
DOUBTFUL = "I vote for Bex.\n\nThe statements in this message may be false."


def held(world: World, letter: Letter) -> int:
    """Let *letter* come in, which must be held; return its number."""
    world.contest = hear(world.contest, LetterCame(letter), letter.arrived).contest
    (number,) = world.contest.held
    return number


def release(world: World, number: int, letter: Letter, at: float) -> Outcome:
    """Give the order as the program does, with the ledger's bytes, and let time pass."""
    outcome = hear(world.contest, Command("release", {"number": str(number)}, letter=letter), START + int(at * HOUR))
    world.contest = hear(outcome.contest, Tick(), START + int(at * HOUR)).contest
    return outcome


def test_a_ruling_that_comes_too_late_is_told_as_that() -> None:
    """The letter was in time: its author isn't told that it wasn't, and the contestmaster that nothing was done."""
    world = World().start()
    letter = world.letter("Ash", DOUBTFUL, at=1)
    number = held(world, letter)
    for who in ("Bex", "Cam", "Dov", "Eli"):
        world.write(who, "I vote for Gus.", at=2)

    outcome = release(world, number, letter, 3)

    assert "vote Bex belongs is over: it is not done" in outcome.said
    assert world.contest.held[number].why == "was let through after its day had ended"
    told = [e.event.why for e in world.events(Refused) if isinstance(e.event, Refused) and e.event.who == "Ash"]
    assert told[-1].startswith("Your letter was let through only after its day had ended; the contestmaster will rule")
    assert world.command("release", 4, number=str(number)).said.startswith(f"Letter {number} was let through after")
    assert world.command("reject", 5, number=str(number), why="it was announced").status == 0


def test_a_letter_of_which_nothing_can_be_read_is_not_released() -> None:
    """It would be ruled on as one without a deed, though nobody knows what is in it; it can be rejected."""
    world = World().start()
    letter = world.letter("Ash", OPAQUE, at=1, headers=OPAQUE_HEADERS)
    number = held(world, letter)

    outcome = release(world, number, letter, 2)

    assert (outcome.status, number in world.contest.held) == (1, True)
    assert "has no text that could be read: it is wrapped in S/MIME, which is not read." in outcome.said
    assert f"`ruling --for Ash --deed ...`), and `reject {number}`" in outcome.said


@pytest.mark.parametrize("why", ["", "  "])
def test_no_letter_is_rejected_for_no_reason(why: str) -> None:
    """Its author is told the reason, and when eir letter came, as e may have written several."""
    world = World().start()
    number = held(world, world.letter("Ash", DOUBTFUL, at=1))

    refused = world.command("reject", 2, number=str(number), why=why)
    assert (refused.status, number in world.contest.held) == (2, True)
    assert world.command("reject", 2, number=str(number), why="it says so itself").status == 0
    assert ("A letter of Tue 1 Dec 2026 01:00 UTC that came as yours waited for a ruling; the contestmaster has not "
            "let it through: it says so itself") in " ".join(world.to("Ash").split())


DISCLAIMED = [
    "I vote for Gus.\n\n{}", "{}\n\nI vote for Gus.", "Well.\n{} I vote for Gus.",
]


@pytest.mark.parametrize("shape", DISCLAIMED)
@each("words", [
    "Nothing in this message is an action.", "This message has no effect.", "This message may be false.",
    "No part of this message\nis a game action.", "Everything in this letter is a lie:", "This letter may be a lie;",
    "I do not perform any of the actions in this message.",
])
def test_a_disclaimed_letter_that_is_let_through_counts(shape: str, words: str) -> None:
    """The ruling is that it does, whatever it says of itself: its words about itself are set aside."""
    world = World().start()
    letter = world.letter("Cam", shape.format(words), at=1)
    number = held(world, letter)
    outcome = release(world, number, letter, 2)

    assert (outcome.status, outcome.said) == (0, f"Letter {number} is released as Cam's: vote Gus.")
    assert world.contest.game is not None
    assert world.contest.game.table["Cam"] == "Gus"


def test_a_deed_beside_its_disclaimer_counts() -> None:
    """Also in one sentence with it."""
    world = World().start()
    letter = world.letter("Cam", "I vote for Gus, but this message contains lies.", at=1)

    assert release(world, held(world, letter), letter, 2).said.endswith("vote Gus.")


def test_a_letter_by_which_nothing_is_done_can_be_let_through_again() -> None:
    """It says that nothing is done, and why; as another's, or once things have changed, it may do something."""
    world = World().start()
    letter = world.letter("Cam", "I am no wolf.\n\nThis message may be false.", at=1)
    number = held(world, letter)

    for at in (2, 3):
        outcome = release(world, number, letter, at)
        assert outcome.status == 0
        assert "no deed is read in it, so nothing is done." in outcome.said
        assert f"`release {number}` can be given again." in outcome.said


def test_what_is_refused_when_it_is_let_through_is_said() -> None:
    """The contestmaster reads why, and can let it through again."""
    world = World().start(names=("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus"))
    world.write("Ida", "I join.", at=0.5)
    letter = world.letter("Ida", DOUBTFUL, at=1)
    number = held(world, letter)

    outcome = release(world, number, letter, 2)
    assert "vote Bex. But vote Bex is refused: " in outcome.said
    assert f"Once that has changed, `release {number}` can be given again." in outcome.said
    assert release(world, number, letter, 3).said == outcome.said


def test_what_has_been_done_is_not_let_through_again() -> None:
    """One letter does one thing once."""
    world = World().start()
    letter = world.letter("Cam", DOUBTFUL, at=1)
    number = held(world, letter)
    release(world, number, letter, 2)

    again = release(world, number, letter, 3)
    assert (again.status, "has been released, and what it says is done" in again.said) == (1, True)
