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


@pytest.mark.parametrize("words", [
    "Some or all of the statements in this message may be false.", "Any statement in this e-mail might be untrue.",
    "At least one claim made in this letter is a lie.", "The statements in this post may or may not be true.",
    "This message may contain false statements.", "Everything in this mail is false.", "This message is false.",
    "Nothing in this letter is true."])
def test_a_letter_that_says_that_it_lies_is_known(words: str) -> None:
    """In whatever words: so none of it can be taken (CFJ 2069)."""
    assert disclaimer(["I vote for Gus.", words]) is not None


@pytest.mark.parametrize("words", [
    "None of the statements in this message are false.", "All statements in this message are true.",
    "That statement in your message is false.", "No statement in this letter is false.", "This letter is late."])
def test_a_letter_that_tells_the_truth_is_taken(words: str) -> None:
    """What is said of other letters, or that nothing in this is false, voids nothing."""
    assert disclaimer(["I vote for Gus.", words]) is None


@pytest.mark.parametrize(
    ("text", "slip"),
    [("TTttPF", "ttpf"), ("Hi.\nnttpf!", "nttpf"), ("To the Public-Forum:", "ttpf"), ("the forum", None),
     ("I vote for Gus.\nttttttpf", "ttpf"), ("t.p.f", None), ("an essay about ttpf and such slips", None)])
def test_a_slip_is_a_word_of_its_own(text: str, slip: str | None) -> None:
    """On a line of at most four words (CFJ 3586)."""
    assert forum_slip(text) == slip
