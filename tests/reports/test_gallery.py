"""The pages that show letters are what the program writes."""

from __future__ import annotations

import re

import pytest

from nomicwolf.language.reader import Place, read
from nomicwolf.reading.deeds import People
from nomicwolf.reports.prose import Prose, packaged
from tests.reports.gallery import CHOSEN, MADE, chapters


def test_the_pages_show_what_is_sent() -> None:
    """``python -m tests.reports.gallery`` writes them anew."""
    for path, made in MADE.items():
        assert path.read_text(encoding="utf-8") == made(), path.name

    assert [title for title, _ in chapters() if title in CHOSEN] == list(CHOSEN)


def test_the_gallery_shows_every_template(monkeypatch: pytest.MonkeyPatch) -> None:
    """No letter is missing: each template is used at least once."""
    used: set[str] = set()
    text = Prose.text

    def noting(self: Prose, name: str, /, **values: object) -> str:
        used.add(name)
        return text(self, name, **values)

    monkeypatch.setattr(Prose, "text", noting)
    list(chapters())

    assert used == set(packaged())


def test_no_letter_says_he_or_she() -> None:
    """The texts for players use Spivak's pronouns (e, em, eir, emself)."""
    assert not re.findall(r"(?i)\b(?:he|she|him|her|his|hers|himself|herself|their|themself)\b", _prose())


def _prose() -> str:
    return "\n".join(packaged().values())


@pytest.mark.parametrize("to", ["forum", "contestmaster"])
def test_no_letter_does_anything_where_it_comes_back(to: Place) -> None:
    """NC 3: an answer that repeats one of our letters and marks nothing of it casts no vote, and takes none back."""
    people = People(living=("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus"), others=("Murphy",), author="Dov")
    letters = [letter.body for _, shown in chapters() for letter in shown]

    verbs = frozenset({"vote", "heal", "poison"}) if to == "contestmaster" else None  # a Witch's, who hears most
    done = {deed.text for letter in letters
            for deed in read(tuple(enumerate(letter.splitlines(), 1)), people, to=to, open_verbs=verbs).deeds}

    assert len(letters) > 50
    assert done == set()
