"""Lists and mappings whose contents are fetched only when somebody asks for them.

A contest that is taken up from a snapshot (`nomic.resuming`) has its past in them: the old entries, letters and
sessions, at which it hardly ever looks. They never change. The functions that fetch are given by whoever has the record
at hand; nothing here knows where it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")
PAGE = 64
"""How many values are fetched at once."""
KEPT = 8
"""How many pages are kept, those that were fetched last."""


class FetchedPages(Sequence[V]):
    """A list of *length* values that are fetched when they are asked for: one alone, or by pages who goes through them.

    The last `KEPT` pages are kept, and as many single values as are on one. *fetch(first, end)* returns the values at
    the places from *first* up to *end*, without the one at *end*.

    >>> asked = []
    >>> pages = FetchedPages(1000, lambda first, end: asked.append((first, end)) or list(range(first, end)))
    >>> pages[300], pages[-1], len(pages), asked
    (300, 999, 1000, [(300, 301), (999, 1000)])
    >>> next(pages.along(range(300, 400))), next(reversed(pages)), asked[2:]
    (300, 999, [(256, 320), (960, 1000)])
    """

    def __init__(self, length: int, fetch: Callable[[int, int], Sequence[V]]) -> None:
        self._length = length
        self._fetch = fetch
        self._pages: dict[int, Sequence[V]] = {}
        self._single: dict[int, V] = {}

    def along(self, places: range) -> Iterator[V]:
        """Yield the values at *places*, one after the other."""
        for place in places:
            number = place // PAGE
            if number not in self._pages:
                first = number * PAGE
                _keep(self._pages, number, self._fetch(first, min(first + PAGE, self._length)), KEPT)
            yield self._pages[number][place % PAGE]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[V]:
        return self.along(range(self._length))

    def __reversed__(self) -> Iterator[V]:
        return self.along(range(self._length - 1, -1, -1))

    @overload
    def __getitem__(self, place: int) -> V: ...
    @overload
    def __getitem__(self, place: slice) -> list[V]: ...
    def __getitem__(self, place: int | slice) -> V | list[V]:
        if isinstance(place, slice):
            return [*self.along(range(*place.indices(self._length)))]
        at = place + self._length if place < 0 else place
        if not 0 <= at < self._length:
            raise IndexError(f"{place} is none of {self._length} places")
        page = self._pages.get(at // PAGE)
        if page is not None:
            return page[at % PAGE]
        if at not in self._single:
            _keep(self._single, at, self._fetch(at, at + 1)[0], PAGE)
        return self._single[at]


def _keep(kept: dict[int, T], number: int, value: T, most: int) -> None:
    """Put *value* into *kept*, and take out what has been there for longest if there are more than *most*."""
    kept[number] = value
    if len(kept) > most:
        del kept[next(iter(kept))]


class FetchedList(Sequence[V]):
    """A list of *length* values, all of which *fetch_all* fetches as soon as one of them is asked for.

    Going through it from its end does not: *back*, if there is one, then yields the values one after the other, latest
    first, so that looking for something recent fetches only what is newer.

    >>> text = FetchedList(3, lambda: "abc")
    >>> len(text), text[1], text[1:]
    (3, 'b', 'bc')
    """

    def __init__(
        self, length: int, fetch_all: Callable[[], Sequence[V]], back: Callable[[], Iterator[V]] | None = None
    ) -> None:
        self._length = length
        self._fetch_all = fetch_all
        self._back = back
        self._values: Sequence[V] | None = None

    def __reversed__(self) -> Iterator[V]:
        return self._back() if self._back is not None and self._values is None else super().__reversed__()

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> V: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[V]: ...
    def __getitem__(self, place: int | slice) -> V | Sequence[V]:
        if self._values is None:
            self._values = self._fetch_all()
        return self._values[place]


class FetchedMapping(Mapping[K, V]):
    """A mapping of which *find* fetches the value of one key (None: there is no such key), and *fetch_all* everything.

    Everything is fetched when all keys, or their number, are asked for; without a *find*, already for the first key.

    >>> squares = FetchedMapping(lambda n: n * n if n < 3 else None, lambda: {n: n * n for n in range(3)})
    >>> squares.get(2), squares.get(3), 2 in squares, dict(squares)
    (4, None, True, {0: 0, 1: 1, 2: 4})
    """

    def __init__(self, find: Callable[[K], V | None] | None, fetch_all: Callable[[], Mapping[K, V]]) -> None:
        self._find = find
        self._fetch_all = fetch_all
        self._found: dict[K, V | None] = {}
        self._all: Mapping[K, V] | None = None

    def _value(self, key: K) -> V | None:
        if self._find is None or self._all is not None:
            return self._whole().get(key)
        if key not in self._found:
            self._found[key] = self._find(key)
        return self._found[key]

    def __contains__(self, key: object) -> bool:
        return self._value(key) is not None  # type: ignore[arg-type]  # a key of another type is none

    def __getitem__(self, key: K) -> V:
        value = self._value(key)
        if value is None:
            raise KeyError(key)
        return value

    def _whole(self) -> Mapping[K, V]:
        if self._all is None:
            self._all = self._fetch_all()
        return self._all

    def __iter__(self) -> Iterator[K]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())
