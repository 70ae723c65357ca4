"""What happens to the rosters: persons become known, join and leave."""

from __future__ import annotations

from typing import ClassVar

from nomicwolf.dataclass import dataclass
from nomicwolf.village.events import PUBLIC, Event


@dataclass(frozen=True, slots=True)
class PersonKnown(Event):
    """*who* is known by these addresses (the first is where mail goes) and aliases; replaces what was known."""

    who: str
    addresses: tuple[str, ...]
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PartyJoined(Event):
    """*who* became a party to the contract in *nomic* (NC 1c)."""

    audience: ClassVar[str] = PUBLIC
    who: str
    nomic: str


@dataclass(frozen=True, slots=True)
class PartyLeft(Event):
    """*who* is no longer a party to the contract in *nomic*."""

    audience: ClassVar[str] = PUBLIC
    who: str
    nomic: str
    why: str = ""
