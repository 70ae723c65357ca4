"""Who is who in an archive: one page for each person, whatever e was called, at an address that stays."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from unicodedata import normalize

from nomicwolf.nomic.events import PartyJoined, SessionStarted
from nomicwolf.nomic.law_events import PersonRenamed
from nomicwolf.village.events import Entry, Replaced

TAKEN = frozenset({"", "index"})
"""Names of pages that are no person's."""


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who has joined or played: *name* is what e is called today, *former* what before, *page* eir page's name.

    The page is called after eir first name, so that it stays when e takes another.
    """

    name: str
    page: str
    former: tuple[str, ...] = ()


@dataclass(slots=True)
class _Known:
    names: dict[str, Person] = field(default_factory=dict)
    pages: set[str] = field(default_factory=set)

    def meet(self, *names: str) -> None:
        for name in names:
            if name not in self.names:
                page = page_of(name)
                if page in self.pages or page in TAKEN:
                    page = f"{page}-{sha256(name.encode('utf-8', 'replace')).hexdigest()[:6]}".strip("-")
                self.pages.add(page)
                self.names[name] = Person(name, page)

    def rename(self, old: str, new: str) -> None:
        self.meet(old)
        before = self.names[old]
        after = replace(before, name=new, former=(*before.former, before.name))
        self.names |= dict.fromkeys((*after.former, new), after)


def people(entries: Iterable[Entry]) -> dict[str, Person]:
    """Return everyone who has joined or played, by each name that e has had."""
    known = _Known()
    for entry in entries:
        match entry.event:
            case PartyJoined(who=who):
                known.meet(who)
            case SessionStarted(players=players):
                known.meet(*players)
            case Replaced(old, new):
                known.meet(old, new)
            case PersonRenamed(old, new):
                known.rename(old, new)
    return known.names


def page_of(name: str) -> str:
    """Return *name* as it can stand in an address: letters a to z, digits and hyphens.

    >>> page_of("Ash"), page_of("0x44"), page_of("José M."), page_of("Ясень")
    ('ash', '0x44', 'jose-m', '')
    """
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
