"""How much one sentence, and one letter, may hold for the reader."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one sentence may hold: tokens, nesting, and conditions; and how many deeds a letter."""

    tokens: int = 500
    depth: int = 20
    conditions: int = 20
    deeds: int = 40


LIMITS = Limits()
