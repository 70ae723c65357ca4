"""What receivers make of letters, against a name server on loopback: each fault has the line that mends it."""

from __future__ import annotations

import pytest

from nomicwolf.postmaster.examining import examine
from nomicwolf.postmaster.records import Dns, Unanswered
from tests.postmaster.zones import SENDING, Records, examined, good, txt, without
from tests.servers.nameserver import nameserver
from tests.tables import each

PTR = "25.2.0.192.in-addr.arpa"
DKIM = "nomicwolf._domainkey.howl.town"


def line_in(fault: str) -> tuple[str, str]:
    """Return name and text of the TXT record that a fault says to put into the DNS."""
    line = fault.rpartition(":  ")[2]
    name, _, texts = line.partition(". IN TXT ")
    return name, texts.replace('" "', "").strip('"')


def test_a_domain_that_is_set_up_well_has_no_fault() -> None:
    """It is said that letters are proven twice, and nothing else."""
    found = examined(good())
    assert found.faults == []
    assert [note for note in found.notes if "proven twice" not in note] == []
    assert len(found.notes) == 1


SPOILT: dict[str, Records] = {
    "no SPF": txt(good(), "howl.town"),
    "SPF of elsewhere": txt(good(), "howl.town", "v=spf1 ip4:198.51.100.0/24 ip6:2001:db8::/32 -all"),
    "no DKIM": without(good(), DKIM),
    "another key": txt(good(), DKIM, "v=DKIM1; p=MIGf"),
    "revoked": txt(good(), DKIM, "v=DKIM1; p="),
    "no DMARC": without(good(), "_dmarc.howl.town"),
    "DMARC without policy": txt(good(), "_dmarc.howl.town", "v=DMARC1; rua=mailto:x@howl.town"),
    "DMARC twice": txt(good(), "_dmarc.howl.town", "v=DMARC1; p=none", "v=DMARC1; p=reject"),
}


@each("name", SPOILT)
def test_the_line_that_a_fault_says_mends_it(name: str) -> None:
    """One fault, whose line is put into the DNS as it is told; then there is none."""
    zone = SPOILT[name]
    (fault,) = examined(zone).faults

    assert examined(txt(zone, *line_in(fault))).faults == []


@each(("zone", "said"), [
    (txt(good(), "howl.town", "v=spf1 mx -all", "v=spf1 a -all"), "has 2 records"),
    (txt(good(), "howl.town", "v=spf1 +all"), "the whole world"),
    (txt(good(), "howl.town", "v=spf1 ip4:nowhere -all"), "'nowhere' is no address"),
    (txt(good(), "howl.town", "v=spf1 include:gone.town -all"), "include:gone.town leads to no record"),
    (txt(good(), "howl.town", "v=spf1 " + " ".join(f"a:h{n}.howl.town" for n in range(11)) + " -all"), "more than 10"),
    (txt(good(), "howl.town", "v=spf1 redirect=howl.town"), "more than 10"),
    (without(good(), PTR), "25.2.0.192.in-addr.arpa. IN PTR mx.howl.town."),
    ({**good(), PTR: {"PTR": ["pool-25.net."]}}, "pool-25.net. IN A 192.0.2.25"),
])
def test_what_is_wrong_is_told(zone: Records, said: str) -> None:
    """Records that receivers take for broken, and reverse names that lead nowhere."""
    assert any(said in fault for fault in examined(zone).faults)


def test_what_includes_and_redirects_say_counts() -> None:
    """RFC 7208 5.2 and 6.1: one that is not passed goes on, and the last word is elsewhere's."""
    zone = txt(txt(txt(good(), "howl.town", "v=spf1 include:no.town redirect=yes.town"), "no.town", "v=spf1 -all"),
               "yes.town", "v=spf1 a:mx.howl.town/24//64 -all")
    assert examined(zone).faults == []


def test_nothing_proven_is_told_with_what_follows() -> None:
    """What receivers do then is what the domain's own policy says, or what they are used to."""
    bare = without(txt(good(), "howl.town"), DKIM)
    for policy, said in (("none", "put many of them into spam"), ("quarantine", "put them into spam"),
                         ("reject", "and refuse them")):
        faults = examined(txt(bare, "_dmarc.howl.town", f"v=DMARC1; p={policy}")).faults
        assert any("nothing proves" in fault and said in fault for fault in faults)


def test_a_strict_policy_is_told_with_what_lists_do_to_it() -> None:
    """A list breaks signatures, so it has to rewrite From or to seal with ARC, or the policy goes."""
    strict = txt(good(), "_dmarc.howl.town", "v=DMARC1; p=reject")
    (note,) = [note for note in examined(strict).notes if note.startswith("lists:")]
    assert "munge_from" in note
    assert "ARC" in note
    assert not [note for note in examined(strict, lists=0).notes if note.startswith("lists:")]


def test_the_domain_above_speaks_for_one_below() -> None:
    """DMARC is looked for upwards, and sp= is for those below; SPF of a sister domain proves From, if not strict."""
    zone = txt(txt(good(), "_dmarc.howl.town", "v=DMARC1; p=none; sp=reject"), "wolf.howl.town", "v=spf1 mx -all")
    changes = {"domain": "wolf.howl.town", "server": "mx.howl.town", "here": False, "selector": "", "key": ""}
    found = examined(zone, **changes)
    assert found.faults == []
    assert any("p=reject" in note and "_dmarc.howl.town" in note for note in found.notes)
    assert any("proven by SPF" in note for note in found.notes)

    apart = examined(txt(zone, "_dmarc.howl.town", "v=DMARC1; p=none; aspf=s"), **changes)
    assert any("set smtp.from and contest.address to one domain" in note for note in apart.notes)
    assert not any("proven by SPF" in note for note in apart.notes)


def test_a_provider_needs_its_include() -> None:
    """A domain of one's own at Fastmail: the record takes in Fastmail's, by however many steps."""
    changes = {"server": "smtp.fastmail.com", "here": False}
    (fault,) = examined(good(), **changes).faults
    assert line_in(fault) == ("howl.town", "v=spf1 mx include:spf.messagingengine.com -all")
    assert examined(txt(good(), *line_in(fault)), **changes).faults != [fault]
    zone = txt(txt(good(), *line_in(fault)), "spf.messagingengine.com", "v=spf1 ip4:198.51.100.0/24 -all")
    assert examined(zone, **changes).faults == []


def test_a_providers_own_domain_is_its_care() -> None:
    """Of gmail.com nothing is asked; but who sends as such from elsewhere is taken for a forger."""
    with nameserver({}) as (address, asked):
        dns = Dns((address,))
        there = examine(type(SENDING)("gmail.com", "gmail.com", "smtp.gmail.com"), dns)
        elsewhere = examine(type(SENDING)("gmail.com", "gmail.com", "mx.howl.town"), dns)
        assert asked == []
    assert there.faults == []
    assert "Google's care" in there.notes[0]
    assert "Set smtp.host to Google's server" in elsewhere.faults[0]


def test_where_letters_leave_may_be_said() -> None:
    """Addresses of one's own word are tried in place of those that the domain's mail comes to."""
    found = examined(good(), addresses=("198.51.100.7",))
    assert any("ip4:198.51.100.7" in fault and "domain.leaves_from" in fault for fault in found.faults)
    assert any("7.100.51.198.in-addr.arpa. IN PTR mail.howl.town." in fault for fault in found.faults)


def test_a_server_whose_addresses_prove_nothing_is_no_fault() -> None:
    """Someone else's server may send from other addresses than it takes letters at; that is only noted."""
    zone = {**good(), "smtp.carrier.net": {"A": ["198.51.100.9"]}}
    found = examined(zone, server="smtp.carrier.net", here=False)
    assert found.faults == []
    assert any("ip4:198.51.100.9" in note for note in found.notes)


def test_a_server_that_signs_by_a_selector_nobody_knows() -> None:
    """It is said where to look, and that nomicwolf could sign."""
    found = examined(good(), selector="", key="")
    assert any("nomicwolf dkim says how" in note for note in found.notes)
    assert any("perhaps by DKIM" in note for note in found.notes)


def test_macros_are_left_to_receivers() -> None:
    """What hangs on each letter can't be told here, and isn't guessed."""
    found = examined(txt(good(), "howl.town", "v=spf1 exists:%{i}.spf.howl.town -all"))
    assert found.faults == []
    assert any("hangs on each letter" in note for note in found.notes)


def test_a_name_server_that_fails_is_not_an_empty_zone() -> None:
    """Whoever is not answered says so, and finds no fault."""
    with nameserver(None) as (address, _), pytest.raises(Unanswered, match=r"no answer about .* from 127\.0\.0\.1"):
        examine(SENDING, Dns((address,)))
