"""A session as a fold over its record.

A `Game` is read-only to whoever holds it; `branch` gives a copy that the kernel lets events happen in. What a
role remembers is a question to the record (`ever`, `now`, `last`), so no role has a field here.

A branch has its lists in common with the game that it goes on from: each knows how much of them is its own, the first
that goes on puts its entries behind, and any other takes a copy.

Private notices have topics. One with a topic that is not named here stays private for good, so that no new kind of
letter is published because nobody thought of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, NamedTuple, TypeVar

from nomicwolf.village.events import (
    Counted,
    DeathsAnnounced,
    Disclosed,
    Due,
    Ended,
    Entry,
    Event,
    Extended,
    Killed,
    Lynched,
    Opened,
    PhaseBegan,
    Published,
    Replaced,
    Revived,
    RolesBrought,
    StageBegan,
    Told,
    Turned,
    Undone,
    VotesWeighed,
)

RELAY, SEANCE, GRAVE = "relay", "seance", "graveyard"
"""What one player says to others through the program: to fellows, as a spirit or the Medium, among the dead."""
PACK_CHOICE, JOINT_QUESTION = "pack choice", "joint question"
"""Whom a fellow names, on the way to a choice that several make together."""
HIDDEN = "hidden"
"""What a card is that isn't shown once its holder is dead."""
ATTACK = "attack"
"""What a pack does to its victim: the verb, and the cause of that death."""
HUNTERS = "the pack"
"""Stands among roles for all whose holders hunt with the pack, whatever they are called."""
FALLEN = "fallen ballot"
"""That somebody whom the reader's ballot names is dead."""

FELLOWS = frozenset({RELAY, PACK_CHOICE, JOINT_QUESTION})
"""D-A6, D-M12: topics of what fellows tell one another, which the dead are told no more."""
RETOLD = frozenset({
    PACK_CHOICE, JOINT_QUESTION, FALLEN, "feedback", "freemasons", "knows", "last shot", "lovers", "masons", "medium",
    "mythomaniac", "pack", "pardon", "police", "prophets", "replaced", "seen", "seers", "story", "turn", "turned",
    "victim",
})
"""D-N23: topics of what may be told to everyone once a session's roles are: words of the program's, about the game."""


def for_fellows(event: Event) -> bool:
    """Return whether *event* tells a player what a fellow of theirs has said or named."""
    return isinstance(event, Told) and event.topic in FELLOWS


def is_notice(event: Event) -> bool:
    """Return whether *event* tells one player something, at once or at the end of the phase."""
    return isinstance(event, Told) or (isinstance(event, Due) and is_notice(event.event))


def among_the_dead(event: Event) -> bool:
    """Return whether *event* tells one of the dead what another has said: nothing that the living may notice."""
    return isinstance(event, Told) and event.topic == GRAVE


def is_retold(event: Event) -> bool:
    """Return whether a secret *event* of a session may be told once its roles are.

    Not where it holds words of a player's, nor a notice whose topic isn't known to be the program's own.
    """
    match event:
        case Due(event=due):
            return is_retold(due)
        case Told(topic=topic):
            return topic in RETOLD
    return not getattr(event, "words", "")


@dataclass(frozen=True, slots=True)
class Traits:
    """What the holder of a role is, beside what they do.

    It *survives* so many attacks by night (-1: all), *hunts* with the pack, can't be reached by the effects that it is
    *immune* to (``all``: none but deaths). A *strong* one's kills can't be warded off, an *unseen* one is seen by
    nobody on the way, a *weak* one dies of going to the evil side, *visitors* die of coming. What it learns of sides is
    turned round by *answers* (``opposite``, ``always good``, ``always evil``). Who is on their *own* side plays against
    all others, but those who hold the same role. Where *card* is ``hidden`` nothing is shown of who is dead. Their
    vote counts as so many *votes*, and *verdict* is ``twice`` where the verdict in a trial counts so. Its death *ends*
    the session as that says (``good wins if lynched``, D-A28).
    """

    survives: int = 0
    hunts: bool = False
    immune: tuple[str, ...] = ()
    strong: bool = False
    unseen: bool = False
    weak: bool = False
    visitors: str = ""
    answers: str = ""
    own: bool = False
    card: str = ""
    votes: int = 1
    verdict: str = ""
    ends: str = ""


NO_TRAITS = Traits()


class Card(NamedTuple):
    """What the powers of others have to know of a role.

    *title* is how players call it, *seems* is ``evil`` or ``good`` where those who look see that in place of its side,
    *does* gives what its deeds do (``block``) by their verbs, *traits* what its holder is; the *plain* one is for all
    who hold no other. Of its verbs the *shared* are done once by all of its holders.
    """

    title: str
    seems: str
    does: Mapping[str, tuple[str, ...]]
    traits: Traits = NO_TRAITS
    plain: bool = False
    shared: frozenset[str] = frozenset()


E = TypeVar("E", bound=Event)
T = TypeVar("T")


class Game:
    """One session.

    * *opened* is how it began (None: not yet); *seats* are its players in seat order, *roles*, *sides* and *switches*
      as they are now.
    * *alive* are those who live, which may not be public yet; *shown_dead* those whose death is public, in order;
      *disclosed* is what was told of them, *facts* what was published, *weights* whose vote counts how often if
      that isn't once.
    * *phase* is ``setup``, ``day``, ``night`` or ``over``, *number* its number, *stage* its stage and *deadline* when
      that ends; *began* and *clock* are UTC seconds; *phase_mark* is the number of the entry with which it began.
      What players say to one another moves no clock: whether a vote is late depends on nothing that is never told.
    * *table* is the last count; *next* the number that the next entry will have.
    * *brought* are the texts of the roles that the session has beside the rule set's own. *cards* are
      the roles of the rule set while the kernel asks its rules, and none at other times: the record alone is kept.
    """

    def __init__(self) -> None:
        self.opened: Opened | None = None
        self.seats: tuple[str, ...] = ()
        self.roles: dict[str, str] = {}
        self.sides: dict[str, str] = {}
        self.switches: dict[str, str] = {}
        self.alive: frozenset[str] = frozenset()
        self.shown_dead: tuple[str, ...] = ()
        self.disclosed: dict[str, str] = {}
        self.facts: dict[str, bool] = {}
        self.weights: dict[str, int] = {}
        self.table: dict[str, str | None] = {}
        self.phase = "setup"
        self.number = 0
        self.stage = ""
        self.deadline = 0
        self.began = 0
        self.clock = 0
        self.next = 1
        self.brought: tuple[str, ...] = ()
        self.cards: Mapping[str, Card] = {}
        self.phase_mark = 0
        self._all: tuple[list[Entry], int] = ([], 0)
        self._kinds: dict[type[Event], tuple[list[Entry], list[int], int]] = {}
        self._folds: dict[Hashable, tuple[int, Any]] = {}
        self._forgotten: frozenset[int] = frozenset()

    def branch(self) -> Game:
        """Return a copy in which things may happen without changing this game."""
        new = Game.__new__(Game)
        vars(new).update(vars(self))
        new._kinds, new._folds = self._kinds.copy(), self._folds.copy()  # noqa: SLF001 - of its own class
        return new

    @property
    def entries(self) -> list[Entry]:
        """Its record, oldest first; not to be changed."""
        entries, size = self._all
        return entries if len(entries) == size else entries[:size]

    def living(self, *roles: str) -> tuple[str, ...]:
        """Return who lives, in seat order; only holders of *roles* if any are given."""
        return tuple(p for p in self.seats if p in self.alive and (not roles or self.holds(p, roles)))

    def holders(self, *roles: str) -> tuple[str, ...]:
        """Return who holds one of *roles*, dead or alive, in seat order."""
        return tuple(p for p in self.seats if self.holds(p, roles))

    def holds(self, who: str, roles: Collection[str]) -> bool:
        """Return whether *who* holds one of *roles*, among which `HUNTERS` are all who hunt with the pack."""
        return self.roles[who] in roles or (HUNTERS in roles and self.traits(who).hunts)

    def traits(self, who: str) -> Traits:
        """Return what *who* is by their card; nothing in particular while the kernel asks nothing."""
        card = self.cards.get(self.roles[who])
        return card.traits if card is not None else NO_TRAITS

    def is_own(self, side: str) -> bool:
        """Return whether *side* is that of one role alone, by the cards: it is called as the role."""
        card = self.cards.get(side)
        return card is not None and card.traits.own

    def card_is_hidden(self, who: str) -> bool:
        """Return whether nothing is shown of what *who* was (D-A24): of nobody by the switch, or of their role."""
        return self.switches.get("cards") == HIDDEN or self.traits(who).card == HIDDEN

    def shown_living(self) -> tuple[str, ...]:
        """Return who lives as far as everyone knows, in seat order."""
        return tuple(p for p in self.seats if p not in self.shown_dead)

    def shown_dead_at(self, at: int) -> tuple[str, ...]:
        """Return whose death was public at the instant *at*, of those who are dead now."""
        since = {e.event.who for e in self.lines(Lynched) if isinstance(e.event, Lynched) and e.at > at}
        for entry in self.lines(DeathsAnnounced):
            if isinstance(entry.event, DeathsAnnounced) and entry.at > at:
                since.update(entry.event.killed)
        return tuple(p for p in self.shown_dead if p not in since)

    def lines(self, kind: type[Event], **like: object) -> list[Entry]:
        """Return the entries whose event is of *kind*, with fields *like* this, oldest first; not to be changed."""
        entries, _, size = self._kinds.get(kind, _NONE)
        return _like(entries if len(entries) == size else entries[:size], like)

    def ever(self, kind: type[E], **like: object) -> list[E]:
        """Return the events of *kind* so far whose fields are *like* this, oldest first."""
        return [e.event for e in self.lines(kind, **like)]  # type: ignore[misc]

    def since(self, number: int, kind: type[E], **like: object) -> list[E]:
        """Return the events of *kind* whose entry number is greater than *number*."""
        entries, numbers, size = self._kinds.get(kind, _NONE)
        if not size or numbers[size - 1] <= number:
            return []
        return [e.event for e in _like(entries[bisect_left(numbers, number + 1, 0, size) : size], like)]  # type: ignore[misc]

    def now(self, kind: type[E], **like: object) -> list[E]:
        """Return the events of *kind* in the present phase, oldest first."""
        return self.since(self.phase_mark, kind, **like)

    def lines_now(self, kind: type[Event], **like: object) -> list[Entry]:
        """Return the entries of *kind* in the present phase, with fields *like* this, oldest first."""
        entries, numbers, size = self._kinds.get(kind, _NONE)
        return _like(entries[bisect_left(numbers, self.phase_mark + 1, 0, size) : size], like)

    def folded(self, name: Hashable, kind: type[Event], start: T, step: Callable[[T, Entry], T]) -> T:
        """Return what *step* makes of *start* and the present phase's entries of *kind*, one after another.

        It gives a new value and changes none, so that each entry is looked at once, here or in the game that this one
        is a branch of. *name* is another one for each such question.
        """
        entries, numbers, size = self._kinds.get(kind, _NONE)
        seen, value = self._folds.get(name) or (bisect_left(numbers, self.phase_mark + 1, 0, size), start)
        for entry in entries[seen:size]:
            value = step(value, entry)
        self._folds[name] = size, value
        return value

    def last(self, kind: type[E], **like: object) -> E | None:
        """Return the latest event of *kind*, or None."""
        found = self.ever(kind, **like)
        return found[-1] if found else None

    def mark(self, kind: type[Event]) -> int:
        """Return the number of the latest entry of *kind*, 0 if there is none: a start for `since`."""
        _, numbers, size = self._kinds.get(kind, _NONE)
        return numbers[size - 1] if size else 0

    def votes_of(self, voters: Iterable[str]) -> int:
        """Return how many votes *voters* have."""
        return sum(self.weights.get(who, 1) for who in voters)

    @property
    def over(self) -> bool:
        """Whether the session has ended."""
        return self.phase == "over"

    @property
    def place(self) -> str:
        """The phase as players call it: ``day 2``, ``night 1``, ``the setting up`` or ``over``."""
        return {"setup": "the setting up", "over": "over"}.get(self.phase) or f"{self.phase} {self.number}"

    def switch(self, name: str) -> str:
        """Return the value of the switch *name* in this session."""
        return self.switches[name]

    def record(self, entry: Entry) -> None:
        """Let *entry* have happened: append it and evolve. Only the kernel and `replay` call this."""
        self._keep(entry)
        self.next = entry.number + 1
        if is_retold(entry.event):
            self.clock = max(self.clock, entry.at)
        _evolve(self, entry)

    def rebuild(self, entries: Iterable[Entry], without: Iterable[int] = ()) -> None:
        """Let *entries* be what is asked about from now on; those of the numbers *without* count no more."""
        self._forgotten |= frozenset(without)
        self._all, self._kinds, self._folds = ([], 0), {}, {}
        for entry in entries:
            self._keep(entry)

    def _keep(self, entry: Entry) -> None:
        entries, size = self._all
        if len(entries) != size:
            entries = entries[:size]
        entries.append(entry)
        self._all = entries, size + 1
        if entry.number in self._forgotten:
            return
        kind = type(entry.event)
        entries, numbers, size = self._kinds.get(kind, _NONE)
        if not size or len(entries) != size:
            entries, numbers = entries[:size], numbers[:size]
        entries.append(entry)
        numbers.append(entry.number)
        self._kinds[kind] = entries, numbers, size + 1


_NONE: tuple[list[Entry], list[int], int] = ([], [], 0)
"""Of a kind of which nothing has happened."""


def _like(entries: list[Entry], like: Mapping[str, object]) -> list[Entry]:
    """Return those of *entries* whose events' fields have the values of *like*, by their names."""
    for name, value in like.items():
        entries = [e for e in entries if getattr(e.event, name) == value]
    return entries


def _evolve(game: Game, entry: Entry) -> None:  # noqa: C901, PLR0912 - one case for each kind of event
    match entry.event:
        case Opened() as opened:
            _open(game, opened)
        case RolesBrought(texts):
            game.brought = texts
        case PhaseBegan(phase, number):
            game.phase, game.number, game.stage, game.deadline = phase, number, "", 0
            game.began, game.phase_mark, game.table, game._folds = entry.at, entry.number, {}, {}  # noqa: SLF001
        case StageBegan(stage, until, _):
            game.stage, game.deadline, game.table = stage, until, {}
        case Extended(until):
            game.deadline = until
        case Counted(votes=votes):
            game.table = {**game.table, **dict(votes)}
        case Killed(who, _):
            game.alive -= {who}
        case Revived(who):
            game.alive |= {who}
        case Lynched(who):
            game.shown_dead = (*game.shown_dead, who)
        case DeathsAnnounced(killed, revived):
            kept = tuple(p for p in game.shown_dead if p not in revived)
            game.shown_dead = (*kept, *(p for p in killed if p not in kept and p not in game.alive))
        case Turned(who, role, side):
            game.roles, game.sides = {**game.roles, who: role}, {**game.sides, who: side}
        case Disclosed(who, what):
            game.disclosed = {**game.disclosed, who: what}
        case Published(text, value):
            game.facts = {**game.facts, text: value}
        case VotesWeighed(weights):
            game.weights = {**game.weights, **dict(weights)}
        case Replaced(old, new):
            _replace(game, old, new)
        case Undone(numbers):
            game.rebuild(game.entries, numbers)
        case Ended():
            game.phase = "over"


def _open(game: Game, opened: Opened) -> None:
    game.opened = opened
    game.seats = tuple(who for who, _, _ in opened.deal)
    game.alive = frozenset(game.seats)
    game.roles = {who: role for who, role, _ in opened.deal}
    game.sides = {who: side for who, _, side in opened.deal}
    game.switches = dict(opened.switches)


def _replace(game: Game, old: str, new: str) -> None:
    def swap(name: str) -> str:
        return new if name == old else name

    game.rebuild([entry_renamed(e, old, new) for e in game.entries])
    game.opened = next((e.event for e in game.entries if isinstance(e.event, Opened)), game.opened)
    game.seats = tuple(map(swap, game.seats))
    game.alive = frozenset(map(swap, game.alive))
    game.shown_dead = tuple(map(swap, game.shown_dead))
    game.roles = {swap(k): v for k, v in game.roles.items()}
    game.sides = {swap(k): v for k, v in game.sides.items()}
    game.disclosed = {swap(k): v for k, v in game.disclosed.items()}
    game.weights = {swap(k): v for k, v in game.weights.items()}
    game.table = {swap(k): swap(v) if v else v for k, v in game.table.items()}


def replay(entries: Iterable[Entry]) -> Game:
    """Return the session that *entries* record; no rule is consulted."""
    game = Game()
    for entry in entries:
        game.record(entry)
    return game

WORDS = frozenset({
    "verb", "phase", "stage", "side", "cause", "role", "topic", "text", "why", "operator", "ruleset", "seed",
    "switches", "roles", "purpose", "says", "words", "line", "letter", "channel", "key",
})  # fmt: skip
"""Fields that hold no person's name, though they may be spelt like one."""


def renamed(value: Any, old: str, new: str) -> Any:  # noqa: ANN401 - any value that an event is made of
    """Return *value* with *new* wherever *old* is named: in texts that are names, tuples and dataclasses."""
    if isinstance(value, str):
        return new if value == old else value
    if isinstance(value, tuple):
        return tuple(renamed(item, old, new) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        named = {f.name: getattr(value, f.name) for f in fields(value) if f.name not in WORDS}
        return replace(value, **{name: renamed(item, old, new) for name, item in named.items()})
    return value


def entry_renamed(entry: Entry, old: str, new: str) -> Entry:
    """Return *entry* with *new* in place of *old*; a replacement is left as it was."""
    match entry.event:
        case Replaced():
            return entry
        case Opened() as opened:
            deal = tuple((new if who == old else who, role, side) for who, role, side in opened.deal)
            return replace(entry, event=replace(opened, deal=deal))
        case event:
            return replace(entry, event=renamed(event, old, new))


def heirs_of(game: Game) -> dict[str, str]:
    """Return who takes over from each of those who were replaced in this session (D-N41)."""
    heirs: dict[str, str] = {}
    for swap in game.ever(Replaced):
        heirs = {old: swap.new if new == swap.old else new for old, new in heirs.items()} | {swap.old: swap.new}
    return heirs
