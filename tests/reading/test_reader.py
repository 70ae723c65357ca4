"""Letters' own lines to deeds, questions and talk."""

from __future__ import annotations

from nomicwolf.reading.deeds import People, Reading
from nomicwolf.reading.reader import Place, read

TOWN = People(living=("Ash", "Bex", "Cam", "Dov", "Fay", "Gus", "Hal", "G."), dead=("Zed",), others=("Murphy",),
              author="Ash")


def reading(body: str, to: Place = "forum") -> Reading:
    """*body* read as Ash's."""
    return read(enumerate(body.split("\n"), 1), TOWN, to=to)


def test_a_vote_amid_prose_is_a_deed_on_its_line() -> None:
    """One vote in an essay; its line is the one it stands on (NC 3)."""
    found = reading("I have read it all.\n\nHal worries me. I vote for Gus\nif Bex does, otherwise nobody. Bye!")
    assert [(deed.line, deed.says, deed.text) for deed in found.deeds] == [
        (3, "vote Gus if Bex is voting for Gus, otherwise nobody", "I vote for Gus if Bex does, otherwise nobody."),
    ]


def test_night_deeds_stand_on_lines_of_their_own() -> None:
    """Heal and poison in one private letter (NC 7b)."""
    found = reading("Hi Murphy,\n\nheal\npoison Fay\n\nThanks,\nDov", "contestmaster")
    assert [(deed.line, deed.says) for deed in found.deeds] == [(3, "heal"), (4, "poison Fay")]
    assert found.problems == ()


def test_a_joke_is_asked_about() -> None:
    """A vote that is taken back in the next sentence is a question, not a deed."""
    found = reading("I vote for Gus. Just kidding!")
    assert (found.deeds, [problem.problem for problem in found.problems]) == ((), ["ambiguous"])
