"""A mapping by numbers is, in each of its copies, what a dict would be."""

from __future__ import annotations

import pickle
import random

import pytest

from nomicwolf.nomic.paged import PAGE, Paged


@pytest.mark.parametrize("seed", range(20))
def test_each_copy_is_a_dict_of_its_own(seed: int) -> None:
    """Written to in any order, old copies too, and emptied: contents, lengths and lookups agree."""
    lots = random.Random(seed)
    copies: list[tuple[Paged[int], dict[int, int]]] = [(Paged(), {})]
    for step in range(300):
        mine, plain = lots.choice(copies[-3:])
        if lots.random() < 0.2:
            mine, plain = mine.copy(), plain.copy()
            copies.append((mine, plain))
        number = lots.randrange(4 * PAGE)
        if lots.random() < 0.4 and plain:
            gone = lots.choice([number, *plain])
            assert mine.pop(gone, None) == plain.pop(gone, None)
        else:
            mine[number] = plain[number] = step
    for mine, plain in copies:
        assert (dict(mine), len(mine), bool(mine)) == (plain, len(plain), bool(plain))
        assert [(n in mine, mine.get(n), mine.get(n, -1)) for n in range(4 * PAGE)] == [
            (n in plain, plain.get(n), plain.get(n, -1)) for n in range(4 * PAGE)]
        assert [*mine.items()] == [(n, mine[n]) for n in mine]
        assert [*mine.values()] == [mine[n] for n in mine]
        assert pickle.loads(pickle.dumps(mine)) == mine == Paged(plain)


def test_numbers_that_rise_keep_their_order() -> None:
    """Pages come as they were begun; what isn't there is a KeyError, as in a dict."""
    rising = Paged({n: str(n) for n in range(0, 300, 7)})
    del rising[0]

    assert [*rising] == [*range(7, 300, 7)]
    for missing in (0, 1, 1000):
        with pytest.raises(KeyError):
            del rising[missing]
        with pytest.raises(KeyError):
            rising[missing]
