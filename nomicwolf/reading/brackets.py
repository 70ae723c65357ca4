"""Which bracket closes which."""

from __future__ import annotations

import re

from nomicwolf.reading.kinds import OPENERS

_BRACKET = re.compile(r"[()\[\]{}]")


def bracket_pairs(text: str) -> dict[int, int]:
    """Where each bracket that is closed is closed; in one pass."""
    pairs: dict[int, int] = {}
    open_at: list[int] = []
    for bracket in _BRACKET.finditer(text):
        at, char = bracket.start(), bracket[0]
        if char in OPENERS:
            open_at.append(at)
        else:
            while open_at and OPENERS[text[open_at[-1]]] != char:
                open_at.pop()
            if open_at:
                pairs[open_at.pop()] = at
    return pairs
