"""Questions to the contest in players' own words, and what only sounds like one."""

from __future__ import annotations

from nomicwolf.language.reader import read
from tests.language.scoring import TOWN
from tests.tables import each


def deeds(text: str) -> tuple[str, ...]:
    """What *text* does."""
    return tuple(deed.says for deed in read(((1, text),), TOWN, to="forum").deeds)


@each(("text", "deed"), [
    ("Could somebody post a count?", "votes"), ("who's voting for whom?", "votes"), ("votecount pls", "votes"),
    ("I request that the contestmaster publish the votes.", "votes"), ("Who is still with us and alive?", "who"),
    ("who's even alive", "who"), ("Please send me my role again.", "resend"), ("can u send it again?", "resend"),
])
def test_a_question_is_heard(text: str, deed: str) -> None:
    """In the author's words, with a mark or courtesy, or as a short call."""
    assert deeds(text) == (deed,)


@each("text", [
    "Who voted for that madness is beyond me.", "Who still votes like that, I ask myself, honestly.",
    "Please don't post the vote count.", "Don't send me mail again.", "Murphy, have you lost my letter again?",
    "Please tell me again why that role exists.", "I see it again and again, please stop.",
    "Has Bex a count of the votes?", "Who does Cam think is alive?",
])
def test_talk_asks_for_nothing(text: str) -> None:
    """Statements, refusals, and questions about somebody are talk."""
    assert deeds(text) == ()


def test_a_lover_without_the_other_is_asked() -> None:
    """A pair of which one is named is no pair: a Cupid is asked, and the letter ends in no exception."""
    found = read(((1, "my target: ivy"),), TOWN, to="contestmaster", role="cupid", open_verbs=frozenset({"match"}))

    assert found.deeds == ()
    assert [each.problem for each in found.problems] == ["ambiguous"]
