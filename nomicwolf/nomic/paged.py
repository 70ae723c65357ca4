"""A mapping from numbers whose copies cost next to nothing, and in which anything may change and go.

It is for what comes and goes with the letters, such as the deeds that wait; what only grows is in `nomic.grown`.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, MutableMapping, ValuesView
from itertools import chain
from typing import TypeVar, overload

V = TypeVar("V")
T = TypeVar("T")
PAGE = 32
"""How many numbers that follow one another stand on a page."""


class Paged(MutableMapping[int, V]):
    """Values by their numbers, on pages of `PAGE` numbers each, which copies share.

    A page is copied when something on it changes. Pages come in the order in which something was first put on them, and
    so do the numbers on a page.

    >>> old = Paged({1: "a", 2: "b"})
    >>> new = old.copy()
    >>> new[50] = "c"
    >>> del new[1]
    >>> dict(old), dict(new)
    ({1: 'a', 2: 'b'}, {2: 'b', 50: 'c'})
    """

    __slots__ = ("_pages",)

    def __init__(self, values: Mapping[int, V] | None = None) -> None:
        self._pages: dict[int, dict[int, V]] = {}
        self.update(values or {})

    def copy(self) -> Paged[V]:
        """Return a mapping that can change by itself."""
        new: Paged[V] = Paged.__new__(Paged)
        new._pages = self._pages.copy()
        return new

    def __setitem__(self, number: int, value: V) -> None:
        self._pages[number // PAGE] = {**self._pages.get(number // PAGE, {}), number: value}

    def __delitem__(self, number: int) -> None:
        page = self._pages[number // PAGE].copy()
        del page[number]
        if page:
            self._pages[number // PAGE] = page
        else:
            del self._pages[number // PAGE]

    def __getitem__(self, number: int) -> V:
        return self._pages[number // PAGE][number]

    @overload
    def get(self, number: int, default: None = None, /) -> V | None: ...
    @overload
    def get(self, number: int, default: V, /) -> V: ...
    @overload
    def get(self, number: int, default: T, /) -> V | T: ...
    def get(self, number: int, default: V | T | None = None, /) -> V | T | None:
        """Return what is under *number*, or *default*; without the exception that a missing one costs a mapping."""
        page = self._pages.get(number // PAGE)
        return default if page is None else page.get(number, default)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and number in self._pages.get(number // PAGE, ())

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(self._pages.values())

    def __len__(self) -> int:
        return sum(map(len, self._pages.values()))

    def values(self) -> ValuesView[V]:
        """Return the values, page by page: none of them is looked up."""
        return _Values(self)

    def items(self) -> ItemsView[int, V]:
        """Return the numbers with their values, page by page."""
        return _Items(self)


class _Values(ValuesView[V]):
    _mapping: Paged[V]

    def __iter__(self) -> Iterator[V]:
        return chain.from_iterable(page.values() for page in self._mapping._pages.values())  # noqa: SLF001


class _Items(ItemsView[int, V]):
    _mapping: Paged[V]

    def __iter__(self) -> Iterator[tuple[int, V]]:
        return chain.from_iterable(page.items() for page in self._mapping._pages.values())  # noqa: SLF001
