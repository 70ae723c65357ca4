"""Little games of the rule sets whose days have stages and deadlines."""

from __future__ import annotations

from typing import Self

from nomicwolf.village.ballots import For
from nomicwolf.village.events import Announced, Counted, Ended, Entry, Killed, Lynched
from nomicwolf.village.game import Game
from tests.village.games import HOUR, Play

CASTS = {
    "G12": "G1:gadianton G2:gadianton G3:gadianton P1:prophet " + " ".join(f"N{i}:nephite" for i in range(1, 9)),
    "G16": "G1:gadianton G2:gadianton G3:gadianton P1:prophet P2:prophet "
    + " ".join(f"N{i}:nephite" for i in range(1, 12)),
    "T8": "W1:werewolf W2:werewolf S:seer V1:villager V2:villager V3:villager V4:villager V5:villager",
    "T12": "W1:werewolf W2:werewolf S:seer Me:medium Po:possessed Bo:bodyguard Ow:owl V1:villager V2:villager "
    "V3:villager V4:villager V5:villager",
    "T16": "W1:werewolf W2:werewolf W3:werewolf S:seer Me:medium Po:possessed Bo:bodyguard Ow:owl F1:freemason "
    "F2:freemason Ha:werehamster My:mythomaniac V1:villager V2:villager V3:villager V4:villager",
    "M8": "A:mafioso B:mafioso C:medium D:townie E:townie F:townie G:townie H:townie",
    "C11": "GF:godfather M1:mafioso M2:mafioso P1:policeman P2:policeman D:doctor S1:mason S2:mason C1:civilian "
    "C2:civilian C3:civilian",
}
RULES = {"G": "gadianton", "T": "tabula", "M": "six-phases", "C": "narrated-mafia"}


class Staged(Play):
    """A session with one of the casts of the scenarios, or another *cast* of the same rule set.

    Moves are those of `Play`, and ``A nominate B``, ``A guilty``, ``A say spirits: words``; `to` lets time pass.
    """

    def __init__(self, name: str, cast: str = "", switches: dict[str, str] | None = None) -> None:
        super().__init__(cast or CASTS[name], RULES[name[0]], switches)

    def _move(self, move: str, at: int) -> tuple[Game, tuple[Entry, ...]]:
        who, _, rest = move.partition(" ")
        verb, _, words = rest.partition(" ")
        if verb in ("guilty", "innocent", "nominate"):
            return self.rules.cast(self.game, at, who, "vote", For(words or verb))
        if verb in ("say", "ask"):
            return self.rules.speak(self.game, at, who, verb, words)
        return super()._move(move, at)

    def at_once(self, *moves: str) -> Self:
        """Make *moves*, each a minute after the one before."""
        for move in moves:
            self.do(move, at=self.game.clock + 60)
        return self

    def to(self, stage: str) -> Self:
        """Let time pass until *stage* has begun: ``day``, ``night``, ``over``, or a stage of a day."""
        for _ in range(40):
            self.do("dawn")
            if stage in (self.game.stage, self.game.phase):
                return self
        raise AssertionError(f"{stage} does not come")

    def kill(self, *names: str, cause: str = "ruling") -> Self:
        """Let *names* die of *cause*."""
        at = self.game.clock + HOUR
        self.game, self.news = self.rules.settle(self.game, at, [Killed(n, cause) for n in names], (), "command")
        return self

    def lynched(self) -> list[str]:
        """Who has been lynched so far."""
        return [e.who for e in self.game.ever(Lynched)]

    def counts(self) -> dict[str, int]:
        """The last count."""
        last = self.game.last(Counted)
        return dict(last.counts) if last else {}

    def said(self) -> list[str]:
        """All announcements so far."""
        return [a.text for a in self.game.ever(Announced)]

    def end(self) -> str:
        """Which side has won, '' while the session goes on."""
        ended = self.game.last(Ended)
        return ended.side if ended else ""

    def public(self) -> list[tuple[int, object]]:
        """What everyone has been told, and when."""
        return [(e.at, e.event) for e in self.game.entries if e.event.readers() == "public"]
