"""A mapping that only grows, and whose copy costs next to nothing: what both have in common, both hold."""

from __future__ import annotations

from collections import ChainMap
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")
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

    def __delitem__(self, key: K) -> None:
        raise TypeError(f"{key!r} can't be taken out: what has been heard stays")
