"""Events of the law, and of maintenance.

Those of the law are intents, objections and the contestmaster's office, by clauses 1c, 1d, 1e and 1f. Those of
maintenance are absences, outages, addresses, corrections, and deeds undone or delayed.
"""

from __future__ import annotations

from dataclasses import dataclass

from nomicwolf.village.events import PUBLIC, Audience, Event, ForAll, ForOne


@dataclass(frozen=True, slots=True)
class IntentAnnounced(ForAll):
    """The contestmaster intends, without member objection, to do *action* (NC 1c, NC 1e, NC 1f).

    *number* counts intents from 1; *action* is ``remove``, ``amend``, ``end-session`` or ``end-subgame``; *who* is to
    be removed, *session* to be ended (0 if none); *text* is the contract's as it would be, *diff* what changes in it.
    """

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

    intent: int
    nomic: str
    message: str


@dataclass(frozen=True, slots=True)
class IntentPublished(Event):
    """*nomic*'s forum made the announcement of intent *intent* available *at* (UTC seconds), by its echo."""

    intent: int
    nomic: str
    at: int


@dataclass(frozen=True, slots=True)
class Objected(ForAll):
    """*who*, a member, objects to intent *intent*."""

    intent: int
    who: str


@dataclass(frozen=True, slots=True)
class ObjectionWithdrawn(ForAll):
    """*who* no longer objects to intent *intent*."""

    intent: int
    who: str


@dataclass(frozen=True, slots=True)
class IntentEffective(ForAll):
    """Intent *intent* has taken effect in *nomic*; *how* is ``by announcement`` or ``by itself``."""

    intent: int
    nomic: str
    how: str


@dataclass(frozen=True, slots=True)
class IntentBlocked(ForAll):
    """In *nomic* intent *intent* can't happen any more: *why*."""

    intent: int
    nomic: str
    why: str


@dataclass(frozen=True, slots=True)
class Amended(ForAll):
    """The contract now reads *text*, its *version* (the first is 1); *diff* is against the one before (NC 1e)."""

    version: int
    text: str
    diff: str
    intent: int = 0


@dataclass(frozen=True, slots=True)
class SubgameEnded(ForAll):
    """The subgame was ended (NC 1f): no session can be started."""

    intent: int = 0


@dataclass(frozen=True, slots=True)
class ClockTurned(ForAll):
    """The clock of *nomic*, which counts its ndays, was turned on or off (4E14)."""

    nomic: str
    on: bool


@dataclass(frozen=True, slots=True)
class ContestmasterChanged(ForAll):
    """*who* is the contestmaster in *nomic* (NC 1d, NC 1i); *how* says by which of its rules."""

    nomic: str
    who: str
    how: str


@dataclass(frozen=True, slots=True)
class PartyStatus(Event):
    """*who*'s status in *nomic* by the contestmaster's knowledge: *status* holds (word, whether it applies).

    The words are ``player``, ``first-class`` and ``active``: they decide who counts towards P (NC 5i) and whom NC 1h
    asks to join.
    """

    who: str
    nomic: str
    status: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class MemberReminded(ForOne):
    """*who* is a member in *elsewhere* and a player of *nomic*: they were reminded to join there too (NC 1h)."""

    who: str
    nomic: str
    elsewhere: str
    since: int


@dataclass(frozen=True, slots=True)
class AbsenceAnnounced(ForOne):
    """*who* is away from *since* to *until* (UTC seconds); what is due from them waits as D-N37 has it."""

    who: str
    since: int
    until: int


@dataclass(frozen=True, slots=True)
class AbsenceEnded(ForOne):
    """*who* is back before the time that they announced; what is due from them no longer waits (D-N37)."""

    who: str


@dataclass(frozen=True, slots=True)
class HolidayDeclared(ForAll):
    """A holiday of *nomic*'s from *since* to *until* (UTC seconds): deadlines of the contract wait."""

    nomic: str
    since: int
    until: int


@dataclass(frozen=True, slots=True)
class HolidayUndone(ForAll):
    """The holiday of *nomic*'s from *since* to *until* (UTC seconds) was recorded by mistake: *why* (D-N37)."""

    nomic: str
    since: int
    until: int
    why: str


@dataclass(frozen=True, slots=True)
class GuardRaised(Event):
    """Nobody polled from *since* on (UTC seconds), for too long: no deadline bites until the contestmaster says so."""

    since: int


@dataclass(frozen=True, slots=True)
class GuardLifted(ForAll):
    """The contestmaster has looked into an outage that began at *since*: deadlines bite again."""

    since: int


@dataclass(frozen=True, slots=True)
class Paused(ForAll):
    """The contestmaster has stopped all clocks of the session: *why*. What is done meanwhile waits (D-A15)."""

    why: str


@dataclass(frozen=True, slots=True)
class PauseEnded(ForAll):
    """The pause since *since* (UTC seconds) is over: clocks go on, and what has waited is done."""

    since: int


PAUSE = "pause"
"""The name of a pause as the time until which a deed is kept (`DeedKept`)."""


@dataclass(frozen=True, slots=True)
class AddressAsked(Event):
    """*who* asked to write from *address*; both addresses must say so (NC 1c: persons are told apart by them)."""

    who: str
    address: str


@dataclass(frozen=True, slots=True)
class AddressConfirmed(Event):
    """One *side* (``old`` or ``new``) of the change asked for in entry *asked* was confirmed.

    Any other *side* says why the change can't be confirmed any more.
    """

    asked: int
    side: str


@dataclass(frozen=True, slots=True)
class StrangerAnswered(Event):
    """A stranger who wrote from *address* was told *why* they have not joined, and what to *write* (D-A17).

    Without *write* there is nothing to be written.
    """

    address: str
    why: str
    write: str = ""


@dataclass(frozen=True, slots=True)
class PersonRenamed(ForAll):
    """*old* is called *new* from now on; the former name still means them."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class StatisticsChosen(ForAll):
    """*who* wants to be in the statistics, or not to: *listed*."""

    who: str
    listed: bool


@dataclass(frozen=True, slots=True)
class ZoneChosen(Event):
    """*who* wants times in their letters in the time zone *zone*, too, by its IANA name; '': in UTC alone."""

    who: str
    zone: str


@dataclass(frozen=True, slots=True)
class ErrorClaimed(ForAll):
    """*who* claims an error in award *award* of *session*: *why*."""

    session: int
    award: int
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class ErrorAnswered(ForAll):
    """The claim of error on award *award* of *session* was accepted or denied."""

    session: int
    award: int
    accepted: bool
    why: str


@dataclass(frozen=True, slots=True)
class AwardCorrected(ForAll):
    """A further numbered action sets award *award* of *session* right: *who* gets *amount* more (or less) of *what*."""

    session: int
    number: int
    award: int
    nomic: str
    who: str
    what: str
    amount: int
    why: str


@dataclass(frozen=True, slots=True)
class DeedUndone(Event):
    """The contestmaster undid *who*'s deed *says* (entry *deed*): *why*; what was *secret* stays so."""

    deed: int
    who: str
    says: str
    why: str
    secret: bool = False

    def readers(self) -> Audience:
        """Return whose it is to know."""
        return (self.who,) if self.secret else PUBLIC


@dataclass(frozen=True, slots=True)
class DeedKept(Event):
    """*deed* came before its time: it is kept for the next *phase*, in place of deed *instead_of* (0: none) (D-N38).

    What comes in a pause is kept for its end (`PAUSE`).
    """

    deed: int
    phase: str
    instead_of: int = 0


@dataclass(frozen=True, slots=True)
class QuestionAsked(Event):
    """*who* asks the contestmaster something in private (SP 0f, D-M16)."""

    who: str
    words: str


@dataclass(frozen=True, slots=True)
class QuestionAnswered(Event):
    """The contestmaster answers the question in entry *question*, which *who* had asked; *public*: before all."""

    question: int
    who: str
    asked: str
    text: str
    public: bool = False

    def readers(self) -> Audience:
        """Return whose it is to know."""
        return PUBLIC if self.public else (self.who,)
