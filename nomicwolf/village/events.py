"""The events of a session, and its record.

An event is a frozen value in the past tense. A law, a role or the law around the game may declare further
kinds: subclassing `Event` is enough, the codec finds them by name. The record is a sequence of `Entry`: each
event with its instant, the clauses that license it, and its cause.

An alarm's name is what the record says of an instant that has come (`ClockStruck`); the laws of other packages may have
further ones. Slots are times of day in UTC at which something is announced, whenever it was ready (D-N24, D-N48).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from nomicwolf.village.ballots import Ballot

Audience: TypeAlias = str | tuple[str, ...]
PUBLIC = "public"
CONTESTMASTER = "contestmaster"
ERASED = "[erased]"
"""What stands where words were that are kept no longer."""
_DIGITS = 12
"""No number of an entry has so many digits: what has is a stranger's, and may have millions."""


class Event:
    """Something that happened; the only thing the ledger stores."""

    __slots__ = ()
    kinds: ClassVar[dict[str, type[Event]]] = {}
    name: ClassVar[str]
    audience: ClassVar[str] = CONTESTMASTER

    def __init_subclass__(cls, *, is_kind: bool = True) -> None:
        if not is_kind:
            return
        cls.name = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()
        known = Event.kinds.get(cls.name)
        if known is not None and known.__qualname__ != cls.__qualname__:
            raise TypeError(f"two kinds of event are called {cls.name}")
        Event.kinds[cls.name] = cls

    def readers(self) -> Audience:
        """Return who may know it: ``public``, ``contestmaster``, or the names of players."""
        return self.audience


class ForAll(Event, is_kind=False):
    """An event that everyone may know."""

    __slots__ = ()
    audience: ClassVar[str] = PUBLIC


class ForOne(Event, is_kind=False):
    """An event that is *who*'s alone to know."""

    __slots__ = ()
    if TYPE_CHECKING:
        who: str

    def readers(self) -> tuple[str, ...]:
        """Return the one who may know it."""
        return (self.who,)


class Cause(NamedTuple):
    """What brought an entry about, in parts: a *kind*, and the *number* of the one of that kind that it was.

    Only ``letter``, ``deed`` and ``entry`` have numbers; 0 is none, as of ``clock`` and ``command``.
    """

    kind: str
    number: int

    @classmethod
    def of(cls, text: str) -> Cause:
        """Return the parts of a cause as the record has it; what is no number there is 0.

        >>> Cause.of("deed 12"), Cause.of("clock"), Cause.of("entry twelve")
        (Cause(kind='deed', number=12), Cause(kind='clock', number=0), Cause(kind='entry', number=0))
        """
        kind, _, number = text.partition(" ")
        return cls(kind, int(number) if number.isdecimal() and len(number) < _DIGITS else 0)

    def named(self, kind: str) -> int:
        """Return the number if it is one of this *kind*, else 0."""
        return self.number if self.kind == kind else 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the record.

    *number* counts from 1 without gaps; *at* is the instant, UTC seconds, at which it took effect; *cites*
    are labels of clauses and rulings (``NC 3``, ``D-N9``); *cause* says what brought it about (``deed 12``,
    ``entry 31``, ``clock``, ``command``), of which `Cause` has the parts.
    """

    number: int
    at: int
    event: Event
    cites: tuple[str, ...] = ()
    cause: str = ""

    def comes_of(self, kind: str, number: int) -> bool:
        """Return whether that ``letter``, ``deed`` or ``entry`` brought it about."""
        return Cause.of(self.cause) == (kind, number)


def numbered(entries: Sequence[Entry], number: int) -> Entry | None:
    """Return the entry with *number* among *entries*, whose numbers rise; None if there is none."""
    place = bisect_left(entries, number, key=attrgetter("number"))
    return entries[place] if place < len(entries) and entries[place].number == number else None


@dataclass(frozen=True, slots=True)
class StageBegan(ForAll):
    """A stage of the present phase began (discussion, nominations, defence, ballot, verdict, closing).

    *until* is its deadline in UTC seconds, 0 if it has none; *names* are those whom it is about.
    """

    stage: str
    until: int = 0
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extended(ForAll):
    """The deadline of the present stage was moved to *until*, UTC seconds."""

    until: int


@dataclass(frozen=True, slots=True)
class BallotsOpened(ForAll):
    """Sealed ballots were opened: who voted for whom (None: for nobody)."""

    votes: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class Nominated(ForAll):
    """*names* go into the last ballot of the day; *round* counts the ballots among them."""

    names: tuple[str, ...]
    round: int = 1


@dataclass(frozen=True, slots=True)
class Tried(ForAll):
    """*who* is put on trial."""

    who: str


@dataclass(frozen=True, slots=True)
class Acquitted(ForAll):
    """The trial of *who* ended without a conviction."""

    who: str


@dataclass(frozen=True, slots=True)
class Recounted(ForAll):
    """A ballot came in late, with the instant *since*: the phase was counted again from there."""

    who: str
    since: int


@dataclass(frozen=True, slots=True)
class Voided(ForAll):
    """*who*'s ballot of *cast* (UTC seconds) does not count, since the vote was over at *over*."""

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
class Declared(ForAll):
    """A player did in public what a duty of theirs allows (accuse, second, nominate aloud)."""

    who: str
    verb: str
    what: tuple[str, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class Published(ForAll):
    """The contestmaster published a fact that conditions may depend on."""

    text: str
    value: bool


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
class RolesBrought(ForAll):
    """The session is played with *roles* beside the rule set's own, each the whole text of its file.

    The files are looked at when a session starts and never again: what is played is what the record has.
    """

    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VotesWeighed(ForAll):
    """Whose votes count otherwise than once, and as how many: for the whole session, and known to everyone."""

    weights: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """A lot was drawn: *purpose*, the *options* in canonical order, and the *result*."""

    purpose: str
    options: tuple[str, ...]
    result: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhaseBegan(ForAll):
    """A phase began: *phase* is ``setup``, ``day`` or ``night``; *number* counts each from 1 (a short day is 0)."""

    phase: str
    number: int


@dataclass(frozen=True, slots=True)
class ClockStruck(Event):
    """An instant came that something depends on: a condition, a deadline, a dawn slot."""

    what: str


@dataclass(frozen=True, slots=True)
class Chose(ForOne):
    """A player did in private what their duty allows; *what* is empty when they passed, *words* is what they said."""

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
class Lynched(ForAll):
    """A vote condemned *who*: a majority, a run-off or a verdict."""

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
class Disclosed(ForAll):
    """What may be known of the dead *who* (NC 6a): *what* is a side (``werewolf``, ``not a werewolf``) or a card."""

    who: str
    what: str


@dataclass(frozen=True, slots=True)
class DeathsAnnounced(ForAll):
    """Who was killed, and who came back, since it was last announced; not why, nor with which role (NC 6b)."""

    killed: tuple[str, ...]
    revived: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Announced(ForAll):
    """Anything else that everyone is told; *topic* names its template, *text* says it."""

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
class Removed(ForAll):
    """*who* left, or was removed, in mid-session."""

    who: str
    why: str


@dataclass(frozen=True, slots=True)
class Replaced(ForAll):
    """*new* takes over everything that was *old*'s in this session."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Ended(ForAll):
    """The session is over: *side* won it, *winners* in seat order; *why* in a few words."""

    side: str
    winners: tuple[str, ...]
    why: str = ""


CONDITION = "a condition"
"""An instant that a ballot's condition names."""
DAWN = "dawn"
"""A slot at which a night may end (D-N24)."""
LIMIT = "day limit"
"""The instant by which somebody is to be lynched, where a contest has set one (D-N56)."""
STAGE = "stage"
"""The deadline of a stage (D-A1)."""
TURN = "turn"
"""The end of somebody's turn to vote (D-T22)."""
ACCUSATIONS = "accusations"
"""The end of the time in which somebody can be accused (D-C17)."""


DAY = 86_400
"""Seconds."""
AT_ONCE = "at once"
"""Stands in a setting for no slots at all: nothing waits."""


def slots(text: str) -> tuple[int, ...]:
    """Return the times of day in *text*, sorted, in seconds since midnight; none if it is empty or ``at once``.

    >>> slots("20:00, 08:00")
    (28800, 72000)
    """
    if text.strip() in ("", AT_ONCE):
        return ()
    parts = (part.strip().split(":") for part in text.split(","))
    return tuple(sorted(int(hour) * 3600 + int(minute) * 60 for hour, minute in parts))


def next_slot(after: int, times: Sequence[int]) -> int:
    """Return the first instant later than *after* (UTC seconds) at one of *times*, as `slots` gives them.

    Without *times* nothing waits, and that is *after* itself.

    >>> next_slot(100_000, (28_800, 72_000)), next_slot(100_000, ())
    (115200, 100000)
    """
    midnight = after - after % DAY
    later = (day + time for day in (midnight, midnight + DAY) for time in times)
    return min((at for at in later if at > after), default=after)
