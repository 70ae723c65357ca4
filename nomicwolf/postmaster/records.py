"""SPF, DKIM, DMARC and SRV records in the DNS.

SPF says whether a domain lets letters leave from an address (RFC 7208), DKIM which key signs (RFC 6376 3.6.1), and
DMARC what a domain wants done with letters that neither proves (RFC 7489). It matters whether the DNS has nothing, or
nobody answers.
"""

from __future__ import annotations

import base64
import binascii
import re
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Literal, TypeAlias

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key

from nomicwolf.proofs.dkim import KEY_BITS, Dns

RESERVED = frozenset({
    "test", "example", "invalid", "localhost", "local", "internal", "example.com", "example.net", "example.org",
})
"""Domains that the DNS of the world doesn't have (RFC 2606, 6761, 6762); one's own name server may."""


def is_reserved(domain: str) -> bool:
    """Return whether a domain is one for examples and local networks.

    >>> is_reserved("wolf.example"), is_reserved("wolf.town")
    (True, False)
    """
    labels = domain.lower().rstrip(".").split(".")
    return not RESERVED.isdisjoint({".".join(labels[-2:]), labels[-1]})


Result: TypeAlias = Literal["pass", "fail", "softfail", "neutral", "none", "permerror", "unclear"]
"""As in RFC 7208 2.6; *unclear* is what only a receiver can tell, since it depends on each letter (macros)."""
MOST = 10
"""Questions that a receiver asks for one letter; beyond them a record is broken (RFC 7208 4.6.4)."""
NOWHERE = "0.0.0.0"  # noqa: S104 - nobody listens there
"""An address that no letter comes from (RFC 1122 3.2.1.3)."""
_SIGNS: dict[str, Result] = {"": "pass", "+": "pass", "-": "fail", "~": "softfail", "?": "neutral"}
_TERM = re.compile(r"([-+~?]?)([a-z][a-z0-9_.-]*)([:=/].*)?", re.IGNORECASE)
_HOSTS = re.compile(r"(?::([^/]+))?(?:/(\d{1,3}))?(?://(\d{1,3}))?")


@dataclass(frozen=True, slots=True)
class SpfOutcome:
    """SPF's *result* for an address, and *why* if the record is broken or unknown."""

    result: Result
    why: str = ""


class _Stop(Exception):
    """No receiver gets to the record's end; what comes out is known."""

    def __init__(self, result: Result, why: str) -> None:
        super().__init__(why)
        self.outcome = SpfOutcome(result, why)


@dataclass(slots=True)
class _Check:
    dns: Dns
    address: IPv4Address | IPv6Address
    included: set[str] = field(default_factory=set)
    asked: int = 0

    def domain(self, name: str) -> Result:
        """Return what the record of *name* says of the address."""
        found = spf_records(self.dns, name)
        if not found:
            return "none"
        if len(found) > 1:
            raise _Stop("permerror", f"{name} has {len(found)} records that begin with v=spf1, and may have one")
        elsewhere = ""
        for term in found[0].split()[1:]:
            match = _TERM.fullmatch(term)
            if match is None:
                raise _Stop("permerror", f"{term!r} is nothing that SPF knows")
            sign, word, rest = match[1], match[2].lower(), match[3] or ""
            if rest.startswith("="):
                elsewhere = rest[1:] if word == "redirect" else elsewhere
            elif self.matches(word, rest, name):
                return _SIGNS[sign]
        if not elsewhere:
            return "neutral"
        there = self.other(elsewhere)
        if there == "none":
            raise _Stop("permerror", f"redirect={elsewhere} leads to no record")
        return there

    def matches(self, word: str, rest: str, name: str) -> bool:
        """Return whether a mechanism is true of the address."""
        if word == "all" and not rest:
            return True
        if word in {"ip4", "ip6"}:
            return self.within(rest[1:])
        if word == "include":
            there = self.other(rest[1:])
            if there == "none":
                raise _Stop("permerror", f"include:{rest[1:]} leads to no record")
            return there == "pass"
        if word == "exists":
            return bool(self.ask(rest[1:]) and self.dns.addresses(rest[1:]))
        hosts = _HOSTS.fullmatch(rest)
        if word not in {"a", "mx", "ptr"} or hosts is None:
            raise _Stop("permerror", f"{word + rest!r} is nothing that SPF knows")
        target = self.ask(hosts[1] or name)
        if word == "ptr":
            hosts_back = confirmed_names(self.dns, str(self.address))
            return any(host == target or host.endswith(f".{target}") for host in hosts_back)
        length = hosts[2] if self.address.version == 4 else hosts[3]
        where = (target,) if word == "a" else tuple(filter(None, self.dns.exchangers(target)))
        return any(self.within(f"{found}/{length}" if length else found)
                   for host in where for found in self.dns.addresses(host)
                   if ip_address(found).version == self.address.version)

    def within(self, net: str) -> bool:
        try:
            return self.address in ip_network(net, strict=False)
        except ValueError as error:
            raise _Stop("permerror", f"{net!r} is no address") from error

    def other(self, name: str) -> Result:
        self.included.add(name.lower())
        return self.domain(self.ask(name))

    def ask(self, name: str) -> str:
        """Count a question, and return the name that it is about."""
        if "%" in name:
            raise _Stop("unclear", f"it depends on each letter ({name})")
        self.asked += 1
        if self.asked > MOST:
            raise _Stop("permerror", f"it takes more than {MOST} questions to the DNS, and receivers ask no more")
        return name.lower().rstrip(".")


def spf_records(dns: Dns, name: str) -> tuple[str, ...]:
    """Return the SPF records of *name*; it should have one."""
    return tuple(text for text in dns.texts(name) if text.lower().split(" ")[0] == "v=spf1")


def spf_result(dns: Dns, address: str, domain: str) -> SpfOutcome:
    """Return what receivers find of a letter that comes from *address* with a return path in *domain*."""
    try:
        return SpfOutcome(_Check(dns, ip_address(address)).domain(domain.lower()))
    except _Stop as stop:
        return stop.outcome


def spf_includes(dns: Dns, domain: str, wanted: str) -> bool:
    """Return whether the record of *domain* takes in that of *wanted*, by however many steps."""
    walk = _Check(dns, ip_address(NOWHERE))
    with suppress(_Stop):
        walk.domain(domain.lower())
    return wanted in walk.included


def confirmed_names(dns: Dns, address: str) -> tuple[str, ...]:
    """Return the names of *address* in reverse that lead back to it."""
    return tuple(name for name in dns.names(address) if address in dns.addresses(name))


def spf_with_term(record: str, term: str) -> str:
    """Return an SPF *record* with one more *term*, before the one that ends it.

    >>> spf_with_term("v=spf1 mx -all", "ip4:192.0.2.25")
    'v=spf1 mx ip4:192.0.2.25 -all'
    """
    words = record.split()
    last = next((at for at, word in enumerate(words) if re.fullmatch(r"[-+~?]?all|redirect=.*", word.lower())),
                len(words))
    return " ".join([*words[:last], term, *words[last:]])


POLICIES = ("none", "quarantine", "reject")


@dataclass(frozen=True, slots=True)
class Dmarc:
    """The record at *name* and its *policy* for the domain; *trouble* is why receivers take it for none.

    With *strict_spf* the domains must be the same, not only of one organisation.
    """

    name: str
    policy: str = "none"
    strict_spf: bool = False
    trouble: str = ""


def parents(domain: str) -> tuple[str, ...]:
    """Return *domain* and those above it, down to two labels.

    >>> parents("wolf.games.example.org")
    ('wolf.games.example.org', 'games.example.org', 'example.org')
    """
    labels = domain.lower().rstrip(".").split(".")
    return tuple(".".join(labels[at:]) for at in range(max(1, len(labels) - 1)))


def dmarc_record(dns: Dns, domain: str) -> Dmarc | None:
    """Return the record that holds for *domain*: its own, or that of the nearest domain above; None without any."""
    for name in parents(domain):
        texts = _texts(dns, name)
        if texts:
            return _read(name, texts, below=name != domain.lower())
    return None


def aligned(dns: Dns, one: str, other: str, *, strict: bool) -> bool:
    """Return whether *one* speaks for *other*: the same domain or, if not *strict*, of the same organisation."""
    if one.lower() == other.lower():
        return True
    return not strict and organisation(dns, one) == organisation(dns, other)


def organisation(dns: Dns, domain: str) -> str:
    """Return the domain highest above *domain* that has a DMARC record; without any, *domain* itself."""
    return next((name for name in reversed(parents(domain)) if _texts(dns, name)), domain.lower())


def _texts(dns: Dns, name: str) -> tuple[str, ...]:
    return tuple(text for text in dns.texts(f"_dmarc.{name}")
                 if text.partition(";")[0].replace(" ", "").lower() == "v=dmarc1")


def _read(name: str, texts: tuple[str, ...], *, below: bool) -> Dmarc:
    if len(texts) > 1:
        return Dmarc(name, trouble=f"there are {len(texts)} of them, and receivers take that for none; keep one")
    pairs = [part.partition("=") for part in texts[0].split(";")]
    tags = {key.strip().lower(): value.strip().lower() for key, _, value in pairs}
    policy = tags.get("sp", tags.get("p", "")) if below else tags.get("p", "")
    if policy not in POLICIES:
        return Dmarc(name, trouble=f"it has no policy; write p={', p='.join(POLICIES[:-1])} or p={POLICIES[-1]}")
    return Dmarc(name, policy, tags.get("aspf") == "s")


def key_name(selector: str, domain: str) -> str:
    """Return the DNS name of the key of a *selector*."""
    return f"{selector}._domainkey.{domain}"


def key_trouble(dns: Dns, selector: str, domain: str, ours: str = "") -> str:
    """Return what is wrong with the record of a *selector*, '' if nothing is; *ours* is the record that it should be.

    It ends a sentence that begins with the record's name.
    """
    texts = dns.texts(key_name(selector, domain))
    if len(texts) != 1:
        return "has no key" if not texts else f"has {len(texts)} records, and receivers take any of them; keep one"
    tags = _tags(texts[0])
    key = tags.get("p")
    if tags.get("v", "DKIM1") != "DKIM1" or key is None:
        return "is no key: it has no p="
    if not key:
        return "has been revoked: its p= is empty"
    if ours and key != _tags(ours)["p"]:
        return "is another key than the one that signs"
    return _weakness(key) if tags.get("k", "rsa") == "rsa" else ""


def is_testing_key(dns: Dns, selector: str, domain: str) -> bool:
    """Return whether the record says that the domain only tries DKIM, so that receivers may look away."""
    return any("y" in _tags(text).get("t", "").split(":") for text in dns.texts(key_name(selector, domain)))


def _tags(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.split(";")]
    return {key.strip(): "".join(value.split()) for key, _, value in pairs if key.strip()}


def _weakness(key: str) -> str:
    try:
        found = load_der_public_key(base64.b64decode(key, validate=True))
    except (ValueError, binascii.Error, UnsupportedAlgorithm):
        return "holds no key that can be read; it may have been cut off when it was pasted"
    if not isinstance(found, RSAPublicKey) or found.key_size < KEY_BITS:
        return f"holds no RSA key of at least {KEY_BITS} bits, and receivers take no other"
    return ""
