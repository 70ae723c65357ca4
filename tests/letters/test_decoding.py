"""Encodings, charsets, dates, flowed text and header fields: what can be read is, what can't is said to be so."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.letters.headers import Head, decode, decoded_words, every, join_flowed, seconds, split_head, transfer
from tests.tables import each


def test_the_usual_letter() -> None:
    """Fields with further lines are unfolded (RFC 5322 2.2.3), and no limit is passed."""
    found = split_head(b"To: a,\n\tb\nSUBJECT:so\n\nI vote for Gus.\n", 2, 21)

    assert found == Head((("To", "a, b"), ("SUBJECT", "so")), b"I vote for Gus.\n")


def test_a_field_is_found_in_any_case_topmost_first() -> None:
    """Names of fields have no case (RFC 5322 1.2.2), and the order of those of one name stays."""
    fields = (("Received", "1"), ("To", "a"), ("RECEIVED", "2"))

    assert every(fields, "received") == ("1", "2")
    assert every(fields, "Cc") == ()


@each(
    ("data", "charset", "text", "lossy"),
    [
        (b"caf\xc3\xa9", "utf-8", "café", False),
        (b"caf\xe9", "utf-8", "café", True),
        (b"caf\xe9", "iso-8859-1", "café", False),
        (b"\x93x\x94", "iso-8859-1", "“x”", False),
        (b"caf\xc3\xa9", "us-ascii", "café", False),
        (b"caf\xc3\xa9", "", "café", False),
        (b"caf\xc3\xa9", "x-none", "café", False),
        ("①".encode("cp932"), "shift_jis", "①", False),
        ("한국".encode("cp949"), "ks_c_5601-1987", "한국", False),
        ("สวัสดี".encode("cp874"), "windows-874", "สวัสดี", False),
        ("Привет".encode("cp1251"), "x-cp-1251", "Привет", False),
        ("こんにちは".encode("euc_jp"), "x-euc-jp", "こんにちは", False),
        (b"abc", "rot13", "abc", False),
        (b"abc", "x-rot13", "abc", False),
        (b"abc", "zlib_codec", "abc", False),
        (b"abc", "idna", "abc", False),
        (b"abc", "utf-8\x00", "abc", False),
        (b"\xef\xbb\xbfabc", "utf-8", "abc", False),
        (b"a\rb\r\nc\x0bd", "us-ascii", "a\nb\nc\nd", False),
        (b"> a\rb\r\nc", "us-ascii", "> a\n> b\nc", False),
        ("\x00> a\u2028b\x0cc\nd\u2028e".encode(), "utf-8", "> a\n> b\n> c\nd\ne", False),
        (b"> a\rb\rc", "us-ascii", "> a\nb\nc", False),
        ("\u2003> a\n\u3164> b\nc".encode(), "utf-8", " > a\n > b\nc", False),
        (b"a\x00b\x1b\x7f", "us-ascii", "ab", False),
        (b"\x81", "utf-8", "\ufffd", True),
    ],
)
def test_the_charset_ladder(data: bytes, charset: str, text: str, lossy: bool) -> None:
    """Declared, then UTF-8, then Windows-1252 with a mark; codecs that are no charsets are never used."""
    found = decode(data, charset)

    assert (found.text, found.lossy, found.refused) == (text, lossy, "")


@pytest.mark.parametrize("charset", ["utf-7", "UTF_7", " unicode-1-1-utf-7 ", '"utf7"'])
def test_utf_7_is_refused(charset: str) -> None:
    """It can hide any text from whoever looks at the bytes."""
    found = decode(b"+AEk vote", charset)

    assert found.refused
    assert found.text == ""


@each(
    ("data", "encoding", "decoded", "odd"),
    [
        (b"QUJD", "base64", b"ABC", False),
        (b"QUJD\nREVG\n", "BASE64", b"ABCDEF", False),
        (b"QUJDRA==", "base64", b"ABCD", False),
        (b"QUJDRA", "base64", b"ABCD", True),
        (b"QU JD!", "base64", b"ABC", True),
        (b"QUJDR", "base64", b"ABC", True),
        (b"QUI=\n____\nfooter", "base64", b"AB", True),
        (b"a=3Db=\nc", "quoted-printable", b"a=bc", False),
        (b"100=% =ZZ", "quoted-printable", b"100=% =ZZ", True),
        (b"x=3D", "8bit", b"x=3D", False),
        (b"x", "", b"x", False),
        (b"x", "x-uuencode", None, True),
    ],
)
def test_transfer_encodings(data: bytes, encoding: str, decoded: bytes | None, odd: bool) -> None:
    """Broken encodings give what is there and say so; an unknown one gives nothing (RFC 2045 6.4)."""
    found, defects = transfer(data, encoding)

    assert found == decoded
    assert bool(defects) == odd


@each(
    ("value", "text"),
    [
        ("plain", "plain"),
        ("=?utf-8?q?=C3=85sh_x?=", "Åsh x"),
        ("=?utf-8?b?w4U=?= =?utf-8?q?sh?=", "Åsh"),
        ("=?utf-8?q?a?= b =?utf-8?q?c?=", "a b c"),
        ("=?iso-8859-1*en?q?=E9?=", "é"),
        ("=?utf-8?x?a?=", "=?utf-8?x?a?="),
        ("=?utf-8?q?a", "=?utf-8?q?a"),
        ("=?=?=?utf-8?q?a?=", "=?=?a"),
        ("=?utf-8?q?a=0D=0ABcc=3A_x?=", "a Bcc: x"),
        ("=?utf-8?b?!!!?=", ""),
        ("=?utf-7?q?+AEk-?=", ""),
    ],
)
def test_encoded_words(value: str, text: str) -> None:
    """Decoded once, for people's eyes; no line ends come out of them (RFC 2047)."""
    assert decoded_words(value) == text


@given(st.text(alphabet="=?utf-8bqQ_é\r\n ", max_size=60))
def test_encoded_words_never_make_two_lines(value: str) -> None:
    """Whatever comes in, one line comes out."""
    assert not set("\r\n") & set(decoded_words(value))


@each(
    ("text", "when"),
    [
        ("Sun, 30 Nov 2008 09:44:00 -0800", "2008-11-30T17:44:00"),
        ("30 Nov 2008 09:44 +0000 (UTC)", "2008-11-30T09:44:00"),
        ("Sun,30 Nov 08 9:44:00 GMT", "2008-11-30T09:44:00"),
        ("Sun, 30 November 2008 09:44:60 EST", "2008-11-30T14:44:59"),
        ("Sun, 30 Nov 2008 09:44:00", "2008-11-30T09:44:00"),
    ],
)
def test_dates(text: str, when: str) -> None:
    """RFC 5322 3.3 with its obsolete forms; a leap second is the second before."""
    assert seconds(text) == int(datetime.fromisoformat(when).replace(tzinfo=UTC).timestamp())


@each(
    "text",
    ["", "now", "2008-11-30", "Sun, 31 Feb 2008 09:44:00 +0000", "1 Jan 99999 00:00:00 +0000", "1 Jan 1 00:00 +0000",
     "1 Jan 2008 25:00:00 +0000", "1 Jan 2008 00:00:00 +99999999", "1 Jan 2008 a:b +0000", "9" * 10_000,
     "1 Jan ²008 00:00:00 +0000", "Sun Nov 30 09:44:00 2008 x", ", , , ,"],
)  # fmt: skip
def test_impossible_dates(text: str) -> None:
    """No date, and no exception, comes of nonsense."""
    assert seconds(text) is None


@each(
    ("text", "delsp", "unwrapped"),
    [
        ("I vote for \nGus.", False, "I vote for Gus."),
        ("Gu \ns.", True, "Gus."),
        ("> a \n> b\nc", False, "> a b\nc"),
        (">> a \n> b", False, ">> a\n> b"),
        ("-- \nAsh", False, "-- \nAsh"),
        ("x \n-- \nAsh", False, "x \n-- \nAsh"),
        (" From x\n >y", False, "From x\n >y"),
        ("a \n\nb", False, "a \nb"),
        ("end ", False, "end "),
    ],
)
def test_flowed_text(text: str, delsp: bool, unwrapped: str) -> None:
    """Paragraphs are joined within one quote depth; a signature's delimiter never flows (RFC 3676 4)."""
    assert join_flowed(text, delsp) == unwrapped
