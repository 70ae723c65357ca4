"""A rehearsal's letters as real mail.

Bytes, through the forums' lists, with their stamps.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.header import Header
from email.utils import format_datetime

from nomicwolf.letters.addresses import addr_spec, addresses_in, fold_address
from nomicwolf.letters.headers import every
from nomicwolf.letters.letter import Letter, Raw
from nomicwolf.letters.machine import machine
from nomicwolf.maillist import MailingList, distributed, trace
from nomicwolf.nomic.setup import Forum

HOST = "players.example"
CONTEST = "contest@werewolf.example"
FORUMS = (
    Forum("agora", "agora-business@lists.agora.example", "agora-discussion@lists.agora.example", title="Agora"),
    Forum("b", "spoon-business@lists.b.example", "spoon-discuss@lists.b.example", profile="b-2009", title="B"),
)
TAGS = {"agora": "BUS:", "b": "[s-b]", "discussion": "DIS:"}
NAMES_OF = {"agora": ("agora",), "b": ("b", "spoon", "bnomic", "nomic.net")}
"""Words in a list's address that tell which nomic's it is, where a letter was written to a real one."""
TALK = ("discuss", "discussion")
PRIVATE = ("contest", "contestmaster", "gm", "moderator", "master", "werewolf", "werewolves", "nomicwolf")
"""What an address that is none of a forum begins with."""
FOOTER = "\n_______________________________________________\n{0} mailing list\n{0}@{1}\n"


def addresses(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return each person's addresses: the name in lower case without spaces at players.example, if mail can have that.

    >>> addresses(["Ash", "D. Margaux", "G."])
    {'Ash': ('ash@players.example',), 'D. Margaux': ('d.margaux@players.example',), 'G.': ('g@players.example',)}
    """
    found: dict[str, tuple[str, ...]] = {}
    for place, name in enumerate(names, 1):
        taken = {address for known in found.values() for address in known}
        found[name] = (next(a for a in (address_of(name), f"player{place}@{HOST}") if a and a not in taken),)
    return found


def address_of(name: str) -> str:
    """Return the address that *name* writes from, '' if no address can be made of it."""
    local = unicodedata.normalize("NFC", "".join(name.lower().split()))
    plain = ".".join(part for part in local.split(".") if part)
    kept = "".join(c for c in plain if c.isalnum() or c in "._+-'!#$%&*/=?^`{|}~")
    return addr_spec(f"{local}@{HOST}") or addr_spec(f"{kept}@{HOST}") or ""


def lists(to: str) -> tuple[MailingList, ...] | None:
    """Return the lists that *to* means: none for private mail, None if there is no such place."""
    if to in ("contestmaster", "private"):
        return ()
    chosen = {"forum": FORUMS, "discussion": FORUMS}.get(to, tuple(f for f in FORUMS if f.nomic == to))
    kind = "discussion" if to == "discussion" else ""
    return tuple(_list(f, f.discussion if kind else f.address, kind or f.nomic) for f in chosen) or None


def addressed(letter: Letter, persons: Iterable[str]) -> tuple[MailingList, ...]:
    """Return the lists that would carry a whole *letter*: none if it came through one, or is to *persons* alone.

    A letter may have been written to a forum's real address, or to one that a reader of it would take for a forum.
    What a machine wrote is not distributed: a list's headers would hide that.
    """
    values = [v for name in ("To", "Cc", "List-Post", "X-BeenThere") for v in every(letter.headers, name)]
    found = {fold_address(address) for value in values for address in addresses_in(value)}
    known = {fold_address(CONTEST), *map(fold_address, persons)}
    unknown = {a for a in found - known if _words(a.partition("@")[0])[:1] not in [(word,) for word in PRIVATE]}
    if letter.forums or not unknown or machine(letter):
        return ()
    nomics = [nomic for nomic, names in NAMES_OF.items()
              if any(set(_words(a)) & set(names) or a.endswith("@" + names[-1]) for a in unknown)]
    if all(set(_words(a)) & set(TALK) for a in unknown):
        return lists("discussion") or ()
    return tuple(each for nomic in nomics or [f.nomic for f in FORUMS] for each in lists(nomic) or ())


def _words(address: str) -> tuple[str, ...]:
    """Return the words that an address is made of."""
    return tuple("".join(c if c.isalnum() else " " for c in address).split())


def _list(forum: Forum, address: str, tag: str) -> MailingList:
    name, _, host = address.partition("@")
    return MailingList(address, forum.title, TAGS[tag], FOOTER.format(name, host), (CONTEST,))


def written(who: str, address: str, text: str, to: Iterable[str], at: int, number: int) -> bytes:
    """Return the letter that *who* sends at *at* (UTC seconds), *number* being its place in the rehearsal."""
    moment = datetime.fromtimestamp(at, UTC)
    phrase = who if who.isascii() and who.isalnum() else Header(who, "utf-8").encode()
    head = (
        f"Date: {format_datetime(moment)}\r\nFrom: {phrase} <{address}>\r\nTo: {', '.join(to)}\r\n"
        f"Message-ID: <step-{number}.{at}@{HOST}>\r\nSubject: werewolves\r\nMIME-Version: 1.0\r\n"
        "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    )
    body = text.replace("\r\n", "\n").rstrip("\n").replace("\n", "\r\n") + "\r\n"
    return head.encode() + body.encode("utf-8", "replace")


def arriving(post: bytes, forums: Iterable[MailingList], at: int, number: int) -> list[Raw]:
    """Return the copies of *post* as they come into the contest's mailbox: one through each list, or the letter."""
    copies = [distributed(post, forum, at) for forum in forums] or [post]
    marked = [trace("[127.0.0.1]", "mx.werewolf.example", at) + copy for copy in copies]
    return [raw(copy, at, number, place) for place, copy in enumerate(marked)]


def raw(data: bytes, at: int, number: int, place: int = 0) -> Raw:
    """Return *data* as a mailbox gives it; *number* is its step, *place* counts copies from 0."""
    return Raw(f"rehearsal:step-{number}/{place}", 10 * number + place, at, data, len(data))


def known_at(known: Mapping[str, tuple[str, ...]], who: str) -> str:
    """Return the address that *who* writes from, a party or a stranger."""
    return known[who][0] if who in known else address_of(who) or f"stranger@{HOST}"
