"""Whether the text and the HTML copy of a letter say the same."""

from __future__ import annotations

import pytest

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


def test_copies_without_end_are_held() -> None:
    """After two thousand lines that have to be searched for, the copies are no copies."""
    plain = "\n".join(f"vote {number}" for number in range(2500))

    assert compare(plain, f"{plain.replace(chr(10), ' ')} and so on")[0]
