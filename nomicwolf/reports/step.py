"""One step of a contest, from which the letters that are owed for it are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nomicwolf.nomic.state import Contest
from nomicwolf.village.events import Entry


@dataclass(frozen=True, slots=True)
class Step:
    """How a contest stood *before* and stands *after* the new *entries* of its record, at *now* (UTC seconds)."""

    before: Contest
    after: Contest
    entries: Sequence[Entry]
    now: int
