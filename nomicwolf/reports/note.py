"""What the sections of a private letter are made from, as `page` is for letters to the forums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from nomicwolf.dataclass import dataclass
from nomicwolf.nomic.events import DeedHeard
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


NoteMaker: TypeAlias = Callable[[Note, Entry, Any], Section | None]
"""Makes the section that tells of an entry: of the event in it; None tells nothing."""
