"""What is made of the same values again and again, made once: told apart by which they are, not by what is in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

V = TypeVar("V")
R = TypeVar("R")
MOST = 4


def remembered(make: Callable[[V], R]) -> Callable[[V], R]:
    """Let *make*, of a value that nobody changes, be asked once for it: its latest results are kept.

    Where the value is the same one, no hash and no comparison is needed, however much is in it. What hangs on two
    values is remembered of the second by what is remembered of the first.

    >>> asked = []
    >>> length = remembered(lambda value: asked.append(value) or len(value))
    >>> some = (1, 2)
    >>> length(some), length(some), len(asked)
    (2, 2, 1)
    """
    kept: dict[int, tuple[V, R]] = {}

    @wraps(make)
    def found(value: V) -> R:
        known = kept.get(id(value))  # its alone, as long as it is kept
        if known is not None:
            return known[1]
        result = make(value)
        for oldest in [*kept][:max(0, 1 + len(kept) - MOST)]:
            kept.pop(oldest, None)  # another thread may have done so
        kept[id(value)] = value, result
        return result

    return found
