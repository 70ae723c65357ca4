"""Code blocks, and lines set in: a player's own deeds, or words that e only shows (D-N50)."""

from __future__ import annotations

import pytest

from nomicwolf.language.reader import read
from nomicwolf.nomic.events import DeedHeard
from nomicwolf.reading.blocks import without_blocks
from nomicwolf.reading.deeds import People, Reading
from nomicwolf.reading.names import book_of
from tests.contest.world import World

pytestmark = pytest.mark.slow

PEOPLE = People(living=("Ash", "Bex", "Cam", "Gus"), author="Ash")
VOTE = "I vote for Gus."


def reading(text: str) -> Reading:
    """Read *text* as a letter of Ash's to a forum."""
    return read(enumerate(text.split("\n"), 1), PEOPLE, to="forum")


@pytest.mark.parametrize("text", [
    f"```\n{VOTE}\n```", f"~~~\n{VOTE}\n~~~", f"\n```text\n{VOTE}\n```\n", f"I act as follows:\n```\n{VOTE}\n```\nBye.",
    f"Hello.\n\nI do the following:\n\n````\n{VOTE}\n````", f"My vote:\n```\n{VOTE}\n```", f"    {VOTE}",
    f"Dear all:\n\n   {VOTE}", f"Here is my vote:\n```\n{VOTE}\n```", f"```\n{VOTE}",
    f"The rule:\n```\nA vote is public.\n```\n{VOTE}", f"{VOTE}\n\nBex\u2019s vote:\n```\nI vote for Cam.\n```",
    f"Rule 3 says:\n\n   I vote for Cam.\n\n{VOTE}",
])
def test_a_block_of_one_s_own_counts(text: str) -> None:
    """If it is all there is, or below words by which its author acts; what stands outside counts anyway."""
    found = reading(text)

    assert [deed.says for deed in found.deeds] == ["vote Gus"]
    assert not found.problems


@pytest.mark.parametrize("text", [
    f"Bex's vote:\n```\n{VOTE}\n```\nis silly.", f"Look:\n\n```\n{VOTE}\n```\nand so on.", f"Hm.\n~~~\n{VOTE}\n~~~",
    f"My old vote:\n```\n{VOTE}\n```\nis gone.", f"I would act as follows:\n```\n{VOTE}\n```",
    f"I don't act as follows:\n```\n{VOTE}\n```", f"I would vote thus:\n\n    {VOTE}\n\nbut not yet.",
    f"Rule 3 says:\n\n\t{VOTE}\n\n\t{VOTE}\nI like it.", f"Bex\u2019s ballot:\n   {VOTE}", f"Hello.\n```\n{VOTE}",
])
def test_a_block_that_may_be_another_s_is_asked_about(text: str) -> None:
    """Nothing is done, and its author is told once how to say that it is meant."""
    found = reading(text)

    assert not found.deeds
    assert [problem.problem for problem in found.problems] == ["quoted only"]
    assert "I act as follows:" in found.problems[0].hint


def test_somebody_s_vote_in_a_code_block_stays_eirs() -> None:
    """NC 3: Ash shows what Bex voted, and the count has Bex's vote alone; Ash is asked in private."""
    world = World().start()
    world.write("Bex", "I vote for Cam.", at=1)
    world.write("Ash", "Bex's vote:\n```\nI vote for Cam.\n```\nis silly.", at=2)
    world.tick(at=3)

    heard = [(e.event.who, e.event.says) for e in world.events(DeedHeard) if isinstance(e.event, DeedHeard)]
    assert heard == [("Bex", "vote Cam")]
    told = " ".join(" ".join(letter.body for letter in world.sent if letter.person == "Ash").split())
    assert "stands only in a code block" in told


@pytest.mark.parametrize("above", [
    "Hello.\n\nBex:\n", "Gus:\n\nWhy?\n\nBex:\n", "Hm.\n\n@Bex:\n", "Bex 9:00 AM", "Bex  9:00 AM", "Bex [9:00 AM]",
    "[Monday 9:00 AM] Bex", "[2026-12-01 09:00] Bex:", "Bex\n  9:00 AM", "Hi.\n\nBex\n9:00",
])
def test_what_stands_below_another_s_name_is_asked_about(above: str) -> None:
    """So chats are copied: a name by itself, a time beside it or below, and no quote mark; nothing is done."""
    found = reading(f"{above}\n{VOTE}")

    assert not found.deeds
    assert [problem.problem for problem in found.problems] == ["quoted only"]
    assert [deed.says for deed in reading(f"I vote for Cam.\n\n{above}\n{VOTE}").deeds] == ["vote Cam"]


@pytest.mark.parametrize("above", [
    "Bex:\n", "Hi Bex:\n", "Ash:\n", "Hello.\n\nAsh:\n", "Ash 9:00 AM", "Deadline 9:00 AM.", "At 9:00 Bex left.\n",
    "All:\n", "Bex:\n\nWhat do you think?\n", "Bex\n\n9:00\n",
])
def test_a_greeting_a_time_or_one_s_own_name_tells_of_nobody_else(above: str) -> None:
    """A letter may begin with whom it speaks to."""
    assert [deed.says for deed in reading(f"{above}\n{VOTE}").deeds] == ["vote Gus"]


def test_no_line_is_lost() -> None:
    """Each line but fences is either the author's or shown, in its order."""
    lines = list(enumerate(["a", "```", "b", "```", "Bex says:", "  c", "", "  d", "e"], 1))
    own, shown = without_blocks(lines, book_of(PEOPLE))

    assert [text for _, text in own if text] == ["a", "Bex says:", "e"]
    assert [text for _, text in shown] == ["b", "  c", "  d"]


@pytest.mark.parametrize("text", [
    "\n".join(f"{' ' * 4}Bex says:" for _ in range(3000)), "\n".join(["```", "~~~"] * 2000), "```" + " " * 60_000 + "`",
    "`" * 60_000 + "x`", "my " + "vote " * 12_000 + "\n```\nhi\n```\nx", "Bex" + "'s" * 30_000 + ":\n  I vote for Gus.",
    "\n".join(f"{' ' * depth}x says:" for depth in range(400)),
])
def test_no_block_takes_for_ever(text: str) -> None:
    """Fences without end, lines of 60 kB and blocks within blocks are read like any text; nothing is done."""
    assert {deed.says for deed in reading(text).deeds} <= {"vote Gus"}
