"""The end of a session, and its winners.

NC 5: “A session is over, and no further phase begins, once 5a or 5b holds.”
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from nomicwolf.village.events import Dawned, DeathsAnnounced, Ended, Event
from nomicwolf.village.game import Game
from nomicwolf.village.laws.phases import back, unannounced
from nomicwolf.village.rules import Events, Law, Owed, always


@dataclass(frozen=True)
class Ending:
    """How a session ends.

    *evil* wins at *parity*, or only when nobody else is left; *good* when no evil is left, only its survivors if
    *survivors_only*; holders of the roles *also* win with evil, and the sides *passing_for_good* count as good.
    *neither* says what follows when both sides are gone, by the clauses *both_gone* or else those of evil. A dead
    player's owed choice comes first, unless the switch ``parity`` is ``immediate``. Deaths and returns of one night
    are weighed together, since the end is tested when nothing is left to happen.

    While two sides live that kill, evil or a role's own, and one of good, nobody has won. One such side alone wins as
    evil does. With nobody of good left, the largest of them wins, and of two as large neither (D-A25).
    """

    evil: str
    good: str
    parity: bool = True
    survivors_only: bool = False
    also: tuple[str, ...] = ()
    neither: Callable[[Game], str] | None = None
    evil_wins: tuple[str, ...] = ()
    good_wins: tuple[str, ...] = ()
    passing_for_good: tuple[str, ...] = ()
    both_gone: tuple[str, ...] = ()

    def standing(self, game: Game) -> tuple[str, tuple[str, ...]] | None:
        """Return which side has won, and by which clauses; None while neither has."""
        living = Counter(game.sides[p] for p in game.alive)
        bad, rest = living[self.evil], sum(living[side] for side in (self.good, *self.passing_for_good))
        if any(map(game.is_own, living)):
            return self._of_killers({s: n for s, n in living.items() if s == self.evil or game.is_own(s)}, rest)
        if bad and (bad < rest if self.parity else rest):
            return None
        if not bad and rest:
            return self.good, self.good_wins
        if not bad and self.neither:
            return self.neither(game), self.both_gone or self.evil_wins
        return self.evil, self.evil_wins

    def _of_killers(self, killers: Mapping[str, int], rest: int) -> tuple[str, tuple[str, ...]] | None:
        """Return which side of *killers*, by how many of it live, has won against the *rest*; None while none has."""
        side = max(killers, key=killers.__getitem__)
        if rest:
            won = len(killers) == 1 and self.parity and killers[side] >= rest
            return (side, self.evil_wins) if won else None
        even = list(killers.values()).count(killers[side]) > 1
        return "draw" if even else side, self.evil_wins

    def winners(self, game: Game, side: str) -> tuple[str, ...]:
        """Return who wins with *side*, in seat order."""
        return tuple(p for p in game.seats if self._wins(game, side, p))

    def _wins(self, game: Game, side: str, who: str) -> bool:
        if game.roles[who] in self.also:
            return side == self.evil
        return game.sides[who] == side and (side == self.evil or not self.survivors_only or who in game.alive)

    def end(self, game: Game, owed: Owed, clauses: tuple[str, ...]) -> Events:
        """End the session once a side has won by *clauses*, also while it is set up (D-N51)."""
        waits = any(who not in game.alive for who, _ in owed) and game.switches.get("parity") != "immediate"
        if game.opened is None or game.phase == "over" or waits:
            return None
        stands = self.standing(game)
        if stands is None or stands[1] != clauses:
            return None
        side = stands[0]
        untold = unannounced(game) or back(game) or game.now(Dawned)
        news: list[Event] = [DeathsAnnounced(unannounced(game), back(game))] if untold else []
        return [*news, Ended(side, self.winners(game, side), "; ".join(clauses))]


def ending(how: Ending) -> Law:
    """Return the law by which a session ends."""
    ways = dict.fromkeys((how.good_wins, how.evil_wins, how.both_gone or how.evil_wins))
    return Law("ending", rules=tuple(always(*w)(partial(how.end, clauses=w)) for w in ways))
