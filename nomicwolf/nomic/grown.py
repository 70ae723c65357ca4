"""A mapping and a list that only grow, and whose copies cost next to nothing, since they share what both have.

Each letter that is heard goes on from a copy of the contest (`Contest.branch`), so that it can be given up; a plain
dict of a million letters would be copied for each.
"""

from __future__ import annotations

import gc
from bisect import bisect_left
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from operator import eq
from typing import Any, Self, TypeVar, overload

from nomicwolf.nomic.fetched import FetchedPages
from nomicwolf.village.events import Entry

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")
LEAF = 32
"""How many entries are written to, and copied, before they become a layer of their own."""
ENDLESS = 1 << 60
"""More entries than a layer ever has."""


class Grown(ChainMap[K, V]):
    """A mapping in layers, the newest first. Only the first, of `LEAF` entries at most, is written to, and copied.

    When the first is full it becomes a layer of its own, together with those that are not more than twice as long. So
    each is more than twice as long as the one before it, there are few, and n entries cost O(n log n) in all. Nothing
    can be taken out.

    >>> old = Grown({"a": 1})
    >>> new = old.copy()
    >>> new["b"] = 2
    >>> dict(old), dict(new)
    ({'a': 1}, {'a': 1, 'b': 2})

    The last layer may be any mapping that doesn't change: *over* puts a new one on it. *room* is how many entries the
    first layer may have, which `in_bulk` lifts for a while.
    """

    room = LEAF

    @classmethod
    def over(cls, below: Mapping[K, V]) -> Self:
        """Return what is in *below*, to grow on."""
        return cls({}, below)  # type: ignore[arg-type]  # only the first layer is written to

    def copy(self) -> Self:
        """Return a mapping that can grow by itself."""
        new = type(self).__new__(type(self))
        new.maps = [{**self.maps[0]}, *self.maps[1:]]
        return new

    def grown(self, key: K, value: V) -> Self:
        """Return a copy in which *value* is under *key*.

        >>> old = Grown({"a": 1})
        >>> dict(old.grown("b", 2)), dict(old)
        ({'a': 1, 'b': 2}, {'a': 1})
        """
        new = self.copy()
        new[key] = value
        return new

    def layers(self) -> Iterable[Mapping[K, V]]:
        """Return the layers in the order in which a key is looked for in them: the newest first."""
        return self.maps

    def __setitem__(self, key: K, value: V) -> None:
        self.maps[0][key] = value
        if len(self.maps[0]) > self.room:
            self.settle()

    def settle(self) -> None:
        """Let what is in the first layer be a layer that all copies have, as long as there has to be one."""
        first, *others = self.maps
        if len(first) > LEAF:
            while others and isinstance(others[0], dict) and len(others[0]) <= 2 * len(first):
                first = {**others.pop(0), **first}
            self.maps = [{}, first, *others]

    @overload
    def get(self, key: K, default: None = None, /) -> V | None: ...
    @overload
    def get(self, key: K, default: V, /) -> V: ...
    @overload
    def get(self, key: K, default: T, /) -> V | T: ...
    def get(self, key: K, default: V | T | None = None, /) -> V | T | None:
        """Return what is under *key*, or *default*; without the exception that a missing one costs ChainMap."""
        for layer in self.layers():
            if key in layer:
                return layer[key]
        return default

    def __getitem__(self, key: K) -> V:
        for layer in self.layers():
            if key in layer:
                return layer[key]
        raise KeyError(key)

    def setdefault(self, key: K, default: V) -> V:
        """Put *default* under *key* if nothing is there; return what is."""
        for layer in self.layers():
            if key in layer:
                return layer[key]
        self[key] = default
        return default

    def __delitem__(self, key: K) -> None:
        raise TypeError(f"{key!r} can't be taken out: what has been heard stays")


class Firsts(Grown[K, V]):
    """A mapping in which what was put first under a key stays, and into which putting asks nothing of what is below.

    >>> firsts = Firsts.over(Grown({"a": 1}))
    >>> firsts.put("a", 2)
    >>> firsts.put("b", 3)
    >>> firsts.put("b", 4)
    >>> dict(firsts), firsts.get("a"), firsts.get("c")
    ({'a': 1, 'b': 3}, 1, None)
    """

    def put(self, key: K, value: V) -> None:
        """Put *value* under *key* unless something is there."""
        for layer in self.maps:
            if isinstance(layer, dict) and key in layer:
                return
        self[key] = value

    def layers(self) -> Iterable[Mapping[K, V]]:
        """Return the layers, the oldest first: what it has of a key counts."""
        return reversed(self.maps)


@contextmanager
def in_bulk(all_of: Iterable[Grown[Any, Any]]) -> Iterator[None]:
    """Let each of *all_of* put what is written meanwhile into one layer, however much; nobody may copy it until then.

    Python's collector of cyclic garbage is off meanwhile: all that is made is kept, and to look at it again and again
    would take a quarter of the time.

    >>> many: Grown[int, int] = Grown()
    >>> with in_bulk([many]):
    ...     for number in range(100):
    ...         many[number] = number
    >>> [len(layer) for layer in many.maps]
    [0, 100]
    """
    growing, collects = [*all_of], gc.isenabled()
    gc.disable()
    for one in growing:
        one.room = ENDLESS
    try:
        yield
    finally:
        for one in growing:
            del one.room
            one.settle()
        if collects:
            gc.enable()


class Lengthened(Sequence[V]):
    """A list in parts, the newest last. Only the last, of `LEAF` values at most, is written to, and copied.

    Each part is more than twice as long as the one after it, as in `Grown`. The first ones may be any sequences that
    don't change, those *below*. A slice of it is a list; two are equal if they have the same values.

    >>> old = Lengthened("ab")
    >>> new = old.copy()
    >>> new.append("c")
    >>> list(old), list(new), new[-1], new[1:]
    (['a', 'b'], ['a', 'b', 'c'], 'c', ['b', 'c'])
    """

    __slots__ = ("_last", "_parts")

    def __init__(self, values: Sequence[V] = (), *below: Sequence[V]) -> None:
        self._parts: list[Sequence[V]] = [*filter(len, below), [*values]]
        self._last: list[V] = []

    def append(self, value: V) -> None:
        """Put *value* behind all others."""
        self._last.append(value)
        if len(self._last) > LEAF:
            last, self._last = self._last, []
            others = [*self._parts]
            while others and isinstance(others[-1], list) and len(others[-1]) <= 2 * len(last):
                last = [*others.pop(), *last]
            self._parts = [*others, last]

    def copy(self) -> Lengthened[V]:
        """Return a list that can grow by itself."""
        new: Lengthened[V] = Lengthened()
        new._parts, new._last = self._parts, self._last.copy()
        return new

    def upto(self, place: int) -> Lengthened[V]:
        """Return the first *place* values as a list that can grow by itself; parts that it has whole aren't looked at.

        >>> list(Lengthened("abc").upto(2))
        ['a', 'b']
        """
        new: Lengthened[V] = Lengthened()
        new._parts, left = [], place
        for part in (*self._parts, self._last.copy()):
            if left:
                new._parts.append(part if len(part) <= left else part[:left])
            left -= min(left, len(part))
        return new

    def since(self, place: int) -> Iterator[V]:
        """Return the values from *place* on; those before it are not looked at.

        >>> list(Lengthened("abc").since(1))
        ['b', 'c']
        """
        parts, first = list[Iterable[V]](), len(self)
        for part in reversed((*self._parts, self._last)):
            first -= len(part)
            parts.append(part if first >= place else _behind(part, place - first))
            if first <= place:
                break
        return chain.from_iterable(reversed(parts))

    def __len__(self) -> int:
        return sum(map(len, self._parts)) + len(self._last)

    def __iter__(self) -> Iterator[V]:
        return chain(chain.from_iterable(self._parts), self._last)

    def __reversed__(self) -> Iterator[V]:
        return chain(reversed(self._last), chain.from_iterable(map(reversed, reversed(self._parts))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lengthened) and len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]  # it grows

    @overload
    def __getitem__(self, place: int) -> V: ...
    @overload
    def __getitem__(self, place: slice) -> list[V]: ...
    def __getitem__(self, place: int | slice) -> V | list[V]:
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            return list(islice(self.since(start), 0, max(stop - start, 0), step)) if step > 0 else [
                self[at] for at in range(start, stop, step)]
        end = len(self)
        at = place + end if place < 0 else place
        for part in (self._last, *reversed(self._parts)):
            end -= len(part)
            if end <= at < end + len(part):
                return part[at - end]
        raise IndexError(f"{place} is none of {len(self)} places")


def _behind(part: Sequence[V], place: int) -> Iterable[V]:
    """Return the values of *part* from *place* on, one after the other if they have to be fetched."""
    return part.along(range(place, len(part))) if isinstance(part, FetchedPages) else part[place:]


def numbered(entries: Sequence[Entry], number: int) -> Entry | None:
    """Return the entry with *number* among *entries*, whose numbers rise; None if it is none of them.

    Few are looked at, since each may have to be fetched: first the place where it is if no number after it is left out;
    else steps of growing length back from the end, until it lies between two of them, and halves from there.
    """
    start = end = len(entries)
    if start and 0 <= (place := start - 1 - (entries[-1].number - number)) < end and entries[place].number == number:
        return entries[place]
    step = 1
    while start and entries[start - 1].number >= number:
        start, end, step = max(0, start - step), start, 2 * step
    place = bisect_left(entries, number, start, end, key=lambda entry: entry.number)
    return entries[place] if place < end and entries[place].number == number else None
