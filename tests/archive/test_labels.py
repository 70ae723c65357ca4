"""Every wagon that has votes at the end is named beside the picture, within it and apart from the others."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from nomicwolf.reports.archive.picture import picture
from nomicwolf.reports.archive.scale import NARROW, WIDE, scale
from nomicwolf.reports.archive.tracks import Moment, Track
from nomicwolf.reports.archive.wording import legend

LABEL = re.compile(r'<text x="[\d.]+" y="([\d.]+)" [^>]*class="label w\d(?: again)?"[^>]*>([^<]+)</text>')


def track(sizes: tuple[int, ...], majority: int = 0) -> Track:
    """A vote at whose end as many candidates have so many votes each."""
    whom = [f"N{place}" for place, size in enumerate(sizes) for _ in range(size)]
    values: dict[str, str | None] = {f"V{place}": name for place, name in enumerate(whom)}
    counts = {f"N{place}": size for place, size in enumerate(sizes)}
    return Track("nominations", 0, tuple(values), (Moment(3600, "the ballots are opened", values, counts, majority),))


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("sizes", [(1,), (2, 2, 2, 1, 1), (3, 2, 1, 1, 1, 1, 1, 1, 1), (1,) * 30])
def test_every_wagon_is_named(sizes: tuple[int, ...], narrow: bool) -> None:
    """X-27: no label is missing, none stands above the picture or over another."""
    found = LABEL.findall(picture(track(sizes), "p", narrow=narrow))
    assert sorted(name for _, name in found) == sorted(f"N{place} {size}" for place, size in enumerate(sizes))
    heights = sorted(float(y) for y, _ in found)
    assert heights[0] >= 20
    assert all(lower - upper >= 14.9 for upper, lower in pairwise(heights))


def test_a_legend_explains_what_is_there() -> None:
    """No majority is spoken of where none is drawn, and no arrow."""
    assert legend(track((2, 1))) == "The upper lines are the wagons. Below, each row is a voter's vote over time."
    assert "majority" in legend(track((2, 1), majority=2))


@pytest.mark.parametrize("pauses", [(32, 7, 7, 7, 7), (60,), (1, 1), (600, 600, 600)])
def test_a_few_ballots_fit_the_screen(pauses: tuple[int, ...]) -> None:
    """A phone of 360 px cut the labels off, though there was room: the end of the plot was not reckoned with."""
    given = track((2, 1), 2)
    ats = [sum(pauses[:place]) * 60 for place in range(1, len(pauses) + 1)]
    given = replace(given, moments=tuple(replace(given.moments[0], at=at) for at in ats))

    assert scale(given, NARROW).width == NARROW.least
    assert scale(given, WIDE).width == WIDE.least


def test_verdicts_are_named_whole() -> None:
    """Also on a phone: “inno… 2” is for guessing."""
    values: dict[str, str | None] = {"Ash": "guilty", "Bex": "innocent", "Cam": "innocent"}
    given = Track("ballot", 0, tuple(values), (Moment(3600, "vote", values, {"innocent": 2, "guilty": 1}, 2),))

    assert {name for _, name in LABEL.findall(picture(given, "p", narrow=True))} == {"guilty 1", "innocent 2"}
