"""Disclaimers and forum slips are found however they are written, though most letters are only glanced at."""

from __future__ import annotations

import pytest

from nomicwolf.reading.slips import _VOIDING, disclaimer, forum_slip


@pytest.mark.parametrize("words", _VOIDING)
def test_every_disclaimer_is_found(words: str) -> None:
    """With marks between its words, in capitals, or over lines (CFJ 2069)."""
    for written in (words, words.upper().replace(" ", " - "), f"({words.replace(' ', chr(10))}.)"):
        assert (disclaimer(written.split("\n")) or "none") in words
    assert disclaimer([words.replace("s", "z")]) is None


@pytest.mark.parametrize(
    ("text", "slip"),
    [("TTttPF", "ttpf"), ("Hi.\nnttpf!", "nttpf"), ("To the Public-Forum:", "ttpf"), ("the forum", None),
     ("I vote for Gus.\nttttttpf", "ttpf"), ("t.p.f", None), ("an essay about ttpf and such slips", None)])
def test_a_slip_is_a_word_of_its_own(text: str, slip: str | None) -> None:
    """On a line of at most four words (CFJ 3586)."""
    assert forum_slip(text) == slip
