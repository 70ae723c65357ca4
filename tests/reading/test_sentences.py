"""Lines to sentences: a plain line is one at a glance, and the same as by every mark in it (NC 3)."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.reading import sentences as module
from nomicwolf.reading.deeds import People
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.sentences import Sentence, sentences
from tests.language.scoring import SETS, TOWN, rows

EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "150"))
BOOKS = tuple(map(NameBook, (
    TOWN, People(living=("Ash", "Gus", "I", "Mr", "Zoë"), author="Ash"),
    People(living=("Etc", "Gus: the second", "Bob -"), author="Gus: the second"))))
PIECES = (
    "I", "vote for", "Gus", "Ash", "therefore", "my vote", "if any", ", if any", "Mr", "etc", "e.g", "St", "12", "1",
    " ", "  ", ",", ".", "..", "!", "?", "?!", ":", "-", "'", '"', "(", ")", "#", "*", "/", "|", "~", "`", "\t", "é",
    "- ", "a) ", "1. ", "@", "%", "I, Ash,", "I now", "hello", "Zoë",
)
lines = st.lists(st.sampled_from(PIECES), max_size=7).map(" ".join) | st.lists(
    st.sampled_from(PIECES), max_size=6).map("".join) | st.sampled_from([
        line for file in sorted(SETS.glob("*.jsonl")) for row in rows(file) for line in row["text"].split("\n")])


def by_every_mark(line: str, book: NameBook) -> list[Sentence]:
    """The sentences of *line*, none of it taken at a glance."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_at_a_glance", lambda number, line, book, paragraph: None)
        return sentences([(3, line)], book)


def shown(sentence: Sentence) -> tuple[object, ...]:
    """All that can be asked of a sentence."""
    whole = sentence.whole
    return (*sentence[1:], whole.raw, whole.text, list(whole.origin), whole.stop, sentence.written, sentence.commented,
            sentence.line_at(0), sentence.clean.text, list(sentence.clean.origin))


@settings(max_examples=4 * EXAMPLES, deadline=None)
@given(lines, st.sampled_from(BOOKS))
def test_a_line_at_a_glance_is_the_same_sentence(line: str, book: NameBook) -> None:
    """With asides, short forms, lists, tags and quotations, and names with marks."""
    assert list(map(shown, sentences([(3, line)], book))) == list(map(shown, by_every_mark(line, book)))


@pytest.mark.parametrize("line", ["I vote for Gus.", "That was quick!", "I retract my vote, if any.", "Why Gus ?"])
def test_plain_lines_are_taken_at_a_glance(line: str) -> None:
    """Most of what people write."""
    assert module._at_a_glance(3, line, BOOKS[1], 0) is not None


@pytest.mark.parametrize("line", [
    "I vote", "So. I vote.", "- I vote.", "Ask Mr.", "I vote (now).", '"I vote".', "Zoë.", "vote..", "1. Gus.",
    "a) b."])
def test_others_are_not(line: str) -> None:
    """Lists, more sentences than one, short forms, brackets, quotations and other scripts."""
    assert module._at_a_glance(3, line, BOOKS[1], 0) is None
