"""Words that only the contest's key can make: reply tags (RFC 5233), and tokens that confirm one act.

All are HMAC-SHA-256 cut to at least 128 bits, in base 32, which mail systems keep whole whatever they do to case.
"""

from __future__ import annotations

from base64 import b32encode
from hashlib import sha256
from hmac import compare_digest
from hmac import new as keyed

_TOKEN_CHARS, _GROUP = 28, 7  # 140 bits
_TAG_CHARS = 26  # 130 bits


def token(secret: bytes, *parts: str) -> str:
    """Return the word that confirms what *parts* name: 28 letters and digits in four groups."""
    word = _word(secret, "nomicwolf token 1", parts)[:_TOKEN_CHARS]
    return "-".join(word[place : place + _GROUP] for place in range(0, _TOKEN_CHARS, _GROUP))


def hashed(given: str) -> str:
    """Return the SHA-256 hex of a token as its reader wrote it: case, hyphens, spaces and marks don't matter."""
    return sha256("".join(c for c in given.upper() if c.isascii() and c.isalnum()).encode()).hexdigest()


def same(one: str, other: str) -> bool:
    """Return whether two hashes are equal, in a time that says nothing of where they differ."""
    return compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def reply_tag(secret: bytes, contest: str, session: int, who: str, turn: int = 0) -> str:
    """Return what stands after ``+`` in the address at which *who* answers eir letters of *session*.

    *turn* counts the tags of eirs that others have seen.
    """
    return _word(secret, "nomicwolf reply 1", (contest, str(session), who, str(turn)))[:_TAG_CHARS].lower()


def is_reply_tag(given: str, made: str) -> bool:
    """Return whether *given* is the tag *made*, whatever its case."""
    return same(given.lower(), made)


def _word(secret: bytes, purpose: str, parts: tuple[str, ...]) -> str:
    """Return 52 characters of base 32; each part's length goes in, so no two lists of parts are alike."""
    said = "\n".join([purpose, *(f"{len(part)}:{part}" for part in parts)])
    return b32encode(keyed(secret, said.encode("utf-8", "replace"), sha256).digest()).decode("ascii")
