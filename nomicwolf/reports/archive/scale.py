"""Where things stand in the vote picture: columns for moments, rows for voters, heights for votes. In CSS pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import log2
from unicodedata import east_asian_width

from nomicwolf.dataclass import dataclass
from nomicwolf.reports.archive.tracks import Track

TOP, ROW, AXIS, LABEL = 34, 26, 40, 15
HOUR = 3600
AFTER = 1.6
"""How many steps the plot goes on after the last moment."""


@dataclass(frozen=True, slots=True)
class Room:
    """What a picture may take: *left* and *right* margins, *least* its width in all, *step* the least between moments.

    Names are cut to *names* columns on the left and *labels* on the right; times stand *apart* at least.
    """

    left: int
    right: int
    least: int
    step: float
    names: int
    labels: int
    apart: int


WIDE = Room(118, 150, 940, 17.0, 13, 14, 78)
NARROW = Room(58, 60, 326, 10.0, 7, 6, 42)
"""For a screen of 360 px."""
VERDICTS = replace(NARROW, right=80, labels=8)
"""The same, where “innocent” has to fit."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The measures of one picture in its *room*: *xs* is where each moment stands, *end* where the plot ends."""

    room: Room
    xs: tuple[float, ...]
    end: float
    unit: float
    highest: int
    rows: int

    @property
    def base(self) -> float:
        """The height of no votes."""
        return TOP + self.unit * self.highest

    @property
    def lanes(self) -> float:
        """Where the voters' rows begin."""
        return self.base + AXIS

    @property
    def width(self) -> float:
        """The width of the whole picture."""
        return self.end + self.room.right

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
    """Return the measures for *track*: a longer pause is wider, but only by its logarithm."""
    ats = [track.began, *(m.at for m in track.moments)]
    steps = [1 + log2(1 + max(0, later - sooner) / HOUR) for sooner, later in pairwise(ats)]
    plot = room.least - room.left - room.right
    step = max(room.step, min(72.0, plot / (sum(steps) + AFTER)))
    xs, x = [], float(room.left)
    for wide in steps:
        x += wide * step
        xs.append(round(x, 1))
    highest = max((*(m.majority for m in track.moments), *(n for m in track.moments for n in m.counts.values()), 1))
    labelled = sum(1 for votes in track.moments[-1].counts.values() if votes) if track.moments else 0
    unit = max(22.0 if highest <= 8 else max(9.0, 176 / highest), LABEL * labelled / highest)
    end = max(round(x + AFTER * step, 1), float(room.least - room.right))
    return Scale(room, tuple(xs), end, round(unit, 1), highest, len(track.voters))


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
