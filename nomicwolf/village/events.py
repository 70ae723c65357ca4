"""What can happen in a session, and how the record keeps it.

An event is a frozen value in the past tense. A law, a role or the law around the game may declare further
kinds: subclassing `Event` is enough, the codec finds them by name. The record is a sequence of `Entry`: each
event with its instant, the clauses that license it, and its cause.
"""

from __future__ import annotations

from typing import ClassVar

from nomicwolf.dataclass import dataclass
from nomicwolf.village.ballots import Ballot
from nomicwolf.village.proceedings import (
    Acquitted,
    BallotsOpened,
    Declared,
    Extended,
    NightClosed,
    Nominated,
    Published,
    Recounted,
    StageBegan,
    Tried,
    Undone,
    Voided,
)
from nomicwolf.village.record import CONTESTMASTER, PUBLIC, Audience, Cause, Entry, Event, ForOne

__all__ = [
    "CONTESTMASTER",
    "PUBLIC",
    "Acquitted",
    "Audience",
    "BallotsOpened",
    "Cause",
    "Declared",
    "Entry",
    "Event",
    "Extended",
    "ForOne",
    "NightClosed",
    "Nominated", "Published",
    "Recounted",
    "StageBegan",
    "Tried",
    "Undone",
    "Voided",
]


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """A session was initiated: *deal* is (player, role, side) in seat order.

    *seed* is secret until the session is over; *switches* are (name, value) as in force; *roles* are the
    optional roles that are in play, which everyone may know.
    """

    ruleset: str
    session: int
    seed: str
    deal: tuple[tuple[str, str, str], ...]
    switches: tuple[tuple[str, str], ...] = ()
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """A lot was drawn: *purpose*, the *options* in canonical order, and the *result*."""

    purpose: str
    options: tuple[str, ...]
    result: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhaseBegan(Event):
    """A phase began: *phase* is ``setup``, ``day`` or ``night``; *number* counts each from 1 (a short day is 0)."""

    audience: ClassVar[str] = PUBLIC
    phase: str
    number: int


@dataclass(frozen=True, slots=True)
class ClockStruck(Event):
    """An instant came that something hangs on: a condition, a deadline, a dawn slot."""

    what: str


@dataclass(frozen=True, slots=True)
class Chose(ForOne, Event):
    """A player did in private what a duty of eirs allows; *what* is empty when e passed, *words* is what e said."""

    who: str
    verb: str
    what: tuple[str, ...] = ()
    by: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Voted(Event):
    """A vote was cast.

    *key* orders it among others of its instant; *ballot* has its pinned parts settled; *sealed* ballots are
    not public until they are opened; *late* marks a copy that came in after the record had passed it, and
    *overtakes* one that brings about a lynching in the past, or is weighed with the next one that is late.
    """

    who: str
    ballot: Ballot
    key: tuple[int, ...] = ()
    late: bool = False
    sealed: bool = False
    by: str = ""
    verb: str = "vote"
    overtakes: bool = False

    def readers(self) -> Audience:
        """Return whose it is to know."""
        return (self.who,) if self.sealed else PUBLIC


@dataclass(frozen=True, slots=True)
class Counted(Event):
    """A count: the *votes* whose value changed, and how many each candidate now has (non-zero, most first)."""

    votes: tuple[tuple[str, str | None], ...]
    counts: tuple[tuple[str, int], ...]
    majority: int
    sealed: bool = False

    def readers(self) -> Audience:
        """Return whose it is to know."""
        return CONTESTMASTER if self.sealed else PUBLIC


@dataclass(frozen=True, slots=True)
class Lynched(Event):
    """A vote condemned *who*: a majority, a run-off or a verdict."""

    audience: ClassVar[str] = PUBLIC
    who: str


@dataclass(frozen=True, slots=True)
class Due(Event):
    """*event* will happen when the present phase ends."""

    event: Event


@dataclass(frozen=True, slots=True)
class Completed(Event):
    """All that the night asked for has been done; the announcement waits for the next dawn slot."""


@dataclass(frozen=True, slots=True)
class Dawned(Event):
    """The end of the night came: what was due in it happens now."""


@dataclass(frozen=True, slots=True)
class Agreed(Event):
    """A pack agreed on whom to do *verb* to; *pack* may know it."""

    verb: str
    whom: tuple[str, ...]
    pack: tuple[str, ...]

    def readers(self) -> Audience:
        """Return whose it is to know."""
        return self.pack


@dataclass(frozen=True, slots=True)
class Seen(Event):
    """*by* looked at *who* and is told whether that is one of the evil side."""

    by: str
    who: str
    evil: bool

    def readers(self) -> Audience:
        """Return whose it is to know."""
        return (self.by,)


@dataclass(frozen=True, slots=True)
class Joined(Event):
    """Two players were made Lovers."""

    lovers: tuple[str, str]

    def readers(self) -> Audience:
        """Return whose it is to know."""
        return self.lovers


@dataclass(frozen=True, slots=True)
class Killed(Event):
    """*who* ceased to be a townsperson; *cause* is a secret unless it is the lynching."""

    who: str
    cause: str


@dataclass(frozen=True, slots=True)
class Revived(Event):
    """*who* came back to life."""

    who: str


@dataclass(frozen=True, slots=True)
class Turned(Event):
    """*who* now holds another role."""

    who: str
    role: str
    side: str


@dataclass(frozen=True, slots=True)
class Disclosed(Event):
    """What may be known of the dead *who* (NC 6a): *what* is a side (``werewolf``, ``not a werewolf``) or a card."""

    audience: ClassVar[str] = PUBLIC
    who: str
    what: str


@dataclass(frozen=True, slots=True)
class DeathsAnnounced(Event):
    """Who was killed, and who came back, since it was last announced; not why, nor with which role (NC 6b)."""

    audience: ClassVar[str] = PUBLIC
    killed: tuple[str, ...]
    revived: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Announced(Event):
    """Anything else that everyone is told; *topic* names its template, *text* says it."""

    audience: ClassVar[str] = PUBLIC
    topic: str
    text: str
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told(Event):
    """A private notice to one player; *topic* names its template, *text* says it."""

    to: str
    topic: str
    text: str
    about: tuple[str, ...] = ()

    def readers(self) -> Audience:
        """Return whose it is to know."""
        return (self.to,)


@dataclass(frozen=True, slots=True)
class Removed(Event):
    """*who* left, or was removed, in mid-session."""

    audience: ClassVar[str] = PUBLIC
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class Replaced(Event):
    """*new* takes over everything that was *old*'s in this session."""

    audience: ClassVar[str] = PUBLIC
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The session is over: *side* won it, *winners* in seat order; *why* in a few words."""

    audience: ClassVar[str] = PUBLIC
    side: str
    winners: tuple[str, ...]
    why: str = ""
