"""The handbook's page on the language says what is so: each of its examples is read as it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.language.reader import Place, read
from nomicwolf.reading.deeds import People

PAGE = Path(__file__).resolve().parents[2] / "docs" / "language.md"
TOWN = People(living=("Ash", "Bex", "Cam", "Dov", "Fay", "Gus", "Hal"), author="Ash")


def examples() -> list[tuple[Place, str, str]]:
    """(where, text, canonical forms) of every line with an arrow in the page's blocks."""
    found: list[tuple[Place, str, str]] = []
    place: Place = "forum"
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            place = "contestmaster" if line == "```private" else "forum"
        elif " → " in line:
            text, _, says = line.partition(" → ")
            found.append((place, text.strip(), says))
    return found


@pytest.mark.parametrize(("place", "text", "says"), examples())
def test_an_example_of_the_page_is_read_as_it_says(place: Place, text: str, says: str) -> None:
    """What stands left of the arrow comes to what stands right of it."""
    found = read([(1, text)], TOWN, to=place)
    assert [deed.says for deed in found.deeds] == says.split(" ;; ")
    assert found.problems == ()


def test_the_page_has_examples() -> None:
    """Blocks with arrows are there to be tested."""
    assert len(examples()) > 30
