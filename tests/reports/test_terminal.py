"""What the contestmaster reads, and what programs read."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from nomicwolf.letters.columns import columns
from nomicwolf.nomic.events import LetterHeard, LetterHeld, LimitConfirmed
from nomicwolf.nomic.state import Contest
from nomicwolf.reports import asjson, terminal
from nomicwolf.reports.explain import Unexplained, explain_json, explain_text
from nomicwolf.village.ballots import Endorse, For, If, Votes
from tests.reports.stories import Story
from tests.tables import each

TEXTS: list[Callable[[Contest], str]] = [
    terminal.status_text, terminal.votes_text, terminal.history_text, terminal.held_text, terminal.award_text,
    terminal.parties_text,
]
JSONS: list[Callable[[Contest], asjson.Json]] = [
    asjson.status_json, asjson.votes_json, asjson.held_json, asjson.award_json,
    asjson.parties_json,
]


def _circle() -> Story:
    story = Story()
    story.start()
    story.votes("Bex", For("Gus"))
    story.votes("Cam", Endorse("Bex"))
    story.votes("Dov", If(Votes("Cam", "Gus"), For("Gus")))
    story.votes("Ash", Endorse("Fay"))
    story.votes("Fay", Endorse("Ash"))
    return story


def _stories() -> list[Story]:
    ended = Story()
    ended.start(points=None)
    for who in ("Bex", "Cam", "Dov", "Eli"):
        ended.votes(who, For("Ash"))
    night = _circle()
    night.votes("Eli", For("Gus"))
    held = Story()
    held.happens(LetterHeard("<1@x.example>", "0", "0", "Gus", "held", "agora", arrived=5), LetterHeld(22, "unclear"))
    return [Story(), held, _circle(), night, ended]


@each("text", TEXTS)
def test_texts_fit_a_terminal(text: Callable[[Contest], str]) -> None:
    """At every stage of a contest there is something to print, at most a hundred columns wide."""
    for story in _stories():
        printed = text(story.contest)
        assert printed
        assert all(columns(line) <= 100 for line in printed.split("\n"))


@each("shape", JSONS)
def test_shapes_are_json(shape: Callable[[Contest], asjson.Json]) -> None:
    """At every stage of a contest what programs read is JSON with its schema on top."""
    for story in _stories():
        printed = shape(story.contest)
        assert json.loads(json.dumps(printed)) == printed
        assert next(iter(printed)) == "schema"
        assert printed["schema"] == 1


def test_votes_are_shaped_as_a_tally() -> None:
    """``votes --json`` is what ``tally --json`` prints, and more."""
    votes = asjson.votes_json(_circle().contest)

    assert votes["majority"] == 4
    assert votes["counts"] == {"Gus": 3}
    assert votes["lynched"] is None
    assert list(votes["votes"]) == ["Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus"]
    cam = votes["votes"]["Cam"]
    assert (cam["value"], cam["status"]) == ("Gus", "determined")
    assert cam["why"] == ["endorses Bex", "Bex votes for Gus"]
    assert votes["votes"]["Ash"]["status"] == "circular"
    assert votes["votes"]["Eli"]["status"] == "no vote"


def test_an_event_has_its_own_keys_and_instants() -> None:
    """A line of the record carries name, instant, readers, clauses and its own keys; ballots are in canonical form."""
    contest = _circle().contest
    events = [asjson.event_json(e) for e in contest.entries]
    voted = next(e for e in events if e["event"] == "voted" and e["who"] == "Dov")

    assert voted["at"] == "2026-12-01T03:00:00Z"
    assert voted["audience"] == "public"
    assert voted["cites"] == ["NC 3", "D-N4"]
    assert voted["ballot"] == "Gus if Cam is voting for Gus, otherwise nobody"
    assert next(e for e in events if e["event"] == "told")["audience"] == ["Ash"]
    assert [e["entry"] for e in events] == list(range(1, contest.last + 1))


@each(
    ("what", "says"),
    [
        ("Cam", "Cam: endorse Bex = Gus (NC 3)."),
        ("cam", "Bex votes for Gus"),
        ("Ash", "circle"),
        ("Eli", "has no vote standing"),
        ("count", "Gus has 3 of the 4 votes that lynch (NC 3)."),
        ("phase", "day 1 begins (NC 2d, D-N2)"),
        ("death Gus", "Gus has not been killed."),
        ("23", "session 1 of nomic-crossing begins"),
    ],
)
def test_everything_has_an_explanation(what: str, says: str) -> None:
    """A vote, the count, the phase, a death, an entry: each is explained, with what it comes from."""
    assert says in explain_text(_circle().contest, what)


def test_an_explanation_leads_to_the_letter() -> None:
    """A death is explained back to the line of the letter that made the majority, and its clause."""
    story = _circle()
    story.votes("Eli", For("Gus"))
    found = explain_json(story.contest, "death Gus")

    assert found["letter"]["line"] == 1
    assert found["letter"]["text"] == "vote Gus"
    assert found["letter"]["message_id"].endswith("@players.example>")
    assert "NC 3" in found["clauses"]
    assert [e["event"] for e in found["events"]] == ["lynched", "voted", "deed-heard", "letter-heard"]


@each("what", ["Ida", "death of Bex", "0", "99999", ""])
def test_what_is_not_there_is_not_explained(what: str) -> None:
    """An unknown name is answered with what can be asked about."""
    with pytest.raises(Unexplained, match=r"Name a player \(Ash, Bex.*death NAME"):
        explain_text(_circle().contest, what)


def test_the_award_book_waits_for_p() -> None:
    """D-N21: the book says what waits and how to let it go on; then it has the awards."""
    story = _stories()[-1]
    waits = terminal.award_text(story.contest), asjson.award_json(story.contest)
    story.happens(LimitConfirmed("agora", 30, "5 x 6"))

    assert "nomicwolf award --limit agora=POINTS" in waits[0]
    assert waits[1]["held"] == [{"session": 1, "nomic": "agora"}]
    assert asjson.award_json(story.contest)["held"] == []
    first = asjson.award_json(story.contest)["awards"][0]
    assert first == {"session": 1, "number": 1, "nomic": "agora", "who": "Bex", "what": "X points", "amount": 5}


def test_who_has_won_is_told_when_it_is_over() -> None:
    """A glance after the end names side and winners; before it, nobody."""
    over = Story()
    over.start(points=35)
    before = terminal.status_text(over.contest)
    for who in ("Bex", "Cam", "Dov", "Eli"):
        over.votes(who, For("Ash"))

    assert "won by" not in before
    assert "won by   the villagers: Bex, Cam, Dov, Eli, Fay, Gus" in terminal.status_text(over.contest)
