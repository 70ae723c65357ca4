"""Deadlines in the contestmaster's hand: a stage is made longer, or ended before its time (D-A1)."""

from __future__ import annotations

from datetime import UTC, datetime

from nomicwolf.contest.clock import settle
from nomicwolf.contest.happenings import Command
from nomicwolf.contest.work import Work
from nomicwolf.reports.times import when
from nomicwolf.village.events import Extended
from nomicwolf.village.game import Game
from nomicwolf.village.rules import Refused as Refusal

CITES = ("D-A1",)


def extend(work: Work, command: Command) -> str:
    """Move the deadline of the present stage to ``until``, in public; `Refusal` for an instant that is past (X-18)."""
    game, until = _staged(work), instant_of(command.get("until"), CITES)
    if until <= max(work.now, game.clock):
        raise Refusal(f"{when(until)} is past: a deadline can only be moved to an instant to come.", CITES)
    _move(work, until)
    return f"The {game.stage} of {game.place} lasts until {when(until)}."


def close(work: Work, command: Command) -> str:
    """End the present stage now, as its deadline would: the moderator finds that there has been time enough.

    What was sent before has been done before, though it may have come within the settling time (D-A4).
    """
    at = max(work.now, _staged(work).clock)
    settle(work, at)
    game = _staged(work)
    _move(work, at)
    work.play(lambda g: work.rules.strike(g, at, "stage"))
    return f"The {game.stage} of {game.place} is closed."


def _staged(work: Work) -> Game:
    game = work.contest.running
    if game is None:
        raise Refusal("No session is in progress: there is no stage to extend or to close.", CITES)
    if not game.stage:
        raise Refusal(f"It is {game.place}, which has no stage with a deadline to extend or to close.", CITES)
    return game


def _move(work: Work, until: int) -> None:
    work.play(lambda g: work.rules.settle(g, max(work.now, g.clock), (Extended(until),), CITES, "command"))


def instant_of(text: str, cites: tuple[str, ...]) -> int:
    """Return an ISO 8601 time in UTC seconds; `Refusal` by the clauses *cites* if it is none."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise Refusal(f"{text!r} is no time; write it like 2026-12-01T09:00Z.", cites) from error
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
