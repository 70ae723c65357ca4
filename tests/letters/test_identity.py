"""Who wrote a letter: one registered From address, read as any program reads it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.letters.identity import (
    Trust,
    addr_spec,
    addresses_in,
    fold_address,
    folded_in,
    identify,
    mailbox,
    message_id,
    message_ids,
    split_tag,
    verdict,
    written_by,
)
from nomicwolf.letters.letter import ForumInfo, Letter, Raw
from nomicwolf.letters.mime import make_letter
from tests.tables import each

HOSTILE = [
    "", " ", "ash", "@example.org", "ash@", "ash@@example.org", "ash@example.org, bex@example.org", "<>", "<ash>",
    "Players: ash@example.org, bex@example.org;", "Ash <ash@example.org> <bex@example.org>", "<<ash@example.org>>",
    "ash@example.org)<mallory@evil.example", "ash@example.org <mallory@evil.example>", "Ash <ash@example.org",
    "ash@example.org(mallory@evil.example)", "ash@example.org (mallory@evil.example)", "ash@example.org(Ash)",
    "(mallory@evil.example) <ash@example.org>", "Ash <ash@example.org>(x)", "ash@example.org (a <b>)",
    "ash(x)@example.org", "ash@(x)example.org", "<ash@example.org(x)>", "<@relay.example:ash@example.org>",
    '"ash" @example.org', '"a b"@example.org', "ash@example.org\x00", "ash\x00@example.org", "ash@exa mple.org",
    "ash@[192.0.2.1]", "ash@-example.org", "ash@example..org", ".ash@example.org", "a..sh@example.org", "ash.@b.org",
    "ash@example.org\nbex@example.org", "ash@example.org bex@example.org", "<ash@example.org> Ash", "[EMAIL PROTECTED]",
    "(" * 250 + "x" + ")" * 250 + " <ash@example.org>", "(open <ash@example.org>", '"open <ash@example.org>',
    "a" * 65 + "@example.org", "ash@" + "a" * 64 + ".org", "ash@" + ".".join(["a" * 60] * 5), "x " * 1500 + "<a@b.c>",
    "=?utf-8?q?ash=40example=2Eorg?=", "ash@example.org;", ":;", "ash%example.org", "\\ash@example.org", "Ash@<a@b.c>",
    "\ud800 <ash@example.org>",
]  # fmt: skip


@each("value", HOSTILE)
def test_what_has_two_readings_has_none(value: str) -> None:
    """Several mailboxes, groups, routes, comments within, open brackets, controls: no sender (RFC 5322 3.4)."""
    assert mailbox(value) is None


@each(
    ("value", "name", "address"),
    [
        ("ash@example.org", "", "ash@example.org"),
        ("Ash <ash@example.org>", "Ash", "ash@example.org"),
        ("<Ash@EXAMPLE.org>", "", "Ash@example.org"),
        ("ash@example.org (Ash (the) first)", "Ash (the) first", "ash@example.org"),
        ('"Ash, Jr." <ash@example.org> (home)', "Ash, Jr.", "ash@example.org"),
        ('"mallory@evil.example" <ash@example.org>', "mallory@evil.example", "ash@example.org"),
        ('"a \\"b\\"" <ash@example.org>', 'a "b"', "ash@example.org"),
        ("D. Margaux <d.margaux+agora@example.org>", "D. Margaux", "d.margaux+agora@example.org"),
        ("天火狐 <fox@example.org>", "天火狐", "fox@example.org"),
        ("root <root@localhost>", "root", "root@localhost"),
        ("=?utf-8?q?=C3=85sh?= <ash@example.org>", "=?utf-8?q?=C3=85sh?=", "ash@example.org"),
    ],
)
def test_one_plain_mailbox_is_found(value: str, name: str, address: str) -> None:
    """Display name and address of what everyone reads alike."""
    assert mailbox(value) == (name, address)


@given(st.text(alphabet='ab@.<>()",:;\\ \x00é[]', max_size=40))
def test_a_found_address_stands_whole_in_the_field(value: str) -> None:
    """Never an address that was not written: the one that is found is a part of the field, and the only one in it."""
    found = mailbox(value)

    assert found is None or (found[1] in value.lower() and addr_spec(found[1]) == found[1])


@each(
    "value",
    ["<>", "<a@", "<@b>", "<a@[", "<a@[>", "<a@b", "a@b>", "a@b", "<a@b> <c@d>", "<a b@c>", "<a@b@c>", "<<a@b>>",
     "<a@b(x)>", "<é@b>", "<a\x00@b>", f"<{'a' * 250}@b>", "(" * 250 + "<a@b>", '<"a"@b>'],
)  # fmt: skip
def test_a_broken_message_id_is_none(value: str) -> None:
    """Standard parsers raise on some of these; here they only name nothing (RFC 5322 3.6.4)."""
    assert message_id(value) == ""


@each("value", ["<a@b>", "<a$1/2=3+4%5@b.c>", "<OF1.ABC:1-ON@x>", "<1@[192.0.2.1]>", " <a@b> "])
def test_a_good_message_id_stays(value: str) -> None:
    """What mailers write is kept as it is."""
    assert message_id(value) == value.strip()


def test_references_keep_what_is_valid() -> None:
    """Broken ids among others are left out, repeated ones come once."""
    assert message_ids("<a@b> junk <c@ <d@e>\t<a@b> <@f>") == ("<a@b>", "<d@e>")


def test_recipients_are_found_leniently() -> None:
    """To and Cc may be written in any way; groups and names don't hide addresses."""
    value = 'A <a@b.c>, "X, Y" <d@e.f>;Group: g@h.i; <mailto:agora@lists.agora.example>'

    assert addresses_in(value) == ("a@b.c", "d@e.f", "g@h.i", "agora@lists.agora.example")


def test_tags_and_case() -> None:
    """A tag after ``+`` is split off (RFC 5233); ASCII case doesn't tell addresses apart, other letters do."""
    assert split_tag("wolf+a.b@c.d") == ("wolf@c.d", "a.b")
    assert split_tag("wolf@c.d") == ("wolf@c.d", "")
    assert fold_address("Ash@Example.org") == fold_address("ash@example.ORG")
    assert fold_address("ash@example.org") != fold_address("аsh@example.org")


@given(
    st.lists(st.sampled_from(["a@b.c", "A@B.C", " Bex <bex@x.example>", ",", ";", "<>", "Gr\u00fc\u00df@x.example"])),
    st.sampled_from(["", "x, " * 700]))
def test_folded_addresses_are_those_that_are_found(words: list[str], before: str) -> None:
    """Also a second time, and in a field that is too long to be remembered."""
    value = before + ", ".join(words)
    assert folded_in(value) == folded_in(value) == set(map(fold_address, addresses_in(value)))


AGORA = ForumInfo("agora", ("agora@lists.agora.example",))
TRUST = Trust(("mx.wolf.example",), ("lists.agora.example",), (AGORA,))
LISTED = (
    "Received: from lists.agora.example (lists.agora.example [192.0.2.7]) by mx.wolf.example; 1 Dec 2026 09:00 +0000\n"
    "Received: from localhost by lists.agora.example; 1 Dec 2026 09:00:05 +0000\n"
    "List-Id: <agora.lists.agora.example>\n"
)


@dataclass(frozen=True)
class Player:
    """A person with a name and registered addresses."""

    name: str
    addresses: tuple[str, ...]


ASH, BEX = Player("Ash", ("ash@example.org", "ash@b.example")), Player("Bex", ("bex@example.org",))
PEOPLE = (ASH, BEX)


def letter_of(head: str, sender: str = "Ash <ash@example.org>") -> Letter:
    """Return a letter from *sender* with further header lines."""
    data = f"{head}From: {sender}\nMessage-ID: <a@b>\n\nI vote for Gus.\n".encode()
    return make_letter(Raw("here", 1, 0, data, len(data)), (AGORA,), ("wolf@wolf.example",))


def result(text: str, host: str = "mx.wolf.example") -> str:
    """Return an Authentication-Results field of *host*."""
    return f"Authentication-Results: {host}; {text}\n"


@each(
    ("head", "assurance"),
    [
        ("", "from"),
        (LISTED, "forum"),
        (result("dkim=pass header.d=example.org"), "signed"),
        (result("dkim=pass (2048-bit) header.i=@example.org; spf=pass smtp.mailfrom=ash@example.org"), "signed"),
        (result("dkim=pass header.d=evil.example"), "from"),
        (result("dkim=pass header.d=org"), "from"),
        (result("dkim=pass header.d=ample.org"), "from"),
        (result("dkim=pass header.d=example.org", "evil.example"), "from"),
        (result("none") + result("dkim=pass header.d=example.org"), "from"),
        (LISTED + result("dkim=pass header.d=example.org"), "forum"),
        (LISTED + result("dkim=pass header.d=example.org", "lists.agora.example"), "signed"),
        (LISTED + result("dkim=fail header.d=example.org; dmarc=fail header.from=example.org"), "forum"),
        (result("dkim=fail header.d=example.org; dkim=pass header.d=example.org"), "signed"),
        (result("dkim=fail header.d=example.org; dmarc=pass header.from=example.org"), "from"),
        (result("dkim=fail header.d=evil.example"), "from"),
        (result("spf=fail smtp.mailfrom=ash@example.org"), "from"),
        ("Authentication-Results: mx.wolf.example; " + "(" * 500 + "\n", "from"),
        ("Authentication-Results: mx.wolf.example;" + " dkim=pass" * 3000 + "\n", "from"),
        ("Authentication-Results: mx.wolf.example; dkim=\n", "from"),
        ("Reply-To: bex@example.org\nSender: bex@example.org\n", "from"),
    ],
)
def test_how_sure_a_known_sender_is(head: str, assurance: str) -> None:
    """Only the topmost result of a server that is trusted raises it; a forum's stamp is a level of its own."""
    found = identify(letter_of(head), PEOPLE, TRUST)

    assert (found.person, found.assurance, found.held) == (ASH, assurance, False)


@pytest.mark.parametrize(
    "head",
    [
        result("dmarc=fail header.from=example.org"),
        result("dkim=fail header.d=example.org"),
        result("dkim=permerror header.d=example.org; dkim=pass header.d=evil.example"),
        LISTED + result("dmarc=fail header.from=example.org", "lists.agora.example"),
    ],
)
def test_what_a_players_own_domain_disowns_is_held(head: str) -> None:
    """A failure by a server that is trusted, for the sender's own domain: held, with the reason, never heard."""
    found = identify(letter_of(head), PEOPLE, TRUST)

    assert (found.person, found.assurance, found.held) == (ASH, "none", True)
    assert "example.org" in found.reason


def test_without_named_servers_no_result_counts() -> None:
    """Nobody's word is taken unless the settings name em."""
    letter = letter_of(result("dmarc=fail header.from=example.org; dkim=pass header.d=example.org"))

    assert verdict(letter, (), "example.org") == (False, "")
    assert identify(letter, PEOPLE).assurance == "from"


@each(
    ("sender", "person"),
    [
        ("Ash <ASH@Example.ORG>", ASH),
        ("Bex <ash@b.example>", ASH),
        ('"ash@example.org" <mallory@evil.example>', None),
        ("Ash <аsh@example.org>", None),
        ("Ash <ash+x@example.org>", None),
        ("mallory@evil.example", None),
    ],
)
def test_only_the_address_counts(sender: str, person: Player | None) -> None:
    """A display name says nothing, look-alike letters are other letters; strangers are not held."""
    found = identify(letter_of("Reply-To: bex@example.org\n", sender), PEOPLE, TRUST)

    assert (found.person, found.held) == (person, False)


@pytest.mark.parametrize(
    "sender", ["ash@example.org, bex@example.org", "x: ash@example.org;", "ash@example.org\nFrom: b@c.d"]
)
def test_an_unclear_sender_is_held(sender: str) -> None:
    """Several mailboxes, a group, two fields."""
    found = identify(letter_of("", sender), PEOPLE, TRUST)

    assert (found.person, found.assurance, found.held) == (None, "none", True)


@each(("field", "held"), [
    ("Resent-From: Bex <bex@example.org>", True), ("Resent-Sender: BEX@example.org", True),
    ("Resent-From: Ash <ash@example.org>", False), ("Resent-From: agora@lists.agora.example", False),
    ("Resent-To: bex@example.org", False),
])
def test_what_another_player_has_sent_on_is_held(field: str, held: bool) -> None:
    """RFC 5322 3.6.6: the From is still Ash's, but that it goes here was Bex's choice; forwarders and lists may."""
    found = identify(letter_of(f"{field}\n"), PEOPLE, TRUST)

    assert (found.person, found.held) == (ASH, held)
    assert ("sent it on" in found.reason) is held


def test_a_shared_address_is_held() -> None:
    """Two persons registered with one address can't be told apart."""
    found = identify(letter_of(""), (ASH, Player("Cam", ("ash@example.org",))), TRUST)

    assert (found.person, found.held) == (None, True)


MUNGED = "Ash via agora <agora@lists.agora.example>"


@each(
    ("head", "person"),
    [
        ("Reply-To: Ash <ash@example.org>\n", ASH),
        ("Reply-To: agora@lists.agora.example, ash@example.org\n", ASH),
        ("X-Original-From: Ash <ash@example.org>\n", ASH),
        ("X-Original-From: ash@example.org\nReply-To: ash@b.example\n", ASH),
        ("X-Original-From: ash@example.org\nReply-To: bex@example.org\n", None),
        ("Reply-To: ash@example.org, bex@example.org\n", None),
        ("Reply-To: ash@example.org, mallory@evil.example\n", None),
        ("Reply-To: mallory@evil.example\n", None),
        ("", None),
    ],
)
def test_a_rewritten_from_is_undone_if_it_is_certain(head: str, person: Player | None) -> None:
    """Only one registered person in Reply-To and X-Original-From; anything else is held."""
    found = identify(letter_of(LISTED + head, MUNGED), PEOPLE, TRUST)

    assert (found.person, found.held) == (person, person is None)
    assert found.assurance == ("forum" if person else "none")


MAILMAN = LISTED + "X-Mailman-Version: 3.3.8\nReply-To: agora@lists.agora.example\n"


@each(
    ("head", "sender", "person"),
    [
        ("Cc: Ash <ash@example.org>\n", MUNGED, ASH),
        ("Cc: agora@lists.agora.example, Ash <ash@b.example>\n", MUNGED, ASH),
        ('Cc: "Ash" <ASH@Example.org>\n', '"Ash via agora" <agora@lists.agora.example>', ASH),
        ("Cc: ash@example.org\n", "ash--- via agora <agora@lists.agora.example>", ASH),
        ("Cc: =?utf-8?q?J=C3=BCrg?= <ash@example.org>\n",
         "=?utf-8?q?J=C3=BCrg_via_agora?= <agora@lists.agora.example>", ASH),
        ("Cc: Bex <bex@example.org>, Ash <ash@example.org>\n", MUNGED, None),
        ("Cc: Ash <ash@example.org>, Mallory <mallory@evil.example>\n", MUNGED, None),
        ("Cc: Mallory <mallory@evil.example>\n", MUNGED, None),
        ("Cc: Ash <ash@example.org>\n", "Bex via agora <agora@lists.agora.example>", None),
        ("Cc: Ash <ash@example.org>\n", "Agora business <agora@lists.agora.example>", None),
        ("Cc: Ash <ash@example.org>\nReply-To: mallory@evil.example\n", MUNGED, None),
        ("Cc: Ash <ash@example.org>\nReply-To: bex@example.org\n", MUNGED, None),
        ("Cc: Ash <mallory@evil.example>\nReply-To: ash@example.org\n", MUNGED, None),
        ("Cc: Bex <bex@example.org>\nReply-To: ash@example.org\n", MUNGED, ASH),
        ("", MUNGED, None),
    ],
)
def test_an_author_whom_mailman_has_moved_to_cc_is_known(head: str, sender: str, person: Player | None) -> None:
    """Where answers go to the list, Cc has the author's address (Mailman 3.3.8), and whomever e sent a copy to."""
    found = identify(letter_of(MAILMAN + head, sender), PEOPLE, TRUST)

    assert (found.person, found.held) == (person, person is None)
    assert found.assurance == ("forum" if person else "none")


def test_other_lists_than_mailmans_may_leave_the_author_out() -> None:
    """Then Cc has none but those whom the author sent a copy to."""
    found = identify(letter_of(LISTED + "Cc: Ash <ash@example.org>\n", MUNGED), PEOPLE, TRUST)

    assert (found.person, found.held) == (None, True)


@pytest.mark.parametrize(("head", "prove"), [
    (LISTED, False),
    ("List-Id: <agora.lists.agora.example>\n", True),
    (LISTED.replace("from lists.agora.example", "from evil.example")
     .replace("(lists.agora.example", "(evil.example"), True),
])
def test_a_rewritten_from_needs_a_stamp_that_proves_it(head: str, *, prove: bool) -> None:
    """By invented headers of a list anyone could be Ash via agora: held, with what to set, and no act of eirs."""
    letter = letter_of(head + "Reply-To: ash@example.org\n", MUNGED)
    found = identify(letter, PEOPLE, replace(TRUST, stamps_prove=prove))

    assert (found.person, found.assurance, found.held) == (ASH, "none", True)
    assert "contest.mail_hosts" in found.reason


def test_a_forums_address_in_from_must_have_come_through_it() -> None:
    """A direct letter that pretends to come from the list is held whatever its Reply-To says."""
    found = identify(letter_of("Reply-To: ash@example.org\n", MUNGED), PEOPLE, TRUST)

    assert (found.person, found.held) == (None, True)


@each(("head", "sender", "name", "address"), [
    ("Reply-To: Gus <gus@players.example>\n", "Gus via agora <agora@lists.agora.example>",
     "Gus", "gus@players.example"),
    ("Reply-To: Gus <gus@players.example>\n", "'Gus' via agora <agora@lists.agora.example>",
     "Gus", "gus@players.example"),
    ("Reply-To: agora@lists.agora.example\nX-Mailman-Version: 3.3.10\nCc: gus@players.example\n",
     "gus--- via agora <agora@lists.agora.example>", "", "gus@players.example"),
    ("", "Gus <gus@players.example>", "Gus", "gus@players.example"),
    ("Reply-To: gus@players.example, hal@players.example\n", "Gus via agora <agora@lists.agora.example>", "", ""),
    ("Reply-To: gus@players.example\n", "gus@players.example, hal@players.example", "", ""),
])
def test_who_wrote_it_is_told_of_strangers_too(head: str, sender: str, name: str, address: str) -> None:
    """Whoever is nobody's in a From that a list has rewritten is as much a stranger as in eir own."""
    letter = letter_of(LISTED + head, sender)

    assert written_by(letter, TRUST.forums) == (name, address)
    assert identify(letter, PEOPLE, TRUST).held is (not address)
