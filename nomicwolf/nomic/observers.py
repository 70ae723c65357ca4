"""Observers and daily letters: who gets what, and what waits for it (D-A18, D-A19)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nomicwolf.village.events import CONTESTMASTER, Event


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
    """What *who* would be told of *entries* waits for eir daily letter; *slot*: e gets none of a batch of letters."""

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
