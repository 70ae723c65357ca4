"""The earliest instant of a majority: a day's votes, records and clock, in order (NC 3, *whenever*; D-V9).

What all votes come to changes only at events: a vote, an official record, or an instant that a condition of a
ballot then in force names. Events have keys, (instant, class, received, list rank, UID, part), with class 0 for the
clock, 1 for the record and 2 for messages: all instants named for T are one event, before everything else at T. After
each event there is one check, and none inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Literal, TypeAlias, get_args

from nomicwolf.dataclass import dataclass
from nomicwolf.village.ballots import Ballot
from nomicwolf.village.pinning import thresholds
from nomicwolf.village.resolution import Table, resolve_sparing
from nomicwolf.village.standing import Standing
from nomicwolf.village.town import Town

Key: TypeAlias = tuple[int, ...]
Policy: TypeAlias = Literal["forum", "clamped", "date"]
POLICIES: tuple[Policy, ...] = get_args(Policy)
"""By which clocks letters can be dated (D-V10)."""


@dataclass(frozen=True, slots=True)
class Cast:
    """*who* casts *ballot*, not yet pinned; the instant (UTC seconds) comes first in *key*."""

    key: Key
    who: str
    ballot: Ballot


@dataclass(frozen=True, slots=True)
class Record:
    """Something official becomes public: deaths, sides, facts; *ends* says that the day is over with it."""

    key: Key
    dead: tuple[str, ...] = ()
    disclosed: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, bool] = field(default_factory=dict)
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Void:
    """A cast that does not count: it came *before* the day, after it was *over*, or not from one of the *living*."""

    cast: Cast
    why: Literal["before", "over", "not living"]


@dataclass(frozen=True, slots=True)
class Check:
    """The table after an event: when, and what it was ("clock", "record", or who voted)."""

    at: int
    cause: str
    table: Table


@dataclass(frozen=True, slots=True)
class DayOutcome:
    """What a day came to, as far as it was looked at.

    *lynchings* are the checks that found a majority (more than one only if a Hunter's death leaves the day open);
    *over* is the instant at which the day ended, or None; *table* the last one.
    """

    lynchings: tuple[Check, ...]
    over: int | None
    void: tuple[Void, ...]
    table: Table

    @property
    def lynched(self) -> str | None:
        """Who was lynched first."""
        return self.lynchings[0].table.lynched if self.lynchings else None

    @property
    def at(self) -> int | None:
        """When: the earliest instant of a majority (UTC seconds)."""
        return self.lynchings[0].at if self.lynchings else None


def effective(date: int, received: int, policy: Policy = "forum", tolerance: int = 600) -> int:
    """When an action by message happened (UTC seconds), by its *date* and the forum's stamp *received*.

    "forum": the stamp; "clamped": the date, but not later than the stamp, nor more than *tolerance* before it;
    "date": the date.
    """
    match policy:
        case "forum":
            return received
        case "clamped":
            return min(received, max(date, received - tolerance))
        case "date":
            return date


def next_threshold(ballots: Iterable[Ballot], after: int, until: int) -> int | None:
    """The first instant in (*after*, *until*] that a condition of one of *ballots* names."""
    named = (instant for ballot in ballots for instant in thresholds(ballot))
    return min((instant for instant in named if after < instant <= until), default=None)


class DayCount:
    """A day being counted: move it on with ``clock``, ``cast`` and ``record``, in the order of keys.

    *town* is the public record at the instant at which the day began; the lynching of one of *hunters* does not end
    the day (the switch ``hunter_pause: open``); votes of those who are *spared* for each other are null (D-N16).
    *standing* are the ballots by which it begins, where that isn't at daybreak.
    """

    def __init__(
        self, town: Town, hunters: frozenset[str] = frozenset(), spared: tuple[str, ...] = (),
        standing: Mapping[str, Ballot] | None = None,
    ) -> None:
        self.began = town.now
        self.hunters, self.spared = hunters, spared
        self.standing = Standing(town, standing)
        self.over: int | None = None
        self.lynchings: list[Check] = []
        self.void: list[Void] = []
        if standing:
            self._check("record")

    def clock(self, until: int) -> None:
        """Let time pass to *until*, with a check at each instant named by a ballot in force."""
        while self.over is None:
            at = self.standing.next_instant()
            if at is None or at > until:
                break
            self.standing.move(self.standing.town.at(at))
            self._check("clock")

    def cast(self, cast: Cast) -> None:
        """Count one ballot, or note that it is void."""
        at = cast.key[0]
        if at < self.began:
            self.void.append(Void(cast, "before"))
            return
        self.clock(at)
        if self.over is not None:
            self.void.append(Void(cast, "over"))
        elif cast.who not in self.standing.town.seats:
            self.void.append(Void(cast, "not living"))
        else:
            self.standing.cast(cast.who, cast.ballot, at)
            self._check(cast.who)

    def record(self, record: Record) -> None:
        """Enter an official record."""
        at = max(record.key[0], self.began)
        self.clock(at)
        if self.over is not None:
            return
        town = replace(self._without(record.dead), now=at)
        self.standing.move(
            replace(town, disclosed={**town.disclosed, **record.disclosed}, facts={**town.facts, **record.facts})
        )
        if record.ends:
            self.over = at
        else:
            self._check("record")

    def outcome(self) -> DayOutcome:
        """How it stands."""
        return DayOutcome(tuple(self.lynchings), self.over, tuple(self.void), self.standing.table)

    def _without(self, dead: Sequence[str]) -> Town:
        """The town after deaths; the ballots of the dead are gone."""
        town = self.standing.town
        gone = [who for who in dead if who in town.seats]
        living = tuple(who for who in town.living if who not in gone)
        return replace(town, living=living, dead=(*town.dead, *gone)) if gone else town

    def _check(self, cause: str) -> None:
        """Look for a majority; after a Hunter's lynching that leaves the day open, at once again."""
        while self.over is None:
            standing, table = self.standing, None
            if self.spared:
                table = resolve_sparing(standing.town, standing.ballots, self.spared)
            lynched = table.lynched if table else standing.lynched
            if lynched is None:
                break
            check = Check(standing.town.now, cause, table or standing.table)
            self.lynchings.append(check)
            if lynched in self.hunters:
                standing.move(self._without((lynched,)))
            else:
                self.over = check.at


def replay_day(
    town: Town,
    casts: Iterable[Cast],
    records: Iterable[Record] = (),
    until: int | None = None,
    hunters: frozenset[str] = frozenset(),
    spared: tuple[str, ...] = (),
    standing: Mapping[str, Ballot] | None = None,
) -> DayOutcome:
    """Count a day from its beginning (*town*, with its *now*) up to the watermark *until* (UTC seconds).

    What has a later instant is left alone; None looks at everything, and at no instant after the last event.
    """
    day = DayCount(town, hunters, spared, standing)
    events: list[Cast | Record] = sorted((*casts, *records), key=lambda event: event.key)
    for event in events:
        if until is None or event.key[0] <= until:
            if isinstance(event, Cast):
                day.cast(event)
            else:
                day.record(event)
    if until is not None:
        day.clock(until)
    return day.outcome()
