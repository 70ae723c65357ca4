"""The vote picture: wagons that are named beside it, and votes on one who is on trial (GA 5c, NM 7a, SP 3c)."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from nomicwolf.reports.archive.charts import NARROW, WIDE, Cast, Moment, Track, scale_for
from nomicwolf.reports.archive.vote_picture import draw_picture, legend, sure_said, track_summary
from nomicwolf.reports.history import event_line
from nomicwolf.village.events import Declared
from tests.tables import each

LABEL = re.compile(r'<text x="[\d.]+" y="([\d.]+)" [^>]*class="label w\d(?: again)?"[^>]*>([^<]+)</text>')


def track(sizes: tuple[int, ...], majority: int = 0) -> Track:
    """A vote at whose end as many candidates have so many votes each."""
    whom = [f"N{place}" for place, size in enumerate(sizes) for _ in range(size)]
    values: dict[str, str | None] = {f"V{place}": name for place, name in enumerate(whom)}
    counts = {f"N{place}": size for place, size in enumerate(sizes)}
    return Track("nominations", 0, tuple(values), (Moment(3600, "the ballots are opened", values, counts, majority),))


def cast(given: Track) -> Track:
    """The same, made by a ballot and not by an opening."""
    return replace(given, moments=tuple(replace(m, cast=Cast(1, m.at, "V0", "N0")) for m in given.moments))


@pytest.mark.parametrize("narrow", [False, True])
@each("sizes", [(1,), (2, 2, 2, 1, 1), (3, 2, 1, 1, 1, 1, 1, 1, 1), (1,) * 30])
def test_every_wagon_is_named(sizes: tuple[int, ...], narrow: bool) -> None:
    """X-27: no label is missing, none stands above the picture or over another."""
    found = LABEL.findall(draw_picture(track(sizes), "p", narrow=narrow))
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
    given = cast(track((2, 1), 2))
    ats = [sum(pauses[:place]) * 60 for place in range(1, len(pauses) + 1)]
    given = replace(given, moments=tuple(replace(given.moments[0], at=at) for at in ats))

    for room in (NARROW, WIDE):
        found = scale_for(given, room)
        assert room.left <= found.xs[0] <= found.xs[-1] == room.wide - room.right - room.after
        assert len(found.ticks) >= 2


def test_time_is_linear() -> None:
    """As many minutes are as far on the axis, wherever they lie, and the marks stand at even times."""
    given = cast(track((2, 1), 2))
    ats = (600, 1200, 9000, 9600)
    found = scale_for(replace(given, moments=tuple(replace(given.moments[0], at=at) for at in ats)))
    first, second, third, fourth = found.xs
    assert abs((second - first) - (fourth - third)) < 0.2
    assert abs((third - second) / (second - first) - 13) < 0.1
    assert {at % found.step for _, at in found.ticks} == {0}
    steps = {round(later - sooner, 0) for (sooner, _), (later, _) in pairwise(found.ticks)}
    assert max(steps) - min(steps) <= 1


def test_a_ballot_that_came_in_late_stands_where_it_was_heard_of() -> None:
    """What was counted before it stays on its left, though it took effect sooner."""
    given = cast(track((2, 1), 2))
    found = scale_for(replace(given, moments=tuple(replace(given.moments[0], at=at) for at in (600, 3000, 1200, 3600))))
    assert found.xs[1] == found.xs[2] < found.xs[3]


def test_verdicts_are_named_whole() -> None:
    """Also on a phone: “inno… 2” is for guessing."""
    values: dict[str, str | None] = {"Ash": "guilty", "Bex": "innocent", "Cam": "innocent"}
    given = Track("ballot", 0, tuple(values), (Moment(3600, "vote", values, {"innocent": 2, "guilty": 1}, 2),))

    assert {name for _, name in LABEL.findall(draw_picture(given, "p", narrow=True))} == {"guilty 1", "innocent 2"}


def test_ballots_opened_together_fill_the_picture() -> None:
    """There is nothing to be shown of the time before."""
    given = track((2, 1))
    found = scale_for(given)
    assert [*found.xs] == [found.room.left]
    assert [*found.ticks] == [(found.room.left, given.moments[0].at)]


def verdict(*, lynched: str) -> Track:
    """A vote of three on Gus, two of them guilty."""
    values = {"Ash": "guilty", "Bex": "innocent", "Cam": "guilty"}
    counts = {"guilty": 2, "innocent": 1}
    return Track("ballot", 0, tuple(values), (Moment(60, "vote", values, counts, 2, None, lynched),), None, 120)


def test_the_condemned_has_the_verdicts_of_guilty() -> None:
    """Who is convicted is told with the votes of guilty, though nobody voted for em by name."""
    told = track_summary(verdict(lynched="Gus"))

    assert "Gus was lynched at Thu 1 Jan 1970 00:01 UTC, with 2 votes of guilty (majority: 2)" in told


def test_the_ring_is_where_the_verdicts_are() -> None:
    """The instant of the conviction is marked on the wagon of guilty, which is drawn as the one that rolled."""
    drawn = draw_picture(verdict(lynched="Gus"), "p")
    ring = next(line for line in drawn.splitlines() if 'class="ring"' in line)
    majority = next(line for line in drawn.splitlines() if 'class="majority"' in line)

    assert "rolled" in drawn
    assert ring.split('cy="')[1].split('"')[0].split(".")[0] in majority


def test_a_verdict_without_a_death_says_nothing_of_one() -> None:
    """Last words can come between a verdict and its execution (SP 3d): "nobody was lynched" would mislead."""
    assert "lynched" not in track_summary(verdict(lynched=""))


def test_accusations_read_as_sentences() -> None:
    """An accusation and its seconding are told in words, other deeds by their verb."""
    assert event_line(Declared("Gus", "accuse", ("Hal",))) == "Gus accuses Hal"
    assert event_line(Declared("Bex", "second", ("Hal",))) == "Bex seconds the accusation of Hal"
    assert event_line(Declared("Bex", "shoot", ("Hal",))) == "Bex: shoot Hal"


def test_levels_of_assurance_have_words() -> None:
    """A level is named; of a ballot without one it is said that none was kept."""
    assert sure_said("") == "By what its author is known was not kept"
    assert sure_said("openpgp").endswith("eir OpenPGP signature (openpgp)")
