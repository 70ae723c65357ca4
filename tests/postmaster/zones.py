"""Zones of a domain that is set up well, to be spoilt by tests, and what is found of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from nomicwolf.postmaster.examining import Examined, Sending, examine
from nomicwolf.proofs.dkim import Dns, new_key, record_of, zone_line
from tests.servers.nameserver import nameserver

Records = dict[str, dict[str, list[str]]]


@cache
def key() -> bytes:
    """Return the private key of these tests."""
    return new_key()


SENDING = Sending("howl.town", "howl.town", "127.0.0.1", here=True, selector="nomicwolf", key=record_of(key()))


def good() -> Records:
    """Return a zone in which all is as it should be."""
    return {
        "howl.town": {"MX": ["10 mx.howl.town."], "TXT": ['"v=spf1 mx -all"', '"another=thing"']},
        "mx.howl.town": {"A": ["192.0.2.25"], "AAAA": ["2001:db8::25"]},
        "25.2.0.192.in-addr.arpa": {"PTR": ["mx.howl.town."]},
        "5.2.0.0." + "0." * 20 + "8.b.d.0.1.0.0.2.ip6.arpa": {"PTR": ["mx.howl.town."]},
        "nomicwolf._domainkey.howl.town": {"TXT": [zone_line("x", SENDING.key).partition("TXT ")[2]]},
        "_dmarc.howl.town": {"TXT": ['"v=DMARC1; p=none"']},
    }


def txt(zone: Records, name: str, *texts: str) -> Records:
    """Return *zone* with other texts at *name*."""
    return {**zone, name: {**zone.get(name, {}), "TXT": [zone_line("x", text).partition("TXT ")[2] for text in texts]}}


def without(zone: Records, name: str) -> Records:
    """Return *zone* without a *name*."""
    return {key: value for key, value in zone.items() if key != name}


def examined(zone: Records, **changes: object) -> Examined:
    """Return what is found of a contest whose domain has *zone*, and that sends with *changes*."""
    with nameserver(zone) as (address, _):
        return examine(replace(SENDING, **changes), Dns((address,)))  # type: ignore[arg-type]
