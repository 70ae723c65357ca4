"""Chart geometry, and who followed whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from unicodedata import east_asian_width

import drawsvg

from nomicwolf.reports.archive.vote_tracks import Track
from nomicwolf.reports.layout import clean

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
