"""A day replayed to the first majority (NC 3, D-V9).

The result of all votes changes only at events: a vote, an official record, or an instant that a condition of a
ballot then in force names. Events have keys, (instant, class, received, list rank, UID, part), with class 0 for the
clock, 1 for the record and 2 for messages: all instants named for T are one event, before everything else at T. After
each event there is one check, and none inside. Each check is a full resolution; only the compiled ballots are kept
from one to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from typing import Literal, TypeAlias, get_args

from nomicwolf.village.ballots import Ballot, Town
from nomicwolf.village.compiled_ballots import CompiledBallots
from nomicwolf.village.resolution import Table, count, has_pins, pin, resolve_sparing, thresholds, timeless


class Standing:
    """The ballots in force in a *town*.

    *instants* has, for each voter whose ballot has conditions on time, when these change (UTC seconds).
    """

    def __init__(self, town: Town, ballots: Mapping[str, Ballot] | None = None) -> None:
        self.town = town
        self.ballots: dict[str, Ballot] = dict(ballots or {})
        self._table: Table | None = None
        self._read()

    @property
    def table(self) -> Table:
        """What every vote evaluates to now."""
        if self._table is None:
            self._table = count(self.compiled, self.ballots)
        return self._table

    @property
    def lynched(self) -> str | None:
        """Who has a majority now."""
        return self.table.lynched

    def cast(self, who: str, ballot: Ballot | None, now: int | None = None) -> None:
        """Cast *ballot* for *who* at *now* (UTC seconds), pinned to this instant; None takes back what was cast."""
        at = self.town.now if now is None else now
        instants: frozenset[int] = frozenset()
        if ballot is not None and not timeless(ballot):
            if has_pins(ballot):
                ballot = pin(ballot, self.town.at(at), self.table, who)
            instants = thresholds(ballot)
        seat = self.town.seats.get(who)
        if seat is not None:
            self._note(who, instants)
            self.compiled.put(seat, ballot)
            self._table = None
        if ballot is None:
            self.ballots.pop(who, None)
        else:
            self.ballots[who] = ballot
        if at != self.town.now:
            self._pass(at)

    def move(self, town: Town) -> None:
        """Move the public record or the clock to *town*; ballots of those who died fall away."""
        before, self.town = self.town, town
        if town.now < before.now or town != before.at(town.now):
            if town.living != before.living:
                self.ballots = {who: ballot for who, ballot in self.ballots.items() if who in town.seats}
            self._read()
        else:
            self._tick()

    def next_instant(self) -> int | None:
        """Return the first instant after now that a condition of a ballot in force names."""
        while self._ahead:
            instant, who = self._ahead[0]
            if instant > self.town.now and instant in self.instants.get(who, ()):
                return instant
            heappop(self._ahead)
        return None

    def _read(self) -> None:
        """Read every ballot anew."""
        self._table = None
        self.compiled = CompiledBallots(self.town, self.ballots)
        self.instants: dict[str, frozenset[int]] = {}
        self._ahead: list[tuple[int, str]] = []
        for who in self.town.living:
            ballot = self.ballots.get(who)
            if ballot is not None and not timeless(ballot):
                self._note(who, thresholds(ballot))

    def _note(self, who: str, instants: frozenset[int]) -> None:
        """Keep the *instants* that *who*'s ballot names now."""
        self.instants.pop(who, None)
        if instants:
            self.instants[who] = instants
            for instant in instants:
                heappush(self._ahead, (instant, who))

    def _pass(self, now: int) -> None:
        """Move the clock to *now*, or put it back."""
        if now < self.town.now:
            self.move(self.town.at(now))
        else:
            self.town = self.town.at(now)
            self._tick()

    def _tick(self) -> None:
        """Compile again what conditions on time may have changed: nothing but the clock has moved, and not back."""
        self.compiled.town = self.town
        while self._ahead and self._ahead[0][0] <= self.town.now:
            instant, who = heappop(self._ahead)
            if instant in self.instants.get(who, ()):
                self.compiled.put(self.town.seats[who], self.ballots[who])
                self._table = None


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
    """Something official becomes public: deaths, sides, facts."""

    key: Key
    dead: tuple[str, ...] = ()
    disclosed: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, bool] = field(default_factory=dict)


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

    *lynching* is the check that found a majority, with which the day ended, if any did; *table* the last one.
    """

    lynching: Check | None
    void: tuple[Void, ...]
    table: Table


def effective(date: int, received: int, policy: Policy = "forum", tolerance: int = 600) -> int:
    """Return when an action by message happened (UTC seconds), by its *date* and the forum's stamp *received*.

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
    """Return the first instant in (*after*, *until*] that a condition of one of *ballots* names."""
    named = (instant for ballot in ballots for instant in thresholds(ballot))
    return min((instant for instant in named if after < instant <= until), default=None)


class DayCount:
    """A day being counted: move it on with ``clock``, ``cast`` and ``record``, in the order of keys.

    *town* is the public record at the instant at which the day began. Votes of those who are *spared* for each other
    are null (D-N16). *standing* are the ballots by which it begins, where that isn't at daybreak. With *only* no other
    majority than that for *only* ends the day.
    """

    def __init__(
        self, town: Town, spared: tuple[str, ...] = (), standing: Mapping[str, Ballot] | None = None, only: str = "",
    ) -> None:
        self.began = town.now
        self.spared, self.only = spared, only
        self.standing = Standing(town, standing)
        self.lynching: Check | None = None
        self.void: list[Void] = []
        if standing:
            self._check("record")

    def clock(self, until: int) -> None:
        """Let time pass to *until*, with a check at each instant named by a ballot in force."""
        while self.lynching is None:
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
        if self.lynching is not None:
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
        if self.lynching is None:
            town = self.standing.town
            gone = [who for who in record.dead if who in town.seats]
            self.standing.move(replace(
                town, now=at, living=tuple(who for who in town.living if who not in gone), dead=(*town.dead, *gone),
                disclosed={**town.disclosed, **record.disclosed}, facts={**town.facts, **record.facts}))
            self._check("record")

    def outcome(self) -> DayOutcome:
        """Return how the day stands."""
        return DayOutcome(self.lynching, tuple(self.void), self.standing.table)

    def _check(self, cause: str) -> None:
        """Look for a majority."""
        standing = self.standing
        table = resolve_sparing(standing.town, standing.ballots, self.spared) if self.spared else standing.table
        if table.lynched and self.only in ("", table.lynched):
            self.lynching = Check(standing.town.now, cause, table)


def replay_day(
    town: Town,
    casts: Iterable[Cast],
    records: Iterable[Record] = (),
    until: int | None = None,
    *,
    spared: tuple[str, ...] = (),
    standing: Mapping[str, Ballot] | None = None,
    only: str = "",
) -> DayOutcome:
    """Count a day from its beginning (*town*, with its *now*) up to the watermark *until* (UTC seconds).

    What has a later instant is left alone; None looks at everything, and at no instant after the last event. See
    `DayCount` for the rest.
    """
    day = DayCount(town, spared, standing, only)
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
