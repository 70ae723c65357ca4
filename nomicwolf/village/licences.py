"""Which clause licenses what happens: said event by event, where one rule brings about several that rest on others.

A rule on the end of a stage opens ballots, puts somebody on trial and begins the next stage; each of these has its own
clause in the game's text. What a table doesn't name rests on the clauses of the rule that brought it about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from nomicwolf.village.events import (
    Announced,
    BallotsOpened,
    Counted,
    Declared,
    Drawn,
    Event,
    Killed,
    Nominated,
    PhaseBegan,
    StageBegan,
)
from nomicwolf.village.game import Game

Licences: TypeAlias = Mapping[str, tuple[str, ...]]
"""Clauses by an event's name (``tried``), or its name and what kind of it this is (``stage-began defence``)."""


def _stage(event: Event) -> str:
    """Return the kind of a stage's beginning; free discussion after a defence is ``discussion on trial`` (SP 3a)."""
    if not isinstance(event, StageBegan):
        return ""
    return f"{event.stage} on trial" if event.stage == "discussion" and event.names else event.stage


_KINDS: Mapping[type[Event], Callable[[Game, Event], str]] = {
    Announced: lambda game, event: str(getattr(event, "topic", "")),
    BallotsOpened: lambda game, event: game.stage,
    Counted: lambda game, event: game.stage,
    Declared: lambda game, event: str(getattr(event, "verb", "")),
    Drawn: lambda game, event: game.phase,
    Killed: lambda game, event: str(getattr(event, "cause", "")),
    Nominated: lambda game, event: game.stage,
    PhaseBegan: lambda game, event: str(getattr(event, "phase", "")),
    StageBegan: lambda game, event: _stage(event),
}


def licence(table: Licences, game: Game, event: Event) -> tuple[str, ...]:
    """Return the clauses by which *table* has *event* happen in *game*, none if it doesn't name it."""
    kind = _KINDS.get(type(event))
    exact = table.get(f"{event.name} {kind(game, event)}") if kind else None
    return exact or table.get(event.name, ())
