"""What can happen where a phase has stages, ballots that are opened, and trials."""

from __future__ import annotations

from typing import ClassVar

from nomicwolf.dataclass import dataclass
from nomicwolf.village.record import PUBLIC, Event


@dataclass(frozen=True, slots=True)
class StageBegan(Event):
    """A stage of the present phase began (discussion, nominations, defence, ballot, verdict, closing).

    *until* is its deadline in UTC seconds, 0 if it has none; *names* are those whom it is about.
    """

    audience: ClassVar[str] = PUBLIC
    stage: str
    until: int = 0
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extended(Event):
    """The deadline of the present stage was moved to *until*, UTC seconds."""

    audience: ClassVar[str] = PUBLIC
    until: int


@dataclass(frozen=True, slots=True)
class BallotsOpened(Event):
    """Sealed ballots were opened: who voted for whom (None: for nobody)."""

    audience: ClassVar[str] = PUBLIC
    votes: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class Nominated(Event):
    """*names* go into the last ballot of the day; *round* counts the ballots among them."""

    audience: ClassVar[str] = PUBLIC
    names: tuple[str, ...]
    round: int = 1


@dataclass(frozen=True, slots=True)
class Tried(Event):
    """*who* is put on trial."""

    audience: ClassVar[str] = PUBLIC
    who: str


@dataclass(frozen=True, slots=True)
class Acquitted(Event):
    """The trial of *who* ended without a conviction."""

    audience: ClassVar[str] = PUBLIC
    who: str


@dataclass(frozen=True, slots=True)
class Recounted(Event):
    """A ballot came in late, with the instant *since*: the phase was counted again from there."""

    audience: ClassVar[str] = PUBLIC
    who: str
    since: int


@dataclass(frozen=True, slots=True)
class Voided(Event):
    """*who*'s ballot of *cast* (UTC seconds) does not count, since the vote was over at *over*."""

    audience: ClassVar[str] = PUBLIC
    who: str
    cast: int
    over: int


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The entries of these numbers, a choice and what followed from it, count as if they had not happened (D-N42)."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NightClosed(Event):
    """No more night deeds are taken: what was chosen is weighed now."""


@dataclass(frozen=True, slots=True)
class Declared(Event):
    """A player did in public what a duty of eirs allows (accuse, second, nominate aloud)."""

    audience: ClassVar[str] = PUBLIC
    who: str
    verb: str
    what: tuple[str, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class Published(Event):
    """The contestmaster published a fact that conditions may hang on."""

    audience: ClassVar[str] = PUBLIC
    text: str
    value: bool
