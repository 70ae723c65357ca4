"""Events, and the lines of the record that keeps them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from nomicwolf.dataclass import dataclass

Audience: TypeAlias = str | tuple[str, ...]
PUBLIC = "public"
CONTESTMASTER = "contestmaster"


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


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the record.

    *number* counts from 1 without gaps; *at* is the instant, UTC seconds, at which it took effect; *cites*
    are labels of clauses and rulings (``NC 3``, ``D-N9``); *cause* says what brought it about (``deed 12``,
    ``entry 31``, ``clock``, ``command``).
    """

    number: int
    at: int
    event: Event
    cites: tuple[str, ...] = ()
    cause: str = ""
