"""DKIM signatures, their keys in the DNS, and ARC by named sealers (RFC 8617)."""

from __future__ import annotations

from itertools import chain, repeat

import dkim
from dkim.crypto import parse_pem_private_key

from nomicwolf.proofs.dkim import Dns, arc_signers, dkim_signers
from tests.proofs.keys import HEADERS, NOW, key, plain, record, resealed, signed
from tests.servers.nameserver import nameserver
from tests.tables import each

AFTER = 2_000_000_000  # the library dates signatures by the machine's clock


def test_a_good_signature_names_its_domain() -> None:
    """It is good whatever stands above it, as servers write their marks there."""
    data = b"Received: from somewhere by mx.wolf.example; now\r\n" + signed(plain())
    assert dkim_signers(data, record, AFTER) == ("players.example",)


def test_two_signatures_name_two_domains() -> None:
    """Which of them means anything is not decided here."""
    assert dkim_signers(signed(signed(plain()), "evil.example"), record, AFTER) == ("evil.example", "players.example")


def test_two_signatures_of_a_domain_name_it_once() -> None:
    """It is said which domains have signed, not how often."""
    assert dkim_signers(signed(signed(plain())), record, AFTER) == ("players.example",)


def test_a_name_without_a_dot_is_no_domain() -> None:
    """Whatever the resolver says of such a name: it is looked up on this machine or in its own network."""
    asked: list[str] = []

    def answers(name: str) -> bytes:
        asked.append(name)
        return key("intern")[1]

    assert dkim_signers(signed(plain(), "intern"), answers, AFTER) == ()
    assert asked == []


@each(
    "data",
    [
        plain(),
        signed(plain()).replace(b"see Bex", b"see Cam"),
        signed(plain()).replace(b"From: Ash <ash@", b"From: Bex <bex@"),
        b"From: Bex <bex@players.example>\r\n" + signed(plain()),
        signed(plain()).replace(b"\r\n\r\nsee", b"\r\nFrom: Bex <bex@players.example>\r\n\r\nsee"),
        signed(plain(), length=True) + b"attack Bex\r\n",
        signed(plain(), length=True),
        signed(plain(), selector=b"short"),
        resealed(plain(), b"x=1"),
        resealed(plain(), b"x=soon"),
        resealed(plain(), b"t=9999999999"),
        signed(plain()).replace(b"a=rsa-sha256", b"a=rsa-sha1"),
        b"DKIM-Signature: v=1\r\n" + plain(),
        b"DKIM-Signature: \xff=\x00;;;=\r\n" + plain(),
        signed(plain("see Bex" + " " * 5000)),
        b"\x00" * 50,
    ],
)
def test_what_proves_nothing(data: bytes) -> None:
    """Changed text or author, two Froms, ``l=``, expired, from the future, short keys, SHA-1, nonsense."""
    assert dkim_signers(data, record, AFTER) == ()


def test_expiry_is_the_only_thing_wrong_with_it() -> None:
    """The same signature with an expiry to come is good, so the tests above fail for their reason."""
    assert dkim_signers(resealed(plain(), b"x=9999999999"), record, AFTER) == ("players.example",)


def test_a_domain_without_a_key_or_an_answer_proves_nothing() -> None:
    """Nobody answers in time: the letter is not surer, and not held for it."""
    asked = []

    def nobody(name: str) -> bytes | None:
        asked.append(name)
        return None

    assert dkim_signers(signed(plain()), nobody, AFTER) == ()
    assert asked == ["s._domainkey.players.example"]


def test_few_signatures_are_looked_at() -> None:
    """Of a thousand, five: each costs a question to the DNS."""
    asked = []

    def count(name: str) -> bytes | None:
        asked.append(name)
        return None

    data = plain()
    header = signed(data)[: -len(data)]
    dkim_signers(header * 100 + data, count, NOW + 10**9)
    assert len(asked) == 5


def test_a_signature_is_good_up_to_the_second_of_its_expiry() -> None:
    """RFC 6376 3.5 (x=): a second before it, and no more at it."""
    data = resealed(plain(), f"x={AFTER}".encode())
    assert dkim_signers(data, record, AFTER - 1) == ("players.example",)
    assert dkim_signers(data, record, AFTER) == ()


def test_a_signers_clock_may_be_an_hour_ahead_of_ours() -> None:
    """RFC 6376 3.5 (t=): one from further in the future is none."""
    data = signed(plain())
    made = int(data.partition(b" t=")[2].partition(b";")[0])
    assert dkim_signers(data, record, made - 3600) == ("players.example",)
    assert dkim_signers(data, record, made - 3601) == ()


NAME = "s._domainkey.players.example"
ZONE = {NAME: {"TXT": ['"v=DKIM1; " "p=abc"']}}


def test_a_record_is_one_text_and_asked_for_once() -> None:
    """RFC 6376 3.6.2.2: its texts are joined; what isn't there is None, and that is kept, too."""
    with nameserver(ZONE) as (address, asked):
        lookup = Dns((address,)).key

        assert [lookup(NAME), lookup(NAME), lookup("no.example"), lookup("no.example")] == [
            b"v=DKIM1; p=abc", b"v=DKIM1; p=abc", None, None]
        assert asked == [NAME, "no.example"]


def test_no_question_is_asked_when_the_time_of_the_run_is_up() -> None:
    """Questions that took 11 of 10 seconds leave none for another; what is known already is still told."""
    with nameserver(ZONE) as (address, asked):
        lookup = Dns((address,), 10, clock=chain([0, 4, 4, 11], repeat(11)).__next__).key

        assert lookup(NAME) == b"v=DKIM1; p=abc"
        assert lookup("one.example") is lookup("two.example") is None
        assert lookup(NAME) == b"v=DKIM1; p=abc"
        assert asked == [NAME, "one.example"]


RESULT = "lists.example; dkim=pass header.d=players.example; spf=none"


def sealed(data: bytes, result: str = RESULT, domain: str = "lists.example", host: str = "lists.example") -> bytes:
    """Return *data* as a list passes it on: with its results, and sealed."""
    told = f"Authentication-Results: {result}\r\n".encode() + data
    lines = dkim.arc_sign(told, b"s", domain.encode(), key(domain, 1024)[0], host.encode(), include_headers=HEADERS)
    assert lines
    return b"".join(lines) + told


def arc_resealed(data: bytes, own: str, said: str, *, length: bool = False) -> bytes:
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
    assert arc_signers(arc_resealed(plain(), "lists.example", "lists.example"), record, ("lists.example",)) == (
        "players.example",)

    assert arc_signers(arc_resealed(plain(), "evil.example", "lists.example"), record, ("lists.example",)) == ()
    assert arc_signers(
        arc_resealed(plain(), "lists.example", "lists.example", length=True) + b"attack Bex\r\n", record,
        ("lists.example",)) == ()


def test_a_chain_of_ten_seals_is_looked_at_and_a_longer_one_is_not() -> None:
    """Each seal may cost a question to the DNS."""
    data = sealed(plain())
    for number in range(2, 11):
        data = sealed(data, f"host{number}.example; arc=pass", host=f"host{number}.example")
    longer = sealed(data, "host11.example; arc=pass", host="host11.example")

    assert arc_signers(data, record, ("lists.example",)) == ("players.example",)
    assert arc_signers(longer, record, ("lists.example",)) == ()
