"""Headers that are split at a glance are what going through them line by line finds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.letters import headers
from nomicwolf.letters.headers import Head, every, split_head

EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "300"))
CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.eml"))
PIECES = (
    b"From: ", b"From ", b">From ", b"To", b"X-Long", b"A" * 199, b":", b" ", b"\t", b"\n", b"\n\n", b"\r", b"\r\n",
    b"\0", b"a@b.test", b"\xc3", b"\xa9", b"\xc3\xa9", b"\xff", b"\xc2\xa0", b"\xe2\x80\xa8", b"\x0b", b"\x1c", b"(so)",
)
blocks = st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join)


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: str(file.stem))
def test_letters_at_a_glance(file: Path) -> None:
    """Each letter of the corpus has the headers that are found line by line, and the same text below them."""
    data = file.read_bytes().replace(b"\r\n", b"\n")

    assert split_head(data, 200, 65_536) == headers._line_by_line(data, 200, 65_536)


@settings(max_examples=EXAMPLES, deadline=None)
@given(blocks, st.sampled_from((b"", b"Subject: so\nTo : a\n b\n")), st.integers(0, 4), st.integers(0, 80))
def test_any_bytes_at_a_glance(data: bytes, before: bytes, fields: int, size: int) -> None:
    """Whatever stands there, and wherever a limit is, the glance finds what going line by line finds."""
    whole = before + data

    assert split_head(whole, fields, size) == headers._line_by_line(whole, fields, size)


def test_the_usual_letter_is_told_at_a_glance() -> None:
    """Fields with further lines need no second look; the values are unfolded (RFC 5322 2.2.3)."""
    found = headers._usual(b"To: a,\n\tb\nSUBJECT:so\n\nI vote for Gus.\n", 2, 21)

    assert found == Head((("To", "a, b"), ("SUBJECT", "so")), b"I vote for Gus.\n")


def test_a_field_is_found_in_any_case_topmost_first() -> None:
    """Names of fields have no case (RFC 5322 1.2.2), and the order of those of one name stays."""
    fields = (("Received", "1"), ("To", "a"), ("RECEIVED", "2"))

    assert every(fields, "received") == ("1", "2")
    assert every(fields, "Cc") == ()
