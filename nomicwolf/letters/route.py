"""The way a letter came: which forums, when their servers had it, and whether it was sent to the contest itself."""

from __future__ import annotations

from collections.abc import Sequence

from nomicwolf.dataclass import dataclass
from nomicwolf.letters.addresses import fold_address, folded_in, tag_in
from nomicwolf.letters.dates import seconds
from nomicwolf.letters.headers import Fields, every, named
from nomicwolf.letters.letter import ForumInfo

_MAX_HOPS = 60
_LOOPBACK = ("localhost", "127.0.0.1", "::1", "ipv6:::1", "localhost.localdomain")


@dataclass(frozen=True, slots=True)
class Route:
    """Names of *forums* in the order given, those it came *through*, their *stamps* (UTC seconds), and our *tag*."""

    forums: tuple[str, ...]
    through: tuple[str, ...]
    stamps: tuple[tuple[str, int], ...]
    to_contestmaster: bool
    tag: str


@dataclass(frozen=True, slots=True)
class Hop:
    """One Received field: the host it came from (as looked up, if that is told), ``by`` whom, UTC seconds or None."""

    origin: str
    by: str
    at: int | None


def route(
    fields: Fields, forums: Sequence[ForumInfo], contestmaster: Sequence[str], own_hosts: Sequence[str] = ()
) -> Route:
    """Where a letter with these header *fields* went; the subject is never asked (a player can write it)."""
    addressed, lists = _addresses(fields, "to", "cc"), _addresses(fields, "x-beenthere", "list-post")
    ids = {_list_id(value) for value in every(fields, "List-Id")}
    hops: list[Hop] | None = None
    went: list[str] = []
    through: list[str] = []
    stamps: list[tuple[str, int]] = []
    for forum in forums:
        own = own_addresses(forum)
        carried = bool(ids & _ids(forum) or lists & own)
        if carried or addressed & own:
            went.append(forum.name)
        if carried:
            through.append(forum.name)
            hops = [hop(value) for value in every(fields, "Received")[:_MAX_HOPS]] if hops is None else hops
            at = stamp(hops, _hosts(forum), own_hosts)
            stamps += [] if at is None else [(forum.name, at)]
    blind = set[str]() if went else _addresses(fields, "delivered-to", "x-original-to", "envelope-to")
    to_us, tag = _to_us(addressed, blind, contestmaster)
    return Route(tuple(went), tuple(through), tuple(stamps), to_us, tag)


def stamp(hops: Sequence[Hop], hosts: Sequence[str], own_hosts: Sequence[str] = ()) -> int | None:
    """When a forum's server had the letter: the topmost Received ``by`` one of its *hosts*, if it can be believed.

    What stands below the headers of one's own mail server can be forged. So the server above must say that it
    got the letter *from* the forum's host, and with *own_hosts* given everything above must be by those.
    """
    for index, found in enumerate(hops):
        if not within(found.by, hosts):
            continue
        above = hops[:index]
        if above and not (above[-1].origin in _LOOPBACK or within(above[-1].origin, hosts)):
            return None
        if own_hosts and not all(within(earlier.by, own_hosts) for earlier in above):
            return None
        return found.at
    return None


def hop(value: str) -> Hop:
    """Read one Received field; linear, and lenient about everything but the place of ``by`` (RFC 5321 4.4)."""
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


def within(host: str, domains: Sequence[str]) -> bool:
    """Whether *host* is one of *domains* or below one of them."""
    return any(host == domain.lower() or host.endswith("." + domain.lower()) for domain in domains if domain)


def _without_comments(text: str) -> tuple[str, list[str]]:
    """*text* without its bracketed comments, and the comments."""
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
    """The identifier of a List-Id field, in lower case (RFC 2919)."""
    _, mark, inner = value.rpartition("<")
    return (inner.partition(">")[0] if mark else value).strip().lower()


def own_addresses(forum: ForumInfo) -> frozenset[str]:
    """The addresses (folded) of a forum's lists."""
    return frozenset(map(fold_address, forum.addresses))


def _ids(forum: ForumInfo) -> set[str]:
    """The list ids of a forum; by default its addresses with a dot for the ``@``."""
    named = {text.strip("<> ").lower() for text in forum.list_ids}
    return named or {address.replace("@", ".").lower() for address in forum.addresses}


def _hosts(forum: ForumInfo) -> tuple[str, ...]:
    """The hosts whose stamp counts for a forum; by default the domains of its addresses."""
    return forum.received_by or tuple(address.rpartition("@")[2] for address in forum.addresses)


def _addresses(fields: Fields, *names: str) -> set[str]:
    """The addresses (folded) that stand in the fields of some *names* (in lower case)."""
    all_of = named(fields)
    return {found for name in names for value in all_of.get(name, ()) for found in folded_in(value)}


def _to_us(addressed: set[str], blind: set[str], contestmaster: Sequence[str]) -> tuple[bool, str]:
    """Whether the letter was sent to the contest itself, and the tag of that address.

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
