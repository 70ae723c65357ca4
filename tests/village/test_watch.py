"""Who must be looked at again when votes move: whatever can turn a condition is watched (NC 3)."""

from __future__ import annotations

from itertools import product

import pytest

from nomicwolf.village.compiled_ballots import Watch
from nomicwolf.village.compiling import FEWEST, IS, LEADS, MORE, MOST, SAME, SAY, WITHIN
from tests.tables import each

N, SEAT, ME = 7, 2, 5


def truth(low: int, high: int, least: int, most: int) -> bool | None:
    """Whether from *least* to *most* votes are there, *low* being sure and *high* possible; None while it is open."""
    if low >= least and high <= most:
        return True
    return False if high < least or low > most else None


@pytest.mark.parametrize("own", [0, 1])
@each(("least", "most"), [
    (FEWEST, 0), (FEWEST, 3), (1, MOST), (4, MOST), (0, 0), (2, 2), (1, 4), (5, 6),
])
def test_a_number_of_votes_is_watched_where_it_turns_a_condition(least: int, most: int, own: int) -> None:
    """One more that is sure, or one fewer that is possible, from each number to the next; without one's own, too."""
    watch = Watch(N)
    watch.add(ME, [(WITHIN, SEAT, least, most, own)])

    for low, high in product(range(N + 1), repeat=2):
        for may in (0,) if own else (0, 1):  # whether one's own vote is among the possible
            if low < high and truth(low, high - may, least, most) != truth(low + 1, high - may, least, most):
                assert ME in watch.rising.get((low + 1) * watch.stride + SEAT, ()), (low, high)
            if low < high - may and truth(low, high - may, least, most) != truth(low, high - 1 - may, least, most):
                assert ME in watch.falling.get((high - 1) * watch.stride + SEAT, ()), (low, high)
    assert watch.voters == {ME}
    assert not watch.votes
    assert {key % watch.stride for key in (*watch.rising, *watch.falling)} <= {SEAT}


def test_votes_and_rivals_are_watched_by_seat() -> None:
    """Each vote that is endorsed or named, both of two that are compared, and who leads with all eir rivals."""
    watch = Watch(N)
    watch.add(0, [(SAY, 3), (IS, 4, 1)])
    watch.add(1, [(SAME, 5, 6), (MORE, 2, 3, 0, 0)])
    watch.add(2, [(LEADS, 4, 0, 0)])

    assert dict(watch.votes) == {3: [0], 4: [0], 5: [1], 6: [1]}
    assert dict(watch.rivals) == {2: [1], 3: [1], 4: [2]}
    assert dict(watch.leads) == {4: [2]}
    assert (watch.voters, dict(watch.rising), dict(watch.falling)) == ({0, 1, 2}, {}, {})
