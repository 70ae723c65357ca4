"""A server's answers to FETCH (RFC 9051 7.5.2), by imapclient's parser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from imapclient.exceptions import ProtocolError
from imapclient.response_parser import parse_fetch_response

UNREADABLE = (  # from imapclient and imaplib, on odd answers; a MemoryError is a literal of any number of bytes
    ValueError, LookupError, AttributeError, TypeError, AssertionError, ArithmeticError, MemoryError)
_PASSING = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]", "TOO MANY", "TEMPORAR", "TRY AGAIN",
            "DELETED UNDER US")  # RFC 5530, and what servers say without its codes, of what is over after a while
_STANDS_IN = (b"From: System Administrator <root@localhost>\r\nSubject: message unavailable\r\n\r\n",
              b"This message is no longer available on the server.\r\n")  # Courier's, headers and text
_QUOTED = re.compile(r"(unexpected (?:tagged )?response|unterminated line): .*", re.DOTALL)


class Answer(NamedTuple):
    """What a server gave of a letter: *size* in bytes, *arrived* (UTC seconds; 0: not given), and *data*.

    None stands for what was not given; *part* is whether *data* is only what the letter begins with.
    """

    size: int | None
    arrived: int
    data: bytes | None
    part: bool


def answered(lines: Sequence[Any]) -> dict[int, Answer]:
    """Return what *lines*, as imaplib gives them, tell of each letter, by UID; imapclient's errors for odd ones."""
    found = {}
    for uid, facts in by_uid(lines).items():
        part = facts.get(b"BODY[]<0>")
        size, data = facts.get(b"RFC822.SIZE"), facts.get(b"BODY[]", part)
        found[uid] = Answer(
            int(size) if isinstance(size, int | bytes) else None, _seconds(facts.get(b"INTERNALDATE")),
            data if isinstance(data, bytes) else None, b"BODY[]" not in facts and part is not None)
    return found


def by_uid(lines: Sequence[Any]) -> dict[int, dict[bytes, Any]]:
    """Return what is given under each UID: by its place in the mailbox, which may move, no letter is known."""
    known: dict[int, dict[bytes, Any]] = {}
    for answer in _one_by_one(lines):
        for facts in parse_fetch_response(answer, normalise_times=False, uid_is_key=False).values():
            if isinstance(uid := facts.get(b"UID"), int):
                known.setdefault(uid, {}).update(facts)
    return known


def _one_by_one(lines: Sequence[Any]) -> Iterator[list[Any]]:
    """Give the lines of each answer: those with a literal, and the one that ends it."""
    answer: list[Any] = []
    for line in lines:
        answer.append(line)
        if not isinstance(line, tuple):
            yield answer
            answer = []
    if answer:
        yield answer


def _seconds(date: object) -> int:
    if not isinstance(date, datetime):
        return 0
    return int((date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp())


def whole(one: Answer, most: int, limit: int) -> bool:
    """Whether a letter's bytes are all there: servers may give fewer than they were asked for, or name a wrong size."""
    if one.data is None or one.size is None:
        return False
    if one.part:
        return one.size <= len(one.data) < most
    return one.size <= limit and (bool(one.data) or not one.size)


def stands_in(data: bytes) -> bool:
    """Whether these are a server's own words in place of a letter whose file it can't open, its headers or all of it.

    A letter that came by mail begins with who has received it (RFC 5321 4.4).
    """
    return data.startswith(_STANDS_IN[0]) and data[len(_STANDS_IN[0]):] in (b"", _STANDS_IN[1])


def safely(error: Exception) -> str:
    """What went wrong, without what may be a piece of a letter: an answer out of step is quoted by imaplib's errors."""
    if isinstance(error, (ProtocolError, *UNREADABLE)):
        return f"an answer that can't be understood ({type(error).__name__})"
    return unwrapped(_QUOTED.sub(r"\1", str(error)))


def unwrapped(said: str) -> str:
    """Return what a server *said* where imaplib gives the bytes of it as their repr.

    >>> unwrapped("b'* BYE too many connections'")
    '* BYE too many connections'
    """
    return said[2:-1] if said[:2] in ("b'", 'b"') and said[-1:] == said[1] else said


def passing(said: str) -> bool:
    """Whether a server's no is one for now."""
    return any(word in said.upper() for word in _PASSING)
