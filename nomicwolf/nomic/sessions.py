"""What happens to a session around its game: it begins and stops, its score is told, it is awarded and revealed."""

from __future__ import annotations

from typing import ClassVar

from nomicwolf.dataclass import dataclass
from nomicwolf.village.events import PUBLIC, Event


@dataclass(frozen=True, slots=True)
class SessionStarted(Event):
    """A session of *ruleset* was initiated among *players*; *commitment* binds the seed, *bound* each player's role."""

    audience: ClassVar[str] = PUBLIC
    session: int
    ruleset: str
    players: tuple[str, ...]
    roles: tuple[str, ...]
    commitment: str
    odds: str = ""
    bound: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SessionStopped(Event):
    """The contestmaster ended the session (NC 1f): nobody wins."""

    audience: ClassVar[str] = PUBLIC
    session: int
    why: str


@dataclass(frozen=True, slots=True)
class CountPosted(Event):
    """A vote count was posted to the forums, as of its entry's instant."""

    audience: ClassVar[str] = PUBLIC
    why: str = ""


@dataclass(frozen=True, slots=True)
class LimitConfirmed(Event):
    """The contestmaster confirmed *points* as P, what a contest may award in a week in *nomic*; *how* derives it."""

    audience: ClassVar[str] = PUBLIC
    nomic: str
    points: int
    how: str = ""


@dataclass(frozen=True, slots=True)
class AwardsHeld(Event):
    """The announcement that ends the session waits, since P of *nomic* is not confirmed (D-N21)."""

    session: int
    nomic: str


@dataclass(frozen=True, slots=True)
class Awarded(Event):
    """One numbered action: *who* gets *amount* of *what* in *nomic* for winning *session*."""

    audience: ClassVar[str] = PUBLIC
    session: int
    number: int
    nomic: str
    who: str
    what: str
    amount: int


@dataclass(frozen=True, slots=True)
class Revealed(Event):
    """After the session: the seed, and who held which role (D-N23).

    *lovers* are who loved each other, *became* who took another role in the game, and which (player, role, side);
    *ruled* are the rulings that were secret (UTC seconds, text, authority, whom each concerns) (D-A11).
    """

    audience: ClassVar[str] = PUBLIC
    session: int
    seed: str
    deal: tuple[tuple[str, str, str], ...]
    lovers: tuple[str, ...] = ()
    became: tuple[tuple[str, str, str], ...] = ()
    ruled: tuple[tuple[int, str, str, tuple[str, ...]], ...] = ()
