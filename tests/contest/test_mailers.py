"""Letters of many mail programs, their author's vote above, below or amid what they quote: another vote.

What is quoted is never a deed, and one's own vote is done or asked about (D-N52).
"""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.contest.mail.intake import read_letter
from nomicwolf.letters.attribution import authored
from nomicwolf.reading.deeds import People
from nomicwolf.readout import Terms, from_bytes
from tests.contest.mailers import ANNOUNCED, IN_HTML, in_html, quoting
from tests.contest.world import SEVEN, World
from tests.tables import each

pytestmark = pytest.mark.slow

OWN, THEIRS = "I vote for Gus.", "I vote for Hal."
PEOPLE = People(("Ash", "Bex", "Cam", "Dov", "Eli", "Gus", "Hal"))
TEXTS = {
    "alone": THEIRS, "after a greeting": f"Hi all,\n\n{THEIRS}\n\nBex", "set in": f"    Hi all.\n\n{THEIRS}",
    "by a tab": f"\tHi all.\n\n{THEIRS}", "by no-break spaces": f"\u00a0\u00a0Hi all.\n\n{THEIRS}",
    "after a list": f"  1. Cam lies.\n  2. So does Dov.\n\n{THEIRS}", "with a signature": f"{THEIRS}\n-- \nBex\nAgora",
    "above its reasons": f"{THEIRS}\n\nE lies.\n\nDov does, too.", "with an older one": f"So.\n\n> No.\n\n{THEIRS}",
    "twice": f"{THEIRS}\n\nYes,\n{THEIRS}",
}

PIECES = st.lists(st.sampled_from([
    "Hi all,", "", "    code", "\ttab", "> older", "> > oldest", "  1. one", "* item", "-- ", "Bex", "Best,",
    "Bex said:", "Cam wrote:", "On Mon, 30 Nov 2026, Cam <cam@x.example> wrote:", "Dov — Today at 9:44 AM", "From: Dov",
    "________________", "---", "I think so.", "\u00a0\u00a0x", "On Monday I will vote.", "Yes, I wrote it on 1.",
    "See you at 12.", "Sent from my iPhone",
]), max_size=5)
EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "60"))


def letter(body: str, kind: str = "plain") -> bytes:
    """Return a letter of Ash's in answer to another, of text of some *kind*."""
    return ("From: Ash <ash@players.example>\nTo: agora-business@agora.example\nSubject: Re: Werewolves\n"
            "In-Reply-To: <o@x.example>\nMessage-ID: <a@players.example>\nMIME-Version: 1.0\n"
            f"Content-Type: text/{kind}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{body}\n").encode()


def judged(body: str, kind: str = "plain") -> tuple[list[str], list[str]]:
    """Return what a letter does, and about what its author is asked."""
    found = from_bytes(letter(body, kind), Terms(people=PEOPLE, author="Ash"))
    return [deed["says"] for deed in found["deeds"]], [each["text"] for each in found["problems"]]


def safe(body: str, kind: str = "plain") -> bool:
    """Return whether nothing quoted is done by a letter, and its author's vote is not passed over."""
    does, asked = judged(body, kind)
    return "vote Hal" not in does and ("vote Gus" in does or any("Gus" in text for text in asked))


@pytest.mark.parametrize("text", TEXTS)
@each("mailer", ANNOUNCED)
def test_a_vote_above_what_is_quoted_is_done(mailer: str, text: str) -> None:
    """As most write: it is done, whatever is asked about besides."""
    does, _ = judged(f"{OWN}\n\n{quoting(mailer, TEXTS[text])}")

    assert does == ["vote Gus"]


@pytest.mark.parametrize("text", TEXTS)
@each("mailer", ANNOUNCED)
def test_a_vote_below_what_is_quoted_is_done_or_asked_about(mailer: str, text: str) -> None:
    """It is done where quote marks show what is quoted.

    Below a signature that no quote mark shows to be another's, a near miss is told of by the contest alone.
    """
    if (mailer, text) == ("Discourse, by its marks", "with a signature"):
        assert judged(f"{quoting(mailer, TEXTS[text])}\n\n{OWN}") == ([], [])
        return
    assert safe(f"{quoting(mailer, TEXTS[text])}\n\n{OWN}")


@pytest.mark.parametrize("text", TEXTS)
@each("mailer", [name for name in ANNOUNCED if ANNOUNCED[name].endswith("{text}")])
def test_a_vote_amid_what_is_quoted_is_done_or_asked_about(mailer: str, text: str) -> None:
    """Between two parts of one quotation, where no closing line shows that all above it is quoted."""
    assert safe(quoting(mailer, "Hello.", TEXTS[text], own=OWN))
    assert safe(quoting(mailer, TEXTS[text], "Bye.", own=OWN))


MARKING = [name for name in ANNOUNCED if ANNOUNCED[name].rpartition("\n")[2].startswith(">")]
HEADED = ("Zoho, newer", "eM Client")
"""Those that set marks below what most set none below."""


@each("mailer", MARKING)
def test_a_vote_below_marks_is_done(mailer: str) -> None:
    """Marks leave no doubt, and nobody is asked, unless they could be the quoted letter's own."""
    does, asked = judged(f"{quoting(mailer, TEXTS['alone'])}\n\n{OWN}")

    assert (does, asked) == (([], [OWN]) if mailer in HEADED else (["vote Gus"], []))


@each("mailer", [name for name in ANNOUNCED if ": {who}" not in ANNOUNCED[name]])
def test_marks_of_the_quoted_letter_end_nothing(mailer: str) -> None:
    """Where the answered letter is known, its vote is nobody else's, though marks stand above it there."""
    text = f"> older\n{THEIRS}"
    world = World().start((*SEVEN, "Hal"))
    world.write("Bex", text, at=1, message_id="<o@x.example>")
    for body in (f"Hi.\n\n{quoting(mailer, text)}", f"{OWN}\n\n{quoting(mailer, text)}"):
        letter = world.letter("Cam", body, at=2,
                              headers="In-Reply-To: <o@x.example>\r\nContent-Type: text/plain; charset=utf-8\r\n")
        reading = read_letter(world.contest, letter, "Cam", authored(letter))
        assert "vote Hal" not in [deed.says for deed in reading.deeds]


@pytest.mark.parametrize("text", TEXTS)
@each("mailer", IN_HTML)
def test_html_is_read_alike(mailer: str, text: str) -> None:
    """Above it is done, below it is done or asked about; so with words of one's own on both sides."""
    does, _ = judged(in_html(mailer, TEXTS[text], above=OWN), "html")

    assert does == ["vote Gus"]
    assert safe(in_html(mailer, TEXTS[text], below=OWN), "html")
    assert safe(in_html(mailer, TEXTS[text], above="Hi all.", below=OWN), "html")
    assert safe(in_html(mailer, TEXTS[text], above=OWN, below="Bye."), "html")


@each("text", TEXTS)
def test_who_answers_a_known_letter_is_asked_nothing(text: str) -> None:
    """What the answered letter has word for word is known as that letter's, by whatever mailer it is quoted."""
    world = World().start((*SEVEN, "Hal"))
    world.write("Bex", TEXTS[text], at=1, message_id="<o@x.example>")
    assert world.contest.by_message["<o@x.example>"]
    for mailer in ANNOUNCED:
        letter = world.letter("Cam", f"{OWN}\n\n{quoting(mailer, TEXTS[text])}", at=2,
                              headers="In-Reply-To: <o@x.example>\r\nContent-Type: text/plain; charset=utf-8\r\n")
        reading = read_letter(world.contest, letter, "Cam", authored(letter))

        assert ([deed.says for deed in reading.deeds], reading.problems) == (["vote Gus"], ()), mailer


@settings(max_examples=EXAMPLES, deadline=None)
@given(PIECES, PIECES, st.lists(st.sampled_from([*ANNOUNCED]), min_size=1, max_size=6))
def test_no_quoted_vote_of_a_known_letter_is_ever_done(above: list[str], below: list[str], mailers: list[str]) -> None:
    """Whatever stands in it: quotations of its own, a signature, a code block, another's name."""
    text = "\n".join(("So.", *above, "", THEIRS, "", *below))
    world = World().start((*SEVEN, "Hal"))
    world.write("Bex", text, at=1, message_id="<o@x.example>")
    for mailer in mailers:
        for body in (f"{OWN}\n\n{quoting(mailer, text)}", f"{quoting(mailer, text)}\n\n{OWN}",
                     f"Hi.\n\n{quoting(mailer, text)}"):
            written = world.letter("Cam", body, at=2,
                                   headers="In-Reply-To: <o@x.example>\r\nContent-Type: text/plain; charset=utf-8\r\n")
            reading = read_letter(world.contest, written, "Cam", authored(written))
            does = [deed.says for deed in reading.deeds]

            assert "vote Hal" not in does, body
            assert not body.startswith(OWN) or does == ["vote Gus"], body
