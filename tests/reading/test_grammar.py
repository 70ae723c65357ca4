"""The grammar documents itself: every example in its comments parses, and every rule has one."""

from __future__ import annotations

import pytest

from nomicwolf.data import GRAMMAR, contract_text, grammar_text
from nomicwolf.reading.bygrammar import by_grammar
from nomicwolf.reading.deeds import People
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.language import parser
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.text import clean
from nomicwolf.reading.times import Clock

TOWN = NameBook(People(living=("Ash", "Bex", "Cam", "Dov", "Fay", "Gus", "Hal"), author="Ash"))
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
        return by_grammar(clean(text), start, TOWN, Clock()) is not None
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
