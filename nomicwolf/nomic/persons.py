"""Persons, their names and addresses, and parties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from nomicwolf.nomic.care import PersonRenamed
from nomicwolf.nomic.events import PartyJoined, PartyLeft, PersonKnown
from nomicwolf.village.events import Event


@dataclass(frozen=True, slots=True)
class Person:
    """Someone known to the contest: *addresses* (the first is where mail goes) and *aliases*."""

    name: str
    addresses: tuple[str, ...]
    aliases: tuple[str, ...] = ()


Persons: TypeAlias = dict[str, Person]
"""Everyone who is known, by name."""
Parties: TypeAlias = dict[str, tuple[str, ...]]
"""The roster of each nomic."""
LOOKED_AT = (PersonKnown, PartyJoined, PartyLeft)
"""The events that change nothing else; a `PersonRenamed` changes the law's names, too."""


def evolve(persons: Persons, parties: Parties, event: Event) -> tuple[Persons, Parties]:
    """Return who is known, and who is a party, after *event*; what it doesn't change is the same mapping."""
    match event:
        case PersonKnown(who, addresses, aliases):
            return {**persons, who: Person(who, addresses, aliases)}, parties
        case PartyJoined(who, nomic):
            others = tuple(p for p in parties.get(nomic, ()) if p != who)
            return persons, {**parties, nomic: (*others, who)}
        case PartyLeft(who=who, nomic=nomic):
            return persons, {**parties, nomic: tuple(p for p in parties.get(nomic, ()) if p != who)}
        case PersonRenamed(old, new):
            renamed = {n: tuple(new if p == old else p for p in names) for n, names in parties.items()}
            return _renamed(persons, old, new), renamed
    return persons, parties


def _renamed(persons: Persons, old: str, new: str) -> Persons:
    """Return everyone with *old* called *new*; eir former name stays an alias."""
    person = persons.get(old)
    if person is None:
        return persons
    aliases = tuple(a for a in dict.fromkeys((*person.aliases, old)) if a != new)
    others = {who: other for who, other in persons.items() if who != old}
    return {**others, new: Person(new, person.addresses, aliases)}
