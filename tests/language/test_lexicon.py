"""The lexicon and the grammar of clauses: what stands in the files is used, and the examples in comments parse."""

from __future__ import annotations

import re
import tomllib

import pytest

from nomicwolf.data import folder, grammar_text
from nomicwolf.language.clauses import Clauses
from nomicwolf.language.inflection import forms
from nomicwolf.language.lexicon import lexicon
from nomicwolf.language.values import Values
from nomicwolf.language.words import words_of
from nomicwolf.reading.deeds import LIMITS
from nomicwolf.reading.names import book_of
from nomicwolf.reading.text import clean
from nomicwolf.reading.times import Clock
from tests.language.scoring import TOWN

EXAMPLES = re.findall(r"(?m)^// example: (.*)$", grammar_text("clauses"))


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_example_in_a_comment_is_a_clause(text: str) -> None:
    """Each example of `grammar/clauses.lark` is one clause from its first word to its last."""
    book = book_of(TOWN)
    sentence = clean(text)
    words = words_of(sentence, book)
    clause = Clauses(words, Values(sentence, book, Clock(), LIMITS), lambda _: True).at(0)
    assert clause is not None
    assert clause.skeleton is not None
    assert clause.last == len(words)


@pytest.mark.parametrize(("verb", "wanted"), [
    ("vote", "vote votes voting voted"), ("lynch", "lynch lynches lynching lynched"), ("spy", "spy spies spying spied"),
    ("pass", "pass passes passing passed"), ("see", "see sees seeing saw seen"),
    ("stop", "stop stops stopping stopped"),
])
def test_a_verb_has_its_forms(verb: str, wanted: str) -> None:
    """By rule, or as `irregular` in the lexicon has them."""
    irregular = {"see": "sees seeing saw seen"}
    found = dict.fromkeys(form for form, _ in forms(verb, irregular))
    assert [form for form in found if not form.endswith("in")] == wanted.split()


def test_a_deed_with_a_name_of_its_own_is_that_deed() -> None:
    """"guard" and "revive" are verbs of several deeds; each is first the one that has its name."""
    entries = lexicon().entries
    assert [entries[verb].senses[0].frame for verb in ("guard", "revive", "protect", "heal")] == [
        "guard", "revive", "protect", "heal"]


def test_every_frame_can_be_said() -> None:
    """Each frame has a word, and no word is of a frame that is not there."""
    lex = lexicon()
    said = {sense.frame for entry in lex.entries.values() for sense in entry.senses if sense.frame}
    assert said == set(lex.frames)


def test_the_head_of_the_frames_explains_each_key() -> None:
    """What stands in a frame, and what it may take, is told at the top of `grammar/frames.toml`, and no more."""
    text = (folder("grammar") / "frames.toml").read_text(encoding="utf-8")
    head, frames = text[:text.index("\n[")], tomllib.loads(text)
    takes = re.search(r"(?m)^#   takes +(.+)$", head)

    assert {*re.findall(r"(?m)^#   (\w+)", head)} == {key for frame in frames.values() for key in frame}
    assert takes
    assert {*takes[1].split(" · ")} == {frame["takes"] for frame in frames.values()}
