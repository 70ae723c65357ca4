"""Disclaimers, forum slips, and last words that are meant for everyone (D-M14)."""

from __future__ import annotations

import pytest

from nomicwolf.reading.set_phrases import _VOIDING, disclaimer, forum_slip, last_words


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


@pytest.mark.parametrize(("body", "subject", "words"), [
    ("Last words: I was the cop.", "", "I was the cop."),
    ("My last words:\n\nI was the cop.\nAsh did it.", "", "I was the cop.\nAsh did it."),
    ("*These are my final words.*\nI was the cop.", "", "I was the cop."),
    ("These are my final words.\nI was the cop.", "", "I was the cop."),
    ("Here is my last speech - I was the cop.", "", "I was the cop."),
    ("LAST WORDS\nİ was the cop.", "", "İ was the cop."),
    ("My last words are for Ash", "", "My last words are for Ash"),
    ("Last words", "", "Last words"),
    ("I was the cop.", "Last words", "I was the cop."),
    ("I was the cop.", "Re: my last words", "I was the cop."),
    ("I was the cop. Is that so?", "Final speech", "I was the cop. Is that so?"),
    ("I was framed, and you will miss me.", "", "I was framed, and you will miss me."),
    ("It was all a mistake.\nGood bye.", "", "It was all a mistake.\nGood bye."),
    ("Farewell, all. Look at Ash.", "", "Farewell, all. Look at Ash."),
    ("Avenge me!", "", "Avenge me!"),
    ("I was the cop. Ash is of the mafia.", "", "I was the cop. Ash is of the mafia."),
    ("Dear all,\nit was Ash.", "Re: [Werewolves] Day 1: Gus is found guilty", "Dear all,\nit was Ash."),
])
def test_words_for_everyone(body: str, subject: str, words: str) -> None:
    """Whoever says that they are eir last words means them so, and who speaks to the others, or out in sentences."""
    assert last_words(body.split("\n"), subject, "Murphy") == words


@pytest.mark.parametrize("body", [
    "oh no I was the cop", "Oh no. I was the cop.", "I was the cop", "so be it.",
    "I was the cop :(", "damn, and I had just found Ash", "well, well.",
    "Murphy, you know that I was the cop.", "Can you tell me whether Ash is of the mafia?",
    "Thank you for the game, I was the cop", "May I still speak to my fellow mafioso?",
    "Sorry, I forgot to tell everybody that I am the cop", "Between us: I would have told you all.",
    "Please don't publish this: you and I know who it was.", "GM: did everyone vote",
])
def test_what_is_in_doubt_is_not_published(body: str) -> None:
    """A slip, a question, or what is for the contestmaster alone."""
    assert last_words(body.split("\n"), "Re: [Werewolves] session 1: your private note", "Murphy") == ""
