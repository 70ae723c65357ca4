"""A vote over time: who voted for whom when, how the wagons grew, and the instant of the majority (NC 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nomicwolf.reports.vote_counts import Count

GUILTY, INNOCENT = "guilty", "innocent"


@dataclass(frozen=True, slots=True)
class Cast:
    """One ballot: *number* counts the session's public votes from 1 and never changes, so that links stay.

    *nth* counts those of its day, as readers do. *text* is what was written, *letter* the number of the letter (0:
    none), *value* whom it came to at once; *sure* is the level of assurance of its author (`forum`, `signed` ...; '' is
    not known).
    """

    number: int
    at: int
    who: str
    ballot: str
    endorses: str = ""
    value: str | None = None
    text: str = ""
    letter: int = 0
    late: bool = False
    by: str = ""
    sure: str = ""
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after something happened: *cast* is the ballot that did it, else *what* says what it was."""

    at: int
    what: str
    values: Mapping[str, str | None]
    counts: Mapping[str, int]
    majority: int
    cast: Cast | None = None
    lynched: str = ""

    @property
    def against(self) -> int:
        """How many votes whoever was lynched had then: those for em, or the verdicts of guilty (GA 5e, NM 7b)."""
        return self.counts.get(self.lynched, self.counts.get(GUILTY, 0))


@dataclass(frozen=True, slots=True)
class Track:
    """One vote: a day's, or a stage's; *voters* in seat order, *count* how it ended, with reasons.

    *ended* is when the phase or stage was over (UTC seconds, 0: it still runs); *palette* are the candidates of the
    whole session in the order in which they came up, so that each keeps eir colour. *heirs* tell who plays on for whom
    since within it (D-N41): a row is one seat's, by its last name, while ballots keep the name of who cast them.
    """

    stage: str
    began: int
    voters: tuple[str, ...]
    moments: tuple[Moment, ...] = ()
    count: Count | None = None
    ended: int = 0
    palette: tuple[str, ...] = ()
    heirs: Mapping[str, str] = field(default_factory=dict)

    def seat(self, who: str) -> str:
        """Return who has the seat of *who* at the end."""
        return self.heirs.get(who, who)

    @property
    def casts(self) -> tuple[Cast, ...]:
        """The ballots in the order in which they were heard."""
        return tuple(m.cast for m in self.moments if m.cast)

    @property
    def lynchings(self) -> tuple[Moment, ...]:
        """The moments at which someone was lynched."""
        return tuple(m for m in self.moments if m.lynched)

    @property
    def candidates(self) -> tuple[str, ...]:
        """Whoever had a vote, in the order in which they got their first."""
        return tuple(dict.fromkeys(v for m in self.moments for v in m.values.values() if v is not None))

    @property
    def verdict(self) -> bool:
        """Whether it is about one who is on trial: all that was voted is guilty or innocent."""
        return bool(self.candidates) and set(self.candidates) <= {GUILTY, INNOCENT}
