"""The plainest deeds are read at a glance, and come to what the grammar makes of them (NC 3)."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.reading.acts import says
from nomicwolf.reading.bygrammar import by_grammar
from nomicwolf.reading.deeds import People
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.kinds import PRIVATE_DEEDS, PUBLIC_DEEDS
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.plainly import plain_deed
from nomicwolf.reading.text import clean
from nomicwolf.reading.times import Clock
from tests.reading.test_phrases import TOWN, all_phrases

NAMES = (
    "Ash", "Bex", "Gus", "May", "Friday", "Z", "three", "x2", "2x", "Xd", "Bob", "Bob the Builder", "G.", "O'Brien",
    "Zoë", "λ", "Mono", "monday", "gus", "utc", "noon", "Player_1", "Leading", "天火狐", "Ash-Lee", "S",
)
LIKE_WORDS = ("IF", "vote", "is", "no", "dead")
QUESTIONS = ("help", "status", "votes", "history", "Help", "Status", "Votes", "History", "HELP", "vote", "Status quo")
EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "150"))
rosters = st.builds(
    People, living=st.lists(st.sampled_from(NAMES), min_size=3, unique=True).map(tuple),
    dead=st.sampled_from([(), ("Zed",), ("Ivy", "IF"), ("dead",)]),
    aliases=st.dictionaries(
        st.sampled_from(["Gustav", "Bexley", "Ashes", "BEX", "I"]), st.sampled_from(["Gus", "Bex"])),
    author=st.sampled_from([None, "Ash", "Gus"]), prefixes=st.booleans(),
)
who = st.sampled_from([*NAMES, *LIKE_WORDS, "GUS", "Gustav", "Ivy", "Zed", "Nobody", "nobody", "em", "Stranger", "Be"])
openings = st.sampled_from([
    "I vote for", "I   vote for", "vote", "Vote:", "vote for", "I endorse", "Endorse", "endorse", "I vote",
])
conditions = st.builds(
    lambda one, said, other: f"{one} {said}".replace("OTHER", other), who,
    st.sampled_from(["is voting for OTHER", "is not voting for OTHER", "is dead", "is alive", "is not dead"]), who)
statements = st.builds(
    lambda opening, whom, parts, end: f"{opening} {whom}{' if ' * bool(parts)}{' and '.join(parts)}{end}",
    openings, who, st.lists(conditions, max_size=6), st.sampled_from(["", "", "", ".", " ", " or else Gus", " and"]))


def grammars(text: str, people: People, *, private: bool = False) -> object:
    """What the grammar alone makes of *text*, or the kind of its problem."""
    goes_on = PRIVATE_DEEDS if private else PUBLIC_DEEDS
    try:
        return by_grammar(clean(text), "deeds", NameBook(people), Clock(), goes_on=goes_on)
    except BallotError as error:
        return error.problem


@settings(max_examples=2 * EXAMPLES, deadline=None)
@given(statements, rosters, st.booleans())
def test_what_is_read_at_a_glance_is_what_the_grammar_reads(text: str, people: People, private: bool) -> None:
    """With names like numbers, days and words of the language, names that begin names, aliases and prefixes."""
    taken = plain_deed(clean(text).text, NameBook(people))
    assert taken is None or taken == grammars(text, people, private=private)


def test_no_phrase_is_read_otherwise_at_a_glance() -> None:
    """Neither whole, nor from any of its words on."""
    book = NameBook(TOWN)
    for row in all_phrases():
        words = clean(row["text"]).text.rstrip(".").split(" ")
        for start in range(len(words)):
            text = " ".join(words[start:])
            taken = plain_deed(text, book)
            assert taken is None or taken == grammars(text, TOWN), text


@pytest.mark.parametrize("called", [("status", "Help", "Ash"), ("votes", "history", "Status quo")])
@pytest.mark.parametrize("prefixes", [False, True])
@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_of_one_word_is_what_the_grammar_reads(
    text: str, called: tuple[str, ...], prefixes: bool
) -> None:
    """Where nobody is called like it it needs no grammar; else that decides."""
    asks = text.lower() in ("help", "status", "votes", "history") and text != "HELP"
    for people in (TOWN, People(called, prefixes=prefixes)):
        taken = plain_deed(clean(text).text, NameBook(people))
        assert taken is None or taken == grammars(text, people)
        assert people is not TOWN or (taken is not None) == asks


@pytest.mark.parametrize("text", [
    "vote Gus", "vote endorse Bex", "vote Gus if Bex is voting for Gus, otherwise nobody",
    "vote Gus if Bex is dead and not (Cam is voting for Hal) and Eli is alive, otherwise nobody",
])
def test_the_plainest_deeds_are_taken_at_a_glance(text: str) -> None:
    """In a town of plain names; each is shown in its canonical form."""
    town = People(living=("Bex", "Cam", "Eli", "Gus", "Hal"))
    said = text.replace("vote endorse", "I endorse").replace(", otherwise nobody", "").replace(
        "not (Cam is voting for Hal)", "Cam is not voting for Hal")
    taken = plain_deed(said, NameBook(town))
    assert taken is not None
    assert [says(act) for act in taken] == [text]


@pytest.mark.parametrize("name", ["x2", "three", "7", "Bob", "IF", "em", "G."])
def test_names_that_could_be_something_else_are_left_to_the_grammar(name: str) -> None:
    """Numbers, words of the language, and names with which another one begins."""
    people = People(living=("Gus", name, "Bob the Builder"))
    assert plain_deed(f"I vote for {name}", NameBook(people)) is None
