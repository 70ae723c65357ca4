"""Where things stand in the vote picture, in CSS pixels: time to the right, votes upwards, a row for each voter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from unicodedata import east_asian_width

from nomicwolf.reports.archive.tracks import Track

TOP, ROW, AXIS, LABEL = 34, 26, 40, 15
MINUTE, HOUR, DAY = 60, 3600, 86_400
STEPS = (
    MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR,
    12 * HOUR, DAY, 2 * DAY, 4 * DAY, 7 * DAY, 14 * DAY, 28 * DAY)
"""How far apart the marks of the axis may be, in seconds; days begin at midnight, UTC."""


@dataclass(frozen=True, slots=True)
class Room:
    """What a picture may take: *left* and *right* margins, *wide* in all; the plot goes on *after* its last moment.

    Names are cut to *names* columns on the left and *labels* on the right; times stand *apart* at least.
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
"""The same, where “innocent” has to fit."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The measures of one picture in its *room*: *xs* is where each moment stands, *ticks* are (where, instant)."""

    room: Room
    xs: tuple[float, ...]
    ticks: tuple[tuple[float, int], ...]
    step: int
    unit: float
    highest: int
    rows: int

    @property
    def end(self) -> float:
        """Where the plot ends."""
        return float(self.room.wide - self.room.right)

    @property
    def base(self) -> float:
        """The height of no votes."""
        return TOP + self.unit * self.highest

    @property
    def lanes(self) -> float:
        """Where the voters' rows begin."""
        return self.base + AXIS

    @property
    def height(self) -> float:
        """The height of the whole picture."""
        return self.lanes + ROW * self.rows + 12

    def y(self, votes: int) -> float:
        """Return the height at which *votes* votes are."""
        return self.base - self.unit * votes

    def row(self, place: int) -> float:
        """Return the middle of a voter's row."""
        return self.lanes + ROW * place + ROW / 2


def scale(track: Track, room: Room = WIDE) -> Scale:
    """Return the measures for *track*: as long in time is as far on the axis.

    A ballot that came in late stands where it was heard of: what was counted before it stays on its left. Ballots that
    were opened together have no time before that.
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


def stacked(wanted: Sequence[float], top: float) -> list[float]:
    """Return where labels stand that were *wanted* there, the lowest first: `LABEL` apart, none above *top*.

    >>> stacked([100.0, 98.0, 40.0], 34.0), stacked([60.0, 60.0, 60.0], 34.0)
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


def short(text: str, columns: int) -> str:
    """Return *text* cut to so many columns, with an ellipsis if something is missing.

    >>> short("Bartholomew", 8), short("Ash", 8)
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
