"""Cover letters, observers and daily letters.

Cover letters hide private ones: by night what one player learns goes out with a letter to everyone, at fixed times (NC
6).

A session is covered if it began so. While its phase is secret (the setting up, a night), what happens to a player waits
for the next slot; then everyone who lives gets a letter of the same shape. Answers to questions go at once.

Observers get the public letters, and players can choose one letter a day (D-A18, D-A19).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar

from nomicwolf.nomic.events import ActedFor, Answered, Reminded, Ruled, SessionStarted, SessionStopped
from nomicwolf.village.events import (
    CONTESTMASTER,
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
"""Events that a player is told of though e didn't write."""


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
        case Replaced(old=old):  # who no longer plays gets no letter by which one could tell that e had done something
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

    That someone who leaves is dead (D-A2) is told with eir leaving; what waits goes on waiting for its slot.
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
    """Somebody who gets public letters: as they go out, or *daily* in one; *seen* is the last entry told em so."""

    daily: bool
    seen: int


@dataclass(frozen=True, slots=True)
class ObserverCame(Event):
    """*who* gets what the forums get: each letter as it goes out, or *daily* all of a day in one."""

    audience: ClassVar[str] = CONTESTMASTER
    who: str
    daily: bool


@dataclass(frozen=True, slots=True)
class ObserverLeft(Event):
    """*who* observes no more."""

    audience: ClassVar[str] = CONTESTMASTER
    who: str


@dataclass(frozen=True, slots=True)
class DigestChosen(Event):
    """*who* wants what can wait in one letter a day (*daily*), or each letter by itself again."""

    audience: ClassVar[str] = CONTESTMASTER
    who: str
    daily: bool


@dataclass(frozen=True, slots=True)
class PutOff(Event):
    """News of *entries* to *who* waits for eir daily letter; *slot*: e gets none of a batch of letters."""

    audience: ClassVar[str] = CONTESTMASTER
    who: str
    entries: tuple[int, ...]
    slot: bool = False


@dataclass(frozen=True, slots=True)
class DigestSent(Event):
    """Those in *to* get what has waited for them; daily observers what everyone may know up to entry *upto*."""

    audience: ClassVar[str] = CONTESTMASTER
    to: tuple[str, ...]
    upto: int
