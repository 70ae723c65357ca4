"""Header fields: unfolded, and found in any case."""

from __future__ import annotations

from nomicwolf.letters.headers import Head, every, split_head


def test_the_usual_letter() -> None:
    """Fields with further lines are unfolded (RFC 5322 2.2.3), and no limit is passed."""
    found = split_head(b"To: a,\n\tb\nSUBJECT:so\n\nI vote for Gus.\n", 2, 21)

    assert found == Head((("To", "a, b"), ("SUBJECT", "so")), b"I vote for Gus.\n")


def test_a_field_is_found_in_any_case_topmost_first() -> None:
    """Names of fields have no case (RFC 5322 1.2.2), and the order of those of one name stays."""
    fields = (("Received", "1"), ("To", "a"), ("RECEIVED", "2"))

    assert every(fields, "received") == ("1", "2")
    assert every(fields, "Cc") == ()
