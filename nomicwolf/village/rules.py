"""Duties, rules, roles and switches, with helpers.

A *duty* says what a player may or must do. A *rule* replaces an event before it happens (`instead`), adds events
after one has happened (`whenever`), or acts on the state of the game (`always`). A *switch* is what a rule set leaves
to the contestmaster.

Licences cite the clause of each event where one rule causes several that rest on different ones: a rule on the end of
a stage opens ballots, puts somebody on trial and begins the next stage. An event that a table doesn't name rests on
the clauses of the rule that caused it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from nomicwolf.village.ballots import Ballot
from nomicwolf.village.events import (
    Announced,
    BallotsOpened,
    Chose,
    Counted,
    Dawned,
    Declared,
    Drawn,
    Due,
    Event,
    Killed,
    Lynched,
    NightClosed,
    Nominated,
    Opened,
    PhaseBegan,
    StageBegan,
    Told,
    Turned,
    Voted,
)
from nomicwolf.village.game import ATTACK, HUNTERS, NO_TRAITS, Game, Traits

Events: TypeAlias = Iterable[Event] | None
Owed: TypeAlias = Sequence[tuple[str, str]]
"""(player, verb) for all that holds the phase open."""
Dealt: TypeAlias = tuple[tuple[tuple[str, str], ...], tuple[Drawn, ...]]
"""(player, role) in seat order, and the lots that were drawn."""
Deal: TypeAlias = Callable[[Sequence[str], Sequence[str], str, Mapping[str, str]], Dealt]
"""Deals roles: takes the players, the roles that were asked for, the seed and the switches."""
OF_ALL: Final = ("settling", "cover")
"""What can be chosen beside a rule set's own switches, in every game."""


class Refusal(ValueError):
    """A player asked for something their duties do not allow.

    *cites* are the clauses that say so, *options* what they may name instead.
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

    * *verb* is what they write; *opens* tells whether *me* may do it now.
    * *arity* is how many names it takes; *allows* returns '' if *it* may be named, else why not; *optional* gives the
      names that are meant where they leave them out.
    * *owed* holds the phase open until it is done; *again* lets them do it again in the phase, and what is *changeable*
      is no longer owed once done, unless it *lapses*, because the one named has left (D-A3). *may_pass* lets them
      decline, unless it *must* be done.

    How, and what comes of it:

    * *then* gives the events that follow; *does* names what comes of it at the end of a night (``block``), which
      `nomicwolf.village.laws.actions` carries out. What is *shared* all who hold the role do once.
    * *public* duties are done in a forum, the others by private mail; what is *spoken* there is everyone's to know.
    * *pins* makes it a duty of ballots: it returns the ballot as it will stand, or raises `Refusal`. *sealed* ballots
      are kept from everyone until they are opened.
    * *hears* makes it a duty of words: it returns the events that follow from them. *group* names those who are told
      (``say pack: ...``), by night, or *daily* as well, and *called* is another name of theirs, by a role's file;
      a *speech* is a whole letter without a verb.

    *says* is how it is written and what it does, for letters, *silence* a sentence on what becomes of it if they do
    nothing, where that is not what becomes of any duty; *under* gives what is said instead under a (switch,
    value). *words* are other words for the verb that players may write. *cites* are its clauses.
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
    called: str = ""
    daily: bool = False
    speech: bool = False
    cites: tuple[str, ...] = ()
    does: tuple[str, ...] = ()
    shared: bool = False
    says: str = ""
    words: tuple[str, ...] = ()
    silence: str = ""
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

    *title* is how players call it, *story* what its holder is told; *seems* is ``evil`` or ``good`` where those who
    look see that in place of its side. *traits* is what its holder is, beside what they do. *text* is that of its file,
    '' for a role that is written in Python. *kills* says by what somebody dies of it, in the phases in
    which that can be, in words for letters ('': not to be said).
    """

    name: str
    side: str
    duties: tuple[Duty, ...] = ()
    rules: tuple[Rule, ...] = ()
    title: str = ""
    story: str = ""
    cites: tuple[str, ...] = ()
    seems: str = ""
    traits: Traits = NO_TRAITS
    text: str = ""
    kills: Mapping[str, str] = field(default_factory=dict)

    @property
    def hunts(self) -> bool:
        """Whether its holders choose with the pack whom it kills."""
        return any(duty.verb == ATTACK for duty in self.duties)


@dataclass(frozen=True)
class Switch:
    """A decision that the contestmaster may take otherwise: *values* with the default first.

    Without *values* it is free text, which matches the regular expression *form*; *like* says in words what that is.
    """

    name: str
    values: tuple[str, ...]
    decision: str
    says: str
    default: str = ""
    form: str = ".*"
    like: str = ""

    @property
    def usual(self) -> str:
        """The default value."""
        return self.default or self.values[0]


Licences: TypeAlias = Mapping[str, tuple[str, ...]]
"""Clauses by an event's name (``tried``), or its name and what kind of it this is (``stage-began defence``)."""


def _stage(event: Event) -> str:
    """Return the kind of a stage's beginning; free discussion after a defence is ``discussion on trial`` (SP 3a)."""
    if not isinstance(event, StageBegan):
        return ""
    return f"{event.stage} on trial" if event.stage == "discussion" and event.names else event.stage


_KINDS: Mapping[type[Event], Callable[[Game, Event], str]] = {
    Announced: lambda game, event: str(getattr(event, "topic", "")),
    BallotsOpened: lambda game, event: game.stage,
    Counted: lambda game, event: game.stage,
    Declared: lambda game, event: str(getattr(event, "verb", "")),
    Drawn: lambda game, event: game.phase,
    Killed: lambda game, event: str(getattr(event, "cause", "")),
    Nominated: lambda game, event: game.stage,
    PhaseBegan: lambda game, event: str(getattr(event, "phase", "")),
    StageBegan: lambda game, event: _stage(event),
}


def licence(table: Licences, game: Game, event: Event) -> tuple[str, ...]:
    """Return the clauses by which *table* has *event* happen in *game*, none if it doesn't name it."""
    kind = _KINDS.get(type(event))
    exact = table.get(f"{event.name} {kind(game, event)}") if kind else None
    return exact or table.get(event.name, ())


Opens = Callable[[Game, str], bool]
Allows = Callable[[Game, str, str], str]


def each_night(game: Game, me: str) -> bool:
    """Open on every night, to the living (NC 4, NC 4b)."""
    return game.phase == "night" and me in game.alive and not game.now(Dawned)


def while_night_is_open(game: Game, me: str) -> bool:
    """Open on every night until no more night deeds are taken (`NightClosed`), to the living."""
    return each_night(game, me) and not game.now(NightClosed)


ANY_TIME: Final = "any time"
NIGHTS: Final[Mapping[str, Callable[[int], bool]]] = {
    "each night": lambda n: True, "first night": lambda n: n == 1, "odd nights": lambda n: n % 2 == 1,
    "even nights": lambda n: n % 2 == 0, "day": lambda n: n > 0, ANY_TIME: lambda n: True}
"""When a duty is open, by the words of the file, as a question about the number of a night, or day."""
SOME_NIGHT: Final = r"(from )?night ([1-9][0-9]?)"


def open_nights(words: str) -> Callable[[int], bool] | None:
    """Return which nights the *words* of a file mean, as a question about a night's number; None if they mean none.

    >>> [[n for n in range(1, 7) if open_nights(words)(n)] for words in ("first night", "from night 3", "even nights")]
    [[1], [3, 4, 5, 6], [2, 4, 6]]
    >>> open_nights("every night") is None
    True
    """
    if words in NIGHTS:
        return NIGHTS[words]
    found = re.fullmatch(SOME_NIGHT, words)
    if found is None:
        return None
    first = int(found[2])
    return (lambda n: n >= first) if found[1] else (lambda n: n == first)


HUNT_NIGHTS: Final = "hunt_nights"
"""The switch that says on which nights the evil side kills, where a rule set has it."""
EACH_NIGHT: Final = "each night"
NEVER: Final = "never"


def hunt_switch(decision: str, evil: str) -> Switch:
    """Return the switch that says on which nights the *evil* side kills, by a *decision*."""
    return Switch(
        HUNT_NIGHTS, (), decision, f"on which nights {evil} kill", EACH_NIGHT,
        form=r"each night|odd nights|even nights|from night [1-9]\d?|never",
        like="each night, odd nights, even nights, from night N, or never")


def hunts(game: Game, me: str) -> bool:
    """Open on the nights on which the evil side kills (D-M22, D-N58)."""
    nights = open_nights(game.switches.get(HUNT_NIGHTS, EACH_NIGHT))
    return each_night(game, me) and nights is not None and nights(game.number)


def on_nights(*nights: int) -> Opens:
    """Open on these nights only."""
    return lambda game, me: each_night(game, me) and game.number in nights


def from_night(first: int) -> Opens:
    """Open from night *first* on."""
    return lambda game, me: each_night(game, me) and game.number >= first


def once(opens: Opens, verb: str) -> Opens:
    """Open as *opens* does until *verb* has been done to someone in this session."""
    return lambda game, me: opens(game, me) and not used(game, me, verb)


def used(game: Game, me: str, verb: str) -> bool:
    """Return whether *me* has done *verb* to someone in this session."""
    return any(c.what for c in game.ever(Chose, who=me, verb=verb))


def another(game: Game, me: str, it: str) -> str:
    """Allow another living player."""
    if it == me:
        return "Name another person, not yourself."
    return anyone(game, me, it)


def anyone(game: Game, me: str, it: str) -> str:
    """Allow a living player."""
    if it not in game.seats:
        return f"{it} is not in this session."
    return "" if it in game.alive else f"{it} is dead."


def outsider(*pack: str) -> Allows:
    """Allow a living player who holds none of the roles *pack*: those who hunt together don't name one another."""

    def allows(game: Game, me: str, it: str) -> str:
        if it in game.alive and game.holds(it, pack):
            return f"{it} is one of you; name somebody who is not."
        return anyone(game, me, it)

    return allows


def oneself(game: Game, me: str, it: str) -> str:
    """Allow nobody but *me*."""
    return "" if it == me else "This is for yourself; name nobody."


def the_dead(game: Game, me: str, it: str) -> str:
    """Allow someone who is dead, and known to be."""
    return "" if it in game.shown_dead else f"{it} is not dead."


def looks_evil(game: Game, it: str, evil: str) -> bool:
    """Return whether *it* passes for one of the side *evil*, as a Godfather doesn't and a miller does."""
    card = game.cards.get(game.roles[it])
    return card.seems == "evil" if card is not None and card.seems else game.sides[it] == evil


def at_phase_end(make: Callable[[str], Event]) -> Callable[[Game, str, tuple[str, ...]], Events]:
    """Let the event that *make* gives for the person named happen when the phase ends."""
    return lambda game, me, what: [Due(make(it)) for it in what]


def executed(*cites: str) -> Rule:
    """Whoever is lynched is killed at once, and the cause of that death is ``lynch``."""

    @whenever(Lynched, *cites)
    def rule(game: Game, event: Lynched) -> Events:
        return [Killed(event.who, "lynch")]

    return rule


def immune(role: str, cause: str, *cites: str) -> Rule:
    """Holders of *role* do not die of *cause*."""

    @instead(Killed, *cites)
    def rule(game: Game, event: Killed) -> Events:
        return [] if event.cause == cause and game.roles[event.who] == role else None

    return rule


def spared_by(verb: str, cause: str, *cites: str) -> Rule:
    """Whoever was named with *verb* in this phase survives *cause*; of what somebody named the last counts."""

    @instead(Killed, *cites)
    def rule(game: Game, event: Killed) -> Events:
        last = {c.who: c.what for c in game.now(Chose, verb=verb)}
        return [] if event.cause == cause and any(event.who in what for what in last.values()) else None

    return rule


def acquainted(
    *roles: str, topic: str, text: str, alone: str | None = None, cites: tuple[str, ...] = ()
) -> tuple[Rule, Rule]:
    """Holders of *roles* learn of one another when dealt, and again when someone becomes one of them.

    A single one is told *alone*, nothing if that is empty; by default, to be the only one of the role. Of the pack
    are all whose roles hunt.
    """
    who = (*roles, HUNTERS) if topic == "pack" else roles
    by_oneself = f"You are the only {roles[0]}." if alone is None else alone

    def rule(game: Game, event: Opened | Turned) -> Events:
        if isinstance(event, Turned) and not game.holds(event.who, who):
            return None
        them = game.living(*who)
        told = text.format(listed(them)) if len(them) > 1 else by_oneself
        return [Told(p, topic, told, them) for p in them if told]

    return whenever(Opened, *cites)(rule), whenever(Turned, *cites)(rule)


def several(name: str) -> str:
    """Return the plural of the *name* of a role or of a side.

    >>> [several(name) for name in ("seer", "policeman", "wolf", "mafioso", "witch", "deputy")]
    ['seers', 'policemen', 'wolves', 'mafiosi', 'witches', 'deputies']
    """
    for one, many in (("ceman", "cemen"), ("olf", "olves"), ("mafioso", "mafiosi")):
        if name.endswith(one):
            return name.removesuffix(one) + many
    if name.endswith("y") and name[-2:-1] not in tuple("aeiou"):
        return name.removesuffix("y") + "ies"
    return name if name.endswith(("s", "ed")) else name + ("es" if name.endswith(("ch", "sh", "x")) else "s")


def listed(names: tuple[str, ...]) -> str:
    """Return *names* as prose.

    >>> listed(("Ash", "Bex", "Cam"))
    'Ash, Bex and Cam'
    """
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + f" and {names[-1]}" if names else "nobody"


def either(choices: Iterable[str]) -> str:
    """Return *choices*, of which one is to be chosen, as prose.

    >>> either(["Ash", "Bex", "Cam"]), either(["vote nobody", "vote Gus if Bex does, otherwise Hal"])
    ('Ash, Bex or Cam', 'vote nobody, or vote Gus if Bex does, otherwise Hal')
    """
    every = list(choices)
    if any("," in choice for choice in every):
        return ", or ".join(every)
    return " or ".join(filter(None, (", ".join(every[:-1]), *every[-1:])))
