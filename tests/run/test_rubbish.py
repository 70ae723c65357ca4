"""What is read leaves no cycles behind, so that a poll may look for cyclic rubbish seldom."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from benchmarks.hostile import HOSTILE, PEOPLE, plain, work
from nomicwolf.contest import LetterCame, Tick, hear
from nomicwolf.language.reader import Place, read
from nomicwolf.run.polling import GC_THRESHOLD, rare_gc
from tests.contest.world import World
from tests.tables import each

pytestmark = pytest.mark.slow

CORPUS = Path(__file__).parents[1] / "letters" / "corpus"
SIZE = 1_500
"""Bytes of a hostile letter here."""


def rubbish(do: Callable[[], object]) -> int:
    """Return how many things only a search for cycles finds after *do*, which has been done once before."""
    do()
    gc.collect()
    gc.disable()
    try:
        do()
        return gc.collect()
    finally:
        gc.enable()


@each("name", [*HOSTILE, "plain"])
def test_a_hostile_letter_leaves_no_rubbish(name: str) -> None:
    """All that a poll reads of a letter goes when the letter goes, whatever is in it."""
    data = {**HOSTILE, "plain": plain}[name](SIZE)
    assert not rubbish(lambda: work(data))


def test_odd_letters_leave_no_rubbish() -> None:
    """No letter of the corpus of odd mailers and hostile hands does."""
    letters = [path.read_bytes() for path in sorted(CORPUS.glob("*.eml"))]
    assert len(letters) > 100
    assert not rubbish(lambda: [*map(work, letters)])


@pytest.mark.parametrize("to", get_args(Place))
def test_sentences_that_stop_a_reading_leave_no_rubbish(to: Place) -> None:
    """An error that is a value holds no frame that holds it: unknown names, unfinished deeds, conditions."""
    said = ["I vote for Nobody.Else if", "I vote for Gus (if Bex is dead)", "attack", "vote", "see Gus if not not not",
            "I vote for Gus. Otherwise Bexx", "I endorse Gus and I vote for Hal and then", "I vote for Gus at 5"]
    found = read([*enumerate(said, 1)], PEOPLE, to="forum")
    assert found.problems
    assert not rubbish(lambda: read([*enumerate(said, 1)], PEOPLE, to=to))


@each("text", ["I vote for Gus.", "We will see.", "vote Nobody.Else", "I leave.", "status", "A" * 9])
def test_what_is_heard_leaves_no_rubbish(text: str) -> None:
    """A contest as it was before a letter goes as soon as nobody goes on from it; so it is for time that passes."""
    world = World().start()
    letter = world.letter("Bex", text, at=1)
    contest, now = world.contest, letter.arrived
    assert hear(contest, LetterCame(letter), now).bucket in ("deeds", "no-deed")
    assert not rubbish(lambda: hear(contest, LetterCame(letter), now))
    assert not rubbish(lambda: hear(contest, Tick(), now + 60))


def test_python_looks_seldom_and_then_as_before() -> None:
    """The collector goes on by itself during a poll, and is afterwards as it was."""
    before = gc.get_threshold()
    with rare_gc():
        assert gc.isenabled()
        assert gc.get_threshold() == (GC_THRESHOLD, *before[1:])
    assert gc.get_threshold() == before
