"""A session as it stands: a fold over its record, and questions to that record.

A `Game` is read-only to whoever holds it; `branch` gives a copy that the kernel lets events happen in. What a
role remembers is a question to the record (`ever`, `now`, `last`), so no role has a field here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import TypeVar

from nomicwolf.village.events import (
    Counted,
    DeathsAnnounced,
    Disclosed,
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
    StageBegan,
    Turned,
    Undone,
)
from nomicwolf.village.renaming import entry_renamed

E = TypeVar("E", bound=Event)


class Game:
    """One session.

    *seats* are its players in seat order, *alive* those who live (which may not be public yet), *shown_dead*
    those whose death is public, in order; *phase* is ``setup``, ``day``, ``night`` or ``over``, *number* its
    number, *stage* its stage, *phase_mark* the number of the entry with which it began; *began* and *clock* are UTC
    seconds; *table* is the last count.
    """

    __slots__ = (
        "_forgotten", "_kinds", "_numbers", "alive", "began", "clock", "deadline", "disclosed", "entries", "facts",
        "next", "number", "opened", "phase", "phase_mark", "roles", "seats", "shown_dead", "sides", "stage", "switches",
        "table",
    )

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
        self.table: dict[str, str | None] = {}
        self.phase = "setup"
        self.number = 0
        self.stage = ""
        self.deadline = 0
        self.began = 0
        self.clock = 0
        self.next = 1
        self.entries: list[Entry] = []
        self._kinds: dict[type[Event], list[Entry]] = {}
        self._numbers: dict[type[Event], list[int]] = {}
        self._forgotten: frozenset[int] = frozenset()
        self.phase_mark = 0

    def branch(self) -> Game:
        """Return a copy in which things may happen without changing this game."""
        new = Game.__new__(Game)
        for slot in Game.__slots__:
            value = getattr(self, slot)
            setattr(new, slot, value.copy() if isinstance(value, (dict, list)) else value)
        new._kinds = {k: list(v) for k, v in self._kinds.items()}  # noqa: SLF001 - of its own class
        new._numbers = {k: list(v) for k, v in self._numbers.items()}  # noqa: SLF001 - of its own class
        return new

    def living(self, *roles: str) -> tuple[str, ...]:
        """Return who lives, in seat order; only holders of *roles* if any are given."""
        return tuple(p for p in self.seats if p in self.alive and (not roles or self.roles[p] in roles))

    def holders(self, *roles: str) -> tuple[str, ...]:
        """Return who holds one of *roles*, dead or alive, in seat order."""
        return tuple(p for p in self.seats if self.roles[p] in roles)

    def shown_living(self) -> tuple[str, ...]:
        """Return who lives as far as everyone knows, in seat order."""
        return tuple(p for p in self.seats if p not in self.shown_dead)

    def lines(self, kind: type[Event]) -> list[Entry]:
        """Return the entries whose event is of *kind*, oldest first."""
        return self._kinds.get(kind, [])

    def ever(self, kind: type[E], **like: object) -> list[E]:
        """Return the events of *kind* so far whose fields are *like* this, oldest first."""
        return _like((e.event for e in self.lines(kind)), like)

    def since(self, number: int, kind: type[E], **like: object) -> list[E]:
        """Return the events of *kind* whose entry number is greater than *number*."""
        numbers = self._numbers.get(kind)
        if not numbers or numbers[-1] <= number:
            return []
        return _like((e.event for e in self._kinds[kind][bisect_left(numbers, number + 1) :]), like)

    def now(self, kind: type[E], **like: object) -> list[E]:
        """Return the events of *kind* in the present phase, oldest first."""
        return self.since(self.phase_mark, kind, **like)

    def lines_now(self, kind: type[Event]) -> list[Entry]:
        """Return the entries of *kind* in the present phase, oldest first."""
        return self.lines(kind)[bisect_left(self._numbers.get(kind, []), self.phase_mark + 1) :]

    def last(self, kind: type[E], **like: object) -> E | None:
        """Return the latest event of *kind*, or None."""
        found = self.ever(kind, **like)
        return found[-1] if found else None

    def mark(self, kind: type[Event]) -> int:
        """Return the number of the latest entry of *kind*, 0 if there is none: a start for `since`."""
        numbers = self._numbers.get(kind)
        return numbers[-1] if numbers else 0

    @property
    def over(self) -> bool:
        """Whether the session has ended."""
        return self.phase == "over"

    def switch(self, name: str) -> str:
        """Return the value of the switch *name* in this session."""
        return self.switches[name]

    def record(self, entry: Entry) -> None:
        """Let *entry* have happened: append it and evolve. Only the kernel and `replay` call this."""
        self._keep(entry)
        self.next = entry.number + 1
        self.clock = max(self.clock, entry.at)
        _evolve(self, entry)

    def retell(self, entries: Iterable[Entry], without: Iterable[int] = ()) -> None:
        """Let *entries* be what is asked about from now on; those of the numbers *without* count no more."""
        self._forgotten |= frozenset(without)
        self.entries, self._kinds, self._numbers = [], {}, {}
        for entry in entries:
            self._keep(entry)

    def _keep(self, entry: Entry) -> None:
        self.entries.append(entry)
        if entry.number in self._forgotten:
            return
        kind = type(entry.event)
        self._kinds.setdefault(kind, []).append(entry)
        self._numbers.setdefault(kind, []).append(entry.number)


def _like(events: Iterable[Event], like: dict[str, object]) -> list[E]:
    return [e for e in events if all(getattr(e, k) == v for k, v in like.items())]  # type: ignore[misc]


def _evolve(game: Game, entry: Entry) -> None:  # noqa: C901, PLR0912 - one case for each kind of event
    match entry.event:
        case Opened() as opened:
            _open(game, opened)
        case PhaseBegan(phase, number):
            game.phase, game.number, game.stage, game.deadline = phase, number, "", 0
            game.began, game.phase_mark, game.table = entry.at, entry.number, {}
        case StageBegan(stage, until, _):
            game.stage, game.deadline, game.table = stage, until, {}
        case Extended(until):
            game.deadline = until
        case Counted(votes=votes):
            game.table.update(votes)
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
            game.roles[who], game.sides[who] = role, side
        case Disclosed(who, what):
            game.disclosed[who] = what
        case Published(text, value):
            game.facts[text] = value
        case Replaced(old, new):
            _replace(game, old, new)
        case Undone(numbers):
            game.retell(list(game.entries), numbers)
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

    game.retell([entry_renamed(e, old, new) for e in game.entries])
    game.opened = next((e.event for e in game.entries if isinstance(e.event, Opened)), game.opened)
    game.seats = tuple(map(swap, game.seats))
    game.alive = frozenset(map(swap, game.alive))
    game.shown_dead = tuple(map(swap, game.shown_dead))
    game.roles = {swap(k): v for k, v in game.roles.items()}
    game.sides = {swap(k): v for k, v in game.sides.items()}
    game.disclosed = {swap(k): v for k, v in game.disclosed.items()}
    game.table = {swap(k): swap(v) if v else v for k, v in game.table.items()}


def replay(entries: Iterable[Entry]) -> Game:
    """Return the session that *entries* tell of; no rule is consulted."""
    game = Game()
    for entry in entries:
        game.record(entry)
    return game
