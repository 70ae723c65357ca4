"""DKIM signatures, checked strictly by dkimpy.

The terms are stricter than its own (RFC 6376, 8301, 8463).

What dkimpy would accept and we don't: a signature over the beginning of a body (``l=``), one that has expired
(``x=``) or comes from the future, RSA with SHA-1, a From field that isn't signed, and more than one From.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable, Mapping
from typing import TypeAlias

import dkim
from dkim.util import InvalidTagValueList, parse_tag_value

from nomicwolf.letters.addresses import is_domain

Lookup: TypeAlias = Callable[[str], bytes | None]
"""A name to its TXT record, None if there is none or nobody answers in time."""

MOST, LONGEST_FIELD, LONGEST_RUN = 5, 8000, 500
"""How many signatures of a letter are looked at; how long a field may be, and a run of blanks in one, in bytes."""
AHEAD = 3600
"""Seconds by which a signer's clock may be ahead of ours."""
ALGORITHMS = (b"rsa-sha256", b"ed25519-sha256")
KEY_BITS = 1024
"""The shortest RSA key that proves something (RFC 8301)."""
FAILURES = (dkim.DKIMException, InvalidTagValueList, binascii.Error, ValueError, KeyError, IndexError, AssertionError)
"""What dkimpy raises for signatures that are no good, or no signatures."""


def signers(data: bytes, lookup: Lookup, now: int) -> tuple[str, ...]:
    """Return the domains (lower case) whose signature over the letter *data* is good at *now* (UTC seconds)."""
    fields = headers(data)
    if tedious(data) or sum(name == b"from" for name, _ in fields) != 1:
        return ()
    found: list[str] = []
    signatures = [value for name, value in fields if name == b"dkim-signature"]
    for place, value in enumerate(signatures[:MOST]):
        domain = _terms(value, now)
        if domain and domain not in found and _good(data, place, lookup):
            found.append(domain)
    return tuple(found)


def asking(lookup: Lookup) -> Callable[..., bytes | None]:
    """Return *lookup* as dkimpy asks for keys; what has a line of its own in it is no name."""

    def ask(name: bytes | str, timeout: int = 5) -> bytes | None:
        text = name.decode("ascii", "replace") if isinstance(name, bytes) else name
        return lookup(text.rstrip(".")) if is_domain(text.rstrip(".").lower().replace("_", "")) else None

    return ask


def headers(data: bytes) -> list[tuple[bytes, bytes]]:
    """Return the header fields of *data* as (name in lower case, value as it stands)."""
    try:
        fields, _ = dkim.rfc822_parse(data)
    except FAILURES:
        return []
    return [(name.lower().strip(), value) for name, value in fields]


def tedious(data: bytes) -> bool:
    """Return whether *data* has runs of white space, or fields so long, that patterns over them take for ever."""
    blank = data.replace(b"\t", b" ")
    if b" " * LONGEST_RUN in blank:
        return True
    wanted = (b"dkim-signature", b"arc-seal", b"arc-message-signature", b"arc-authentication-results")
    return any(len(value) > LONGEST_FIELD or b"\r\n \r\n" in value.replace(b"\t", b" ")
               for name, value in headers(data) if name in wanted)


def _terms(value: bytes, now: int) -> str:
    """Return the domain that signs by our terms, '' if the signature isn't to be looked at."""
    try:
        tags: Mapping[bytes, bytes] = parse_tag_value(value)
    except FAILURES:
        return ""
    signed = [part.strip().lower() for part in tags.get(b"h", b"").split(b":")]
    domain = tags.get(b"d", b"").decode("ascii", "replace").strip().lower()
    until, made = _number(tags.get(b"x"), now + 1), _number(tags.get(b"t"), 0)
    if b"l" in tags or tags.get(b"a", b"").strip() not in ALGORITHMS or b"from" not in signed:
        return ""
    return domain if until > now and made <= now + AHEAD and is_domain(domain) and "." in domain else ""


def _number(text: bytes | None, default: int) -> int:
    """Return a tag's number, *default* if it has none; one that is no number makes the signature expired."""
    if text is None:
        return default
    digits = text.strip()
    return int(digits) if digits.isdigit() and len(digits) < 13 else -1 if default > 0 else 10**15


def _good(data: bytes, place: int, lookup: Lookup) -> bool:
    try:
        return bool(dkim.DKIM(data, minkey=KEY_BITS).verify(idx=place, dnsfunc=asking(lookup)))
    except FAILURES:
        return False
