"""DKIM signatures, and their keys in the DNS."""

from __future__ import annotations

from itertools import chain, repeat

from nomicwolf.proofs.dkim import Resolver, dkim_signers
from tests.proofs.keys import NOW, key, plain, record, resealed, signed
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
        lookup = Resolver((address,))

        assert [lookup(NAME), lookup(NAME), lookup("no.example"), lookup("no.example")] == [
            b"v=DKIM1; p=abc", b"v=DKIM1; p=abc", None, None]
        assert asked == [NAME, "no.example"]


def test_no_question_is_asked_when_the_time_of_the_run_is_up() -> None:
    """Questions that took 11 of 10 seconds leave none for another; what is known already is still told."""
    with nameserver(ZONE) as (address, asked):
        lookup = Resolver((address,), 10, clock=chain([0, 4, 4, 11], repeat(11)).__next__)

        assert lookup(NAME) == b"v=DKIM1; p=abc"
        assert lookup("one.example") is lookup("two.example") is None
        assert lookup(NAME) == b"v=DKIM1; p=abc"
        assert asked == [NAME, "one.example"]
