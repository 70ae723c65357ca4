"""What the sections of a private letter are made from, as `page` is for letters to the forums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from nomicwolf.nomic.events import DeedDone, DeedHeard
from nomicwolf.reports.prose import Prose, Section
from nomicwolf.reports.views import PlayerView
from nomicwolf.village.events import Entry


@dataclass(frozen=True)
class Note:
    """What a private letter is made from: its reader's *view*, the new *entries* that e may read, the *prose*.

    *begins* is the session's number if it has just been dealt, else 0; *night* the night's if it has just begun.
    """

    view: PlayerView
    entries: tuple[Entry, ...]
    prose: Prose
    begins: int = 0
    night: int = 0

    def deed(self, number: int) -> DeedHeard | None:
        """Return the deed in entry *number* if the reader may see it."""
        found = self.view.own.readable(number)
        return found.event if found is not None and isinstance(found.event, DeedHeard) else None

    @cached_property
    def last_posted(self) -> int:
        """The number of the last entry that tells that something was done that was posted to a forum; 0: none does."""
        for entry in reversed(self.entries):
            deed = self.deed(entry.event.deed) if isinstance(entry.event, DeedDone) else None
            if deed is not None and deed.channel in self.view.public.setup.nomics:
                return entry.number
        return 0


NoteMaker: TypeAlias = Callable[[Note, Entry, Any], Section | None]
"""Makes the section that tells of an entry: of the event in it; None tells nothing."""
