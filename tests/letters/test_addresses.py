"""From fields and Message-IDs that two programs could read differently are not read at all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.letters.identity import (
    addr_spec,
    addresses_in,
    fold_address,
    folded_in,
    mailbox,
    message_id,
    message_ids,
    split_tag,
)
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
