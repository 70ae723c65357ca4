"""Answers to FETCH, whatever else a server says in between (RFC 9051 7.5.2)."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.post.imap_client import Answer, answered

DATE = b"21-Nov-2026 11:40:01 +0000"
ZONES = st.sampled_from([timezone(timedelta(minutes=minutes)) for minutes in (0, 90, -210, 840)])


def line(uid: int, date: bytes, data: bytes, origin: bytes) -> list[object]:
    """What imaplib gives for one letter."""
    head = b'1 (UID %d RFC822.SIZE %d INTERNALDATE "%s" BODY[]%s {%d}' % (uid, len(data) + 1, date, origin, len(data))
    return [(head, data), b")"]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(
    st.builds(datetime.fromtimestamp, st.integers(0, 4_000_000_000), ZONES), st.binary(max_size=20),
    st.sampled_from([b"", b"<0>"])), max_size=4))
def test_any_date_and_any_bytes_are_read(letters: list[tuple[datetime, bytes, bytes]]) -> None:
    """Whole, or only what the letter begins with."""
    lines, should = list[object](), dict[int, Answer]()
    for uid, (moment, data, origin) in enumerate(letters, 1):
        date = f"{moment.day:2d}-{moment:%b-%Y %H:%M:%S %z}".encode()
        lines += line(uid, date, data, origin)
        should[uid] = Answer(len(data) + 1, int(moment.timestamp()), data, part=bool(origin))
    assert answered(lines) == should


@pytest.mark.parametrize("lines", [
    [b"1 (FLAGS (\\Seen) UID 5)", *line(6, DATE, b"a", b"")],
    [*line(6, DATE, b"a", b""), b"1 (FLAGS (\\Seen) UID 5)"],
    [(b"1 (UID 6 BODY[] {1}", b"a"), b' RFC822.SIZE 2 INTERNALDATE "%s")' % DATE],
    [(b'1 (UID 6 RFC822.SIZE 2 INTERNALDATE "%s" BODY[] {1}' % DATE, b"a"), b" FLAGS (\\Seen))"],
])
def test_what_else_is_said_changes_nothing(lines: list[object]) -> None:
    """Flags at any time, another order, more after the letter: the letter is told of all the same."""
    assert answered(lines)[6] == Answer(2, 1_795_261_201, b"a", part=False)


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
