"""Ratings, shares with how sure they are, and how often votes were against another side."""

from __future__ import annotations

import pytest

from nomicwolf.odds.rates import Z95 as Z95_OF_ODDS
from nomicwolf.reports.ratings import Z95, accuracy, interval, rated
from tests.archive.stories import Story, play


def test_sides_of_unequal_size_are_even() -> None:
    """Two who beat seven gain as much as seven who beat two, though the model adds up the members of a side."""
    few, many = ["Ash", "Bex"], ["Cam", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida"]
    one, other = rated([(few, many)]), rated([(many, few)])

    assert one["Ash"].value - 25 == pytest.approx(25 - other["Ash"].value, abs=0.02)
    assert one["Ash"].value - 25 == pytest.approx(25 - one["Cam"].value, abs=0.1)
    assert one["Ash"] == one["Bex"]


def test_the_more_is_known_the_surer() -> None:
    """Who wins again and again rises, ever less; the uncertainty falls."""
    steps = [rated([(["Ash"], ["Bex"])] * games) for games in (1, 5, 25)]
    values, doubts = [r["Ash"].value for r in steps], [r["Ash"].uncertainty for r in steps]

    assert 25 < values[0] < values[1] < values[2]
    assert 8.33 > doubts[0] > doubts[1] > doubts[2]
    assert rated([]) == {}


def test_a_share_has_bounds() -> None:
    """Wilson's interval holds the share, is within 0 and 1, and narrows; the same z as the odds'."""
    for won, of in ((0, 1), (1, 1), (3, 10), (30, 100)):
        low, high = interval(won, of)
        assert 0 <= low <= won / of <= high <= 1.0000001
    assert interval(0, 0) == (0, 1)
    assert interval(30, 100)[1] - interval(30, 100)[0] < interval(3, 10)[1] - interval(3, 10)[0]
    assert Z95 == Z95_OF_ODDS


def test_votes_count_as_they_stood_when_the_poll_ended() -> None:
    """Cam, the werewolf, was lynched on day 2 by villagers; on day 1 five had lynched a villager, at eir last word."""
    game = play(Story()).contest.game
    assert game is not None
    found = accuracy(game, game.sides)

    assert found == {"Ash": (1, 2), "Dov": (1, 2), "Gus": (2, 2), "Fay": (0, 1), "Eli": (0, 1), "Cam": (1, 1)}


def test_who_is_not_known_is_left_out() -> None:
    """Without sides nothing is accurate or not."""
    game = play(Story()).contest.game
    assert game is not None
    assert accuracy(game, {}) == {}
