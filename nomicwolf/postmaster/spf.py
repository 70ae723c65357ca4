"""SPF: whether a domain lets letters leave from an address (RFC 7208)."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Literal, TypeAlias

from nomicwolf.postmaster.asking import Dns

Result: TypeAlias = Literal["pass", "fail", "softfail", "neutral", "none", "permerror", "unclear"]
"""As in RFC 7208 2.6; *unclear* is what only a receiver can tell, since it hangs on each letter (macros)."""
MOST = 10
"""Questions that a receiver asks for one letter; beyond them a record is broken (RFC 7208 4.6.4)."""
NOWHERE = "0.0.0.0"  # noqa: S104 - nobody listens there
"""An address that no letter comes from (RFC 1122 3.2.1.3)."""
_SIGNS: dict[str, Result] = {"": "pass", "+": "pass", "-": "fail", "~": "softfail", "?": "neutral"}
_TERM = re.compile(r"([-+~?]?)([a-z][a-z0-9_.-]*)([:=/].*)?", re.IGNORECASE)
_HOSTS = re.compile(r"(?::([^/]+))?(?:/(\d{1,3}))?(?://(\d{1,3}))?")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes out for an address: the *result*, and *why* if the record is broken or can't be told."""

    result: Result
    why: str = ""


class _Stop(Exception):
    """No receiver gets to the record's end; what comes out is known."""

    def __init__(self, result: Result, why: str) -> None:
        super().__init__(why)
        self.outcome = Outcome(result, why)


@dataclass(slots=True)
class _Check:
    dns: Dns
    address: IPv4Address | IPv6Address
    included: set[str] = field(default_factory=set)
    asked: int = 0

    def domain(self, name: str) -> Result:
        """Return what the record of *name* says of the address."""
        found = records(self.dns, name)
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
            return any(host == target or host.endswith(f".{target}") for host in confirmed(self.dns, str(self.address)))
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
            raise _Stop("unclear", f"it hangs on each letter ({name})")
        self.asked += 1
        if self.asked > MOST:
            raise _Stop("permerror", f"it takes more than {MOST} questions to the DNS, and receivers ask no more")
        return name.lower().rstrip(".")


def records(dns: Dns, name: str) -> tuple[str, ...]:
    """Return the SPF records of *name*; it should have one."""
    return tuple(text for text in dns.texts(name) if text.lower().split(" ")[0] == "v=spf1")


def evaluated(dns: Dns, address: str, domain: str) -> Outcome:
    """Return what receivers find of a letter that comes from *address* with a return path in *domain*."""
    try:
        return Outcome(_Check(dns, ip_address(address)).domain(domain.lower()))
    except _Stop as stop:
        return stop.outcome


def includes(dns: Dns, domain: str, wanted: str) -> bool:
    """Return whether the record of *domain* takes in that of *wanted*, by however many steps."""
    walk = _Check(dns, ip_address(NOWHERE))
    with suppress(_Stop):
        walk.domain(domain.lower())
    return wanted in walk.included


def confirmed(dns: Dns, address: str) -> tuple[str, ...]:
    """Return the names of *address* in reverse that lead back to it."""
    return tuple(name for name in dns.names(address) if address in dns.addresses(name))


def with_term(record: str, term: str) -> str:
    """Return an SPF *record* with one more *term*, before the one that ends it.

    >>> with_term("v=spf1 mx -all", "ip4:192.0.2.25")
    'v=spf1 mx ip4:192.0.2.25 -all'
    """
    words = record.split()
    last = next((at for at, word in enumerate(words) if re.fullmatch(r"[-+~?]?all|redirect=.*", word.lower())),
                len(words))
    return " ".join([*words[:last], term, *words[last:]])
