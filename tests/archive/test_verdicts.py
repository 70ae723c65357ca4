"""Pictures of a vote on one who is on trial, where nobody votes for a name (GA 5c, NM 7a, SP 3c)."""

from __future__ import annotations

from nomicwolf.reports.archive.picture import picture
from nomicwolf.reports.archive.tracks import Moment, Track
from nomicwolf.reports.archive.wording import sure_said, told
from nomicwolf.reports.history import event_line
from nomicwolf.village.events import Declared


def verdict(*, lynched: str) -> Track:
    """A vote of three on Gus, two of them guilty."""
    values = {"Ash": "guilty", "Bex": "innocent", "Cam": "guilty"}
    counts = {"guilty": 2, "innocent": 1}
    return Track("ballot", 0, tuple(values), (Moment(60, "vote", values, counts, 2, None, lynched),), None, 120)


def test_the_condemned_has_the_verdicts_of_guilty() -> None:
    """Who is convicted is told with the votes of guilty, though nobody voted for em by name."""
    assert "Gus was lynched at Thu 1 Jan 1970 00:01 UTC, with 2 votes of guilty where 2 are a majority" in told(
        verdict(lynched="Gus"))


def test_the_ring_is_where_the_verdicts_are() -> None:
    """The instant of the conviction is marked on the wagon of guilty, which is drawn as the one that rolled."""
    drawn = picture(verdict(lynched="Gus"), "p")
    ring = next(line for line in drawn.splitlines() if 'class="ring"' in line)
    majority = next(line for line in drawn.splitlines() if 'class="majority"' in line)

    assert "rolled" in drawn
    assert ring.split('cy="')[1].split('"')[0].split(".")[0] in majority


def test_a_verdict_without_a_death_says_nothing_of_one() -> None:
    """Last words can come between a verdict and its execution (SP 3d): "nobody was lynched" would mislead."""
    assert "lynched" not in told(verdict(lynched=""))


def test_accusations_read_as_sentences() -> None:
    """An accusation and its seconding are told in words, other deeds by their verb."""
    assert event_line(Declared("Gus", "accuse", ("Hal",))) == "Gus accuses Hal"
    assert event_line(Declared("Bex", "second", ("Hal",))) == "Bex seconds the accusation of Hal"
    assert event_line(Declared("Bex", "shoot", ("Hal",))) == "Bex: shoot Hal"


def test_levels_of_assurance_have_words() -> None:
    """A level is named; of a ballot without one it is said that none was kept."""
    assert sure_said("") == "By what its author is known was not kept"
    assert sure_said("openpgp").endswith("eir OpenPGP signature (openpgp)")
