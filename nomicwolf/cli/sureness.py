"""What ``check`` finds of how authors are known: settings that can't work, and what the others leave open."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from ipaddress import ip_address

from nomicwolf.run.contest_setup import LAWS, USUAL_LAW
from nomicwolf.settings import Settings


def identity(settings: Settings) -> Iterator[str]:
    """Yield what is wrong with ``[identity]`` and ``[assurance]``."""
    chosen = settings.identity
    if chosen.arc_sealers and chosen.dkim == "off":
        yield 'identity.arc_sealers: their seals are not looked at; set identity.dkim = "dns"'
    if chosen.subaddresses and "+" in settings.address.partition("@")[0]:
        yield f"identity.subaddresses: {settings.address} has a + already; set it to false, or use another address"
    if "openpgp" in settings.required.values() and find_spec("pysequoia") is None:
        yield ("assurance: asks for openpgp, which is not installed; install nomicwolf with its extra openpgp, "
               "in a checkout: pip install '.[openpgp]'")
    if "forum" in settings.required.values() and not settings.contest.mail_hosts:
        yield ("assurance: asks for forum, and anyone can invent a forum's Received field; name your own mail servers "
               "in contest.mail_hosts, as they stand in the Received fields above the forum's")
    for server in chosen.nameservers:
        host = server.rpartition(":")[0] if server.count(":") == 1 else server
        try:
            ip_address(host)
        except ValueError:
            yield f"identity.nameservers: {server} is no address of a name server; write 192.0.2.1 or 127.0.0.1:5353"


def left_open(settings: Settings) -> Iterator[str]:
    """Yield what works as it is set, and was only guessed, or lets somebody in whom better settings would keep out."""
    for nomic in settings.nomics:
        if not nomic.profile and nomic.name.lower() not in LAWS:
            yield (f"nomic.{nomic.name}: no law is known by that name, and {USUAL_LAW} is taken; "
                   f'write profile = "..." under [nomic.{nomic.name}] if it has another')
    if settings.required["private"] in ("none", "from"):
        yield ("whoever forges a player's From can do eir night deeds (assurance.private is from); "
               'assurance.private = "confirmed" has each of them confirmed')
    elif settings.identity.subaddresses:
        local, _, host = settings.address.partition("@")
        yield (f"private letters are answered to {local}+TAG@{host}; if your server refuses such addresses, "
               "set identity.subaddresses = false")
