"""One person in place of another in what has happened: roles, sides, choices, votes for and by em (D-N41)."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from nomicwolf.village.events import Entry, Opened, Replaced

if TYPE_CHECKING:
    from nomicwolf.village.game import Game

WORDS = frozenset({
    "verb", "phase", "stage", "side", "cause", "role", "topic", "text", "why", "operator", "ruleset", "seed",
    "switches", "roles", "purpose", "says", "words", "line", "letter", "channel", "key",
})  # fmt: skip
"""Fields that hold no person's name, though they may be spelt like one."""


def renamed(value: Any, old: str, new: str) -> Any:  # noqa: ANN401 - any value that an event is made of
    """Return *value* with *new* wherever *old* is named: in texts that are names, tuples and dataclasses."""
    if isinstance(value, str):
        return new if value == old else value
    if isinstance(value, tuple):
        return tuple(renamed(item, old, new) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        named = {f.name: getattr(value, f.name) for f in fields(value) if f.name not in WORDS}
        return replace(value, **{name: renamed(item, old, new) for name, item in named.items()})
    return value


def entry_renamed(entry: Entry, old: str, new: str) -> Entry:
    """Return *entry* with *new* in place of *old*; a replacement is left as it was."""
    match entry.event:
        case Replaced():
            return entry
        case Opened() as opened:
            deal = tuple((new if who == old else who, role, side) for who, role, side in opened.deal)
            return replace(entry, event=replace(opened, deal=deal))
        case event:
            return replace(entry, event=renamed(event, old, new))


def heirs_of(game: Game) -> dict[str, str]:
    """Return who plays on for each of those who were replaced in this session (D-N41)."""
    heirs: dict[str, str] = {}
    for swap in game.ever(Replaced):
        heirs = {old: swap.new if new == swap.old else new for old, new in heirs.items()} | {swap.old: swap.new}
    return heirs
