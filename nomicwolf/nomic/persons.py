"""Who is known to a contest, by which names and addresses, and who is a party in which nomic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomicwolf.dataclass import dataclass
from nomicwolf.nomic.care import PersonRenamed
from nomicwolf.nomic.parties import PartyJoined, PartyLeft, PersonKnown
from nomicwolf.village.events import Entry

if TYPE_CHECKING:
    from nomicwolf.nomic.state import Contest


@dataclass(frozen=True, slots=True)
class Person:
    """Someone known to the contest: *addresses* (the first is where mail goes) and *aliases*."""

    name: str
    addresses: tuple[str, ...]
    aliases: tuple[str, ...] = ()


def evolve_persons(contest: Contest, entry: Entry) -> None:
    """Let *contest* know what *entry* tells of persons and parties; of any other event nothing."""
    match entry.event:
        case PersonKnown(who, addresses, aliases):
            contest.persons = {**contest.persons, who: Person(who, addresses, aliases)}
        case PartyJoined(who, nomic):
            others = tuple(p for p in contest.parties.get(nomic, ()) if p != who)
            contest.parties = {**contest.parties, nomic: (*others, who)}
        case PartyLeft(who=who, nomic=nomic):
            left = tuple(p for p in contest.parties.get(nomic, ()) if p != who)
            contest.parties = {**contest.parties, nomic: left}
        case PersonRenamed(old, new):
            _rename(contest, old, new)


def _rename(contest: Contest, old: str, new: str) -> None:
    """Let *old* be called *new*; eir former name stays an alias."""
    person = contest.persons.get(old)
    if person is not None:
        aliases = tuple(a for a in dict.fromkeys((*person.aliases, old)) if a != new)
        others = {who: other for who, other in contest.persons.items() if who != old}
        contest.persons = {**others, new: Person(new, person.addresses, aliases)}
    contest.parties = {n: tuple(new if p == old else p for p in names) for n, names in contest.parties.items()}
