"""Debts of players, and the policy on silence.

A contest announces its policy when a session starts, and the policy stands for that session, whatever the settings say
later. What is not announced is `PLAIN`: who is silent before all eyes is named, and nothing follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from nomicwolf.village.events import CONTESTMASTER, PUBLIC, Event

Step: TypeAlias = Literal["prod", "replace", "act-for", "remove"]
"""The steps against silence; doing nothing is a policy without the step."""
STEPS: tuple[Step, ...] = ("prod", "replace", "act-for", "remove")


Kind: TypeAlias = Literal["deed", "vote", "sealed", "office"]
"""The kinds of what is owed: a secret deed, a public vote, a sealed ballot, or something outside of the game."""


@dataclass(frozen=True, slots=True)
class Owed:
    """*who* owes *verb* since *since*; instants are UTC seconds.

    From *until* on it is late, and where NC 1j applies the contestmaster may act (0: it has no term). At *closes* the
    stage that asks for it ends (0: none does). Of an *office* the *verb* says in words what is to be done; *clause* is
    the one that asks for it.
    """

    who: str
    verb: str
    since: int
    until: int
    kind: Kind = "deed"
    closes: int = 0
    clause: str = ""

    @property
    def ends(self) -> int:
        """When silence has its effect: at the end of its term or of its stage, whichever is first; 0: never."""
        return min(filter(None, (self.until, self.closes)), default=0)


@dataclass(frozen=True, slots=True)
class Policy:
    """The consequences of silence.

    * *steps* are those of `STEPS` that the contest takes. With ``prod``, whoever owes a vote that everyone can see is
      named once e has been silent for *prod_days* days where votes stand, or when a vote in stages has ended without
      em. When e has been named *prods* times without a word since and is silent once more, ``replace`` lets the first
      on the standby list play on, and ``remove`` asks the contestmaster to. With ``act-for``, what is owed by night is
      done by lot as soon as NC 1j allows it.
    * A vote in stages lasts *extend_hours* longer, at most *extend_times* times, if at least *extend_if_missing* have
      not voted at its deadline; 0 is never.
    """

    steps: tuple[Step, ...] = ("prod",)
    prod_days: int = 3
    prods: int = 1
    extend_if_missing: int = 0
    extend_hours: int = 24
    extend_times: int = 1

    def takes(self, step: Step) -> bool:
        """Return whether *step* is one that the contest takes."""
        return step in self.steps


PLAIN = Policy()
"""The policy of a session that has announced none."""


@dataclass(frozen=True, slots=True)
class PolicyAnnounced(Event):
    """The session that begins has this *policy* on absence (D-A12)."""

    audience: ClassVar[str] = PUBLIC
    policy: Policy


@dataclass(frozen=True, slots=True)
class Prodded(Event):
    """*who* has been silent since *since* (UTC seconds) and owes a vote: e is named for the *times*th time in a row."""

    audience: ClassVar[str] = PUBLIC
    who: str
    since: int
    times: int


@dataclass(frozen=True, slots=True)
class StandbyOffered(Event):
    """*who* is ready to play on for somebody (D-N41)."""

    audience: ClassVar[str] = PUBLIC
    who: str


@dataclass(frozen=True, slots=True)
class StandbyEnded(Event):
    """*who* is on the standby list no more."""

    audience: ClassVar[str] = PUBLIC
    who: str


@dataclass(frozen=True, slots=True)
class Alerted(Event):
    """The contestmaster is alerted that nothing moves: *text*, which holds no secret; *about* names what."""

    audience: ClassVar[str] = CONTESTMASTER
    about: str
    text: str
