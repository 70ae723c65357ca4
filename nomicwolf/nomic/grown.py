"""A mapping and a list that only grow, and whose copies cost next to nothing: what both have in common, both hold."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")
LEAF = 32


class Grown(ChainMap[K, V]):
    """Layers of entries, the newest first; only the first, of `LEAF` at most, is ever written to, or copied.

    Each layer is more than twice as long as the one before it, so there are few: n entries cost O(n log n) in all.

    >>> old = Grown({"a": 1})
    >>> new = old.copy()
    >>> new["b"] = 2
    >>> dict(old), dict(new)
    ({'a': 1}, {'a': 1, 'b': 2})
    """

    def __setitem__(self, key: K, value: V) -> None:
        self.maps[0][key] = value
        if len(self.maps[0]) > LEAF:
            first, *others = self.maps
            while others and len(others[0]) <= 2 * len(first):
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
        for layer in self.maps:
            if key in layer:
                return layer[key]
        return default

    def setdefault(self, key: K, default: V) -> V:
        """Put *default* under *key* if nothing is there; return what is."""
        for layer in self.maps:
            if key in layer:
                return layer[key]
        self[key] = default
        return default

    def __delitem__(self, key: K) -> None:
        raise TypeError(f"{key!r} can't be taken out: what has been heard stays")


class Lengthened(Sequence[V]):
    """Parts of a list, the newest last; only that one, of `LEAF` at most, is ever written to, or copied.

    Each part is more than twice as long as the one after it, as with `Grown`. A slice is a list.

    >>> old = Lengthened("ab")
    >>> new = old.copy()
    >>> new.append("c")
    >>> list(old), list(new), new[-1], new[1:]
    (['a', 'b'], ['a', 'b', 'c'], 'c', ['b', 'c'])
    """

    __slots__ = ("_parts",)

    def __init__(self, values: Sequence[V] = ()) -> None:
        self._parts: list[list[V]] = [[*values], []]

    def append(self, value: V) -> None:
        """Put *value* behind all others."""
        last = self._parts[-1]
        last.append(value)
        if len(last) > LEAF:
            *others, _ = self._parts
            while others and len(others[-1]) <= 2 * len(last):
                last = others.pop() + last
            self._parts = [*others, last, []]

    def copy(self) -> Lengthened[V]:
        """Return a list that can grow by itself."""
        new: Lengthened[V] = Lengthened()
        new._parts = [*self._parts[:-1], self._parts[-1].copy()]
        return new

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def __iter__(self) -> Iterator[V]:
        return chain.from_iterable(self._parts)

    def __reversed__(self) -> Iterator[V]:
        return chain.from_iterable(map(reversed, reversed(self._parts)))

    @overload
    def __getitem__(self, place: int) -> V: ...
    @overload
    def __getitem__(self, place: slice) -> list[V]: ...
    def __getitem__(self, place: int | slice) -> V | list[V]:
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        end = len(self)
        at = place + end if place < 0 else place
        for part in reversed(self._parts):
            end -= len(part)
            if end <= at < end + len(part):
                return part[at - end]
        raise IndexError(f"{place} is none of {len(self)} places")
