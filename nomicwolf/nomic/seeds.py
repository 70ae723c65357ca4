"""Seeds in which players have a part.

The contestmaster's half is bound first, then what players write goes into it.

Neither side can choose the lots: the half was bound before anyone wrote, and nobody but the contestmaster knows it
while they write. Which letters count is no choice: all that came through a forum between the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nomicwolf.village.events import CONTESTMASTER, PUBLIC, Event

Words = tuple[tuple[str, str], ...]
"""The letters that go into a seed, in their order: the author of each, and its digest (SHA-256 of what e wrote)."""


@dataclass(frozen=True, slots=True)
class SeedBound(Event):
    """The contestmaster's half of the seed of *session* is bound by *commitment*."""

    audience: ClassVar[str] = PUBLIC
    session: int
    commitment: str


@dataclass(frozen=True, slots=True)
class SeedKept(Event):
    """The contestmaster's *half* of the seed of *session*, 64 hex digits: as secret as the seed."""

    audience: ClassVar[str] = CONTESTMASTER
    session: int
    half: str


@dataclass(frozen=True, slots=True)
class SeedMixed(Event):
    """The seed of *session* was made of the bound half and of *letters*."""

    audience: ClassVar[str] = PUBLIC
    session: int
    letters: Words


@dataclass(frozen=True, slots=True)
class HalfTold(Event):
    """After *session*: the *half* that was bound, so that everyone can make the seed again."""

    audience: ClassVar[str] = PUBLIC
    session: int
    half: str
