"""Covers, observers, daily letters and daily caps.

Cover letters hide private ones: by night what one player learns goes out with a letter to everyone, at fixed times (NC
6).

A session is covered if it began so. While its phase is secret (the setting up, a night), what happens to a player waits
for the next slot; then everyone who lives gets a letter of the same shape. Answers to questions go at once.

Observers get the public letters, and players can choose one letter a day (D-A18, D-A19).

Caps count what each person has written today, and the answers to it (D-N47).

Days are UTC, and go by when letters arrived, for letters and answers alike; none comes back once a later one has begun.
Only letters that were heard as the person's own count: forged ones don't use up their day.

In one run nobody is told the same twice (RFC 3834 2): what was told in the present run is no part of the record, which
says of an answer only whether it was a repetition.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from nomicwolf.nomic.events import (
    ActedFor,
    Answered,
    Asked,
    DeedHeard,
    LetterHeard,
    Noted,
    Refused,
    Reminded,
    Ruled,
    SessionStarted,
    SessionStopped,
)
from nomicwolf.nomic.law_events import AddressAsked, StrangerAnswered
from nomicwolf.nomic.setup import DAY
from nomicwolf.village.events import (
    PUBLIC,
    DeathsAnnounced,
    Ended,
    Entry,
    Event,
    Lynched,
    Opened,
    PhaseBegan,
    Removed,
    Replaced,
    Told,
    next_slot,
    slots,
)
from nomicwolf.village.game import among_the_dead

SLOT = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
USUAL = ("02:00", "08:00", "14:00", "20:00")
"""The usual slots of a night's letters (UTC): the dawn slots, and halfway between."""
SECRET_PHASES = ("setup", "night")
TURNS = (Opened, PhaseBegan, Lynched, DeathsAnnounced, Ended, SessionStopped, SessionStarted)
"""Events that everyone sees; everyone gets a letter with them, so that nobody's letter then tells anything."""
TELLING = (Told, ActedFor, Reminded, Ruled)
"""Events reported to players who didn't write."""


@dataclass(frozen=True, slots=True)
class CoverBegan(Event):
    """The session that begins is covered; letters of its nights go out at *slots* (``HH:MM``, UTC)."""

    slots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Batched(Event):
    """Everyone's letters went out together: at a slot (*why* is ``slot``), or with what everyone sees (``turn``)."""

    why: str


BEGINNINGS = (SessionStarted, CoverBegan, Batched)
"""Events that change a cover, even where there is none."""


@dataclass(frozen=True, slots=True)
class Cover:
    """How the present session is covered: its *slots*, the instant of the last batch, and what waits for the next.

    Without slots it isn't, and nothing waits.
    """

    slots: tuple[str, ...] = ()
    last: int = 0
    waits: tuple[Entry, ...] = ()


def evolve_cover(cover: Cover, entry: Entry, phase: str, seats: Collection[str]) -> Cover:
    """Return *cover* after *entry*, which happened in *phase* of the session ('' if none runs) of those in *seats*."""
    match entry.event:
        case SessionStarted():
            return Cover()
        case CoverBegan(slots):
            return Cover(slots, entry.at)
        case Batched():
            return Cover(cover.slots, max(cover.last, entry.at))
        case Replaced(old=old):  # a letter to who left would show that they had done something
            return Cover(cover.slots, cover.last, tuple(e for e in cover.waits if e.event.readers() != (old,)))
    if cover.slots and phase in SECRET_PHASES and must_wait(entry.event, seats):
        return Cover(cover.slots, cover.last, (*cover.waits, entry))
    return cover


def must_wait(event: Event, seats: Collection[str]) -> bool:
    """Return whether *event* is told to some of those in *seats* only, and not at once."""
    readers = event.readers()
    private = isinstance(readers, tuple) and any(who in seats for who in readers)
    return private and not isinstance(event, Answered) and not among_the_dead(event)


def phase_turned(entries: Sequence[Entry]) -> bool:
    """Return whether *entries* hold something that everyone gets a letter with.

    That someone who leaves is dead (D-A2) is told with their leaving; what waits goes on waiting for its slot.
    """
    turns = [e.event for e in entries if isinstance(e.event, TURNS)]
    left = {e.event.who for e in entries if isinstance(e.event, Removed)} if turns else set()
    return any(not (isinstance(turn, DeathsAnnounced) and turn.killed and left.issuperset(turn.killed))
               for turn in turns)


def has_news(entries: Sequence[Entry]) -> bool:
    """Return whether *entries* tell players something that none of them asked for or wrote.

    Who has not voted, everyone can see: a reminder of that needs no cover. Nor do words among the dead.
    """
    return any(isinstance(e.event, TELLING) and e.event.readers() != PUBLIC and getattr(e.event, "kind", "") != "vote"
               and not among_the_dead(e.event) for e in entries)


def next_batch(cover: Cover, began: int = 0) -> int:
    """Return the first slot later than the last batch and than when the phase *began*; 0 if nothing is covered.

    Instants are UTC seconds. Slots of the day before are past: nothing waited then.
    """
    return next_slot(max(cover.last, began), slots(", ".join(cover.slots))) if cover.slots else 0


def slots_of(text: str) -> tuple[str, ...]:
    """Return the slots of a setting: none for ``off``, the usual for ``strict``, else those given (``08:00, 20:00``).

    ValueError for a text that is none of these.

    >>> slots_of("off"), slots_of("20:00, 08:00")
    ((), ('08:00', '20:00'))
    """
    if text in ("off", "strict"):
        return USUAL if text == "strict" else ()
    times = tuple(sorted(part.strip() for part in text.split(",")))
    if any(not SLOT.fullmatch(time) for time in times):
        raise ValueError(f"cover: {text!r} is none; write off, strict, or times such as 08:00 and 20:00 (UTC)")
    return times


@dataclass(frozen=True, slots=True)
class Observer:
    """Somebody who gets public letters: as they go out, or *daily* in one; *seen* is the last entry told them so."""

    daily: bool
    seen: int


@dataclass(frozen=True, slots=True)
class ObserverCame(Event):
    """*who* gets what the forums get: each letter as it goes out, or *daily* all of a day in one."""

    who: str
    daily: bool


@dataclass(frozen=True, slots=True)
class ObserverLeft(Event):
    """*who* observes no more."""

    who: str


@dataclass(frozen=True, slots=True)
class DigestChosen(Event):
    """*who* wants what can wait in one letter a day (*daily*), or each letter by itself again."""

    who: str
    daily: bool


@dataclass(frozen=True, slots=True)
class PutOff(Event):
    """News of *entries* to *who* waits for their daily letter; with *slot*, they get no letter of a batch."""

    who: str
    entries: tuple[int, ...]
    slot: bool = False


@dataclass(frozen=True, slots=True)
class DigestSent(Event):
    """Those in *to* get what has waited for them; daily observers what everyone may know up to entry *upto*."""

    to: tuple[str, ...]
    upto: int


OVER = "above the limit of "
LOUD = 20
"""How many letters that are nobody's for certain the contestmaster is told of one by one, each day; as many newcomers
and forgeries, and so many strangers are answered."""
NOBODY = ""
"""Under this name is counted what is nobody's for certain: letters that were held, newcomers, and forgeries."""


class Spent(NamedTuple):
    """A person's use of *day* (days since 1970).

    It counts the *letters* and *deeds* of theirs that were heard, the *answers* they got, and the letters held because
    they were above the cap (*over*); *untold* is how many of those, since day *since*, no digest has reported. For
    unknown senders it also counts the *newcomers* and *forgeries* that were reported to the contestmaster, and lists
    the addresses of the *strangers* who were answered.
    """

    day: int = 0
    letters: int = 0
    deeds: int = 0
    answers: int = 0
    over: int = 0
    untold: int = 0
    since: int = 0
    newcomers: int = 0
    forgeries: int = 0
    strangers: tuple[str, ...] = ()

    def more(self, letters: int = 0, deeds: int = 0, answers: int = 0) -> Spent:
        """Return what is used up with so much more."""
        return self._replace(letters=self.letters + letters, deeds=self.deeds + deeds, answers=self.answers + answers)


ANSWERS = (Answered, Asked, Refused)
_NOTHING = Spent()
_COUNTED = frozenset((LetterHeard, DeedHeard, Answered, Asked, Refused, AddressAsked, Noted, StrangerAnswered))


def spent_today(spent: Mapping[str, Spent], who: str, at: int) -> Spent:
    """Return what *who* has used up of the day of *at* (UTC seconds), or of a later one if that has begun for them."""
    found = spent.get(who, _NOTHING)
    if found.day >= at // DAY:
        return found
    return Spent(at // DAY, untold=found.untold, since=found.since)


class ToldOnce(NamedTuple):
    """The *kinds* of answers that each person got in one *run*, by the run's number; 0 is a run by itself."""

    run: int = 0
    kinds: Mapping[str, frozenset[str]] = {}

    def before(self, event: Event) -> bool:
        """Return whether *event* repeats to a person what this run has told them already."""
        kind = kind_of(event)
        return bool(kind) and kind in self.kinds.get(event.who, ())  # type: ignore[attr-defined] # answers have it

    def after(self, event: Event) -> ToldOnce:
        """Return what was told once *event* has happened."""
        kind = kind_of(event)
        if not kind:
            return self
        who = event.who  # type: ignore[attr-defined] # answers have it
        return ToldOnce(self.run, {**self.kinds, who: self.kinds.get(who, frozenset()) | {kind}})

    def to(self, who: str) -> int:
        """Return how many different answers *who* got."""
        return len(self.kinds.get(who, ()))


def is_repeated(event: Event) -> bool:
    """Return whether *event* is an answer that the same run had given before."""
    return isinstance(event, ANSWERS) and event.quiet


def kind_of(event: Event) -> str:
    """Return by what two answers to one person are of one kind (some hex digits), '' for what is no answer."""
    match event:
        case Answered(topic=topic, text=text):
            said = (topic, text if topic == "check" else "")
        case Asked(text=text, problem=problem):
            said = (problem, text)
        case Refused(verb=verb, text=text, why=why):
            said = (f"{verb} {why}", text)
        case AddressAsked(address=address):
            said = ("address", address)
        case _:
            return ""
    return sha256("\n".join(said).encode("utf-8", "replace")).hexdigest()[:16]


def count_entry(spent: dict[str, Spent], entry: Entry) -> None:
    """Count *entry* in *spent*, if it is of that kind."""
    if type(entry.event) not in _COUNTED:
        return
    match entry.event:
        case LetterHeard() as letter:
            _letter(spent, letter, entry.at)
        case DeedHeard(who=who, letter=number, key=(arrived, *_)) if number:
            now = spent_today(spent, who, min(arrived, entry.at))
            spent[who] = now.more(deeds=1)
        case Answered(who=who) | Asked(who=who) | Refused(who=who) | AddressAsked(who=who) as told:
            if is_repeated(told):
                return
            now = spent.get(who) or spent_today(spent, who, entry.at)
            spent[who] = now.more(answers=1)
        case Noted(topic="digest"):
            for who, now in list(spent.items()):
                spent[who] = now._replace(untold=0)
        case event:
            spent[NOBODY] = _count_unknown(spent_today(spent, NOBODY, entry.at), event)


def _count_unknown(now: Spent, event: Event) -> Spent:
    """Return *now*, the use by unknown senders, after *event*."""
    match event:
        case Noted(topic="newcomer"):
            return now._replace(newcomers=now.newcomers + 1)
        case Noted(topic="forged"):
            return now._replace(forgeries=now.forgeries + 1)
        case StrangerAnswered(address=address):
            return now._replace(strangers=(*now.strangers, address))
    return now


def _letter(spent: dict[str, Spent], letter: LetterHeard, heard: int) -> None:
    """Count a letter as its author's, or if it is held, as above the cap or from an unknown sender."""
    at = min(letter.arrived, heard)
    known = letter.bucket in ("deeds", "no-deed") or (letter.bucket == "held" and letter.assurance not in ("", "none"))
    if known and not is_flood(letter.why):
        now = spent_today(spent, letter.author, at)
        spent[letter.author] = now.more(letters=1)
    elif letter.bucket == "held":
        who = letter.author if is_flood(letter.why) else NOBODY
        now = spent_today(spent, who, at)
        quiet = who != NOBODY or now.over >= LOUD
        since = now.since if now.untold else now.day
        spent[who] = now._replace(over=now.over + 1, untold=now.untold + quiet, since=since)


def is_flood(why: str) -> bool:
    """Return whether a letter was held for *why* because its author's day was used up."""
    return why.startswith(OVER)
