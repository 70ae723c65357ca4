"""The grammar's examples, and ballots from text."""

from __future__ import annotations

import pytest

from nomicwolf.data import GRAMMAR, contract_text, grammar_text
from nomicwolf.reading.deeds import BallotError, People
from nomicwolf.reading.lark_driver import by_grammar, parser, read_ballot
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.text import clean
from nomicwolf.reading.times import Clock
from nomicwolf.village.ballots import Alike, Ballot, Copy, Count, Endorse, FirstOf, For, If, Nobody, Or, Votes

BOOK = NameBook(People(living=("Ash", "Bex", "Cam", "Dov", "Fay", "Gus", "Hal"), author="Ash"))
STARTS = {"conditions": "condition", "ballots": "ballot", "written": ""}


def examples(file: str) -> dict[str, list[str]]:
    """The examples that stand in the comment above each rule of a grammar file."""
    found: dict[str, list[str]] = {}
    waiting: list[str] = []
    for line in grammar_text(file).splitlines():
        if line.startswith("// example: "):
            waiting.append(line.removeprefix("// example: "))
        elif line[:1].isalpha() or line.startswith("?"):
            found[line.lstrip("?").partition(":")[0]] = waiting
            waiting = []
    return found


def is_read(text: str, start: str) -> bool:
    """Whether a text can be read as *start*."""
    try:
        return by_grammar(clean(text), start, BOOK, Clock()) is not None
    except BallotError:
        return False


@pytest.mark.parametrize(("file", "text"), [
    (file, text) for file in STARTS for texts in examples(file).values() for text in texts
])
def test_an_example_in_a_comment_parses(file: str, text: str) -> None:
    """Each example is understood from its first word to its last."""
    starts = (STARTS[file],) if STARTS[file] else ("judgement", "asked", "written")
    assert any(is_read(text, start) for start in starts)


@pytest.mark.parametrize("file", STARTS)
def test_every_rule_has_an_example(file: str) -> None:
    """A rule without an example would be a rule without documentation."""
    assert [rule for rule, texts in examples(file).items() if not texts] == []


def test_the_grammar_is_built_once() -> None:
    """Building takes a moment; a process does it once."""
    assert parser() is parser()


def test_data_files_are_found_and_missing_ones_are_named() -> None:
    """The grammar is read through `nomicwolf.data`, which says where it looked."""
    assert all(grammar_text(name) for name in GRAMMAR)
    with pytest.raises(FileNotFoundError):
        contract_text("no-such-text")


TOWN = People(living=("Ash", "Bex", "Cam", "Dov", "Fay", "Gus", "Hal", "G."), dead=("Zed",), author="Ash")


@pytest.mark.parametrize(("text", "ballot"), [
    ("nobody", Nobody()),
    ("Gus", For("Gus")),
    ("G.", For("G.")),
    ("endorse Bex", Endorse("Bex")),
    ("endorse Bex or else Gus", FirstOf((Endorse("Bex"), For("Gus")))),
    ("copy Bex", Copy("Bex")),
    ("Gus if Bex is voting for Gus, otherwise Hal", If(Votes("Bex", "Gus"), For("Gus"), For("Hal"))),
    ("I vote for Gus if Bex does.", If(Votes("Bex", "Gus"), For("Gus"))),
    ("Gus if Cam is voting for Ash or Cam and Dov are voting alike",
     If(Or((Votes("Cam", "Ash"), Alike("Cam", "Dov"))), For("Gus"))),
    ("Gus if at least three others are voting for Gus", If(Count("Gus", ">=", 3, others=True), For("Gus"))),
])
def test_a_ballot_is_read(text: str, ballot: Ballot) -> None:
    """Canonical text and its closest relatives come to their trees (NC 3)."""
    assert read_ballot(text, TOWN) == ballot


def test_a_refusal_points_at_the_word() -> None:
    """An unknown name is pointed at, with near names, and never guessed (D-N10)."""
    with pytest.raises(BallotError) as refused:
        read_ballot("Gus if Bex is voting for Hall", TOWN)
    assert (refused.value.problem, refused.value.at, refused.value.suggestions[0]) == ("unknown player", 26, "Hal")
