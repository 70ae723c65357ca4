"""Letters that a list has wrapped whole, as Mailman 3.3.8 does against DMARC (`wrap_message`), and forwarded ones."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from nomicwolf.letters.identity import Trust, identify
from nomicwolf.letters.letter import ForumInfo, Letter, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.letters.origin import machine
from tests.tables import each

AGORA = ForumInfo("agora", ("agora@lists.agora.example",))
TRUST = Trust(("mx.wolf.example",), ("lists.agora.example",), (AGORA,))
DATE = "Tue, 01 Dec 2026 09:00:00 +0000"
INNER = f"""\
From: Ash <ash@example.org>
To: agora@lists.agora.example
Date: {DATE}
Message-ID: <own@example.org>
Subject: my vote

I vote for Gus.
"""
OUTER = f"""\
Received: from lists.agora.example (lists.agora.example [192.0.2.7]) by mx.wolf.example; 1 Dec 2026 09:00 +0000
Received: from localhost by lists.agora.example; 1 Dec 2026 09:00:05 +0000
List-Id: <agora.lists.agora.example>
Date: {DATE}
To: agora@lists.agora.example
Subject: [agora] my vote
MIME-Version: 1.0
Message-ID: <the-lists@lists.agora.example>
From: Ash via agora <agora@lists.agora.example>
Reply-To: Ash <ash@example.org>
"""
WHOLE = "Content-Type: message/rfc822\nContent-Disposition: inline\n\n"
MIXED = "Content-Type: multipart/mixed; boundary=xx\n\n"
FOOTER = "--xx\nContent-Type: text/plain; charset=utf-8\n\nI vote for Hal.\nagora mailing list\n--xx--\n"


@dataclass(frozen=True)
class Player:
    """A person with a name and registered addresses."""

    name: str
    addresses: tuple[str, ...]


PEOPLE = (Player("Ash", ("ash@example.org",)), Player("Bex", ("bex@example.org",)))


def letter_of(text: str) -> Letter:
    """Return the letter that *text* makes."""
    data = text.encode()
    return make_letter(Raw("here", 1, 0, data, len(data)), (AGORA,), ("wolf@wolf.example",))


@each(
    "text",
    [
        OUTER + WHOLE + INNER,
        OUTER + MIXED + "--xx\n" + WHOLE + INNER + FOOTER,
        OUTER + MIXED + "--xx\n\nThis list wraps letters.\n--xx\n" + WHOLE + INNER + "--xx--\n",
        OUTER.replace("Reply-To: Ash", "X-Mailman-Version: 3.3.8\nReply-To: agora@lists.agora.example\nCc: Ash")
        + WHOLE + INNER,
        OUTER + WHOLE + INNER.replace("Subject: my vote", "Content-Type: multipart/mixed; boundary=yy").replace(
            "\nI vote", "\n--yy\n\nI vote") + "--yy--\n",
    ],
)
def test_a_letter_that_a_list_wraps_is_read_as_its_authors(text: str) -> None:
    """Its words, its Message-ID and so the same act as the copy that came directly; the list's own words are aside."""
    letter, directly = letter_of(text), letter_of(INNER)
    found = identify(letter, PEOPLE, TRUST)

    assert (letter.body.strip(), letter.message_id) == ("I vote for Gus.", "<own@example.org>")
    assert letter.digest == directly.digest
    assert found.person == PEOPLE[0]
    assert (found.assurance, letter.stamps) == ("forum", (("agora", 1796115605),))
    assert {why for why, _ in letter.asides} <= {"footer"}


@each(
    ("text", "outer", "inner"),
    [
        ("someone's forwarded letter, on a list that rewrites From", OUTER, INNER.replace("ash@", "bex@")),
        ("eir own older letter, forwarded", OUTER, INNER.replace("01 Dec", "30 Nov")),
        ("no Date", OUTER.replace(f"Date: {DATE}\n", ""), INNER.replace(f"Date: {DATE}\n", "")),
        ("no list's From", OUTER.replace("Ash via agora <agora@lists.agora.example>", "ash@example.org"), INNER),
        ("two authors beside it", OUTER.replace("Ash <ash@example.org>", "ash@example.org, bex@example.org"), INNER),
        ("two From within", OUTER, "From: bex@example.org\n" + INNER),
    ],
)
def test_a_letter_that_is_forwarded_is_not_read(text: str, outer: str, inner: str) -> None:
    """Whatever isn't for certain the author's own letter, wrapped by the list, stays a forwarded one."""
    letter = letter_of(outer + WHOLE + inner)

    assert letter.body == "", text
    assert ("forwarded", "I vote for Gus.") in letter.asides


@pytest.mark.parametrize(
    "parts",
    [
        "--xx\n" + WHOLE + INNER + "--xx\n" + WHOLE + INNER + "--xx--\n",
        "--xx\n" + WHOLE + INNER + "--xx\nContent-Type: image/png\n\nx\n--xx--\n",
    ],
)
def test_what_no_list_wraps_so_is_not_read(parts: str) -> None:
    """Two letters, as in a digest, or other parts than a list's text."""
    letter = letter_of(OUTER + MIXED + parts)

    assert letter.body == ""


def test_an_absence_note_that_a_list_wraps_is_a_machines() -> None:
    """The list leaves Auto-Submitted inside."""
    letter = letter_of(OUTER + WHOLE + "Auto-Submitted: auto-replied\n" + INNER)

    assert machine(letter) == "Auto-Submitted: auto-replied"
