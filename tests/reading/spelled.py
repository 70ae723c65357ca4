"""What an expression takes, spelled out: every way through its alternatives, what may be left out both ways."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from typing import Any

_parse = import_module("re._parser").parse


def spelled(expression: re.Pattern[str]) -> list[str]:
    """Texts that *expression* takes (`match`): repetitions as few times as may be and once, "x" for any word's letter.

    >>> spelled(re.compile("(?:an? )?o[wx]l*$"))
    ['ow', 'owl', 'ox', 'oxl', 'a ow', 'a owl', 'a ox', 'a oxl', 'an ow', 'an owl', 'an ox', 'an oxl']
    """
    found = ["".join(parts) for parts in _all(_parse(expression.pattern, expression.flags))]
    return [text for text in found if expression.match(text)]


def _all(items: Any) -> Iterator[tuple[str, ...]]:
    return product(*[list(dict.fromkeys(_one(str(op), value))) for op, value in items])


def _one(op: str, value: Any) -> Iterator[str]:
    """The spellings of one item of a parsed expression; what looks behind or denies is left to the expression."""
    if op == "LITERAL":
        yield chr(value)
    elif op == "IN":
        yield from (_member(str(kind), which) for kind, which in value)
    elif op in {"ANY", "NOT_LITERAL"}:
        yield "x"
    elif op in {"MAX_REPEAT", "MIN_REPEAT"}:
        least, _, inside = value
        for times in {least, max(least, 1)}:
            yield from ("".join(parts) * times for parts in _all(inside))
    elif op == "SUBPATTERN":
        yield from map("".join, _all(value[-1]))
    elif op == "BRANCH":
        for each in value[1]:
            yield from map("".join, _all(each))
    elif op == "ASSERT" and value[0] > 0:
        yield from map("".join, _all(value[1]))
    else:
        yield ""


def _member(kind: str, which: Any) -> str:
    """One character of those that a part of a set has."""
    if kind == "LITERAL":
        return chr(which)
    return chr(which[0]) if kind == "RANGE" else " " if str(which) == "CATEGORY_SPACE" else "x"
