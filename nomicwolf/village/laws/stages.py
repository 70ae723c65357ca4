"""A day in stages, each with a deadline (D-A1): discussion, nominations, defence, ballot, verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from nomicwolf.village.alarms import STAGE
from nomicwolf.village.events import ClockStruck, StageBegan
from nomicwolf.village.game import Game
from nomicwolf.village.laws.phases import dawn_switch
from nomicwolf.village.rules import Owed
from nomicwolf.village.switches import Switch

STAGES = ("discussion", "nominations", "defence", "ballot", "night")
USUAL = "72, 48, 24, 48, 72"
DEADLINES = Switch(
    "deadlines", (), "D-A1", f"hours for {', '.join(STAGES)}", default=USUAL, form=r"\d{1,5}( *, *\d{1,5}){4}",
    like=f"five whole numbers of hours, for {', '.join(STAGES)}, such as {USUAL!r}")
COMMON = (
    Switch("departure", ("kill", "stay"), "D-A2", "what leaving in mid-session does"),
    Switch("reveal_after", ("on", "off"), "D-N23", "whether all roles are published after the session"),
    dawn_switch("times of day (UTC): counts are published at the first; 'at once' ends a night with its last deed"),
    DEADLINES,
)
"""The switches that all games of stages have."""
SAME = {"verdict": "ballot", "closing": "defence"}


def common(hours_for: str) -> tuple[Switch, ...]:
    """Return the switches that all games of stages have, where one needs more words on what ``deadlines`` is for."""
    return tuple(replace(s, says=f"{s.says}; {hours_for}") if s is DEADLINES else s for s in COMMON)


def hours(game: Game, stage: str) -> int:
    """Return how many hours *stage* lasts by the switch ``deadlines``."""
    given = [int(part) for part in game.switches.get("deadlines", USUAL).split(",")]
    return given[STAGES.index(SAME.get(stage, stage))]


def begin(game: Game, stage: str, names: tuple[str, ...] = (), lasts: str = "") -> StageBegan:
    """Return the beginning of *stage* now, about *names*, lasting as long as *lasts* (default: its own time).

    Of no hours at all it is over a second later.
    """
    return StageBegan(stage, game.clock + max(1, 3600 * hours(game, lasts or stage)), names)


def deadline(game: Game, owed: Owed) -> Iterable[tuple[int, str]]:
    """Return the alarm at which the present stage ends.

    It comes at its second though something else has come in that second; one that has passed and did not bite, as in
    an outage (D-N39), comes at the next second.
    """
    if not game.stage or game.over or struck(game):
        return ()
    return ((game.deadline if game.deadline >= game.clock else game.clock + 1, STAGE),)


def struck(game: Game) -> bool:
    """Return whether the deadline of the present stage has come; a night may wait for more after it."""
    mark = game.mark(StageBegan)
    since = (e for e in game.lines_now(ClockStruck) if e.number > mark and e.at >= game.deadline)
    return any(isinstance(e.event, ClockStruck) and e.event.what == STAGE for e in since)


def ran_out(game: Game, event: ClockStruck, *stages: str) -> bool:
    """Return whether *event* is the end of one of *stages*."""
    return event.what == STAGE and game.stage in stages and game.clock >= game.deadline


def about(game: Game) -> tuple[str, ...]:
    """Return whom the present stage is about."""
    began = game.last(StageBegan)
    return began.names if began and game.stage == began.stage else ()
