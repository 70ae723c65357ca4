"""No bytes make `make_letter` raise, and what passes a limit is held, not read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.letters.attribution import authored
from nomicwolf.letters.identity import Trust, identify
from nomicwolf.letters.letter import ForumInfo, Letter, Limits, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.letters.origin import OwnMarks, is_own, machine
from tests.tables import each

FORUMS = (ForumInfo("agora", ("agora@lists.agora.example",)),)
HEAD = b"From: Ash <ash@example.org>\nMessage-ID: <a@b>\n"
PIECES = [
    b"From: ", b"To: ", b"Subject: ", b"ash@example.org", b"\n", b"\n\n", b"\r\n", b"\r", b"\x00", b"\xff", b" ",
    b"\t", b"Content-Type: multipart/alternative; boundary=x", b"Content-Type: multipart/mixed; boundary=", b"--x",
    b"--x--", b"Content-Type: text/html; charset=", b"Content-Type: text/plain; format=flowed; charset=", b"utf-7",
    b"iso-2022-jp", b"=?utf-8?q?", b"=?", b"?=", b"Message-ID: ", b"<", b">", b"<a@[", b"(", b")", b'"', b";",
    b":", b"=", b"=3D", b"%ZZ", b"name*0*=", b"Content-Transfer-Encoding: base64",
    b"Content-Transfer-Encoding: quoted-printable", b"message/rfc822", b"On 1 Dec 2026 Bex wrote:", b"> ", b"-- ",
    b"<div>", b"</div>", b"<blockquote>", b"<style>p{display:none}</style>", b"<p style='font-size:0'>",
    b"Received: from a (b [1]) by lists.agora.example; ", b"1 Dec 2026 00:00:00 +0000", b"Date: ",
    b"-----BEGIN PGP SIGNED MESSAGE-----", b"-----BEGIN PGP SIGNATURE-----", b"I vote for Gus.", b"\x1b$B",
    b"Authentication-Results: mx; dkim=pass header.d=", b"________________\nmailing list\n",
    b"From: x\nTo: y\nSent: z\n",
]  # fmt: skip


def letter_of(data: bytes, limits: Limits | None = None) -> Letter:
    """Return the letter that *data* makes."""
    return make_letter(Raw("here", 1, 0, data, len(data)), FORUMS, ("wolf@wolf.example",), limits or Limits())


def run_all(data: bytes) -> Letter:
    """Return the letter after everything that reads letters has read it."""
    letter = letter_of(data)
    found = authored(letter, lambda line: len(line) % 2 == 0)
    machine(letter)
    is_own(letter, OwnMarks(b"k" * 32, ("wolf@wolf.example",), "c"))
    identify(letter, (), Trust(("mx",), ("mx",), FORUMS))
    assert len(found.lines) <= letter.body.count("\n") + 1
    return letter


@given(st.binary(max_size=400))
def test_any_bytes_make_a_letter(data: bytes) -> None:
    """Random octets: a letter that keeps its place and says what is wrong with it."""
    letter = run_all(data)

    assert letter.place == "here"
    assert letter.senders or letter.trouble


@given(st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join))
def test_any_pieces_of_mail_make_a_letter(data: bytes) -> None:
    """The same with pieces of real mail in any order, which get further into the parsers."""
    letter = run_all(data)

    assert "\r" not in letter.body
    assert "\x00" not in letter.body


@given(st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join), st.integers(0, 600))
def test_a_cut_letter_is_a_letter(data: bytes, length: int) -> None:
    """Wherever the bytes end."""
    cut = (HEAD + data)[:length]

    assert run_all(cut).size == len(cut)


@each(
    ("data", "trouble"),
    [
        (b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(300)), "nest"),
        (b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(1000)), "nest"),
        (b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 50_000, "parts"),
        (b"X: y\n" * 1000 + b"\nx", "header fields"),
        (b"X: " + b"y" * 70_000 + b"\n\nx", "bytes of headers"),
        (b"\n" + b"x" * 300_000, "characters"),
        (b"\n" + b"x\n" * 600_000, "bytes"),
        (b"Content-Type: text/html\n\n" + b"<div>" * 1000, "nests"),
        (b"Content-Type: text/html\n\n" + b"<b>x</b>" * 15_000, "tags"),
        (b"Content-Type: text/html\n\n" + b"x" * 300_000, "HTML is longer"),
        (b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + b"X: y\n" * 300 + b"\nx\n--b--", "header fields"),
    ],
)
def test_bombs_are_held(data: bytes, trouble: str) -> None:
    """What passes a limit is held with the limit named; the sender is known all the same."""
    letter = letter_of(HEAD + data)

    assert trouble in letter.trouble
    assert letter.senders == (("Ash", "ash@example.org"),)


def test_five_thousand_parameters_do_no_harm() -> None:
    """Only the first hundred parameters of a Content-Type are read; the text counts."""
    data = HEAD + b"Content-Type: text/plain" + b";\n a=b" * 5000 + b"\n\nI vote for Gus.\n"

    assert letter_of(data).body == "I vote for Gus.\n"


def test_limits_are_values() -> None:
    """Each limit can be set, and the letter says which one was passed."""
    data = HEAD + b"\nI vote for Gus.\n"

    assert letter_of(data, Limits(raw=10)).trouble == f"it has {len(data)} bytes, more than 10"
    assert "more than 1 header fields" in letter_of(data, Limits(headers=1)).trouble
    assert letter_of(data, Limits(text=5)).body == "I vot"


def test_a_truncated_letter_is_held() -> None:
    """Only its headers were fetched: who and when are known, its text isn't."""
    raw = Raw("here", 1, 0, HEAD + b"\n", 50_000_000, truncated=True)
    letter = make_letter(raw)

    assert "50000000 bytes" in letter.trouble
    assert letter.message_id == "<a@b>"


def test_what_is_kept_of_the_raw() -> None:
    """Place, order, time, size and the hash of the bytes are the mailbox's."""
    raw = Raw("maildir:x", 7, 99, HEAD + b"\nx", 52)
    letter = make_letter(raw)

    assert (letter.place, letter.order, letter.arrived, letter.size) == ("maildir:x", 7, 99, 52)
    assert len(letter.content) == len(letter.digest) == 64


@pytest.mark.parametrize("second", [b"I vote for Hal.", b"i vote for gus"])
def test_two_plain_alternatives_must_agree(second: bytes) -> None:
    """A letter that says two things in two plain parts is held; the reader can't know which one others saw."""
    start = HEAD + b"Content-Type: multipart/alternative; boundary=b\n\n--b\n\nI vote for Gus.\n--b\n\n"
    data = start + second + b"\n--b--\n"

    assert letter_of(data).trouble == "its alternative texts differ"


@pytest.mark.parametrize("disposition", [b"form-data; name=x", b"recipient-list-history", b"AtTachMent"])
def test_what_is_not_inline_is_attached(disposition: bytes) -> None:
    """A part of a disposition that nobody knows is no part of what is read (RFC 2183 2.8)."""
    start = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nNo.\n--b\nContent-Disposition: "
    letter = letter_of(start + disposition + b"\n\nI vote for Gus.\n--b--\n")

    assert letter.body.strip() == "No."
    assert ("attachment", "I vote for Gus.") in letter.asides


@pytest.mark.parametrize("shown", [
    b"<div>" * 500 + b"I vote for Gus.", b"<br>" * 21_000, b"x" * 270_000,
    b"<!--[if mso]><xml>" + b"<w:x/>" * 500 + b"</xml><![endif]--><p>I vote for Gus.",
])
def test_trouble_in_an_html_copy_holds_no_letter_whose_text_is_good(shown: bytes) -> None:
    """The text says all; what was wrong with the copy is noted. Alone, such HTML holds its letter."""
    kind = b"Content-Type: multipart/alternative; boundary=x\n\n--x\n\nI vote for Gus.\n"
    letter = letter_of(HEAD + kind + b"--x\nContent-Type: text/html; charset=utf-8\n\n" + shown + b"\n--x--\n")

    assert (letter.trouble, letter.body.strip()) == ("", "I vote for Gus.")


def test_html_alone_that_nests_too_deep_is_held() -> None:
    """There is no other text to read."""
    assert "deep" in letter_of(HEAD + b"Content-Type: text/html\n\n" + b"<div>" * 500 + b"I vote for Gus.").trouble


def test_an_html_copy_that_could_not_be_read_is_noted() -> None:
    """Who looks for what is odd about a letter finds it."""
    kind = b"Content-Type: multipart/alternative; boundary=x\n\n--x\n\nHi.\n--x\nContent-Type: text/html\n\n"

    assert any("HTML copy" in defect for defect in letter_of(HEAD + kind + b"<div>" * 500 + b"\n--x--\n").defects)


def test_carriage_returns_alone_end_lines() -> None:
    """So old Macs end lines, where no other line end stands in the letter."""
    letter = letter_of(b"From: Ash <ash@example.org>\rSubject: lynch\r\rI vote for Gus.\r> I vote for Hal.\r")

    assert (letter.senders, letter.subject) == ((("Ash", "ash@example.org"),), "lynch")
    assert [line for _, line in authored(letter).lines if line] == ["I vote for Gus."]
