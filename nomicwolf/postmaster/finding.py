"""The mail servers of an address, by what its domain says of them.

A page of the domain's own (Mozilla's autoconfig), or the DNS (SRV, RFC 6186 and 8314). A page is proved by its
certificate. The DNS isn't, so a server that it names in another domain is a person's to confirm (RFC 6186 6).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from nomicwolf.post.refusals import Denied
from nomicwolf.post.routes import DIRECTLY, Route
from nomicwolf.post.web import asked
from nomicwolf.postmaster.examining import owner_of
from nomicwolf.postmaster.records import Dns, Unanswered, parents

LONGEST = 65_536
"""Bytes of a page that are read."""
PATIENCE = 5
"""Seconds for a page."""
PORTS = {"imap": (993, 143), "smtp": (465, 587)}
"""Where each kind is spoken with TLS from the first byte on, and after STARTTLS (RFC 8314); the first is the usual."""
_SERVICES = {"imap": ("_imaps", "_imap"), "smtp": ("_submissions", "_submission")}
_KINDS = ("ssl", "starttls")


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers *imap* and *smtp* as ``host`` or ``host:port``, their *user*, and who *said* so.

    They are *sure* if nobody on the way can have named others.
    """

    imap: str
    smtp: str
    user: str
    said: str
    sure: bool = True


def servers_of(address: str, dns: Dns, route: Route = DIRECTLY) -> Servers | None:
    """Return the servers of an *address*, None if nobody tells them."""
    domain = address.rpartition("@")[2].lower()
    if owner := owner_of(domain):
        return Servers(*owner.servers, address, owner.name)
    return next((found for url in _pages(address, domain) if (found := _by_page(url, address, route))),
                None) or _by_dns(address, domain, dns)


def _pages(address: str, domain: str) -> Iterator[str]:
    yield f"https://autoconfig.{domain}/mail/config-v1.1.xml?emailaddress={quote(address)}"
    yield f"https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml"


def _by_page(url: str, address: str, route: Route) -> Servers | None:
    try:
        status, page = asked("GET", url, PATIENCE, route=route, longest=LONGEST)
    except (Denied, OSError):
        return None
    return configured(page.decode("utf-8", "replace"), address, url.split("/")[2]) if status == 200 else None


def configured(page: str, address: str, said: str) -> Servers | None:
    """Return the servers that an autoconfig *page* has for an *address*, None if it has none that are encrypted."""
    tree = LexborHTMLParser(page)
    found = {kind: next(filter(None, (_server(kind, node, address) for node in tree.css(tag))), None)
             for kind, tag in (("imap", 'incomingserver[type="imap"]'), ("smtp", 'outgoingserver[type="smtp"]'))}
    coming, going = found["imap"], found["smtp"]
    return Servers(coming[0], going[0], coming[1], said) if coming and going else None


def _server(kind: str, node: LexborNode, address: str) -> tuple[str, str] | None:
    """Return a server and its user from its element; None if it isn't encrypted, or at no usual port."""
    host, port, security, user = (_text(node, tag) for tag in ("hostname", "port", "sockettype", "username"))
    place = next((each for each, how in zip(PORTS[kind], _KINDS, strict=True)
                  if (str(each), how) == (port, security.lower())), 0)
    if not place or not _is_host(host):
        return None
    local, _, domain = address.rpartition("@")
    for word, meant in (("%EMAILADDRESS%", address), ("%EMAILLOCALPART%", local), ("%EMAILDOMAIN%", domain)):
        host, user = host.replace(word, meant), user.replace(word, meant)
    return _place(kind, host.lower(), place), user if user.isprintable() and "%" not in user else address


def _text(node: LexborNode, tag: str) -> str:
    found = node.css_first(tag)
    return found.text().strip() if found is not None else ""


def _is_host(host: str) -> bool:
    return bool(host) and all(c.isalnum() or c in "-.%" for c in host) and host.isascii()


def _place(kind: str, host: str, port: int) -> str:
    return host if port == PORTS[kind][0] else f"{host}:{port}"


def _by_dns(address: str, domain: str, dns: Dns) -> Servers | None:
    found = {}
    try:
        for kind, names in _SERVICES.items():
            found[kind] = next((place for name, port in zip(names, PORTS[kind], strict=True)
                                for place in dns.services(f"{name}._tcp.{domain}") if place[1] == port), None)
    except Unanswered:
        return None
    coming, going = found["imap"], found["smtp"]
    if coming is None or going is None or not (_is_host(coming[0]) and _is_host(going[0])):
        return None
    sure = all(domain in parents(host) for host, _ in (coming, going))
    return Servers(_place("imap", *coming), _place("smtp", *going), address, f"the DNS of {domain}", sure)
