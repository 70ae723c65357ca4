"""What happens around the game: letters, persons and parties, rulings, awards.

These are kept in the same record as the events of the village. A deed that was heard waits in the record until
the clock has settled past its instant; what follows from it names it as its cause (``deed N``, N being the number
of its entry).
"""

from __future__ import annotations

from typing import ClassVar

from nomicwolf.dataclass import dataclass
from nomicwolf.nomic import actions, care
from nomicwolf.nomic.parties import PartyJoined, PartyLeft, PersonKnown
from nomicwolf.nomic.sessions import (
    Awarded,
    AwardsHeld,
    CountPosted,
    LimitConfirmed,
    Revealed,
    SessionStarted,
    SessionStopped,
)
from nomicwolf.village.ballots import Ballot
from nomicwolf.village.events import CONTESTMASTER, PUBLIC, Audience, Event, ForOne

__all__ = [
    "Awarded",
    "AwardsHeld",
    "CountPosted",
    "LimitConfirmed",
    "PartyJoined",
    "PartyLeft",
    "PersonKnown",
    "Revealed",
    "SessionStarted",
    "SessionStopped",
    "actions",
    "care",
]


@dataclass(frozen=True, slots=True)
class LetterHeard(Event):
    """A letter came, and ended in *bucket* (`commands.md` names them).

    *content* is the SHA-256 of its bytes, *digest* of what it does; *channel* is a forum's nomic,
    ``discussion`` or ``contestmaster``; *sent*, *stamped* and *arrived* are UTC seconds (0 = unknown). *assurance* is
    how certain its author is, *proofs* by what (``dkim example.org``, ``openpgp FINGERPRINT MADE DIGEST``).
    """

    message_id: str
    content: str
    digest: str
    author: str
    bucket: str
    channel: str
    why: str = ""
    sent: int = 0
    stamped: int = 0
    arrived: int = 0
    assurance: str = ""
    proofs: tuple[str, ...] = ()

    @property
    def seals(self) -> tuple[str, ...]:
        """What was signed in it by OpenPGP keys (SHA-256 hex)."""
        return tuple(proof.rpartition(" ")[2] for proof in self.proofs if proof.startswith("openpgp "))


@dataclass(frozen=True, slots=True)
class CopyHeard(Event):
    """A further copy of the letter in entry *letter* came through *channel*."""

    letter: int
    channel: str
    stamped: int


@dataclass(frozen=True, slots=True)
class DeedHeard(Event):
    """A deed waits to be done at *instant*, in its place *key*.

    *letter* is the number of its letter's entry (0: a command of the contestmaster's), *line* and *text* where it
    stands there, *says* its canonical form; *sure* is how certain its author was.
    """

    letter: int
    who: str
    verb: str
    names: tuple[str, ...]
    ballot: Ballot | None
    words: str
    says: str
    line: int
    text: str
    channel: str
    instant: int
    key: tuple[int, ...]
    sure: str = ""

    def readers(self) -> Audience:
        """Return whose it is to know."""
        return PUBLIC if self.channel not in ("contestmaster", "discussion") else (self.who,)


@dataclass(frozen=True, slots=True)
class DeedMoved(Event):
    """An earlier copy showed that *deed* took effect at *instant*."""

    deed: int
    instant: int


@dataclass(frozen=True, slots=True)
class DeedDone(ForOne, Event):
    """*deed* was done; *note* says to its author what it came to."""

    deed: int
    who: str
    says: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Refused(ForOne, Event):
    """What *who* wrote is not done: *why*, and what e may do instead; *deed* is 0 if it never became one."""

    deed: int
    who: str
    verb: str
    text: str
    why: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked(ForOne, Event):
    """*who* wrote something that can't be taken as it stands; the previous vote stands."""

    letter: int
    who: str
    line: int
    text: str
    problem: str
    hint: str = ""
    suggestions: tuple[str, ...] = ()


RESEND = "resend"
"""The topic of who wants to be told again what e was told."""


@dataclass(frozen=True, slots=True)
class Answered(ForOne, Event):
    """*who* asked for something (help, status, votes, history, resend, check) and is told."""

    who: str
    topic: str
    text: str


@dataclass(frozen=True, slots=True)
class LetterHeld(Event):
    """A letter waits for a ruling: *letter* is the number of its entry, *other* what it would change.

    Of one of a flood the contestmaster is told by a digest, not at once: it is *quiet*.
    """

    letter: int
    why: str
    other: str = ""
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class LetterReleased(Event):
    """A held letter is let through, as its author's."""

    letter: int
    author: str


@dataclass(frozen=True, slots=True)
class LetterRejected(Event):
    """A held letter is not let through."""

    letter: int
    why: str


@dataclass(frozen=True, slots=True)
class Ruled(Event):
    """The contestmaster ruled: *text*, on *authority*; *about* are those whom it concerns.

    They alone read it if it is *secret*, as what rules a secret deed is until the roles are told (D-A11).
    """

    text: str
    authority: str
    about: tuple[str, ...] = ()
    secret: bool = False

    def readers(self) -> Audience:
        """Return whose it is to know."""
        return self.about if self.secret else PUBLIC


@dataclass(frozen=True, slots=True)
class ActedFor(ForOne, Event):
    """The contestmaster acted on behalf of *who* (NC 1j), who owed it since *since* (UTC seconds)."""

    who: str
    says: str
    since: int


@dataclass(frozen=True, slots=True)
class Reminded(ForOne, Event):
    """*who* was reminded of what e owes since *since*, and until *until* (UTC seconds; 0: seven days)."""

    who: str
    verb: str
    since: int
    until: int = 0


@dataclass(frozen=True, slots=True)
class Noted(Event):
    """Something for the contestmaster's journal."""

    audience: ClassVar[str] = CONTESTMASTER
    topic: str
    text: str
