"""From where a contest's letters leave: the addresses that receivers see, and who answers for them."""

from __future__ import annotations

from dataclasses import dataclass

from nomicwolf.postmaster.asking import Dns
from nomicwolf.postmaster.dmarc import parents


@dataclass(frozen=True, slots=True)
class Provider:
    """Someone who takes letters in at hosts of *suffix*, and sends them on from wherever *spf* says.

    *domains* are eir own: whoever has an address there can set nothing in the DNS.
    """

    name: str
    suffix: str
    spf: str
    domains: tuple[str, ...] = ()


PROVIDERS = (
    Provider("Google", "gmail.com", "_spf.google.com", ("gmail.com", "googlemail.com")),
    Provider("Microsoft", "office365.com", "spf.protection.outlook.com"),
    Provider("Microsoft", "outlook.com", "spf.protection.outlook.com",
             ("outlook.com", "hotmail.com", "live.com", "msn.com")),
    Provider("Fastmail", "fastmail.com", "spf.messagingengine.com", ("fastmail.com", "fastmail.fm")),
    Provider("Yahoo", "yahoo.com", "", ("yahoo.com", "ymail.com", "aol.com")),
    Provider("iCloud", "me.com", "icloud.com", ("icloud.com", "me.com", "mac.com")),
    Provider("GMX", "gmx.net", "", ("gmx.net", "gmx.de", "gmx.com")),
    Provider("mailbox.org", "mailbox.org", "mailbox.org", ("mailbox.org",)),
    Provider("Migadu", "migadu.com", "spf.migadu.com"),
    Provider("Zoho", "zoho.com", "zohomail.com", ("zohomail.com",)),
)
"""As these providers tell their customers to write it."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """The *addresses* that letters leave from, as far as that can be known, and *said*, how it is known.

    They are *ours* if whoever has the domain also runs the server; else *provider* is who does, if that is known.
    """

    addresses: tuple[str, ...]
    said: str
    ours: bool
    provider: Provider | None = None


def owner_of(domain: str) -> Provider | None:
    """Return the provider whose own *domain* is."""
    return next((p for p in PROVIDERS if domain.lower() in p.domains), None)


def provider_of(server: str) -> Provider | None:
    """Return the provider that a mail *server* belongs to."""
    return next((p for p in PROVIDERS if p.suffix in parents(server)), None)


def leaving(dns: Dns, domain: str, server: str, given: tuple[str, ...], *, here: bool) -> Leaving:
    """Return from where the letters of *domain* leave that a *server* is given.

    *given* addresses are taken as they are. A server on this machine (*here*) sends, as most do, from where the
    domain's mail is taken in.
    """
    if given:
        return Leaving(given, "as domain.leaves_from says", ours=True)
    if found := provider_of(server):
        return Leaving((), f"of {found.name}", ours=False, provider=found)
    hosts = [host for host in dns.exchangers(domain) if host] or [domain] if here else [server]
    seen = tuple(dict.fromkeys(address for host in hosts for address in dns.addresses(host)))
    ours = here or bool({domain, *parents(domain)} & set(parents(server)))
    return Leaving(seen, f"taken to be {' and '.join(hosts)}", ours=ours)
