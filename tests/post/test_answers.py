"""Answers to FETCH: the usual form at a glance is what imapclient's parser makes of it (RFC 9051 7.5.2)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.post.answers import Answer, answered, parsed, usual

DATE = b"21-Nov-2026 11:40:01 +0000"
dates = st.builds(
    lambda *parts: b"%2d-%s-%04d %02d:%02d:59 %s" % parts,
    st.integers(1, 28), st.sampled_from([b"Jan", b"Feb", b"May", b"Dec"]), st.integers(1970, 2100), st.integers(0, 23),
    st.integers(0, 59), st.sampled_from([b"+0000", b"-0000", b"+0130", b"-0330", b"+1400"]))


def line(uid: int, date: bytes, data: bytes, origin: bytes) -> list[object]:
    """What imaplib gives for one letter."""
    head = b'1 (UID %d RFC822.SIZE %d INTERNALDATE "%s" BODY[]%s {%d}' % (uid, len(data) + 1, date, origin, len(data))
    return [(head, data), b")"]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(dates, st.binary(max_size=20), st.sampled_from([b"", b"<0>"])), max_size=4))
def test_the_usual_form_is_read_as_by_the_parser(letters: list[tuple[bytes, bytes, bytes]]) -> None:
    """Any date, any bytes, whole or begun."""
    lines = [piece for uid, facts in enumerate(letters, 1) for piece in line(uid, *facts)]
    assert usual(lines) == parsed(lines)
    assert len(usual(lines)) == len(letters)


@pytest.mark.parametrize("lines", [
    [b"1 (FLAGS (\\Seen) UID 5)", *line(6, DATE, b"a", b"")],
    [*line(6, DATE, b"a", b""), b"1 (FLAGS (\\Seen) UID 5)"],
    [(b"1 (UID 6 BODY[] {1}", b"a"), b' RFC822.SIZE 2 INTERNALDATE "%s")' % DATE],
    [(b'1 (UID 6 RFC822.SIZE 2 INTERNALDATE "%s" BODY[] {1}' % DATE, b"a"), b" FLAGS (\\Seen))"],
])
def test_what_else_is_said_is_left_to_the_parser(lines: list[object]) -> None:
    """Flags at any time, another order, more after the letter: the letter is told of all the same."""
    assert usual(lines) == {}
    assert answered(lines)[6] == Answer(2, 1_795_261_201, b"a", part=False)


@pytest.mark.parametrize("date", [
    b"31-Feb-2026 11:40:01 +0000", b"21-Nov-2026 25:40:01 +0000", b"21-Foo-2026 11:40:01 +0000",
])
def test_dates_that_are_none_are_left_to_the_parser(date: bytes) -> None:
    """What becomes of them is as it ever was: an error of imapclient's, which ends the run."""
    assert usual(line(6, date, b"a", b"")) == {}


def test_what_was_not_told_is_none() -> None:
    """A server may leave out anything."""
    assert answered([b"1 (UID 6 RFC822.SIZE 2)", b"1 (UID 7 FLAGS ())"]) == {
        6: Answer(2, 0, None, part=False), 7: Answer(None, 0, None, part=False)}


def test_no_letter_is_known_by_its_place() -> None:
    """An answer without a UID, which RFC 9051 6.4.9 forbids, would be taken for the letter of that UID: it is left."""
    nameless = [(b'6 (RFC822.SIZE 2 INTERNALDATE "%s" BODY[] {1}' % DATE, b"b"), b")"]
    assert answered(nameless) == {}
    assert answered([*line(6, DATE, b"a", b""), *nameless, b"7 (FLAGS (\\Seen))"]) == {
        6: Answer(2, 1_795_261_201, b"a", part=False)}


def test_places_may_move_between_answers() -> None:
    """Both are of place 1, since a letter was expunged in between: nothing of one is told of the other."""
    first = [(b'1 (UID 6 RFC822.SIZE 2 INTERNALDATE "%s" BODY[] {1}' % DATE, b"a"), b" FLAGS ())"]
    assert answered([*first, b"1 (UID 7 RFC822.SIZE 9)"]) == {
        6: Answer(2, 1_795_261_201, b"a", part=False), 7: Answer(9, 0, None, part=False)}
