"""Events, and the lines of the record that keeps them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from nomicwolf.dataclass import dataclass

Audience: TypeAlias = str | tuple[str, ...]
PUBLIC = "public"
CONTESTMASTER = "contestmaster"
_DIGITS = 12
"""No number of an entry has so many digits: what has is a stranger's, and may have millions."""


class Event:
    """Something that happened; the only thing the ledger stores."""

    __slots__ = ()
    kinds: ClassVar[dict[str, type[Event]]] = {}
    name: ClassVar[str]
    audience: ClassVar[str] = CONTESTMASTER

    def __init_subclass__(cls) -> None:
        cls.name = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()
        known = Event.kinds.get(cls.name)
        if known is not None and known.__qualname__ != cls.__qualname__:
            raise TypeError(f"two kinds of event are called {cls.name}")
        Event.kinds[cls.name] = cls

    def readers(self) -> Audience:
        """Return who may know it: ``public``, ``contestmaster``, or the names of players."""
        return self.audience


class ForOne:
    """Of an event: it is *who*'s alone to know."""

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


def numbered(entries: Sequence[Entry], number: int) -> Entry | None:
    """Return the entry with *number* among *entries*, whose numbers rise; None if there is none."""
    place = bisect_left(entries, number, key=attrgetter("number"))
    return entries[place] if place < len(entries) and entries[place].number == number else None
