"""`say` without its colon: asked about in private letters, with the form that is understood (D-M13)."""

from __future__ import annotations

import pytest

from nomicwolf.reading.deeds import People
from nomicwolf.reading.reader import Place, read

PEOPLE = People(living=("Ada", "Bob", "Cat"), others=("Dan",), author="Cat")


@pytest.mark.parametrize(("text", "suggested"), [
    ("say who killed you?", "say: who killed you"), ("Say Ada did it.", "say: Ada did it"),
    ("say pack Fay tonight", "say pack: Fay tonight"), ("tell the dead who was it", "say the dead: who was it"),
    ("say to the masons hello there", "say masons: hello there"), ('say "hello"', 'say: "hello"'),
])
def test_what_has_no_colon_is_asked_about(text: str, suggested: str) -> None:
    """The question offers the same words behind a colon."""
    reading = read(((1, text),), PEOPLE, to="contestmaster")

    assert not reading.deeds
    assert [problem.suggestions for problem in reading.problems] == [(suggested,)]
    assert "behind a colon" in reading.problems[0].hint
    assert [deed.verb for deed in read(((1, suggested),), PEOPLE, to="contestmaster").deeds] == ["say"]


@pytest.mark.parametrize(("text", "to"), [
    ("Say who killed you!", "forum"), ("say, what a day", "contestmaster"), ("I say!", "contestmaster"),
    ("tell", "contestmaster"), ("They say Ada did it.", "contestmaster"),
])
def test_talk_stays_talk(text: str, to: Place) -> None:
    """On a forum nothing is passed on."""
    reading = read(((1, text),), PEOPLE, to=to)

    assert not reading.deeds
    assert not [problem for problem in reading.problems if "colon" in problem.hint]
