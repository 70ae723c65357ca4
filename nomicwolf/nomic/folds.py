"""The folds of persons and of pending deeds.

Deeds wait for their instant or phase. They are also kept by their letter, a copy of which may move them (D-N9), and by
the rulings on it: a letter that was held, released, and came too late then, is held again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TypeAlias

from nomicwolf.nomic.events import (
    DeedDone,
    DeedHeard,
    DeedMoved,
    LetterReleased,
    PartyJoined,
    PartyLeft,
    PersonKnown,
    Refused,
)
from nomicwolf.nomic.law_events import PAUSE, DeedKept, PauseEnded, PersonRenamed
from nomicwolf.village.events import Entry, Event, PhaseBegan, Removed, Replaced
from nomicwolf.village.game import renamed


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
PERSON_EVENTS = (PersonKnown, PartyJoined, PartyLeft)
"""The events that change nothing else; a `PersonRenamed` changes the law's names, too."""


def evolve_persons(persons: Persons, parties: Parties, event: Event) -> tuple[Persons, Parties]:
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
            return _rename(persons, old, new), renamed
    return persons, parties


def _rename(persons: Persons, old: str, new: str) -> Persons:
    """Return everyone with *old* called *new*; eir former name stays an alias."""
    person = persons.get(old)
    if person is None:
        return persons
    aliases = tuple(a for a in dict.fromkeys((*person.aliases, old)) if a != new)
    others = {who: other for who, other in persons.items() if who != old}
    return {**others, new: Person(new, person.addresses, aliases)}


DEED_EVENTS = (DeedHeard, DeedDone, Refused, DeedMoved, DeedKept, PauseEnded, PhaseBegan, Removed, Replaced)
"""The events by which deeds begin to wait, go on to, or cease."""


@dataclass(slots=True)
class PendingDeeds:
    """The deeds that wait, by the numbers of their entries.

    *pending* wait for the clock, *by_letter* are their numbers by the letter's; *kept* wait for the phase that is named
    beside them.
    """

    pending: dict[int, DeedHeard] = field(default_factory=dict)
    by_letter: dict[int, tuple[int, ...]] = field(default_factory=dict)
    kept: dict[int, tuple[DeedHeard, str]] = field(default_factory=dict)

    def copy(self) -> PendingDeeds:
        """Return a copy that can go on by itself."""
        return PendingDeeds(self.pending.copy(), self.by_letter.copy(), self.kept.copy())

    def record(self, entry: Entry) -> None:
        """Apply *entry* to the deeds that wait."""
        match entry.event:
            case DeedHeard() as deed:
                self._wait(entry.number, deed)
            case DeedDone(deed=number) | Refused(deed=number):
                self._done(number)
            case DeedMoved(deed=number, instant=instant) if number in self.pending:
                self.pending[number] = replace(self.pending[number], instant=instant)
            case Replaced(old, new):
                self.pending = {n: renamed(deed, old, new) for n, deed in self.pending.items()}
                self.kept = {n: (renamed(deed, old, new), phase) for n, (deed, phase) in self.kept.items()}
            case DeedKept(deed=number, phase=phase, instead_of=other) if number in self.pending:
                self.kept.pop(other, None)
                self.kept[number] = (self.pending[number], phase)
                self._done(number)
            case Removed(who=who):
                for number in [n for n, deed in self.pending.items() if (deed.who, deed.verb) == (who, "leave")]:
                    self._done(number)
            case PauseEnded():
                self._take_up(PAUSE, entry.at)
            case PhaseBegan(phase):
                self._take_up(phase, entry.at)

    def drop_kept(self) -> None:
        """Drop what waits for a phase, because another session begins."""
        self.kept = {}

    def _take_up(self, phase: str, at: int) -> None:
        """Queue what was kept for a phase for its beginning, as if it had come then (D-N38).

        What was sent after it, since the phase was found later to have begun (D-A8), waits for its own instant.
        """
        for number, (deed, wanted) in list(self.kept.items()):
            if wanted == phase:
                self._wait(number, replace(deed, instant=max(at, deed.instant)))
                del self.kept[number]

    def _wait(self, number: int, deed: DeedHeard) -> None:
        self.pending[number] = deed
        self.by_letter[deed.letter] = (*self.by_letter.get(deed.letter, ()), number)

    def _done(self, number: int) -> None:
        """Drop the deed *number*, if it waits."""
        deed = self.pending.pop(number, None)
        if deed is None:
            return
        if others := tuple(other for other in self.by_letter[deed.letter] if other != number):
            self.by_letter[deed.letter] = others
        else:
            del self.by_letter[deed.letter]


def ended_in(first: str, letter: int, since: Iterable[Entry], before: int) -> str:
    """Return the bucket of a letter at the entry *before*: its *first* one, until it is released.

    *letter* is the number of its own entry, and *since* are the entries after that.
    """
    came = list(takewhile(lambda e: e.number < before, since))
    if not any(isinstance(e.event, LetterReleased) and e.event.letter == letter for e in came):
        return first
    return "deeds" if any(isinstance(e.event, DeedHeard) and e.event.letter == letter for e in came) else "no-deed"
