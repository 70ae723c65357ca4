"""Whether the text and the HTML copy of a letter say the same."""

from __future__ import annotations

import pytest

from nomicwolf.language.deed_words import may_be_deed
from nomicwolf.language.lexicon import OwnFrame, lexicon
from nomicwolf.letters.parts import compare
from tests.tables import each

SAME = [
    ("I vote for Gus.", "I vote for Gus."),
    ("I vote for\nGus.", "I vote for Gus."),
    ("*I vote for Gus.*", "I vote for Gus."),
    ("   1. I vote for Gus.\n   2. I object.", "I vote for Gus.\nI object."),
    ("I vote for Gus <https://a.example/x>.", "I vote for Gus."),
    ("I vote for Gus<mailto:gus@b.example>.", "I vote for Gus."),
    ("[image: logo.png]\nI vote for Gus.", "I vote for Gus."),
    ("I don't vote -- \"Gus\"!", "I don’t vote – “Gus”!"),
    ("I vote for Gus.\n\nOn 1 Dec 2026 Bex wrote:\n> I vote for Hal.",
     "I vote for Gus.\n> On 1 Dec 2026 Bex wrote:\n>> I vote for Hal."),
    ("I vote for Gus.\n-- \nAsh", "I vote for Gus.\nAsh"),
    ("I vote for Gus.\n____________________\nagora mailing list\n", "I vote for Gus."),
    ("Ｉ vote for Gus.", "I vote for Gus."),
    ("Name  Vote\nHal   Gus", "Name Vote\nHal Gus"),
    ("I vote for Gus 🙂", "I vote for Gus"),
    ("On 1 Dec 2026 Bex wrote:\n\n    Hello.\n\nI vote for Gus.", "> Hello.\nI vote for Gus."),
]  # fmt: skip
OTHER = [
    ("I vote for Gus.", "I vote for Hal."),
    ("I vote for\nGus.", "I vote for\nHal."),
    ("Hello.", "Hello.\nI vote for Hal."),
    ("Hello.\nI vote for Hal.", "Hello."),
    ("I vote for Gus.", "> I vote for Gus.\nNo."),
    ("> I vote for Gus.\nNo.", "I vote for Gus.\nNo."),
    ("Gus", "Hal"),
    ("kill Fay", "kill Eli"),
    ("I do not vote for Gus.", "I do vote for Gus."),
    ("This letter needs an HTML reader.", "attack Fay"),
    ("I vote for Gus.", "On 1 Dec 2026 Bex wrote:\n\n    Hello.\n\nI vote for Gus."),
]


@each(("plain", "shown"), SAME)
def test_mailers_differences_are_none(plain: str, shown: str) -> None:
    """Breaks, bullets, emphasis, links, quotes, signatures and footers."""
    assert compare(plain, shown)[0] == ""


@each(("plain", "shown"), OTHER)
def test_copies_that_say_different_things_are_held(plain: str, shown: str) -> None:
    """One reader would see a deed that another one doesn't: held, with the line."""
    assert "HTML copy" in compare(plain, shown)[0]


@pytest.mark.parametrize("signed", ["Ash Lee", "Ash Lee\nClub of Nomics"])
def test_a_signature_is_in_both_copies(signed: str) -> None:
    """Many mailers set no dashes above a signature, and the HTML alone shows that it is one."""
    assert compare(f"I vote for Gus.\n\n{signed}", "I vote for Gus.", signed) == ("", ())


def test_a_deed_that_one_copy_has_in_its_signature_is_held() -> None:
    """A bare name may stand in it; what deeds are made with may not."""
    assert "HTML copy" in compare("Hello.\nI vote for Gus.", "Hello.", "I vote for Gus.")[0]
    assert "HTML copy" in compare("Hello.\nGus", "Hello.", "Hal")[0]


def test_talk_in_the_html_copy_alone_is_remembered() -> None:
    """It holds nothing up, and a near miss can be told from it."""
    assert compare("I vote for Gus.", "I vote for Gus.\nHave a very nice day.") == (
        "", (("html-only-copy", "Have a very nice day."),))


def test_what_the_html_copy_says_instead_is_remembered() -> None:
    """Whoever rules on the letter has to know what other readers saw; the reason names but a line."""
    trouble, asides = compare("I vote for Gus.", "I vote for Bex.\nI endorse Cam.")

    assert trouble == "its HTML copy does not have this line: I vote for Gus."
    assert asides == (("html-only-copy", "I vote for Bex."), ("html-only-copy", "I endorse Cam."))


SPELLED = {words: entry for words, entry in lexicon().entries.items() if any(s.frame for s in entry.senses)}


def test_each_word_of_a_deed_makes_a_line_worth_comparing() -> None:
    """Every form of every verb, noun and label of `grammar/frames.toml`: no list has to be kept beside it."""
    assert len(SPELLED) > 1500
    said = [words.replace(" '", "'") for words in SPELLED]
    assert [words for words in said if not may_be_deed(f"and now {words}, really")] == []


@each("verb", ["hang", "hammer", "yeet", "execute", "sheep", "ice", "knife", "frisk", "vtoe for", "detain"])
def test_a_deed_that_is_another_ones_in_the_html_is_held(verb: str) -> None:
    """Whatever word of the language, or of the session's own roles, it is done with, and with a slip of the hand."""
    own = (OwnFrame("frisk", (), True), OwnFrame("jail", ("detain",), True))
    assert "HTML copy" in compare(f"I {verb} Gus now, really.", f"I {verb} Hal now, really.", own=own)[0]


@each("shown", [
    "unless Bex votes for Hal too", "Gus it is for me today then", "guilty, as I see it", "holiday: 2026-12-24",
    "just kidding, all of it was in jest", "TTttPF", "statistics: off", "I intend to do it", "help me, please"])
def test_what_turns_a_deed_or_asks_is_held(shown: str) -> None:
    """A condition, a disclaimer, a question and what is written to the law stand in both copies or in none."""
    assert "HTML copy" in compare("I vote for Gus.", f"I vote for Gus.\n{shown}")[0]


def test_copies_without_end_are_held() -> None:
    """After two thousand lines that have to be searched for, the copies are no copies."""
    plain = "\n".join(f"vote {number}" for number in range(2500))

    assert compare(plain, f"{plain.replace(chr(10), ' ')} and so on")[0]
