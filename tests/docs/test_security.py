"""What the page on security says is shown by tests that there are; and what it says that no other test shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.language.reader import read
from nomicwolf.nomic.events import Refused
from nomicwolf.reading.deeds import People
from nomicwolf.village.lots import commitment
from nomicwolf.village.rulesets.nomic_crossing import OPTIONAL, deal
from tests.contest.world import SEVEN, World
from tests.docs.pages import ROOT, blocks, prose
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


SEEDS = st.binary(min_size=32, max_size=32).map(bytes.hex)
NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1)
TOWNS = st.lists(NAMES, min_size=5, max_size=16, unique=True)


def recipe() -> dict[str, Callable[..., Any]]:
    """Return the functions that the page defines."""
    (block,) = (b for b in blocks("docs/officers.md") if b.kind == "python")
    names: dict[str, Callable[..., Any]] = {}
    exec(block.text, names)
    return names


RECIPE = recipe()


@given(seed=SEEDS, town=TOWNS, roles=st.sets(st.sampled_from(OPTIONAL)))
def test_the_recipe_deals_as_the_program_does(seed: str, town: list[str], roles: set[str]) -> None:
    """NC 2b, 2c: the same werewolves, the same holders of roles."""
    if len(town) < 5 + len(roles):
        roles = set()
    dealt, _ = deal(town, tuple(roles), seed, {})
    found = RECIPE["deal"](seed, town, roles)

    for role, holders in found.items():
        assert set(holders) == {who for who, mine in dealt if mine == {"werewolves": "werewolf"}.get(role, role)}
    assert set(found) == {"werewolves", *roles}


@given(seed=SEEDS, session=st.integers(1, 99))
def test_the_recipe_binds_as_the_program_does(seed: str, session: int) -> None:
    """The commitment that the announcement prints."""
    assert RECIPE["commitment"]("crossing", session, seed) == commitment("crossing", session, seed)
