"""Letters to be sent: their fields, their parts, the HTML of private ones, and lines of at most 72 columns."""

from __future__ import annotations

import email
import email.policy
import re
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from nomicwolf.letters.compose import (
    Envelope,
    _words,
    columns,
    compose,
    html_of,
    is_ours,
    letter_id,
    message_id,
    wrap72,
)
from nomicwolf.letters.identity import tag_in, with_tag
from nomicwolf.letters.letter import Outgoing, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.letters.origin import return_path
from tests.reports.gallery import chapters
from tests.tables import each


@each(
    ("text", "width"), [("abc", 3), ("天火狐", 6), ("e\u0301", 1), ("\u200b", 0), ("Ａ", 2), ("", 0)]
)
def test_columns(text: str, width: int) -> None:
    """East Asian wide and full-width characters take two, combining ones none (UAX 11)."""
    assert columns(text) == width


@each(
    ("text", "wrapped"),
    [
        ("aaa bbb ccc", "aaa bbb\nccc"),
        ("> aaa bbb ccc", "> aaa\n> bbb\n> ccc"),
        ("* aaa bbb ccc", "* aaa\n  bbb\n  ccc"),
        ("  aaa bbb ccc", "  aaa\n  bbb\n  ccc"),
        ("aaaaaaaaaaaa b", "aaaaaaaaaaaa\nb"),
        ("天火狐天火狐", "天火狐\n天火狐"),
        ("short\n\nalso", "short\n\nalso"),
        ("a  b", "a  b"),
    ],
)
def test_wrapping_at_seven(text: str, wrapped: str) -> None:
    """Indents, quote marks and list items are kept; lines that fit are left as they are."""
    assert wrap72(text, 7) == wrapped


@given(st.text(alphabet="ab \t-", max_size=40))
def test_ascii_is_cut_as_any_other_text(text: str) -> None:
    """A wide character behind it cuts nothing else in another way."""
    assert _words(text + "天") == [*_words(text), "天"]


@given(st.text(alphabet="ab 天\n>*.", max_size=300))
def test_nothing_is_lost_and_nothing_is_too_wide(text: str) -> None:
    """The same characters in the same order but for spaces, and no line above the width that could be broken."""
    wrapped = wrap72(text, 20)

    assert "".join(wrapped.split()).replace(">", "") == "".join(text.split()).replace(">", "")
    for line in wrapped.split("\n"):
        assert columns(line) <= 20 or " " not in line.strip(" >*") or line in text.split("\n")


Kind = Literal["public", "private"]
KEY = b"0123456789abcdef0123456789abcdef"
ENVELOPE = Envelope("Wolf", "wolf@wolf.example", "c1", KEY, {"agora": "agora@lists.agora.example"})
AT = 1_796_115_605
PRIVATE = Outgoing("s3/e41/private/Bex", "private", "[wolf] your private note", "Hello.", AT, to="bex@example.org")
PUBLIC = Outgoing("s3/e41/agora", "public", "[wolf] day 3", "Hello.", AT, forum="agora")
HOSTILE = st.text(alphabet="\r\n :.FromBc天é\x00 \u2028", max_size=300)
ANY = st.text(alphabet=st.characters(codec="utf-8"), max_size=300) | HOSTILE


def parsed(data: bytes) -> EmailMessage:
    """Return *data* as the standard library reads it."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


@given(ANY, ANY)
def test_no_text_breaks_out_of_its_place(subject: str, body: str) -> None:
    """Header names and their order are always the same, lines end in CRLF and stay below 998 octets, all is ASCII."""
    data = compose(replace(PRIVATE, subject=subject, body=body), ENVELOPE)
    head, _, rest = data.partition(b"\r\n\r\n")

    assert parsed(data).keys() == parsed(compose(PRIVATE, ENVELOPE)).keys()
    assert data.count(b"\n") == data.count(b"\r\n") == data.count(b"\r")
    assert max(len(line) for line in data.split(b"\r\n")) <= 998
    assert all(len(line) <= 78 or b" " not in line.strip() for line in head.split(b"\r\n"))
    assert data.isascii()
    assert not any(line.startswith(b"From ") or line == b"." for line in rest.split(b"\r\n"))


@given(st.lists(st.text(alphabet="Fromab .天é=\t", max_size=120), max_size=12))
def test_what_is_written_is_what_is_read(lines: list[str]) -> None:
    """Our own reader and the standard library get the text back, spaces at line ends included."""
    body = "\n".join(lines)
    data = compose(replace(PRIVATE, body=body), ENVELOPE)
    letter = make_letter(Raw("here", 1, 0, data, len(data)))

    assert letter.body.rstrip("\n") == body.rstrip("\n")
    assert parsed(data).get_content().replace("\r\n", "\n").rstrip("\n") == body.rstrip("\n")
    assert letter.trouble == ""


@each(
    "subject", ["plain", "Å: 天火狐 " * 8, "word " * 40, "x" * 200, "=?utf-8?q?x?=", "a\r\nBcc: b@c.d"]
)
def test_subjects_come_back(subject: str) -> None:
    """Folded or encoded, a subject reads as it was written, with white space made one space."""
    data = compose(replace(PUBLIC, subject=subject), ENVELOPE)
    letter = make_letter(Raw("here", 1, 0, data, len(data)))

    assert letter.subject == " ".join(subject.split())


def test_a_private_letter() -> None:
    """One recipient, answers to the contest with the tag, marked as automatic, nothing of lists or copies."""
    message = parsed(compose(replace(PRIVATE, reply_tag="t0k3n"), ENVELOPE))

    assert message["To"] == "bex@example.org"
    assert message["Reply-To"] == "wolf+t0k3n@wolf.example"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["Date"] == "Tue, 01 Dec 2026 09:00:05 +0000"
    assert not {"Cc", "Bcc", "List-Post", "List-Unsubscribe", "In-Reply-To", "References"} & set(message.keys())


def test_a_letter_that_can_be_ended_has_a_button_for_it() -> None:
    """By mail alone (RFC 2369): there is no address that a single click could be sent to (RFC 8058)."""
    message = parsed(compose(replace(PRIVATE, ends="observe: over"), replace(ENVELOPE, address="wolf+a%@wolf.example")))

    assert message["List-Unsubscribe"] == (
        "<mailto:wolf+a%25@wolf.example?subject=observe%3A%20over&body=observe%3A%20over>")
    assert "List-Unsubscribe-Post" not in message


def test_a_public_letter() -> None:
    """To its forum alone; no Reply-To, so that the list's own stays."""
    message = parsed(compose(PUBLIC, ENVELOPE))

    assert message["To"] == "agora@lists.agora.example"
    assert "Reply-To" not in message


@each(
    "outgoing",
    [
        replace(PRIVATE, to="agora@lists.agora.example"),
        replace(PRIVATE, to="AGORA@Lists.Agora.Example"),
        replace(PRIVATE, to="talk@lists.agora.example"),
        replace(PRIVATE, forum="agora"),
        replace(PRIVATE, to=""),
        replace(PRIVATE, to="bex@example.org, cam@example.org"),
        replace(PRIVATE, to="bex@example.org\r\nBcc: cam@example.org"),
        replace(PRIVATE, reply_tag="x\r\nBcc: y"),
        replace(PUBLIC, forum="b"),
        replace(PUBLIC, to="bex@example.org"),
        replace(PUBLIC, person="Bex"),
    ],
)
def test_private_and_public_never_mix(outgoing: Outgoing) -> None:
    """Refused at the last line before the post, with what is wrong (NC 1h; a private mail takes one address)."""
    with pytest.raises(ValueError, match=r"forum|address"):
        compose(outgoing, replace(ENVELOPE, never_private=("talk@lists.agora.example",)))


def test_a_contests_own_tag_stays_in_the_address_that_is_answered() -> None:
    """Two contests of one mailbox (``wolf+town``, ``wolf+fair``) are told apart, and reply tags and bounces, too."""
    address = "wolf+town@contest.example"
    message = parsed(compose(replace(PRIVATE, reply_tag="t0k3n"), replace(ENVELOPE, address=address)))
    assert message["Reply-To"] == "wolf+town-t0k3n@contest.example"
    assert tag_in("wolf+town-t0k3n@contest.example", address) == "t0k3n"
    assert tag_in("wolf+fair-t0k3n@contest.example", address) == tag_in("wolf+town@contest.example", address) == ""
    assert return_path(address, "<abc.def@contest.example>") == "wolf+town-b-abc.def@contest.example"
    assert with_tag("x" * 40 + "@contest.example", "y" * 26) == "x" * 40 + "@contest.example"


@pytest.mark.parametrize("envelope", [replace(ENVELOPE, secret=b"short"), replace(ENVELOPE, domain="a b"),
                                      replace(ENVELOPE, address="nobody")])  # fmt: skip
def test_an_unusable_envelope_is_refused(envelope: Envelope) -> None:
    """A short key, a domain or an address that can't stand in a header."""
    with pytest.raises(ValueError, match=r"key|Message-ID|address"):
        compose(PRIVATE, envelope)


@each(
    ("outgoing", "known", "referred"),
    [
        (replace(PRIVATE, in_reply_to="<q@b>"), {"<q@b>": "private"}, True),
        (replace(PRIVATE, in_reply_to="<q@b>"), {"<q@b>": "public"}, False),
        (replace(PRIVATE, in_reply_to="<q@b>"), {}, False),
        (replace(PUBLIC, in_reply_to="<q@b>"), {"<q@b>": "public"}, True),
        (replace(PUBLIC, in_reply_to="<q@b>"), {"<q@b>": "private"}, False),
        (replace(PUBLIC, in_reply_to="<q@b>\r\nBcc: x@y"), {"<q@b>\r\nBcc: x@y": "public"}, False),
    ],
)
def test_references_stay_within_a_kind(outgoing: Outgoing, known: dict[str, Kind], referred: bool) -> None:
    """A private letter in a public thread would tell whom it concerns."""
    message = parsed(compose(outgoing, replace(ENVELOPE, known=known)))

    assert ("In-Reply-To" in message) == ("References" in message) == referred


def test_threads_are_of_one_kind() -> None:
    """The same key as a public and a private letter's thread gives two ids: no reference can cross."""
    public = parsed(compose(replace(PUBLIC, thread="s3"), ENVELOPE))["References"]
    private = parsed(compose(replace(PRIVATE, thread="s3"), ENVELOPE))["References"]

    assert public == letter_id(replace(PUBLIC, key="s3"), ENVELOPE)
    assert private != public


def test_sending_twice_is_the_same_letter() -> None:
    """Equal bytes for equal arguments; another key is another Message-ID of the same shape."""
    other = letter_id(replace(PRIVATE, key="s3/e41/private/Cam"), ENVELOPE)

    assert compose(PRIVATE, ENVELOPE) == compose(PRIVATE, ENVELOPE)
    assert other != letter_id(PRIVATE, ENVELOPE)
    assert len(other) == len(letter_id(PRIVATE, ENVELOPE))


@given(st.text(max_size=50), st.binary(min_size=16, max_size=40))
def test_message_ids_are_sealed(key: str, secret: bytes) -> None:
    """Only the key that made an id knows it again, whatever a relay does to its case or domain."""
    made = message_id(key, secret, "wolf.example")

    assert is_ours(made, secret)
    assert is_ours(made.upper().replace("@WOLF", "@other"), secret)
    assert not is_ours(made, secret + b"x")
    assert not is_ours(made[:3] + ("a" if made[3] != "a" else "b") + made[4:], secret)


@each(
    "found", ["", "<>", "<.@x>", "<a.b@c>", "<é.b@c>", "<a@b>", "<====.====@x>", "<" + "a" * 24 + ".b@c>"]
)
def test_foreign_ids_are_not_ours(found: str) -> None:
    """Anything else, broken or not, is someone else's."""
    assert not is_ours(found, KEY)


COUNT = """\
Due by Tue 8 Dec 2026 04:00 UTC, in 6 days: see.

The votes as they are, of which a majority lynches at once whoever has
got it:
  Ash  Bex [1]
  Cam  nobody

Open to you in a forum:
- vote NAME, endorse NAME, or a conditional vote that is so long that it
  takes two lines
- unvote

> I vote for <b>Gus</b> & Hal.

--
This letter is for Cam alone.
"""


def words(text: str) -> list[str]:
    """Return the words of a letter without the marks of its form."""
    return re.sub(r"(?m)^(> ?|- |--$)", "", text).split()


def shown(page: str) -> list[str]:
    """Return the words that a browser shows."""
    body = LexborHTMLParser(page.replace("<br>", "\n")).body
    return body.text(separator="").split() if body is not None else []


def test_a_letter_has_its_forms() -> None:
    """The count is a table, what is open a list, a quotation is marked, and a wrapped line is one again."""
    page = LexborHTMLParser(html_of(COUNT))

    assert [[cell.text().strip() for cell in row.css("td")] for row in page.css("tr")] == [
        ["Ash", "Bex [1]"], ["Cam", "nobody"]]
    assert [item.text() for item in page.css("li")] == [
        "vote NAME, endorse NAME, or a conditional vote that is so long that it takes two lines", "unvote"]
    assert [quote.text() for quote in page.css("blockquote")] == ["I vote for <b>Gus</b> & Hal."]
    assert page.css("b") == []
    assert "whoever has got it:" in page.css("p")[1].text()
    assert [foot.text().strip() for foot in page.css("footer")] == ["This letter is for Cam alone."]


def test_all_letters_say_in_it_what_they_say_in_text() -> None:
    """Of every kind of letter: the same words, no address that a program would fetch, nothing that runs."""
    for _, letters in chapters():
        for letter in letters:
            page = html_of(letter.body)
            assert shown(page) == words(letter.body)
            assert not re.search(r"<(?:img|link|script|iframe|a)\b|url\(|@import|\bon\w+=", page)


@given(st.text("ab <>&\"'\n->", max_size=200))
def test_no_text_becomes_markup(text: str) -> None:
    """What a player wrote is shown as written."""
    page = LexborHTMLParser(html_of(text))
    known = {"html", "head", "meta", "style", "body", "p", "blockquote", "ul", "li", "br", "table", "tbody", "tr", "td",
             "pre", "footer"}
    assert {node.tag for node in page.css("*")} <= known


def test_it_stands_beside_the_text() -> None:
    """A reader of plain text has the letter as it was."""
    envelope = Envelope("Wolf", "wolf@w.example", "two", b"k" * 32, {"agora": "list@agora.example"})
    letter = Outgoing("e1", "private", "Wolf", COUNT, 0, to="ash@p.example", html=True)
    message = message_from_bytes(compose(letter, envelope), policy=default)
    plain, page = message.iter_parts()

    assert message.get_content_type() == "multipart/alternative"
    assert plain.get_content().splitlines() == COUNT.splitlines()
    assert page.get_content().splitlines() == html_of(COUNT).splitlines()
