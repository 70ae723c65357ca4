"""Trees of endorsements, walked and by link-cut trees, against following each voter up."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.village.forest import Forest, LinkCut, Walked, planted


def followed(says: dict[int, int], voter: int) -> list[int]:
    """The way from *voter* up, to its end, or to where it comes to a voter again."""
    way = [voter]
    while says.get(way[-1], way[0]) not in way:
        way.append(says[way[-1]])
    return way


@pytest.mark.parametrize("kind", [Walked, LinkCut])
@given(st.integers(0, 10**9))
def test_roots_and_sizes_after_every_change(kind: type[Forest], seed: int) -> None:
    """Cut where somebody hangs, or hung where it closes no ring, each tree has its root, and each voter eir number."""
    for found, expected in follow_trees(kind, seed):
        assert found == expected


def follow_trees(kind: type[Forest], seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """Change trees of this *seed* thirty times; give what they say each time, and what following each voter up does."""
    random = Random(seed)
    n = random.randint(1, 15)
    says = {voter: random.randrange(voter) for voter in range(1, n) if random.random() < 0.8}
    up, sizes, closing = planted(n, says)
    yield list(closing), []
    forest = kind(up, sizes)
    for _ in range(30):
        voter, whom = random.randrange(n), random.randrange(n)
        if voter in says:
            del says[voter]
            forest.cut(voter)
        elif voter not in followed(says, whom):
            says[voter] = whom
            forest.link(voter, whom)
        ways = [followed(says, one) for one in range(n)]
        yield [forest.root(one) for one in range(n)], [way[-1] for way in ways]
        yield [forest.size(one) for one in range(n)], [sum(one in way for way in ways) for one in range(n)]


@given(st.integers(0, 10**9))
def test_one_voter_of_each_ring_closes_it(seed: int) -> None:
    """And all who hang on the ring hang on that one."""
    random = Random(seed)
    n = random.randint(1, 15)
    says = {voter: random.randrange(n) for voter in range(n) if random.random() < 0.9}
    up, sizes, closing = planted(n, says)
    assert {**{voter: whom for voter, whom in enumerate(up) if whom >= 0}, **closing} == says
    for voter in range(n):
        way = followed({one: whom for one, whom in says.items() if one not in closing}, voter)
        assert up[way[-1]] == -1
        assert (way[-1] in closing) == (way[-1] in says)
    assert sum(size for size, whom in zip(sizes, up, strict=True) if whom < 0) == n
