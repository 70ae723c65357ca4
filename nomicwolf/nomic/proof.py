"""Events of uncertain acts and signing keys.

See `docs/security.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nomicwolf.nomic.events import DeedHeard
from nomicwolf.village.events import CONTESTMASTER, Event, ForOne


@dataclass(frozen=True, slots=True)
class SetAside(ForOne, Event):
    """Acts of the letter in entry *letter* wait until *who* confirms them, at *until* (UTC seconds) at the latest.

    The letter reached the level *reached*, and *needed* is the highest that one of its acts needs. *deeds* are the
    acts, or *order* the contestmaster's command line; *phase* is where they were meant for; *token* is the SHA-256
    of the word that confirms them.
    """

    letter: int
    who: str
    reached: str
    needed: str
    deeds: tuple[DeedHeard, ...]
    order: tuple[str, ...]
    phase: str
    until: int
    token: str

    def still(self, phase: str) -> tuple[DeedHeard, ...]:
        """Return the acts that can be done in *phase*: a question to the contestmaster is bound to none (D-M16)."""
        return self.deeds if phase == self.phase else tuple(deed for deed in self.deeds if deed.verb == "ask")

    @property
    def bound(self) -> str:
        """The phase without which nothing of it can be done, '' if it can be in any."""
        return "" if self.deeds and self.still("") == self.deeds else self.phase

    def waits(self, now: int, phase: str) -> bool:
        """Return whether it can be confirmed at *now* (UTC seconds), in *phase*."""
        return now <= self.until and (phase == self.phase or bool(self.still(phase)))


@dataclass(frozen=True, slots=True)
class Confirmed(Event):
    """What was set aside in entry *aside* is done: *by* a ``token``, or by a ``copy`` that is more certain."""

    audience: ClassVar[str] = CONTESTMASTER
    aside: int
    by: str


@dataclass(frozen=True, slots=True)
class ReplyTagSeen(Event):
    """Others could read the reply address of *who*'s letters of *session*: another one takes its place."""

    audience: ClassVar[str] = CONTESTMASTER
    who: str
    session: int


@dataclass(frozen=True, slots=True)
class KeyAdded(Event):
    """*who* signs with the OpenPGP key of this *fingerprint* (hex); *certificate* is the public key, armored."""

    audience: ClassVar[str] = CONTESTMASTER
    who: str
    fingerprint: str
    certificate: str


@dataclass(frozen=True, slots=True)
class KeyRemoved(Event):
    """*who* signs no longer with the OpenPGP key of this *fingerprint*."""

    audience: ClassVar[str] = CONTESTMASTER
    who: str
    fingerprint: str
