"""Votes in words: the canonical text of ballots, and the steps that explain a vote (NC 3, votes.md 1.8)."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from nomicwolf.plainyaml import load
from nomicwolf.reading.deeds import People
from nomicwolf.reading.lark_driver import read_ballot
from nomicwolf.tally import tally
from nomicwolf.village import ballots as b
from nomicwolf.village.ballots import (
    After,
    Alike,
    Alive,
    And,
    AsMany,
    AsOfNow,
    Ballot,
    Cast,
    Condition,
    Copy,
    Count,
    Day,
    Dead,
    Endorse,
    FirstOf,
    Fixed,
    For,
    If,
    InPhase,
    Leads,
    Majority,
    Nobody,
    Not,
    Or,
    Town,
    Votes,
    ballot_text,
    condition_text,
    instant_text,
)
from nomicwolf.village.explaining import explain
from nomicwolf.village.resolution import Tree, rebuilt, resolve
from tests.tables import each
from tests.village import towns
from tests.village.vote_trees import CASES, ballot

PEOPLE = People(living=tuple("ABCDEFGH"), dead=("Z",), author="A")
GUS, BEX, CAM = Alive("Gus"), Dead("Bex"), Votes("Cam", "Gus")
LEADS = Leads("Gus", others=True)


@each("case", CASES["static"] + CASES["temporal"])
def test_the_page_s_own_words(case: dict[str, Any]) -> None:
    """Every ballot of the cases is written as the page writes it; times of whole minutes without seconds."""
    pairs = [(case["ballots"][who], words) for who, words in case.get("votes", {}).items()]
    pairs += [(event["ballot"], event["vote"]) for event in case.get("events", ()) if event["kind"] == "vote"]
    assert [ballot_text(ballot(tree)) for tree, _ in pairs] == [words.replace(":00:00Z", ":00Z") for _, words in pairs]


@each(("condition", "words"), [
    (Or((And((GUS, BEX)), CAM)), "Gus is alive and Bex is dead or Cam is voting for Gus"),
    (And((Or((GUS, BEX)), CAM)), "(Gus is alive or Bex is dead) and Cam is voting for Gus"),
    (And((And((GUS, BEX)), CAM)), "(Gus is alive and Bex is dead) and Cam is voting for Gus"),
    (Not(Or((GUS, BEX))), "not (Gus is alive or Bex is dead)"),
    (And((Not(GUS), BEX)), "not (Gus is alive) and Bex is dead"),
    (AsOfNow(CAM), "Cam is voting for Gus as of now"),
    (AsOfNow(Not(CAM)), "(not (Cam is voting for Gus)) as of now"),
    (AsOfNow(And((CAM, BEX))), "(Cam is voting for Gus and Bex is dead) as of now"),
    (LEADS, "Gus is leading, not counting my own vote"),
    (And((LEADS, BEX)), "(Gus is leading, not counting my own vote) and Bex is dead"),
    (And((Alike("Bex", "Cam"), GUS)), "(Bex and Cam are voting alike) and Gus is alive"),
    (Not(LEADS), "not (Gus is leading, not counting my own vote)"),
    (Cast(">=", 3, others=True), "at least 3 votes have been cast, not counting my own vote"),
    (Count("Gus", "<", 3, others=True), "fewer than 3 others are voting for Gus"),
    (Day("==", 2), "it is day 2"),
    (InPhase("night"), "it is night"),
    (After(1796126400), "it is after 2026-12-01T12:00Z"),
    (After(1796126401), "it is after 2026-12-01T12:00:01Z"),
    (Fixed(value=True), "it was so when cast"),
])
def test_conditions_in_words(condition: Condition, words: str) -> None:
    """Precedence and parentheses."""
    assert condition_text(condition) == words


@each(("tree", "words"), [
    (If(GUS, For("Cam"), If(BEX, For("Gus"))), "Cam if Gus is alive, otherwise Gus if Bex is dead, otherwise nobody"),
    (If(GUS, If(BEX, For("Cam")), For("Gus")), "(Cam if Bex is dead, otherwise nobody) if Gus is alive, otherwise Gus"),
    (FirstOf((Endorse("Cam"), If(BEX, For("Gus")))), "endorse Cam or else (Gus if Bex is dead, otherwise nobody)"),
    (If(GUS, Copy("Cam"), FirstOf((Endorse("Bex"), For("Gus")))),
     "copy Cam if Gus is alive, otherwise (endorse Bex or else Gus)"),
    (FirstOf(()), "nobody"),
])
def test_ballots_in_words(tree: Ballot, words: str) -> None:
    """An otherwise belongs to the nearest if."""
    assert ballot_text(tree) == words


def test_seconds_only_where_there_are_some() -> None:
    """ISO 8601, UTC."""
    assert [instant_text(0), instant_text(59)] == ["1970-01-01T00:00Z", "1970-01-01T00:00:59Z"]


def as_read(part: Tree) -> Tree:
    """*part* as its text is read: ``not exactly`` and ``it is not day`` as *not*; a last list of fall-backs goes on."""
    match part:
        case Count(whom, "!=", number, others):
            return Not(Count(whom, "==", number, others))
        case Cast("!=", number, others):
            return Not(Cast("==", number, others))
        case Day("!=", number):
            return Not(Day("==", number))
        case FirstOf((*first, FirstOf(last))):
            return FirstOf((*first, *last))
        case Fixed():
            return InPhase("day")
        case _:
            return part


@given(st.integers(0, 10**9))
def test_what_is_written_reads_back(seed: int) -> None:
    """Reading the text of a ballot gives the same tree."""
    random = Random(seed)
    for _ in range(5):
        tree = rebuilt(towns.ballot(random, "ABCDE"), as_read)
        words = ballot_text(cast(Ballot, tree))
        note(words)
        assert read_ballot(words, PEOPLE) == tree


@each(("condition", "text"), [
    (AsMany("Ash", "Bex"), "Ash has at least as many votes as Bex"), (Majority("Ash"), "Ash has a majority"),
    (Fixed(True), "it was so when cast"), (Fixed(False), "it was not so when cast"), (And(()), "it was so when cast"),
    (Or(()), "it was not so when cast"),
])
def test_a_condition_that_no_player_writes_so_has_words(condition: Condition, text: str) -> None:
    """What was settled when it was cast, and what is left of it, is told in explanations."""
    assert condition_text(condition) == text


def test_instants_are_told_in_utc_wherever_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """NC 3: not in the time of the place where the contest runs."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert instant_text(86_400) == "1970-01-02T00:00Z"
    finally:
        monkeypatch.undo()
        time.tzset()


SITUATIONS = cast(list[dict[str, Any]], load((Path(__file__).parent / "explanations.yaml").read_text("utf-8")))
RECORD = {
    "townspersons": ["Ash", "Bex", "Cam", "Dov", "Eli"], "killed": ["Zed"], "disclosed": {"Zed": "not a werewolf"},
    "phase": "day 2", "now": "2026-12-01T12:00Z", "facts": {"the moon is full": "true"},
}


@each("situation", SITUATIONS)
def test_situation_is_explained_in_these_words(situation: dict[str, Any]) -> None:
    """Value, status and steps of Ash's vote."""
    vote = tally({**RECORD, "votes": situation["votes"]})["votes"]["Ash"]

    assert (vote["value"] or "nobody", vote["status"]) == (situation["value"], situation["status"])
    assert vote["why"] == situation["why"]


@given(st.integers(0, 10**9))
def test_every_vote_has_steps_that_end_at_its_value(seed: int) -> None:
    """None for plain votes; else the last step says what it comes to, or the first why it counts as null."""
    town, ballots = towns.town(Random(seed), 9)
    table = resolve(town, ballots)
    note(repr((town, ballots)))
    for who, value in table.values.items():
        steps = explain(town, ballots, table, who)
        note(f"{who}: {steps}")
        status, ballot = table.statuses[who], ballots.get(who, Nobody())
        assert all(step and "  " not in step and step == step.strip() for step in steps)
        if status == "no vote" or ballot == Nobody() or (isinstance(ballot, For) and value):
            assert steps == ()
        elif status in ("circular", "paradox", "secret"):
            assert steps[0].startswith(f"{who}'s vote counts as null: ")
            assert "(NC 3)" in steps[0]
        elif value is not None:
            assert value in steps[-1]
        else:
            assert any(word in steps[-1] for word in ("nobody", "null", "no vote", "votes for", "can only be"))


def test_another_contract_is_cited_by_its_own_clause() -> None:
    """The same votes serve other rule sets."""
    town, ballots = Town(("Ash", "Bex")), {"Ash": Endorse("Ash")}
    steps = explain(town, ballots, resolve(town, ballots), "Ash", clause="GAD 4")
    assert steps == ("Ash's vote counts as null: Ash → Ash is a circle (GAD 4)",)


def test_an_explanation_needs_a_living_townsperson() -> None:
    """KeyError for the dead and strangers, as promised."""
    town, ballots = towns.town(Random(1))
    with pytest.raises(KeyError):
        explain(town, ballots, resolve(town, ballots), "Z")


@each(("condition", "reason", "so"), [
    (b.Fact("p"), '"p" is so', True), (b.Fact("q"), '"q" is not so', False), (b.Not(b.Fact("p")), '"p" is so', False),
    (b.InPhase("night"), "it is day", False), (b.InPhase("day"), "it is day", True),
    (b.Before(60), "it is before 1970-01-01T00:01Z", True),
    (b.Before(40), "it is no longer before 1970-01-01T00:00:40Z", False),
    (b.After(40), "it is after 1970-01-01T00:00:40Z", True), (b.After(60), "it is not yet 1970-01-01T00:01Z", False),
    (b.Was("Zed", "werewolf"), "Zed was a werewolf", True), (b.Was("Zed", "villager"), "Zed was not a villager", False),
    (b.Alive("Cam"), "Cam is alive", True), (b.Dead("Cam"), "Cam is alive", False),
    (b.Alive("Zed"), "Zed is dead", False),
    (b.Dead("Nemo"), "Nemo is no townsperson", False), (b.Votes("Dov", None), "Dov is voting for Eli", False),
    (b.Votes("Zed", "Cam"), "Zed is dead, so eir vote is null", False),
    (b.Votes("Bex", "Zed"), "Zed is dead, so nobody votes for em", False),
    (b.More("Dov", "Cam", True), "Dov has no votes, Cam has 2 votes (Bex and Eli)", False),
    (b.Count("Eli", "<", 1, True), "Eli has 1 vote: Dov, not counting Ash's own; fewer than 1 asked for", False),
    (b.And((b.Day("==", 3), b.Dead("Bex"))), "it is day 2", False), (b.And(()), "it was so when cast", True),
    (b.Or((b.Fact("q"), b.Day("==", 2), b.Alive("Bex"))), "it is day 2", True),
    (b.Or(()), "it was not so when cast", False),
])
def test_a_condition_is_put_down_to_what_is_so(condition: b.Condition, reason: str, so: bool) -> None:
    """NC 3: the public record and the votes of others in so many words, whether the condition holds by them or not."""
    town = Town(("Ash", "Bex", "Cam", "Dov", "Eli"), dead=("Zed",), disclosed={"Zed": "werewolf"},
                facts={"p": True, "q": False}, day=2, now=50)
    ballots: dict[str, b.Ballot] = {
        "Ash": b.If(condition, For("Dov"), For("Bex")), "Bex": For("Cam"), "Eli": For("Cam"), "Dov": For("Eli")}

    assert explain(town, ballots, resolve(town, ballots), "Ash") == (reason, "so Dov" if so else "so Bex")


@pytest.mark.parametrize(("number", "names"), [
    (7, "P1, P2, P3, P4, P5, P6 and P7"), (8, "P1, P2, P3, P4, P5, P6, P7 and P8"),
    (9, "P1, P2, P3, P4, P5, P6, P7 and 2 more"), (10, "P1, P2, P3, P4, P5, P6, P7 and 3 more"),
])
def test_long_lists_of_voters_are_cut_short(number: int, names: str) -> None:
    """Eight are named; of more, the first seven and how many there are besides."""
    town = Town(tuple(f"P{n}" for n in range(14)))
    ballots: dict[str, b.Ballot] = {f"P{n}": For("P13") for n in range(1, number + 1)}
    ballots["P0"] = b.If(b.Count("P13", ">=", 3), For("P13"), Nobody())

    assert explain(town, ballots, resolve(town, ballots), "P0") == (
        f"P13 has {number} of the 3 votes asked for: {names}", "so P13")
