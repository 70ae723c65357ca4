"""What the sections of a letter to the forums are made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from nomicwolf.reports.prose import Prose, Section
from nomicwolf.reports.views import PublicView
from nomicwolf.village.events import Entry


@dataclass(frozen=True)
class Page:
    """What sections are made from: the *view* after everything, the *entries* to tell of, the *prose*."""

    view: PublicView
    entries: tuple[Entry, ...]
    prose: Prose

    def title(self, nomic: str) -> str:
        """Return how *nomic* is called in prose."""
        forum = self.view.setup.forum(nomic)
        return (forum.title if forum else "") or nomic.capitalize()

    def later(self, entry: Entry, kind: type) -> list[Entry]:
        """Return the entries of *kind* that the letter tells of after *entry*."""
        return [e for e in self.entries if e.number > entry.number and isinstance(e.event, kind)]


Maker: TypeAlias = Callable[[Page, Entry, Any, PublicView], Section | None]
"""Makes the section that tells of an entry: of the event in it, with what all knew right after; None tells nothing."""
