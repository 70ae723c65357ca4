"""The canonical text of ballots, and that it reads back as the same ballot (votes.md 1.8)."""

from __future__ import annotations

import time
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from nomicwolf.reading.deeds import People
from nomicwolf.reading.lark_driver import read_ballot
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
    Not,
    Or,
    Votes,
    ballot_text,
    condition_text,
    instant_text,
)
from nomicwolf.village.resolution import Tree, rebuilt
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
