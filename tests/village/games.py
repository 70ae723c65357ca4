"""Little games for tests: a cast, and moves as a player would write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from nomicwolf.reading.deeds import People
from nomicwolf.reading.lark_driver import read_ballot
from nomicwolf.village.ballots import Nobody
from nomicwolf.village.events import Ended, Entry, Event, Opened, Told
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
