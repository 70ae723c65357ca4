"""Points and trophies, with their derivation (NC 5i, 5ii)."""

from __future__ import annotations

from nomicwolf.nomic.events import Awarded
from nomicwolf.nomic.state import Contest
from nomicwolf.village.events import Ended
from nomicwolf.village.game import Game

TROPHY = "silver Trophy"
AXES = {"villagers": "X", "werewolves": "Y"}


def share(points: int, winners: int) -> int:
    """Return floor(P/N), what each of *winners* gets of *points*; 0 if nobody won (D-N20).

    >>> share(45, 4)
    11
    """
    return points // winners if winners else 0


def awards_for(contest: Contest, game: Game, ended: Ended) -> tuple[Awarded, ...] | str:
    """Return the awards of the session as numbered actions, or the nomic whose P is not confirmed.

    Agora's come first, one action for each winner (CFJ 2296), X points for villagers and Y points for werewolves;
    then B's Trophies. Nobody won: no awards (D-N20).
    """
    given: list[Awarded] = []
    for forum in contest.setup.forums if ended.winners else ():
        if forum.law.awards == "points":
            limit = contest.limits.get(forum.nomic)
            if limit is None:
                return forum.nomic
            amount = share(limit.points, len(ended.winners))
            for who in ended.winners if amount else ():
                axis = AXES.get(game.sides[who], "X")
                given.append(Awarded(0, len(given) + 1, forum.nomic, who, f"{axis} points", amount))
        else:
            for who in ended.winners:
                given.append(Awarded(0, len(given) + 1, forum.nomic, who, TROPHY, 1))
    return tuple(given)
