"""What is made of the same values again and again, made once: told apart by which they are, not by what is in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple, Unpack

Values = TypeVarTuple("Values")
R = TypeVar("R")
MOST = 4


def remembered(make: Callable[[Unpack[Values]], R]) -> Callable[[Unpack[Values]], R]:
    """Let *make*, of values that nobody changes, be asked once for each: its latest results are kept.

    Where two values are the same one, no hash and no comparison is needed, however much is in them.

    >>> asked = []
    >>> length = remembered(lambda value: asked.append(value) or len(value))
    >>> some = (1, 2)
    >>> length(some), length(some), len(asked)
    (2, 2, 1)
    """
    kept: dict[tuple[int, ...], tuple[tuple[Any, ...], R]] = {}

    @wraps(make)
    def found(*values: *Values) -> R:
        key = tuple(map(id, values))  # theirs alone, as long as they are kept
        known = kept.get(key)
        if known is not None:
            return known[1]
        result = make(*values)
        if len(kept) >= MOST:
            kept.pop(next(iter(kept), ()), None)
        kept[key] = values, result
        return result

    return found
