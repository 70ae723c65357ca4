"""Values of ours as few bytes: pickled, and compressed as the pieces come, so that all of them are nowhere at once.

Many values of which others tell, too (entries), come first, some at a time: a pickler remembers all that it has
written since it was last told to forget, which took more memory than what was written.
"""

from __future__ import annotations

import gzip
import io
import pickle
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

V = TypeVar("V")
Place: TypeAlias = Callable[[object], int | None]
"""Where a value stands among those that came first; None for any other."""
_LEVEL = 1  # three times as fast as the usual one; what is left is mostly hashes
_TOGETHER = 500
"""So many of the first values are pickled at once."""


class _Writer(pickle.Pickler):
    """Writes a value of which parts stand elsewhere already, and are told by their places there."""

    def __init__(self, file: gzip.GzipFile, place: Place) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self._place = place

    def persistent_id(self, value: object) -> int | None:
        """Return the place of *value* among the first ones."""
        return self._place(value)


def pressed(first: Sequence[object], rest: object, place: Place) -> bytes:
    """Return the bytes of *first*, and of *rest*, in which any of the first ones is told by its *place* among them.

    >>> class Reader(pickle.Unpickler):
    ...     def persistent_load(self, place): return "ab"[place]
    >>> data = pressed("ab", ["b", "c"], lambda value: "ab".index(value) if value in ("a", "b") else None)
    >>> unpressed(data, lambda file, first: Reader(file))
    (['a', 'b'], ['b', 'c'])
    """
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=_LEVEL, mtime=0) as press:
        for start in range(0, len(first), _TOGETHER):
            pickle.dump([*first[start:start + _TOGETHER]], press, protocol=pickle.HIGHEST_PROTOCOL)
        pickle.dump(None, press)
        _Writer(press, place).dump(rest)
    return out.getvalue()


def unpressed(
    data: bytes, reader: Callable[[gzip.GzipFile, list[Any]], pickle.Unpickler],
) -> tuple[list[Any], Any]:
    """Return what was `pressed`, as values of which *reader* makes each, from a file and the first values so far.

    It is for bytes that are known to be ours: others raise zlib.error, EOFError or UnpicklingError.
    """
    first: list[Any] = []
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as press:
        while (some := reader(press, first).load()) is not None:
            first += some
        return first, reader(press, first).load()
