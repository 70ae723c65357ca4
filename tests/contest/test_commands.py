"""Commands: orders by mail, and held letters."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

import pytest

from nomicwolf.cli.app import order_of
from nomicwolf.contest import Command, LetterCame, Outcome, Tick, hear
from nomicwolf.contest.commands import SAFE
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.nomic.events import CountPosted, LetterHeld, Noted, Refused
from nomicwolf.nomic.law import Confirmed, SetAside
from tests.contest.world import HOUR, SEVEN, START, World
from tests.tables import each

MURPHY = "Murphy <murphy@murphy.example>"


def parse(words: Sequence[str]) -> Command:
    """The command line's own parser."""
    return order_of(words)


def ordered(world: World, line: str, at: float, to: str = "contestmaster", sender: str = MURPHY) -> str:
    """Let an order come by mail; return what is noted of it."""
    letter = world.letter("Murphy", line, to, at, sender=sender)
    world._hear(LetterCame(letter, parse), letter.arrived)
    return " ".join(e.event.text for e in world.entries if isinstance(e.event, Noted))


def by_day() -> World:
    """A session, by day."""
    return World().start()


def word(world: World) -> str:
    """The token of the letter to the contestmaster."""
    found = [o for o in world.letters if o.key.endswith("/confirm")]
    assert [o.to for o in found] == ["murphy@murphy.example"]
    match = re.search(r'"confirm ([A-Z2-7-]+)"', found[0].body)
    assert match is not None
    return match[1]


def test_an_order_is_done_once_it_is_confirmed() -> None:
    """Put aside, asked about, done; the letter shows the order."""
    world = by_day()
    ordered(world, 'nomicwolf: announce --phase "day 1"', 1)
    assert world.events(CountPosted) == []
    assert "announce" in world.to("Murphy")
    text = f"confirm {word(world)}"
    assert "carried out: announce" in ordered(world, text, 2)
    assert len(world.events(CountPosted)) == 1
    ordered(world, text, 3)
    assert len(world.events(CountPosted)) == 1


@each(
    ("line", "why"),
    [
        ('nomicwolf: announce --phase "night 1"', "present phase"),
        ("nomicwolf: announce", "present phase"),
        ("nomicwolf: start", "never done by mail"),
        ('nomicwolf: end --why "x" --phase "day 1"', "never done by mail"),
        ("nomicwolf: award --limit agora=5", "never done by mail"),
        ('contestmaster: undo 3 --why "x"', "never done by mail"),
        ("contestmaster: party address Bex eve@evil.example", "never done by mail"),
        ("contestmaster: substitute Bex Eve", "never done by mail"),
        ("nomicwolf: poll", "no order"),
        ("nomicwolf: party key add Bex /etc/passwd", "no order"),
        ('nomicwolf: announce --phase "day 1', "no command"),
        ('nomicwolf: announce --phase "day 1"\nnomicwolf: announce --phase "day 1"', "one order"),
    ],
)
def test_what_is_not_taken(line: str, why: str) -> None:
    """Nothing that draws, reveals, ends or renames; nothing stale, doubled or unreadable; each is told."""
    world = by_day()
    before = len(world.contest.entries)
    said = ordered(world, line, 1)
    assert why in said or "See `nomicwolf" in said
    assert world.events(SetAside) == []
    harmless = {"LetterHeard", "Noted", "Refused", "Asked"}
    assert {type(e.event).__name__ for e in world.contest.entries[before:]} <= harmless


def test_only_the_contestmaster_orders_and_only_in_private() -> None:
    """A player's line is no order, and none counts that was posted."""
    world = by_day()
    ordered(world, 'nomicwolf: announce --phase "day 1"', 1, sender="Bex <bex@players.example>")
    assert world.events(SetAside) == []
    assert "private mail alone" in ordered(world, 'nomicwolf: announce --phase "day 1"', 2, to="agora")
    assert world.events(SetAside) == []


def test_an_order_is_for_its_phase() -> None:
    """Confirmed after the phase has passed, it does nothing (compare and set)."""
    world = by_day()
    ordered(world, 'nomicwolf: announce --phase "day 1"', 1)
    text = f"confirm {word(world)}"
    for who in SEVEN:
        world.write(who, "I vote for Gus.", at=2)
    ordered(world, text, 3)
    assert world.events(Confirmed) == []


def test_what_an_order_answers_may_be_secret_and_is_not_mailed() -> None:
    """Why one can't act for somebody tells eir role: the note doesn't say it."""
    world = by_day()
    for who in SEVEN:
        world.write(who, "I vote for Gus.", at=1)
    phase = shlex.quote("night 1")
    ordered(world, f"nomicwolf: act-for Ash 'see Bex' --phase {phase}", 2)
    said = ordered(world, f"confirm {word(world)}", 3)
    assert "was refused: give it where the contest runs" in said
    assert "owes" not in said


def test_a_held_letter_is_rejected_by_mail() -> None:
    """Orders that need no phase of their own are bound to the one in which they came."""
    world = by_day()
    world.write("Ash", "I vote for Gus.", at=1, message_id="<x@y.example>")
    world.write("Ash", "I vote for Fay.", at=1.1, message_id="<x@y.example>")
    held = world.events(LetterHeld)[-1].event.letter  # type: ignore[attr-defined]
    ordered(world, f'nomicwolf: reject {held} --why "twice"', 2)
    ordered(world, f"confirm {word(world)}", 3)
    assert world.contest.held == {}


def test_every_order_that_is_safe_is_one() -> None:
    """The names are commands of the command line."""
    from nomicwolf.contest.commands import COMMANDS

    assert set(SAFE) <= set(COMMANDS)


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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_letter_of_which_nothing_can_be_read_is_not_released() -> None:
    """It would be ruled on as one without a deed, though nobody knows what is in it; it can be rejected."""
    world = World().start()
    letter = world.letter("Ash", OPAQUE, at=1, headers=OPAQUE_HEADERS)
    number = held(world, letter)

    outcome = release(world, number, letter, 2)

    assert (outcome.status, number in world.contest.held) == (1, True)
    assert "has no text that could be read: it is wrapped in S/MIME, which is not read." in outcome.said
    assert f"`ruling --for Ash --deed ...`), and `reject {number}`" in outcome.said


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert world.game.table["Cam"] == "Gus"


@pytest.mark.slow
def test_a_deed_beside_its_disclaimer_counts() -> None:
    """Also in one sentence with it."""
    world = World().start()
    letter = world.letter("Cam", "I vote for Gus, but this message contains lies.", at=1)

    assert release(world, held(world, letter), letter, 2).said.endswith("vote Gus.")


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_what_has_been_done_is_not_let_through_again() -> None:
    """One letter does one thing once."""
    world = World().start()
    letter = world.letter("Cam", DOUBTFUL, at=1)
    number = held(world, letter)
    release(world, number, letter, 2)

    again = release(world, number, letter, 3)
    assert (again.status, "has been released, and what it says is done" in again.said) == (1, True)
