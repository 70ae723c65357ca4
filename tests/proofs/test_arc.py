"""ARC by named sealers: what a list saw before it changed the letter (RFC 8617)."""

from __future__ import annotations

import dkim
import pytest

from nomicwolf.proofs.arc import signers
from tests.proofs.keys import HEADERS, key, plain, record

RESULT = "lists.example; dkim=pass header.d=players.example; spf=none"


def sealed(data: bytes, result: str = RESULT, domain: str = "lists.example", host: str = "lists.example") -> bytes:
    """Return *data* as a list passes it on: with its results, and sealed."""
    told = f"Authentication-Results: {result}\r\n".encode() + data
    lines = dkim.arc_sign(told, b"s", domain.encode(), key(domain, 1024)[0], host.encode(), include_headers=HEADERS)
    assert lines
    return b"".join(lines) + told


def test_a_named_sealers_word_counts() -> None:
    """The list has added its footer after the seal of the author was found good, and says so."""
    assert signers(sealed(plain()), record, ("lists.example",)) == ("players.example",)


@pytest.mark.parametrize(
    ("data", "sealers"),
    [
        (sealed(plain()), ()),
        (sealed(plain()), ("other.example",)),
        (sealed(plain()).replace(b"see Bex", b"see Cam"), ("lists.example",)),
        (sealed(plain()).replace(b"From: Ash <ash@", b"From: Bex <bex@"), ("lists.example",)),
        (sealed(plain(), "lists.example; dkim=fail header.d=players.example"), ("lists.example",)),
        (sealed(plain()).replace(b"dkim=pass", b"dkim=pasz"), ("lists.example",)),
        (sealed(sealed(plain()), "evil.example; arc=pass", "evil.example", "evil.example"), ("lists.example",)),
        (sealed(plain(), domain="evil.example"), ("lists.example",)),
        (plain(), ("lists.example",)),
        (b"From: x@y.example\r\n" + sealed(plain()), ("lists.example",)),
    ],
)
def test_what_counts_for_nothing(data: bytes, sealers: tuple[str, ...]) -> None:
    """Unnamed sealers, changed letters, broken results, and whatever lies below a seal of somebody else's."""
    assert signers(data, record, sealers) == ()


def test_a_chain_of_named_sealers_is_followed_down() -> None:
    """One's own server has sealed what the list had sealed."""
    data = sealed(sealed(plain()), "evil.example; arc=pass", "evil.example", "evil.example")
    assert signers(data, record, ("lists.example", "evil.example")) == ("players.example",)
