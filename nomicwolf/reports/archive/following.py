"""Who followed whom: whose ballots came to somebody for whom another had voted already, or endorsed another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import drawsvg

from nomicwolf.reports.archive.scale import short
from nomicwolf.reports.archive.tracks import Track
from nomicwolf.reports.layout import clean

CELL, HEAD = 30, 74
WIDE, NARROW = 118, 58
"""How much room names have on the left, on a wide screen and on a phone, in CSS pixels."""


@dataclass(frozen=True, slots=True)
class Following:
    """How often each (follower, leader) pair occurred among *people*, who are in seat order."""

    people: tuple[str, ...]
    times: Mapping[tuple[str, str], int]

    @property
    def most(self) -> list[tuple[str, str, int]]:
        """All pairs as (follower, leader, times), the most frequent first."""
        return [(*pair, times) for pair, times in sorted(self.times.items(), key=lambda item: -item[1])]


def following(people: tuple[str, ...], tracks: Iterable[Track]) -> Following:
    """Return who followed whom in *tracks*, the votes of *people*.

    Whoever endorses somebody follows em. Another ballot that comes to somebody follows the one who has voted for em
    longest without a break; a ballot for whom nobody votes follows nobody, and so does a verdict.
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


def picture(found: Following, name: str, *, narrow: bool = False) -> str:
    """Return *found* as an SVG element: a row for each follower, a column for each leader, a dot where e followed."""
    left, size = (NARROW, min(CELL, (326 - NARROW) // max(1, len(found.people)))) if narrow else (WIDE, CELL)
    side = size * len(found.people)
    drawing = drawsvg.Drawing(
        left + side + HEAD // 2, HEAD + side + 8, id_prefix=f"{name}n" if narrow else name,
        class_=f"votes {'narrow' if narrow else 'wide'}", role="img", aria_labelledby=f"{name}-title")
    most = max(found.times.values(), default=1)
    for place, who in enumerate(found.people):
        at = size * place + size / 2
        drawing.append(_text(short(who, 7 if narrow else 13), left - 8, HEAD + at + 4, "name", text_anchor="end"))
        drawing.append(_text(short(who, 8), left + at + 4, HEAD - 8, "name",
                             transform=f"rotate(-45 {left + at + 4} {HEAD - 8})"))
        drawing.append(drawsvg.Line(left, HEAD + at, left + side, HEAD + at, class_="grid"))
        drawing.append(drawsvg.Line(left + at, HEAD, left + at, HEAD + side, class_="grid"))
    for (follower, leader), times in found.times.items():
        x, y = (size * found.people.index(who) + size / 2 for who in (leader, follower))
        radius = round(size * (0.22 + 0.24 * times / most), 1)
        drawing.append(drawsvg.Circle(left + x, HEAD + y, radius, class_="follows"))
        drawing.append(_text(str(times), left + x, HEAD + y + 4, "times", text_anchor="middle"))
    svg = drawing.as_svg(header="")
    assert isinstance(svg, str)
    return svg.replace("<defs>\n</defs>\n", "")


def _text(words: str, x: float, y: float, kind: str, **more: object) -> drawsvg.Text:
    return drawsvg.Text(clean(words), 12, x, y, class_=kind, **more)
