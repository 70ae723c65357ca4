"""The vote picture: above, the wagons as they grow towards the majority; below, each voter's vote over time.

It is drawn with drawsvg, which does not escape attributes: texts that people wrote stand in elements only, and
all colours come from the page's style sheet by class.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import drawsvg

from nomicwolf.reports.archive.scale import DAY, LABEL, NARROW, ROW, TOP, VERDICTS, WIDE, Scale, scale, short, stacked
from nomicwolf.reports.archive.tracks import GUILTY, Cast, Track
from nomicwolf.reports.archive.wording import cast_said, clock, moment_said
from nomicwolf.reports.layout import clean

COLOURS = 8
"""How many colours the style sheet has for lines; who come after these have the same ones, thinner."""


class Link(drawsvg.DrawingParentElement):  # type: ignore[misc] # drawsvg has no types
    """An ``a`` element."""

    TAG_NAME = "a"


def picture(track: Track, name: str, page: str = "", *, narrow: bool = False) -> str:
    """Return *track* as an SVG element whose ballots link to those of *page* ('': of the page that it stands in).

    *name* names its parts and *page* is a file of ours: plain letters, digits, points and hyphens; *narrow* is drawn
    for a phone.
    """
    sizes = scale(track, WIDE if not narrow else VERDICTS if track.verdict else NARROW)
    drawing = drawsvg.Drawing(
        sizes.room.wide, sizes.height, id_prefix=f"{name}n" if narrow else name,
        class_=f"votes {'narrow' if narrow else 'wide'}", role="group", aria_labelledby=f"{name}-title")
    back = drawsvg.Group(aria_hidden="true")
    for part in (_grid(track, sizes), _axis(track, sizes), _wagons(track, sizes), _lanes(track, sizes)):
        back.append(part)
    for part in (_majority(track, sizes), _endorsements(track, sizes)):
        back.append(part)
    back.append(drawsvg.Line(0, TOP - 8, 0, sizes.height - 8, class_="cursor", visibility="hidden"))
    drawing.append(back)
    drawing.append(_moments(track, sizes))
    drawing.append(_casts(track, sizes, page))
    svg = drawing.as_svg(header="")
    assert isinstance(svg, str)
    return svg.replace("<defs>\n</defs>\n", "")


def _colour(track: Track, who: str) -> str:
    known = track.palette or track.candidates
    place = known.index(who)
    return f"w{place % COLOURS}{' again' if place >= COLOURS else ''}"


def _text(words: str, x: float, y: float, kind: str, **more: Any) -> drawsvg.Text:  # noqa: ANN401 - SVG attributes
    return drawsvg.Text(clean(words), 12, x, y, class_=kind, **more)


def _grid(track: Track, sizes: Scale) -> drawsvg.Group:
    group = drawsvg.Group()
    step = 1 if sizes.highest <= 10 else 5
    for votes in range(0, sizes.highest + 1, step):
        y = sizes.y(votes)
        group.append(drawsvg.Line(sizes.room.left, y, sizes.end, y, class_="grid"))
        group.append(_text(str(votes), sizes.room.left - 8, y + 4, "faint", text_anchor="end"))
    if sizes.room is WIDE:  # elsewhere the name of whoever is lynched takes all of that line
        group.append(_text("votes", 8, TOP - 14, "faint"))
    return group


def _axis(track: Track, sizes: Scale) -> drawsvg.Group:
    group, before = drawsvg.Group(), ""
    for x, at in sizes.ticks:
        group.append(drawsvg.Line(x, sizes.base, x, sizes.base + 4, class_="grid"))
        day, _, hour = clock(at).rpartition(" ")
        above, below = (day, "") if sizes.step >= DAY else (hour, day if day != before else "")
        group.append(_text(above, x, sizes.base + 18, "faint", text_anchor="middle"))
        if below:
            group.append(_text(below, x, sizes.base + 32, "faint", text_anchor="middle"))
        before = day
    return group


def _wagons(track: Track, sizes: Scale) -> drawsvg.Group:
    group, grown = drawsvg.Group(), drawsvg.Group(class_="grown")
    group.append(grown)
    labels: list[tuple[int, str]] = []
    for who in track.candidates:
        heights = _heights(track, who)
        rolled = " rolled" if any(who == (GUILTY if track.verdict else m.lynched) for m in track.lynchings) else ""
        grown.append(_wagon(sizes, heights, _colour(track, who) + rolled, 0 if rolled else _aside(track, sizes, who)))
        labels.append((heights[-1], who))
    if LABEL * len(labels) > sizes.base - TOP + LABEL:
        labels = [(votes, who) for votes, who in labels if votes]
    labels.sort(key=lambda item: item[0])
    places = stacked([sizes.y(votes) + 4 for votes, _ in labels], TOP)
    for y, (votes, who) in zip(places, labels, strict=True):
        said = f"{short(who, sizes.room.labels)} {votes}"
        then = " ".join(map(str, _heights(track, who)))
        group.append(_text(said, sizes.end + 8, y, f"label {_colour(track, who)}", data_votes=then))
    return group


def _heights(track: Track, who: str) -> list[int]:
    """Return how many votes *who* had at each moment."""
    return [m.counts.get(who, 0) for m in track.moments]


def _aside(track: Track, sizes: Scale, who: str) -> float:
    """Return by how much a wagon is drawn beside its height, so that wagons of the same size don't hide each other."""
    most = len(track.candidates)
    return round((track.candidates.index(who) - (most - 1) / 2) * min(2.5, sizes.unit * 0.5 / max(most, 1)), 1)


def _wagon(sizes: Scale, heights: list[int], colour: str, aside: float) -> drawsvg.Path:
    """Draw the votes of one candidate as a line of steps, which leaves out where there are none."""
    line, before = drawsvg.Path(class_=f"wagon {colour}"), 0
    for x, votes in zip(sizes.xs, heights, strict=True):
        if before:
            line.H(x)
        elif votes:
            line.M(x, sizes.y(0))
        if before or votes:
            line.V(round(sizes.y(votes) + (aside if votes else 0), 1))
        before = votes
    return line.H(sizes.end) if before else line


def _lanes(track: Track, sizes: Scale) -> drawsvg.Group:
    group = drawsvg.Group()
    for place, who in enumerate(track.voters):
        y = sizes.row(place)
        lane = drawsvg.Group(class_=f"lane lane{place}")
        lane.append(_text(short(who, sizes.room.names), sizes.room.left - 10, y + 4, "name", text_anchor="end"))
        lane.append(drawsvg.Line(sizes.room.left, y, sizes.end, y, class_="grid"))
        grown = drawsvg.Group(class_="grown")
        lane.append(grown)
        for start, end, value, via in _spans(track, sizes, who):
            colour = _colour(track, value)
            grown.append(drawsvg.Rectangle(start, y - 9, max(2.0, end - start), 18, rx=3, class_=f"span {colour}"))
            label = f"{value} via {via}" if via else value
            room = int((end - start - 16) / 6.6)
            if room >= min(3, len(label)):
                grown.append(_text(short(label, room), start + 12, y + 4, "inside"))
        group.append(lane)
    return group


def _spans(track: Track, sizes: Scale, who: str) -> list[tuple[float, float, str, str]]:
    """Return (from, to, whom, endorsed) for the stretches in which *who* voted for someone."""
    found: list[tuple[float, float, str, str]] = []
    via = ""
    for moment, (start, end) in zip(track.moments, pairwise((*sizes.xs, sizes.end)), strict=True):
        if moment.cast and track.seat(moment.cast.who) == who:
            via = track.seat(moment.cast.endorses)
        value = moment.values.get(who)
        if value is None:
            continue
        if found and found[-1][1:] == (start, value, via):
            found[-1] = (found[-1][0], end, value, via)
        else:
            found.append((start, end, value, via))
    return found


def _majority(track: Track, sizes: Scale) -> drawsvg.Group:
    group = drawsvg.Group()
    needed = [(x, m.majority) for x, m in zip(sizes.xs, track.moments, strict=True) if m.majority]
    if needed:
        line = drawsvg.Path(class_="majority")
        line.M(sizes.room.left, sizes.y(needed[0][1]))
        for x, votes in needed:
            line.H(x).V(sizes.y(votes))
        line.H(sizes.end)
        grown = drawsvg.Group(class_="grown")
        grown.append(line)
        group.append(grown)
        first = sizes.y(needed[0][1])
        below = 15 if first < TOP + 12 else -5
        group.append(_text(f"majority {needed[0][1]}", sizes.room.left + 6, first + below, "strong"))
    for place, (x, moment) in enumerate(zip(sizes.xs, track.moments, strict=True)):
        if moment.lynched:
            group.append(drawsvg.Line(x, TOP - 8, x, sizes.height - 8, class_="instant", data_moment=place))
            group.append(drawsvg.Circle(x, sizes.y(moment.against), 7, class_="ring", data_moment=place))
            said = f"{short(moment.lynched, 20)} lynched, {clock(moment.at)}"
            side = "end" if x > (sizes.room.left + sizes.end) / 2 else "start"
            group.append(_text(said, x, TOP - 14, "strong", text_anchor=side, data_moment=place))
    return group


def _endorsements(track: Track, sizes: Scale) -> drawsvg.Group:
    """Draw an arrow from who endorses to whom e endorses, where e did so."""
    group = drawsvg.Group()
    for place, (x, moment) in enumerate(zip(sizes.xs, track.moments, strict=True)):
        cast = moment.cast
        seats = [track.seat(p) for p in (cast.who, cast.endorses)] if cast is not None else []
        if cast is None or not set(seats) <= set(track.voters):
            continue
        here, there = (sizes.row(track.voters.index(p)) for p in seats)
        tip = there + (9 if here > there else -9)
        bend = drawsvg.Path(class_=f"chain cast{cast.number}", data_moment=place)
        bend.M(x, here).C(x - 14, here, x - 14, tip, x, tip)
        group.append(bend)
        back = 6 if here > there else -6
        group.append(drawsvg.Lines(x, tip, x - 7, tip + back * 0.4, x - 3, tip + back * 1.4, close=True,
                                   class_=f"head cast{cast.number}", data_moment=place))
    return group


def _moments(track: Track, sizes: Scale) -> drawsvg.Group:
    """Draw what a pointer that scrubs the day meets: one column for each moment, with what it says."""
    group = drawsvg.Group(class_="moments", aria_hidden="true")
    edges = [*sizes.xs, sizes.end]
    for place, moment in enumerate(track.moments):
        wide = max(4.0, edges[place + 1] - edges[place])
        column = drawsvg.Rectangle(edges[place], TOP, wide, sizes.base - TOP, class_="moment", data_x=edges[place])
        column.append_title(clean(moment_said(moment)))
        group.append(column)
    return group


def _casts(track: Track, sizes: Scale, page: str) -> drawsvg.Group:
    group = drawsvg.Group(class_="casts")
    for place, moment in enumerate(track.moments):
        cast = moment.cast
        if cast is not None and track.seat(cast.who) in track.voters:
            group.append(_dot(track, sizes, cast, place, f"{page}#vote-{cast.number}"))
    return group


def _dot(track: Track, sizes: Scale, cast: Cast, place: int, href: str) -> Link:
    x, row = sizes.xs[place], track.voters.index(track.seat(cast.who))
    link = Link(href=href, class_="cast", data_moment=place, data_lane=row, data_cast=cast.number)
    link.append_title(clean(cast_said(cast)))
    value = track.seat(cast.value or "")
    colour = _colour(track, value) if value in track.candidates else "none"
    link.append(drawsvg.Rectangle(x - ROW / 2, sizes.row(row) - ROW / 2, ROW, ROW, class_="reach"))
    link.append(drawsvg.Circle(x, sizes.row(row), 5.5, class_=f"dot {colour}{' late' if cast.late else ''}"))
    return link
