"""Sides as players read them: peoples have capitals, and the Werehamster wins alone (GA 1a, LT 8f)."""

from __future__ import annotations

NAMES = {"gadiantons": "Gadiantons", "nephites": "Nephites", "werehamster": "Werehamster"}
"""What a side is called in prose, where that is not its own word."""
ALONE = ("werehamster",)
"""Sides of one."""


def side_name(side: str) -> str:
    """Return what *side* is called in prose.

    >>> side_name("nephites"), side_name("villagers")
    ('Nephites', 'villagers')
    """
    return NAMES.get(side, side)


def won(side: str) -> str:
    """Return that *side* has won, in words.

    >>> won("gadiantons"), won("werehamster")
    ('the Gadiantons win', 'the Werehamster wins')
    """
    return f"the {side_name(side)} {'wins' if side in ALONE else 'win'}"
