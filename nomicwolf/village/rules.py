"""What games are made of: duties, three kinds of rule, laws and roles, as values.

A *duty* says what a player may or must do. A *rule* replaces an event before it happens (`instead`), adds events
after one has happened (`whenever`), or acts on how the game stands (`always`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from nomicwolf.dataclass import dataclass
from nomicwolf.village.ballots import Ballot
from nomicwolf.village.events import Drawn, Event, Voted
from nomicwolf.village.game import Game

Events: TypeAlias = Iterable[Event] | None
Owed: TypeAlias = Sequence[tuple[str, str]]
"""(player, verb) for all that holds the phase open."""
Dealt: TypeAlias = tuple[tuple[tuple[str, str], ...], tuple[Drawn, ...]]
"""(player, role) in seat order, and the lots that were drawn."""
Deal: TypeAlias = Callable[[Sequence[str], Sequence[str], str, Mapping[str, str]], Dealt]
"""Deals roles: takes the players, the roles that were asked for, the seed and the switches."""


class Refusal(ValueError):
    """A player asked for something eir duties do not allow.

    *cites* are the clauses that say so, *options* what e may name instead.
    """

    def __init__(self, why: str, cites: tuple[str, ...] = (), options: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.why, self.cites, self.options = why, cites, options

    @property
    def untold(self) -> tuple[str, ...]:
        """The options, unless *why* names each of them.

        >>> Refusal("Say on or off.", options=("on", "off")).untold, Refusal("Say which.", options=("1", "2")).untold
        ((), ('1', '2'))
        """
        words = set(re.findall(r"[\w-]+", self.why))
        return () if words.issuperset(self.options) else self.options


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule: *kind* is ``instead``, ``whenever`` or ``always``; *cites* the clauses that it carries out."""

    kind: str
    on: type[Event]
    then: Callable[..., Events]
    cites: tuple[str, ...] = ()


def instead(on: type[Event], *cites: str) -> Callable[[Callable[[Game, Any], Events]], Rule]:
    """Make a rule that replaces an event before it happens; None leaves the event as it is."""
    return lambda then: Rule("instead", on, then, cites)


def whenever(on: type[Event], *cites: str) -> Callable[[Callable[[Game, Any], Events]], Rule]:
    """Make a rule that adds events after one has happened."""
    return lambda then: Rule("whenever", on, then, cites)


def always(*cites: str) -> Callable[[Callable[[Game, Owed], Events]], Rule]:
    """Make a rule that adds events as soon as the game stands so, until it no longer does."""
    return lambda then: Rule("always", Event, then, cites)


def whatever(game: Game, me: str, it: str) -> str:
    """Allow every name: what a ballot or words may name is for the duty's `pins` or `hears` to say."""
    return ""


def nothing(game: Game, me: str, what: tuple[str, ...]) -> Events:
    """Let nothing follow."""
    return ()


@dataclass(frozen=True, eq=False)
class Duty:
    """What a player may or must do.

    When and with whom:

    * *verb* is what e writes; *opens* tells whether *me* may do it now.
    * *arity* is how many names it takes; *allows* returns '' if *it* may be named, else why not; *optional* gives the
      names that are meant where e leaves them out.
    * *owed* holds the phase open until it is done; *again* lets em do it again in the phase, and what is *changeable*
      is no longer owed once done, unless it *lapses*, because whom e has named has left (D-A3). *may_pass* lets em
      decline, unless it *must* be done.

    How, and what comes of it:

    * *then* gives the events that follow.
    * *public* duties are done in a forum, the others by private mail; what is *spoken* there is everyone's to know.
    * *pins* makes it a duty of ballots: it returns the ballot as it will stand, or raises `Refusal`. *sealed* ballots
      are kept from everyone until they are opened.
    * *hears* makes it a duty of words: it returns the events that follow from them. *group* names those who are told
      (``say pack: ...``), by night, or *daily* as well; a *speech* is a whole letter without a verb.

    *says* is how it is written and what it does, for letters; *under* gives what is said instead under a (switch,
    value). *cites* are its clauses.
    """

    verb: str
    opens: Callable[[Game, str], bool]
    allows: Callable[[Game, str, str], str] = whatever
    then: Callable[[Game, str, tuple[str, ...]], Events] = nothing
    arity: int = 1
    optional: Callable[[Game, str], tuple[str, ...]] | None = None
    may_pass: bool = False
    must: Callable[[Game], bool] | None = None
    owed: bool = True
    again: bool = False
    changeable: bool = False
    lapses: bool = False
    public: bool = False
    spoken: bool = False
    sealed: bool = False
    pins: Callable[[Game, int, str, Ballot], Ballot] | None = None
    hears: Callable[[Game, str, str], Events] | None = None
    group: str = ""
    daily: bool = False
    speech: bool = False
    cites: tuple[str, ...] = ()
    says: str = ""
    under: tuple[tuple[str, str, str], ...] = ()

    def written(self, *, passing: bool, switches: Mapping[str, str] | None = None) -> str:
        """Return how it is written and what it does, with the words that decline it if *passing* is allowed.

        Under *switches* that say so it does something else.

        >>> guard = Duty("guard", lambda game, me: True, says="guard NAME: e lives")
        >>> guard.written(passing=True)
        'guard NAME, or guard nobody: e lives'
        """
        given = switches or {}
        says = next((says for name, value, says in self.under if given.get(name) == value), self.says)
        head, colon, rest = (says or self.verb).partition(":")
        return f"{head}, or {self.verb} nobody{colon}{rest}" if passing and "nobody" not in head else says or head


@dataclass(frozen=True)
class Course:
    """How sessions without roles go, so that their odds can be worked out: each day somebody is lynched by lot.

    With *parity* they end when the evil side is no fewer than the others; *night_first* kills before the first day;
    *least* is how many must live for a lynching.
    """

    parity: bool = True
    night_first: bool = False
    least: int = 1


@dataclass(frozen=True, eq=False)
class Law:
    """Duties and rules that bind everyone; *alarms* gives instants at which the game must be asked again.

    Where its votes are *standing* they count from when they are cast until they are changed, and lynch at once; other
    ballots are counted when their stage is closed. *recast* gives what a ballot that comes in late brings about, and
    when; it is asked again, without one, until nothing more follows.
    """

    name: str
    duties: tuple[Duty, ...] = ()
    rules: tuple[Rule, ...] = ()
    alarms: Callable[[Game, Owed], Iterable[tuple[int, str]]] | None = None
    recast: Callable[[Game, Voted | None, int], tuple[int, Sequence[Event]] | None] | None = None
    describes: str = ""
    standing: bool = False


@dataclass(frozen=True, eq=False)
class Role:
    """Duties of whoever holds it, and rules that hold while it is in the deck.

    *title* is how players call it, *story* what its holder is told; *seen* is whether those who look see a
    member of the evil side; *counts* the side it counts for when that is not its own.
    """

    name: str
    side: str
    duties: tuple[Duty, ...] = ()
    rules: tuple[Rule, ...] = ()
    title: str = ""
    story: str = ""
    cites: tuple[str, ...] = ()
