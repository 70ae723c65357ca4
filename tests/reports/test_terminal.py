"""What the contestmaster reads, what programs read, and what `explain` says of a death."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nomicwolf.cli.app import order_of
from nomicwolf.letters.compose import columns
from nomicwolf.nomic.events import LetterHeard, LetterHeld, LimitConfirmed
from nomicwolf.nomic.state import Contest
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.reports import json_reports, terminal
from nomicwolf.reports.terminal import Unexplained, explain_json, explain_text
from nomicwolf.village.ballots import Endorse, For, If, Votes
from tests.reports.stories import Story
from tests.tables import each

TEXTS: list[Callable[[Contest], str]] = [
    terminal.status_text, terminal.votes_text, terminal.history_text,
    terminal.held_text, terminal.award_text, terminal.parties_text,
]
JSONS: list[Callable[[Contest], json_reports.Json]] = [
    json_reports.status_json, json_reports.votes_json, json_reports.held_json, json_reports.award_json,
    json_reports.parties_json,
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
def test_shapes_are_json(shape: Callable[[Contest], json_reports.Json]) -> None:
    """At every stage of a contest what programs read is JSON with its schema on top."""
    for story in _stories():
        printed = shape(story.contest)
        assert json.loads(json.dumps(printed)) == printed
        assert next(iter(printed)) == "schema"
        assert printed["schema"] == 1


def test_votes_are_shaped_as_a_tally() -> None:
    """``votes --json`` is what ``tally --json`` prints, and more."""
    votes = json_reports.votes_json(_circle().contest)

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
    events = [json_reports.event_json(e) for e in contest.entries]
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
    waits = terminal.award_text(story.contest), json_reports.award_json(story.contest)
    story.happens(LimitConfirmed("agora", 30, "5 x 6"))

    assert "nomicwolf award --limit agora=POINTS" in waits[0]
    assert waits[1]["held"] == [{"session": 1, "nomic": "agora"}]
    assert json_reports.award_json(story.contest)["held"] == []
    first = json_reports.award_json(story.contest)["awards"][0]
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


SCENARIOS = Path(__file__).parents[1] / "scenarios"


def death(case: str, who: str) -> dict[str, Any]:
    """How *who* died in the scenario whose file begins with *case*."""
    path = next(SCENARIOS.glob(f"*/{case}*.yaml"))
    played = rehearse(read_script(path.read_text(encoding="utf-8"), path.parent), order_of)
    return explain_json(played.contest, f"death {who}")


@pytest.mark.parametrize(("case", "who", "events", "text"), [
    ("N-102-", "Gus", ["killed", "due", "chose", "deed-heard", "letter-heard"], "attack Gus"),
    ("G-06-", "N1", ["killed", "due", "agreed", "chose", "deed-heard", "letter-heard"], "attack N1"),
    ("T-15-the-seers", "Ha", ["killed", "due", "seen", "chose", "deed-heard", "letter-heard"], "see Ha"),
    ("M-122-", "Ada", ["killed", "due", "chose", "deed-heard", "letter-heard"], "shoot Ada"),
])
def test_a_death_by_night_leads_to_the_letter_that_asked_for_it(
    case: str, who: str, events: list[str], text: str
) -> None:
    """Not only to the clock that struck when the night was over."""
    found = death(case, who)

    assert [e["event"] for e in found["events"]] == events
    assert found["letter"]["text"] == text


@pytest.mark.parametrize(("case", "who", "why"), [
    ("N-27-", "Gus", ["Bex: Gus", "Cam: endorse Bex = Gus: endorses Bex; Bex votes for Gus",
                      "Dov: endorse Cam = Gus: endorses Cam; Cam votes for Gus",
                      "Fay: endorse Dov = Gus: endorses Dov; Dov votes for Gus"]),
    ("G-184-", "G1", [("N1: guilty if it is after 2026-12-03T09:00Z, otherwise innocent = guilty: "
                      "it is after 2026-12-03T09:00Z; so guilty"),
                      "N2: guilty", "N3: guilty", "N4: guilty", "P1: guilty"]),
    ("M-09-", "Ada", ["Cat: guilty", "Dan: guilty", "Eve: guilty", "Fay: guilty"]),
    ("T-161-", "V1", ["W2: V1"]),
])
def test_a_death_by_day_names_the_votes_that_condemned(case: str, who: str, why: list[str]) -> None:
    """With their reasons, as they stood then; those for others are left out."""
    assert death(case, who)["why"] == why


@pytest.mark.parametrize("what", ["Dov", "death dov"])
def test_who_was_replaced_is_asked_for_by_the_name_of_who_plays_on(what: str) -> None:
    """D-N41: whatever was eirs is the substitute's."""
    path = next(SCENARIOS.glob("*/N-339-*.yaml"))
    played = rehearse(read_script(path.read_text(encoding="utf-8"), path.parent), order_of)

    with pytest.raises(Unexplained, match=r"Dov was replaced, and what was eirs is Ida's now \(D-N41\)"):
        explain_json(played.contest, what)
