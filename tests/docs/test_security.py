"""What the page on security says is shown by tests that there are; and what it says that no other test shows."""

from __future__ import annotations

import re

import pytest

from nomicwolf.language.reader import read
from nomicwolf.nomic.events import Refused
from nomicwolf.reading.deeds import People
from tests.contest.world import SEVEN, World
from tests.docs.pages import ROOT, prose
from tests.tables import each

DEEDS = ("attack Gus", "see Gus", "heal", "poison Gus", "shoot Gus", "match Fay and Gus")
LETTERS = {"A": "\u0410", "a": "\u0430", "e": "\u0435", "l": "\u04cf"}  # Cyrillic that looks Latin


def test_every_row_names_a_test_or_says_why_not() -> None:
    """A row without a test is about something that is left undone, or that is not ours to do."""
    rows = re.findall(r"(?m)^\| (.+) \| (.+) \| (.*) ?\|$", prose("docs/security.md"))
    shown = [row for row in rows if "`" in row[2]]
    assert len(shown) > 40

    named = set(re.findall(r"`((?:tests|benchmarks)/[^`]+)`", " ".join(row[2] for row in shown)))
    assert [name for name in named if not (ROOT / name).is_file()] == []


@each("deed", DEEDS)
def test_a_refusal_has_the_same_words_for_every_role(deed: str) -> None:
    """By day nobody can act: what each player then reads differs neither by role nor by side (NC 6)."""
    world = World().start()
    said = set()
    for number, who in enumerate(SEVEN, 1):
        world.write(who, deed, "contestmaster", at=number)
        said |= {e.event.why for e in world.entries if isinstance(e.event, Refused)}

    assert len(said) == 1


@pytest.mark.parametrize("letter", LETTERS)
def test_a_look_alike_is_nobody(letter: str) -> None:
    """A name with a letter of another script is unknown, however it looks."""
    name = {"A": "Ash", "a": "Cam", "e": "Bex", "l": "Eli"}[letter]
    reading = read([(1, f"I vote for {name.replace(letter, LETTERS[letter])}.")], People(living=SEVEN), to="forum")

    assert reading.deeds == ()
    assert [p.problem for p in reading.problems] == ["unknown player"]
