"""Each vote over time, and its charts (NC 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TypeAlias
from unicodedata import east_asian_width

import drawsvg

from nomicwolf.nomic.events import DeedHeard, SessionStarted, SessionStopped
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.history import LYNCHED, apply_public, condemned_word
from nomicwolf.reports.layout import clean
from nomicwolf.reports.vote_counts import Count, Vote, count_of, final_count
from nomicwolf.village.ballots import Endorse, ballot_text
from nomicwolf.village.events import (
    BallotsOpened,
    Cause,
    Counted,
    DeathsAnnounced,
    Ended,
    Entry,
    Lynched,
    PhaseBegan,
    Recounted,
    Replaced,
    StageBegan,
    Voted,
)
from nomicwolf.village.game import Game
from nomicwolf.village.rules import listed

GUILTY, INNOCENT = "guilty", "innocent"


@dataclass(frozen=True, slots=True)
class Cast:
    """A ballot: *number* counts the session's public votes from 1 and never changes, so links stay valid.

    *nth* counts those of its day, as readers do. *text* is what was written, *letter* the number of the letter (0:
    none), *value* its immediate value; *sure* is the level of assurance of its author (`forum`, `signed` ...; '' is
    unknown).
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


MANY = 4
"""So many who are voted on are not named in a title."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after something happened: *cast* is the ballot that caused it, otherwise *what* describes it.

    *how* is the rule set's word for what befell whoever was *lynched*.
    """

    at: int
    what: str
    values: Mapping[str, str | None]
    counts: Mapping[str, int]
    majority: int
    cast: Cast | None = None
    lynched: str = ""
    how: str = LYNCHED

    @property
    def against(self) -> int:
        """The votes against whoever was lynched: those for the person, or the verdicts of guilty (GA 5e, NM 7b)."""
        return self.counts.get(self.lynched, self.counts.get(GUILTY, 0))


@dataclass(frozen=True, slots=True)
class Track:
    """One vote, of a day or a stage: *voters* in seat order, *count* the final count with reasons.

    *ended* is when the phase or stage was over (UTC seconds, 0: it still runs); *palette* has the candidates of the
    whole session in order of appearance, so that each keeps a colour. *names* are those who are voted on. *heirs* are
    the substitutes since then (D-N41): a row belongs to a seat and bears its last name, while ballots keep the names of
    their voters.
    """

    stage: str
    began: int
    voters: tuple[str, ...]
    moments: tuple[Moment, ...] = ()
    count: Count | None = None
    ended: int = 0
    palette: tuple[str, ...] = ()
    heirs: Mapping[str, str] = field(default_factory=dict)
    how: str = LYNCHED
    names: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The stage, with those who are voted on if they are few: ``ballot on Fay``; '' for a day without stages."""
        few = listed(self.names) if 0 < len(self.names) < MANY else ""
        return f"{self.stage} {'between' if self.names[1:] else 'on'} {few}" if few else self.stage

    def seat(self, who: str) -> str:
        """Return the final holder of *who*'s seat."""
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
        """Everyone who had a vote, in the order of their first ones."""
        return tuple(dict.fromkeys(v for m in self.moments for v in m.values.values() if v is not None))

    @property
    def verdict(self) -> bool:
        """Whether someone is on trial: every vote is guilty or innocent."""
        return bool(self.candidates) and set(self.candidates) <= {GUILTY, INNOCENT}


Numbers: TypeAlias = Mapping[int, tuple[int, int]]
"""The number of each vote within its session and within its phase, from 1, by its entry."""


@dataclass(slots=True)
class _Drawing:
    """A track under construction.

    *table* is what counts are compared with, which a new stage does not clear; *voted* are those who voted in this one;
    *again* says that it was counted again from an earlier instant; *convicted* is the entry of a stage's lynching.
    """

    stage: str
    began: int
    voters: tuple[str, ...]
    values: dict[str, str | None] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    majority: int = 0
    moments: list[Moment] = field(default_factory=list)
    last: int = 0
    table: dict[str, str | None] = field(default_factory=dict)
    voted: set[str] = field(default_factory=set)
    heirs: dict[str, str] = field(default_factory=dict)
    again: bool = False
    convicted: int = 0
    how: str = LYNCHED
    names: tuple[str, ...] = ()

    def tally(self) -> None:
        """Count the votes of each candidate, most first."""
        self.counts = dict(Counter(v for v in self.values.values() if v is not None).most_common())

    def mark(self, at: int, what: str, cast: Cast | None = None, lynched: str = "") -> None:
        """Record the present table as a moment."""
        self.moments.append(
            Moment(at, what, dict(self.values), dict(self.counts), self.majority, cast, lynched, self.how))


def tracks_of(
    before: Contest, public: Sequence[Entry], phase: Entry, until: Sequence[Entry], numbers: Numbers
) -> tuple[Track, ...]:
    """Return the votes of the phase that began with *phase*.

    *before* is the contest before the session, *public* are the session's public entries, *until* those of this phase;
    *numbers* are those of its votes.
    """
    living = _game_at(before, public, phase.number)
    voters = living.shown_living() if living is not None else ()
    deeds = {e.number: e.event for e in public if isinstance(e.event, DeedHeard)}
    started = next((e.event for e in public if isinstance(e.event, SessionStarted)), None)
    how = condemned_word(started.ruleset if started is not None else "")
    drawing = _Drawing("", phase.at, voters, how=how)
    done: list[Track] = []
    for entry in until:
        if isinstance(entry.event, StageBegan):
            done += _finished(before, public, drawing, entry.at)
            drawing = _Drawing(
                entry.event.stage, entry.at, drawing.voters, table=drawing.table, heirs=drawing.heirs, how=how,
                names=entry.event.names)
        else:
            _follow(drawing, entry, deeds, numbers)
        if isinstance(entry.event, Lynched) and drawing.again and not drawing.stage:
            _as_counted(drawing, entry, _game_at(before, public, entry.number))
    return (*done, *_finished(before, public, drawing, _over(public, until)))


def _game_at(before: Contest, public: Sequence[Entry], number: int) -> Game | None:
    """Return the session as publicly known right after entry *number*; None before the session."""
    told = [e for e in public if e.number <= number]
    contest = before.branch()
    apply_public(contest, told)
    return contest.game if told else None


def _over(public: Sequence[Entry], until: Sequence[Entry]) -> int:
    """Return when a phase was over, 0 if it still runs; the next one, a lynching or the session's end ends it."""
    ends = (Lynched, Ended, SessionStopped)
    after = [e.at for e in public if e.number > until[-1].number] if until else []
    return next(iter([*after[:1], *(e.at for e in until if isinstance(e.event, ends))]), 0)


def _follow(drawing: _Drawing, entry: Entry, deeds: Mapping[int, DeedHeard], numbers: Numbers) -> None:
    match entry.event:
        case Voted() as voted:
            drawing.voted.add(voted.who)
            drawing.mark(entry.at, "vote", _cast(entry, voted, deeds, numbers, drawing.values.get(voted.who)))
        case Counted(votes=votes, counts=counts, majority=majority):
            drawing.table.update(votes)
            told = {**dict.fromkeys(drawing.voted), **dict(votes)}
            drawing.values.update({who: drawing.table.get(who) for who in told})
            drawing.counts, drawing.majority = dict(counts), majority
            _settle(drawing, entry)
        case BallotsOpened(votes=votes):
            drawing.values.update(votes)
            drawing.tally()
            drawing.mark(entry.at, "the ballots are opened")
        case Recounted():
            drawing.again = True
            return
        case Lynched(who):
            _lynched(drawing, entry, who)
        case Replaced(old, new):
            _played_on(drawing, old, new)
        case DeathsAnnounced(killed=killed) if drawing.moments and not drawing.moments[-1].lynched:
            drawing.values = {k: v for k, v in drawing.values.items() if k not in killed and v not in killed}
            drawing.tally()
            drawing.mark(entry.at, f"{', '.join(killed)} died")
        case _:
            return
    drawing.last = entry.number
    if isinstance(entry.event, Lynched) and drawing.stage and not drawing.convicted:
        drawing.convicted = entry.number


def _settle(drawing: _Drawing, entry: Entry) -> None:
    """Give the ballot just before a count its counted value, or record the count as a moment of its own."""
    last = drawing.moments[-1] if drawing.moments else None
    if last is not None and last.cast is not None and last.at == entry.at and not last.lynched:
        cast = replace(last.cast, value=drawing.values.get(drawing.heirs.get(last.cast.who, last.cast.who)))
        drawing.moments.pop()
        drawing.mark(entry.at, "vote", cast)
    else:
        drawing.mark(entry.at, "counted again")


def _played_on(drawing: _Drawing, old: str, new: str) -> None:
    """Transfer the row and votes of *old* to *new*, from the beginning of the picture on (D-N41)."""
    def named(who: str) -> str:
        return new if who == old else who

    def moved(values: Mapping[str, str | None]) -> dict[str, str | None]:
        return {named(who): value and named(value) for who, value in values.items()}

    def counted(counts: Mapping[str, int]) -> dict[str, int]:
        return {named(who): votes for who, votes in counts.items()}

    drawing.voters, drawing.voted = tuple(map(named, drawing.voters)), set(map(named, drawing.voted))
    drawing.values, drawing.table, drawing.counts = moved(drawing.values), moved(drawing.table), counted(drawing.counts)
    drawing.moments = [replace(m, values=moved(m.values), counts=counted(m.counts)) for m in drawing.moments]
    drawing.heirs = {**{who: named(heir) for who, heir in drawing.heirs.items()}, old: new}


def _lynched(drawing: _Drawing, entry: Entry, who: str) -> None:
    last = drawing.moments[-1] if drawing.moments else None
    if last is not None and last.at == entry.at and not last.lynched:
        drawing.moments[-1] = replace(last, lynched=who)
    else:
        drawing.mark(entry.at, f"{who} is {drawing.how}", lynched=who)


def _as_counted(drawing: _Drawing, entry: Entry, game: Game | None) -> None:
    """Show the decisive count with a lynching: a ballot heard late lynches without a count of its own (D-N9)."""
    assert game is not None
    count = final_count(game, entry)[0]
    drawing.values.update({vote.who: vote.value for vote in count.votes})
    drawing.counts = dict(count.counts)
    last = drawing.moments[-1]
    cast = last.cast and replace(last.cast, value=drawing.values.get(last.cast.who))
    drawing.moments[-1] = replace(last, values={**drawing.values}, counts=drawing.counts, cast=cast)


def _cast(
    entry: Entry, voted: Voted, deeds: Mapping[int, DeedHeard], numbers: Numbers, value: str | None
) -> Cast:
    deed = deeds.get(Cause.of(entry.cause).named("deed"))
    endorses = voted.ballot.whom if isinstance(voted.ballot, Endorse) else ""
    number, nth = numbers[entry.number]
    return Cast(
        number, entry.at, voted.who, ballot_text(voted.ballot), endorses, value,
        deed.text if deed else "", deed.letter if deed else 0, voted.late, voted.by, deed.sure if deed else "", nth)


def _finished(before: Contest, public: Sequence[Entry], drawing: _Drawing, ended: int) -> list[Track]:
    if not any(m.cast or any(m.values.values()) for m in drawing.moments):
        return []
    last = drawing.convicted - 1 if drawing.convicted else drawing.last  # the convicted has a verdict too
    game = _game_at(before, public, last)
    if game is None:
        return []
    lynching = next((e for e in reversed(game.lines(Lynched)) if e.number >= game.phase_mark), None)
    count = final_count(game, lynching)[0] if lynching and not drawing.stage else count_of(game)
    if not drawing.voted:
        count = _opened(drawing)
    moments = tuple(drawing.moments)
    return [Track(
        drawing.stage, drawing.began, drawing.voters, moments, count, ended, heirs=drawing.heirs, how=drawing.how,
        names=drawing.names)]


def _opened(drawing: _Drawing) -> Count:
    """Return the count of sealed ballots that were opened together."""
    votes = tuple(
        Vote(who, drawing.values[who], "determined", drawing.values[who] or "nobody")
        if who in drawing.values else Vote(who, None, "no vote") for who in drawing.voters)
    return Count(drawing.moments[-1].at, drawing.voters, votes, drawing.counts, drawing.majority)


def phases_of(public: Sequence[Entry]) -> list[tuple[Entry, list[Entry]]]:
    """Return each phase's first entry, with its entries."""
    found: list[tuple[Entry, list[Entry]]] = []
    for entry in public:
        if isinstance(entry.event, PhaseBegan):
            found.append((entry, [entry]))
        elif found:
            found[-1][1].append(entry)
    return found


TOP, ROW, AXIS, LABEL = 34, 26, 40, 15
MINUTE, HOUR, DAY = 60, 3600, 86_400
STEPS = (
    MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR,
    12 * HOUR, DAY, 2 * DAY, 4 * DAY, 7 * DAY, 14 * DAY, 28 * DAY)
"""Possible distances between the marks of the axis, in seconds; days begin at midnight, UTC."""


@dataclass(frozen=True, slots=True)
class Room:
    """The layout of a picture: *left* and *right* margins, *wide* in all; the plot continues *after* its last moment.

    Names are cut to *names* columns on the left and *labels* on the right; times are at least *apart* apart.
    """

    left: int
    right: int
    wide: int
    after: int
    names: int
    labels: int
    apart: int


WIDE = Room(118, 150, 940, 26, 13, 14, 78)
NARROW = Room(58, 60, 326, 12, 7, 6, 42)
"""For a screen of 360 px."""
VERDICTS = replace(NARROW, right=80, labels=8)
"""The same, with room for “innocent”."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The geometry of a picture in its *room*: *xs* are the positions of moments, *ticks* are (position, instant)."""

    room: Room
    xs: tuple[float, ...]
    ticks: tuple[tuple[float, int], ...]
    step: int
    unit: float
    highest: int
    rows: int

    @property
    def end(self) -> float:
        """The right end of the plot."""
        return float(self.room.wide - self.room.right)

    @property
    def base(self) -> float:
        """The y coordinate of zero votes."""
        return TOP + self.unit * self.highest

    @property
    def lanes(self) -> float:
        """The y coordinate where the voters' rows begin."""
        return self.base + AXIS

    @property
    def height(self) -> float:
        """The height of the whole picture."""
        return self.lanes + ROW * self.rows + 12

    def y(self, votes: int) -> float:
        """Return the y coordinate of so many *votes*."""
        return self.base - self.unit * votes

    def row(self, place: int) -> float:
        """Return the y coordinate of the middle of a voter's row."""
        return self.lanes + ROW * place + ROW / 2


def scale_for(track: Track, room: Room = WIDE) -> Scale:
    """Return the geometry for *track*, with a linear time axis.

    A late ballot is placed where it was heard, so that earlier counts stay to its left. Ballots that were opened
    together have no time before that.
    """
    ats = [m.at for m in track.moments]
    began = track.began if track.casts else min(ats, default=track.began)
    last = max([began + MINUTE, *ats])
    plot = room.wide - room.left - room.right - room.after
    perhaps = [room.left + plot * max(0, at - began) / (last - began) for at in ats]
    step = next((s for s in STEPS if plot * s / (last - began) >= room.apart), STEPS[-1])
    marks = range(-(-began // step) * step, last + 1, step) if track.casts else sorted({*ats})
    ticks = tuple((round(room.left + plot * (at - began) / (last - began), 1), at) for at in marks)
    highest = max((*(m.majority for m in track.moments), *(n for m in track.moments for n in m.counts.values()), 1))
    labelled = sum(1 for votes in track.moments[-1].counts.values() if votes) if track.moments else 0
    unit = max(22.0 if highest <= 8 else max(9.0, 176 / highest), LABEL * labelled / highest)
    xs = tuple(round(x, 1) for x in accumulate(perhaps, max))
    return Scale(room, xs, ticks, step, round(unit, 1), highest, len(track.voters))


def stacked_labels(wanted: Sequence[float], top: float) -> list[float]:
    """Return label positions near the *wanted* ones, the lowest first, at least `LABEL` apart and none above *top*.

    >>> stacked_labels([100.0, 98.0, 40.0], 34.0), stacked_labels([60.0, 60.0, 60.0], 34.0)
    ([100.0, 85.0, 40.0], [64.0, 49.0, 34.0])
    """
    places: list[float] = []
    for y in wanted:
        places.append(min(y, places[-1] - LABEL) if places else y)
    least = top
    for at in range(len(places) - 1, -1, -1):
        places[at] = max(places[at], least)
        least = places[at] + LABEL
    return places


def shortened(text: str, columns: int) -> str:
    """Return *text* cut to so many columns, with an ellipsis if anything is missing.

    >>> shortened("Bartholomew", 8), shortened("Ash", 8)
    ('Barthol…', 'Ash')
    """
    wide = [2 if east_asian_width(c) in "WF" else 1 for c in text]
    if sum(wide) <= columns:
        return text
    kept, used = "", 1
    for char, width in zip(text, wide, strict=True):
        if used + width > columns:
            break
        kept, used = kept + char, used + width
    return f"{kept}…"


CELL, HEAD = 30, 74
MATRIX_WIDE, MATRIX_NARROW = 118, 58
"""The room for names on the left, on a wide screen and on a phone, in CSS pixels."""


@dataclass(frozen=True, slots=True)
class Following:
    """How often each (follower, leader) pair occurred among *people*, in seat order."""

    people: tuple[str, ...]
    times: Mapping[tuple[str, str], int]

    @property
    def most(self) -> list[tuple[str, str, int]]:
        """All pairs as (follower, leader, times), the most frequent first."""
        return [(*pair, times) for pair, times in sorted(self.times.items(), key=lambda item: -item[1])]


def count_following(people: tuple[str, ...], tracks: Iterable[Track]) -> Following:
    """Return who followed whom in *tracks*, the votes of *people*.

    An endorsement follows the endorsed. Any other ballot follows whoever has voted for the same person longest without
    a break; a ballot for someone without votes follows nobody, and neither does a verdict.
    """
    times: Counter[tuple[str, str]] = Counter()
    for track in tracks:
        if not track.verdict:
            times.update(_pairs(track))
    return Following(people, {pair: n for pair, n in times.items() if set(pair) <= set(people)})


def _pairs(track: Track) -> Iterable[tuple[str, str]]:
    on: dict[str, list[str]] = {}
    for moment in track.moments:
        cast = moment.cast
        if cast is not None:
            who, value = track.seat(cast.who), track.seat(cast.value or "")
            leaders = [p for p in on.get(value, ()) if p != who]
            if cast.endorses:
                yield who, track.seat(cast.endorses)
            elif value and leaders:
                yield who, leaders[0]
        for whom in {*on, *filter(None, moment.values.values())}:
            now = [p for p, v in moment.values.items() if v == whom]
            stay = [p for p in on.get(whom, ()) if p in now]
            on[whom] = [*stay, *(p for p in now if p not in stay)]


def following_chart(found: Following, name: str, *, narrow: bool = False) -> str:
    """Return *found* as an SVG element: a row for each follower, a column for each leader, a dot for each pair."""
    left, size = MATRIX_WIDE, CELL
    if narrow:
        left, size = MATRIX_NARROW, min(CELL, (326 - MATRIX_NARROW) // max(1, len(found.people)))
    side = size * len(found.people)
    drawing = drawsvg.Drawing(
        left + side + HEAD // 2, HEAD + side + 8, id_prefix=f"{name}n" if narrow else name,
        class_=f"votes {'narrow' if narrow else 'wide'}", role="img", aria_labelledby=f"{name}-title")
    most = max(found.times.values(), default=1)
    for place, who in enumerate(found.people):
        at = size * place + size / 2
        name = shortened(who, 7 if narrow else 13)
        drawing.append(svg_text(name, left - 8, HEAD + at + 4, "name", text_anchor="end"))
        drawing.append(svg_text(shortened(who, 8), left + at + 4, HEAD - 8, "name",
                             transform=f"rotate(-45 {left + at + 4} {HEAD - 8})"))
        drawing.append(drawsvg.Line(left, HEAD + at, left + side, HEAD + at, class_="grid"))
        drawing.append(drawsvg.Line(left + at, HEAD, left + at, HEAD + side, class_="grid"))
    for (follower, leader), times in found.times.items():
        x, y = (size * found.people.index(who) + size / 2 for who in (leader, follower))
        radius = round(size * (0.22 + 0.24 * times / most), 1)
        drawing.append(drawsvg.Circle(left + x, HEAD + y, radius, class_="follows"))
        drawing.append(svg_text(str(times), left + x, HEAD + y + 4, "times", text_anchor="middle"))
    svg = drawing.as_svg(header="")
    assert isinstance(svg, str)
    return svg.replace("<defs>\n</defs>\n", "")


def svg_text(words: str, x: float, y: float, kind: str, **more: object) -> drawsvg.Text:
    """Return *words* as an SVG text of this CSS class."""
    return drawsvg.Text(clean(words), 12, x, y, class_=kind, **more)
