"""Little games for tests: a cast, and moves as a player would write them, by day in stages too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from nomicwolf.reading.deeds import People
from nomicwolf.reading.lark_driver import read_ballot
from nomicwolf.village.ballots import For, Nobody
from nomicwolf.village.events import Announced, Counted, Ended, Entry, Event, Killed, Lynched, Opened, Told
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset, with_switches
from nomicwolf.village.rulesets import ruleset

HOUR = 3600
S5 = "Ash:werewolf Bex:seer Cam:witch Dov:hunter Eli:cupid"
S7 = "Ash:werewolf Bex:villager Cam:seer Dov:witch Eli:hunter Fay:villager Gus:villager"
S7L = S7.replace("Fay:villager", "Fay:cupid")
S8 = "Ash:werewolf Hal:werewolf Bex:villager Cam:seer Dov:witch Eli:hunter Fay:villager Gus:villager"


class Play:
    """A session that is being played: `do` takes moves such as ``Ash attack Bex`` or ``Bex vote endorse Cam``.

    Each move takes an hour; ``dawn`` lets the next alarm come.
    """

    def __init__(self, cast: str, rules: str = "nomic-crossing", switches: Mapping[str, str] | None = None) -> None:
        self.rules: Ruleset = ruleset(rules)
        parts = [pair.split(":") for pair in cast.split()]
        deal = tuple((who, role, self.rules.roles[role].side) for who, role in parts)
        opened = Opened(rules, 1, "seed", deal, with_switches(self.rules, switches or {}))
        self.game, self.news = self.rules.settle(Game(), HOUR, (opened,), (), "command")

    def do(self, *moves: str, at: int | None = None) -> Self:
        """Make *moves*, each an hour after the one before, or all at *at*."""
        for move in moves:
            self.game, self.news = self._move(move, self.game.clock + HOUR if at is None else at)
        return self

    def _move(self, move: str, at: int) -> tuple[Game, tuple[Entry, ...]]:
        if move == "dawn":
            alarm = self.rules.alarm(self.game)
            assert alarm is not None, f"nothing is to come in {self.game.phase}"
            return self.rules.strike(self.game, *alarm)
        who, verb, *what = move.split()
        if verb == "vote":
            people = People(living=self.game.seats, author=who)
            return self.rules.cast(self.game, at, who, "vote", read_ballot(" ".join(what), people))
        if verb == "unvote":
            return self.rules.cast(self.game, at, who, "vote", Nobody())
        if what == ["nobody"]:
            return self.rules.act(self.game, at, who, verb, passing=True)
        return self.rules.act(self.game, at, who, verb, tuple(what))

    def lynch(self, whom: str, *voters: str) -> Self:
        """Let *voters* vote for *whom*, one after the other."""
        return self.do(*(f"{voter} vote {whom}" for voter in voters))

    @property
    def alive(self) -> set[str]:
        """Who lives."""
        return set(self.game.alive)

    @property
    def owed(self) -> list[tuple[str, str]]:
        """What holds the phase open."""
        return self.rules.owed(self.game)

    def winners(self) -> set[str] | None:
        """Who won, None while the session goes on."""
        ended = self.game.last(Ended)
        return set(ended.winners) if ended else None

    def told(self, who: str) -> list[str]:
        """What *who* was told, oldest first."""
        return [t.text for t in self.game.ever(Told, to=who)]

    def names(self) -> list[str]:
        """The names of the events of the last move."""
        return [e.event.name for e in self.news]

    def has(self, kind: type[Event], **like: object) -> bool:
        """Whether such an event has happened."""
        return bool(self.game.ever(kind, **like))


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
