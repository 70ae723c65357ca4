"""Routes of letters: forums, stamps, recipients.

Which forums a letter passed, when their servers had it, and whether it was sent to the contest itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from nomicwolf.letters.headers import Fields, every, named, seconds
from nomicwolf.letters.identity import fold_address, folded_in, tag_in
from nomicwolf.letters.letter import ForumInfo

_MAX_HOPS = 60
_PRIVATE = (IPv4Network("10.0.0.0/8"), IPv4Network("172.16.0.0/12"), IPv4Network("192.168.0.0/16"))
_LOOPBACK = ("localhost", "127.0.0.1", "::1", "ipv6:::1", "localhost.localdomain")


@dataclass(frozen=True, slots=True)
class Route:
    """Names of *forums* in the order given, those it came *through*, their *stamps* (UTC seconds), and our *tag*.

    *unnamed* are the forums whose stamp isn't believed, each with a host above it that isn't named as one of ours.
    """

    forums: tuple[str, ...]
    through: tuple[str, ...]
    stamps: tuple[tuple[str, int], ...]
    unnamed: tuple[tuple[str, str], ...]
    to_contestmaster: bool
    tag: str


@dataclass(frozen=True, slots=True)
class Hop:
    """One Received field: its host (as looked up, if known), ``by`` whom, UTC seconds or None."""

    origin: str
    by: str
    at: int | None


def route(
    fields: Fields, forums: Sequence[ForumInfo], contestmaster: Sequence[str], own_hosts: Sequence[str] = ()
) -> Route:
    """Return where a letter with these header *fields* went; the subject, which players write, is not asked."""
    addressed, lists = _addresses(fields, "to", "cc"), _addresses(fields, "x-beenthere", "list-post")
    ids = {_list_id(value) for value in every(fields, "List-Id")}
    hops: list[Hop] | None = None
    went: list[str] = []
    through: list[str] = []
    stamps: list[tuple[str, int]] = []
    unnamed: list[tuple[str, str]] = []
    for forum in forums:
        own = own_addresses(forum)
        carried = bool(ids & _ids(forum) or lists & own)
        if carried or addressed & own:
            went.append(forum.name)
        if carried:
            through.append(forum.name)
            hops = _hops(fields) if hops is None else hops
            at = stamp(hops, _hosts(forum), own_hosts)
            stamps += [] if at is None else [(forum.name, at)]
            unnamed += [(forum.name, host) for host in _unnamed(hops, _hosts(forum), own_hosts)] if own_hosts else []
    blind = set[str]() if went else _addresses(fields, "delivered-to", "x-original-to", "envelope-to")
    to_us, tag = _to_us(addressed, blind, contestmaster)
    return Route(tuple(went), tuple(through), tuple(stamps), tuple(unnamed), to_us, tag)


def stamp(hops: Sequence[Hop], hosts: Sequence[str], own_hosts: Sequence[str] = ()) -> int | None:
    """Return when a forum's server had the letter: the topmost credible Received ``by`` one of its *hosts*.

    What stands below the headers of one's own mail server can be forged. So the server above must say that it
    got the letter *from* the forum's host, and with *own_hosts* given everything above must be by those, and from them.
    """
    found = _handed_over(hops, hosts)
    if found is None or (own_hosts and _unnamed(hops, hosts, own_hosts)):
        return None
    return hops[found].at


def hosts_above(fields: Fields, forum: ForumInfo) -> tuple[str, ...]:
    """Return who passed a letter on after *forum*'s server, each once.

    A server within a provider's private network is named by that, for the next letter comes by another one.
    """
    return tuple(dict.fromkeys(map(_lasting, _unnamed(_hops(fields), _hosts(forum), ()))))


def _lasting(host: str) -> str:
    """Return *host*, or the private network (RFC 1918) of its address; IPv6 for 6to4.

    >>> _lasting("2002:a05:7300:c50f:b0:1d5:f0cb:95c1"), _lasting("mx.wolf.example")
    ('2002:a00::/24', 'mx.wolf.example')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    inner = address.sixtofour if isinstance(address, IPv6Address) else None
    for network in _PRIVATE if inner is not None else ():
        if inner in network:
            first = b"\x20\x02" + network.network_address.packed
            return str(IPv6Network((first.ljust(16, b"\0"), 16 + network.prefixlen)))
    return host


def _hops(fields: Fields) -> list[Hop]:
    return [hop(value) for value in every(fields, "Received")[:_MAX_HOPS]]


def _handed_over(hops: Sequence[Hop], hosts: Sequence[str]) -> int | None:
    """Return the place of the topmost hop by one of a forum's *hosts*, if the one above got the letter from there."""
    place = next((place for place, found in enumerate(hops) if is_host_in(found.by, hosts)), None)
    if not place or hops[place - 1].origin in _LOOPBACK or is_host_in(hops[place - 1].origin, hosts):
        return place
    return None


def _unnamed(hops: Sequence[Hop], hosts: Sequence[str], own_hosts: Sequence[str]) -> tuple[str, ...]:
    """Return who passed the letter on above the stamp of a forum's *hosts* and isn't in *own_hosts*.

    Where a hop of ours got it from counts as well: else a foreign server could invent all that stands below that one,
    in our names.
    """
    place = _handed_over(hops, hosts)
    if place is None:
        return ()
    names = [found.by for found in hops[:place or 1]]
    names += [found.origin for found in hops[:max(place - 1, 0)] if found.origin and found.origin not in _LOOPBACK]
    return tuple(dict.fromkeys(name for name in names if not is_host_in(name, own_hosts)))


def hop(value: str) -> Hop:
    """Parse one Received field, linear and lenient except for the place of ``by`` (RFC 5321 4.4)."""
    text, _, date = value[:4000].rpartition(";")
    bare, comments = _without_comments(text)
    words = bare.split()
    origin = ""
    if words[:1] == ["from"] and len(words) > 1:
        origin = words[1].strip("[].").lower()
        looked_up = comments[0].split()[:1] if comments else []
        if looked_up and looked_up[0][0] != "[" and "=" not in looked_up[0] and origin not in _LOOPBACK:
            origin = origin if looked_up[0] == "localhost" else looked_up[0].rstrip(".").lower()
    by = words[words.index("by") + 1].lower() if "by" in words[:-1] else ""
    return Hop(origin, by.rstrip("."), seconds(date.strip()))


def is_host_in(host: str, domains: Sequence[str]) -> bool:
    """Return whether *host* is one of *domains* or below one of them, or an address in one that is a network.

    >>> is_host_in("mx.wolf.example", ["wolf.example"]), is_host_in("2002:a05:7300::1", ["2002:a00::/24"])
    (True, True)
    """
    if any(host == domain.lower() or host.endswith("." + domain.lower()) for domain in domains if domain):
        return True
    networks = [domain for domain in domains if "/" in domain]
    try:
        return bool(networks) and any(ip_address(host) in ip_network(each, strict=False) for each in networks)
    except ValueError:
        return False


def _without_comments(text: str) -> tuple[str, list[str]]:
    """Return *text* without its bracketed comments, and the comments."""
    if "(" not in text:
        return text, []
    bare: list[str] = []
    comments: list[str] = []
    depth, start = 0, 0
    for index, char in enumerate(text):
        if char == "(":
            start = index + 1 if depth == 0 else start
            depth += 1
        elif char == ")" and depth:
            depth -= 1
            if depth == 0:
                comments.append(text[start:index])
                bare.append(" ")
        elif depth == 0:
            bare.append(char)
    return "".join(bare), comments


def _list_id(value: str) -> str:
    """Return the identifier of a List-Id field, in lower case (RFC 2919)."""
    _, mark, inner = value.rpartition("<")
    return (inner.partition(">")[0] if mark else value).strip().lower()


def own_addresses(forum: ForumInfo) -> frozenset[str]:
    """Return the addresses (folded) of a forum's lists."""
    return frozenset(map(fold_address, forum.addresses))


def _ids(forum: ForumInfo) -> set[str]:
    """Return the list ids of a forum; by default its addresses with a dot for the ``@``."""
    named = {text.strip("<> ").lower() for text in forum.list_ids}
    return named or {address.replace("@", ".").lower() for address in forum.addresses}


def _hosts(forum: ForumInfo) -> tuple[str, ...]:
    """Return the hosts whose stamp counts for a forum; by default the domains of its addresses."""
    return forum.received_by or tuple(address.rpartition("@")[2] for address in forum.addresses)


def _addresses(fields: Fields, *names: str) -> set[str]:
    """Return the addresses (folded) in the fields of some *names* (in lower case)."""
    all_of = named(fields)
    return {found for name in names for value in all_of.get(name, ()) for found in folded_in(value)}


def _to_us(addressed: set[str], blind: set[str], contestmaster: Sequence[str]) -> tuple[bool, str]:
    """Return whether the letter was sent to the contest itself, and the tag of that address.

    Delivered-To tells of a *blind* copy; on a letter of a forum it only says who is subscribed, so it is not asked.
    """
    ours = {fold_address(address) for address in contestmaster}
    for group in (addressed, blind):
        for address in sorted(group):
            if address in ours:
                return True, ""
            if tag := next((found for own in sorted(ours) if (found := tag_in(address, own))), ""):
                return True, tag
    return False, ""
