"""Events of intents, objections and the contestmaster's office.

They follow from clauses 1c, 1d, 1e and 1f.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nomicwolf.village.events import CONTESTMASTER, PUBLIC, Event, ForOne


@dataclass(frozen=True, slots=True)
class IntentAnnounced(Event):
    """The contestmaster intends, without member objection, to do *action* (NC 1c, NC 1e, NC 1f).

    *number* counts intents from 1; *action* is ``remove``, ``amend``, ``end-session`` or ``end-subgame``; *who* is to
    be removed, *session* to be ended (0 if none); *text* is the contract's as it would be, *diff* what changes in it.
    """

    audience: ClassVar[str] = PUBLIC
    number: int
    action: str
    who: str = ""
    session: int = 0
    text: str = ""
    diff: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class IntentPosted(Event):
    """The announcement of intent *intent* is owed to *nomic*'s forum, in a letter whose Message-ID begins so."""

    audience: ClassVar[str] = CONTESTMASTER
    intent: int
    nomic: str
    message: str


@dataclass(frozen=True, slots=True)
class IntentPublished(Event):
    """*nomic*'s forum made the announcement of intent *intent* available *at* (UTC seconds), as its echo tells."""

    audience: ClassVar[str] = CONTESTMASTER
    intent: int
    nomic: str
    at: int


@dataclass(frozen=True, slots=True)
class Objected(Event):
    """*who*, a member, objects to intent *intent*."""

    audience: ClassVar[str] = PUBLIC
    intent: int
    who: str


@dataclass(frozen=True, slots=True)
class ObjectionWithdrawn(Event):
    """*who* no longer objects to intent *intent*."""

    audience: ClassVar[str] = PUBLIC
    intent: int
    who: str


@dataclass(frozen=True, slots=True)
class IntentEffective(Event):
    """Intent *intent* has taken effect in *nomic*; *how* is ``by announcement`` or ``by itself``."""

    audience: ClassVar[str] = PUBLIC
    intent: int
    nomic: str
    how: str


@dataclass(frozen=True, slots=True)
class IntentBlocked(Event):
    """In *nomic* intent *intent* can't happen any more: *why*."""

    audience: ClassVar[str] = PUBLIC
    intent: int
    nomic: str
    why: str


@dataclass(frozen=True, slots=True)
class Amended(Event):
    """The contract now reads *text*, its *version* (the first is 1); *diff* is against the one before (NC 1e)."""

    audience: ClassVar[str] = PUBLIC
    version: int
    text: str
    diff: str
    intent: int = 0


@dataclass(frozen=True, slots=True)
class SubgameEnded(Event):
    """The subgame was ended (NC 1f): no session can be started."""

    audience: ClassVar[str] = PUBLIC
    intent: int = 0


@dataclass(frozen=True, slots=True)
class ClockTurned(Event):
    """The clock of *nomic*, which counts its ndays, was turned on or off (4E14)."""

    audience: ClassVar[str] = PUBLIC
    nomic: str
    on: bool


@dataclass(frozen=True, slots=True)
class ContestmasterChanged(Event):
    """*who* is the contestmaster in *nomic* (NC 1d, NC 1i); *how* says by which of its rules."""

    audience: ClassVar[str] = PUBLIC
    nomic: str
    who: str
    how: str


@dataclass(frozen=True, slots=True)
class PartyStatus(Event):
    """What *who* is in *nomic* by the contestmaster's knowledge: *status* holds (word, whether it holds).

    The words are ``player``, ``first-class`` and ``active``: they decide who counts towards P (NC 5i) and whom NC 1h
    asks to join.
    """

    audience: ClassVar[str] = CONTESTMASTER
    who: str
    nomic: str
    status: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class MemberReminded(ForOne, Event):
    """*who* is a member in *elsewhere* and a player of *nomic*: e was reminded to join there too (NC 1h)."""

    who: str
    nomic: str
    elsewhere: str
    since: int
