"""A mapping that grows in branches is, in each branch, what a dict would be."""

from __future__ import annotations

import gc
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.nomic.grown import LEAF, Grown, Lengthened, in_bulk, numbered
from nomicwolf.village.events import Entry, PhaseBegan


@given(st.integers(0, 2**32))
def test_each_branch_is_a_dict_of_its_own(seed: int) -> None:
    """Written to in any order, old branches too, with keys that come again: contents and order of lookups agree."""
    random = Random(seed)
    branches: list[tuple[Grown[int, int], dict[int, int]]] = [(Grown(), {})]
    for step in range(6 * LEAF):
        mine, plain = random.choice(branches[-3:])
        if random.random() < 0.1:
            mine, plain = mine.copy(), dict(plain)
            branches.append((mine, plain))
        key = random.randrange(8 * LEAF)
        mine[key] = plain[key] = step
        assert mine.setdefault(key + 1, -1) == plain.setdefault(key + 1, -1)
    for mine, plain in branches:
        assert dict(mine) == plain
        assert len(mine) == len(plain)
        assert all((key in mine) == (key in plain) for key in range(8 * LEAF))


def test_layers_stay_few() -> None:
    """Ten thousand entries lie in some ten layers, and a copy makes one of them anew."""
    found: Grown[int, int] = Grown()
    for number in range(10_000):
        found[number] = number
    assert len(found.maps) < 12
    assert all(one is other for one, other in zip(found.maps[1:], found.copy().maps[1:], strict=True))


def test_nothing_is_taken_out() -> None:
    """What has been heard stays: a deletion is a mistake of ours."""
    with pytest.raises(TypeError):
        del Grown({"a": 1})["a"]


@pytest.mark.parametrize("number", [1, LEAF, LEAF + 1, 1000])
def test_what_comes_in_bulk_is_below_the_next(number: int) -> None:
    """However much was written at once, a copy afterwards has a layer of few; also if it ended in an error."""
    found: Grown[int, int] = Grown({-1: 0})
    with pytest.raises(TypeError):
        _write(found, number)
    assert gc.isenabled()
    assert dict(found) == {-1: 0, **{key: key for key in range(number)}}
    branch = found.copy()
    branch[0] = 7
    assert (found[0], branch[0]) == (0, 7)
    assert len(branch.maps[0]) <= LEAF + 1
    assert len(branch) == number + 1


@pytest.mark.parametrize("at_once", [1, 2, LEAF + 1, 50])
def test_layers_stay_few_however_often_some_come_in_bulk(at_once: int) -> None:
    """As when a ledger is done again, and what it holds is taken happening by happening: each lookup asks them all."""
    found: Grown[int, int] = Grown()
    for start in range(0, 10_000, at_once):
        with in_bulk([found]):
            for number in range(start, start + at_once):
                found[number] = number
    assert len(found.maps) < 12
    assert dict(found) == {number: number for number in range(len(found))}


@given(st.sets(st.integers(1, 200), max_size=120))
def test_an_entry_is_found_by_its_number(numbers: set[int]) -> None:
    """Also where some are left out, as in the public record; of a long record few entries are looked at."""
    entries: Lengthened[Entry] = Lengthened([Entry(number, 0, PhaseBegan("day", 1)) for number in sorted(numbers)])
    for number in range(-1, 203):
        found = numbered(entries, number)
        assert (found.number if found else None) == (number if number in numbers else None)


def _write(found: Grown[int, int], number: int) -> None:
    """Write *number* values at once, and then what fails."""
    with in_bulk([found]):
        assert not gc.isenabled()
        for key in range(number):
            found[key] = key
        del found[0]
