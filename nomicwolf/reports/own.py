"""What one player alone may read of the record, or e and eir like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import overload

from nomicwolf.nomic.state import Contest
from nomicwolf.reports.countpage import to_come
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.public import is_public
from nomicwolf.village.events import Audience, Entry, Replaced, numbered
from nomicwolf.village.game import for_fellows


class Own(Sequence[Entry]):
    """The entries of *contest* that *who* alone, or e and eir like, may read; in a session also eir predecessor's.

    Nothing is looked for before it is asked for. Two are equal if they have the same entries.
    """

    def __init__(self, contest: Contest, who: str) -> None:
        self._contest = contest
        self._who = who

    @cached_property
    def _before(self) -> dict[str, int]:
        """Whom *who* has followed in this session, and up to which entry."""
        game = self._contest.game
        before: dict[str, int] = {}
        for entry in reversed(game.lines(Replaced) if game is not None else []):
            swap = entry.event
            assert isinstance(swap, Replaced)
            if swap.new in (self._who, *before):
                before[swap.old] = entry.number
        return before

    def _is_own(self, entry: Entry) -> bool:
        readers, game = entry.event.readers(), self._contest.game
        start = game.entries[0].number if game is not None and game.entries else 0
        return may_read(readers, self._who) or any(
            start <= entry.number < last and may_read(readers, old) for old, last in self._before.items())

    @cached_property
    def _all(self) -> tuple[Entry, ...]:
        return tuple(filter(self._is_own, self._contest.entries))

    def told(self) -> tuple[Entry, ...]:
        """Return those of the present session, but for what waits for its slot (D-N48).

        Who is dead is told no word that a fellow meant for fellows (D-M12).
        """
        game = self._contest.game
        if game is None or not game.entries:
            return ()
        start, waits = game.entries[0].number, {e.number for e in self._contest.cover.waits}
        dead = self._who in game.shown_dead
        return tuple(e for e in self._all if e.number >= start and e.number not in waits
                     and not (dead and for_fellows(e.event)))

    def to_come(self, prose: Prose) -> str:
        """Return what everyone has read in the forums and is not counted yet, '' if there is nothing."""
        return to_come(self._contest, prose)

    def readable(self, number: int) -> Entry | None:
        """Return the entry with this number, None unless it is one of these, or everyone may know it."""
        entry = numbered(self._contest.entries, number)
        return entry if entry is not None and (is_public(entry.event) or self._is_own(entry)) else None

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._all)

    @overload
    def __getitem__(self, place: int) -> Entry: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, place: int | slice) -> Entry | tuple[Entry, ...]:
        return self._all[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own) and self._all == other._all

    def __hash__(self) -> int:
        return hash(self._all)


def may_read(readers: Audience, who: str) -> bool:
    """Return whether an event for *readers* is addressed to *who* among others (public events are not)."""
    return isinstance(readers, tuple) and who in readers
