"""ARC by named sealers: what a list saw before it changed the letter (RFC 8617)."""

from __future__ import annotations

import dkim
from dkim.crypto import parse_pem_private_key

from nomicwolf.proofs.dkim import arc_signers
from tests.proofs.keys import HEADERS, key, plain, record
from tests.tables import each

RESULT = "lists.example; dkim=pass header.d=players.example; spf=none"


def sealed(data: bytes, result: str = RESULT, domain: str = "lists.example", host: str = "lists.example") -> bytes:
    """Return *data* as a list passes it on: with its results, and sealed."""
    told = f"Authentication-Results: {result}\r\n".encode() + data
    lines = dkim.arc_sign(told, b"s", domain.encode(), key(domain, 1024)[0], host.encode(), include_headers=HEADERS)
    assert lines
    return b"".join(lines) + told


def resealed(data: bytes, own: str, said: str, *, length: bool = False) -> bytes:
    """Return *data* as sealed by domain *said*, whose own signature is by domain *own*, over its beginning if *length*.

    dkimpy makes no such seals, so what it is about to sign is changed.
    """
    original = dkim.ARC.gen_header

    def made(
        signer: object, fields: list[tuple[bytes, bytes]], include: object, canon: object, name: bytes, pk: object,
        *rest: object,
    ) -> object:
        if name == b"ARC-Message-Signature":
            fields = [(tag, own.encode() if tag == b"d" else value) for tag, value in fields]
            size = len(data.partition(b"\r\n\r\n")[2])
            fields[1:1] = [(b"l", str(size).encode())] if length else []
            pk = parse_pem_private_key(key(own, 1024)[0])
        return original(signer, fields, include, canon, name, pk, *rest)

    dkim.ARC.gen_header = made
    try:
        return sealed(data, domain=said)
    finally:
        dkim.ARC.gen_header = original


def test_a_named_sealers_word_counts() -> None:
    """The list has added its footer after the seal of the author was found good, and says so."""
    assert arc_signers(sealed(plain()), record, ("lists.example",)) == ("players.example",)


@each(
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
    assert arc_signers(data, record, sealers) == ()


def test_a_chain_of_named_sealers_is_followed_down() -> None:
    """One's own server has sealed what the list had sealed."""
    data = sealed(sealed(plain()), "evil.example; arc=pass", "evil.example", "evil.example")
    assert arc_signers(data, record, ("lists.example", "evil.example")) == ("players.example",)


def test_a_sealer_signs_all_of_a_letter_itself() -> None:
    """RFC 8617 4.1.2: a seal over another domain's signature, or over the beginning of the text, counts for nothing."""
    assert arc_signers(resealed(plain(), "lists.example", "lists.example"), record, ("lists.example",)) == (
        "players.example",)

    assert arc_signers(resealed(plain(), "evil.example", "lists.example"), record, ("lists.example",)) == ()
    assert arc_signers(
        resealed(plain(), "lists.example", "lists.example", length=True) + b"attack Bex\r\n", record,
        ("lists.example",)) == ()


def test_a_chain_of_ten_seals_is_looked_at_and_a_longer_one_is_not() -> None:
    """Each seal may cost a question to the DNS."""
    data = sealed(plain())
    for number in range(2, 11):
        data = sealed(data, f"host{number}.example; arc=pass", host=f"host{number}.example")
    longer = sealed(data, "host11.example; arc=pass", host="host11.example")

    assert arc_signers(data, record, ("lists.example",)) == ("players.example",)
    assert arc_signers(longer, record, ("lists.example",)) == ()
