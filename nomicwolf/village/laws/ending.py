"""When a session is over, and who wins it."""

from __future__ import annotations

from collections.abc import Callable

from nomicwolf.village.events import DeathsAnnounced, Ended, Event
from nomicwolf.village.game import Game
from nomicwolf.village.laws.phases import back, unannounced
from nomicwolf.village.rules import Events, Law, Owed, always


def ending(  # noqa: C901 - three small questions, each its own function
    evil: str, good: str, *,
    parity: bool = True,
    survivors_only: bool = False,
    also: tuple[str, ...] = (),
    neither: Callable[[Game], str] | None = None,
    evil_wins: tuple[str, ...] = (),
    good_wins: tuple[str, ...] = (),
    passing_for_good: tuple[str, ...] = (),
) -> Law:
    """Return the law by which *evil* or *good* wins.

    *evil* wins at *parity*, or only when nobody else is left; *good* when no evil is left, only its survivors if
    *survivors_only*; holders of the roles *also* win with evil, and the sides *passing_for_good* count as good.
    *neither* says what follows when both sides are gone. A dead player's owed choice comes first, unless the switch
    ``parity`` is ``immediate``. Deaths and returns of one night are weighed together, since the end is tested when
    nothing is left to happen.
    """

    def standing(game: Game) -> tuple[str, tuple[str, ...]] | None:
        bad = sum(game.sides[p] == evil for p in game.alive)
        rest = sum(game.sides[p] in (good, *passing_for_good) for p in game.alive)
        if bad and (bad < rest if parity else rest):
            return None
        if not bad and rest:
            return good, good_wins
        if not bad and neither:
            return neither(game), evil_wins
        return evil, evil_wins

    def winners(game: Game, side: str) -> tuple[str, ...]:
        def wins(p: str) -> bool:
            if game.roles[p] in also:
                return side == evil
            return game.sides[p] == side and (side == evil or not survivors_only or p in game.alive)

        return tuple(p for p in game.seats if wins(p))

    def end(game: Game, owed: Owed) -> Events:
        if game.phase in ("setup", "over") or (_waits(game, owed) and game.switches.get("parity") != "immediate"):
            return None
        stands = standing(game)
        if stands is None:
            return None
        side, clauses = stands
        news: list[Event] = []
        if unannounced(game) or back(game) or game.phase == "night":
            news = [DeathsAnnounced(unannounced(game), back(game))]
        return [*news, Ended(side, winners(game, side), "; ".join(clauses))]

    return Law("ending", rules=(always(*evil_wins, *good_wins)(end),))


def _waits(game: Game, owed: Owed) -> bool:
    return any(who not in game.alive for who, _ in owed)
