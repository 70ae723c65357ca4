"""One step of a contest in the making: its state as far as it has got, and what is new in the record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nomicwolf.nomic.flood import ANSWERS, Told
from nomicwolf.nomic.state import Contest
from nomicwolf.village.events import Entry, Event
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rulesets import rules_in, ruleset

Move = Callable[[Game], tuple[Game, tuple[Entry, ...]]]


class Work:
    """A contest that goes on: events are added to it, moves are made in its session.

    *now* is the instant of the poll or command, UTC seconds; *entries* is what is new, in order. *settle* lets all
    happen in a step that was sent or is due up to an instant. *run* is the number of the run that it is a step of, 0 if
    it is one by itself.
    """

    def __init__(
        self, contest: Contest, now: int, settle: Callable[[Work, int], None] | None = None, run: int = 0
    ) -> None:
        self.contest = contest.branch()
        if not run or run != contest.told.run:
            self.contest.told = Told(run)
        self.now = now
        self.entries: list[Entry] = []
        self._settle = settle

    @property
    def rules(self) -> Ruleset:
        """The rule set of the present or latest session, else the one that the settings name."""
        game = self.contest.game
        return rules_in(game) if game is not None and game.opened else ruleset(self.contest.setup.ruleset)

    def catch_up(self, at: int) -> None:
        """Let happen what was sent or is due up to *at*, before what happens then out of its turn (D-A4)."""
        if self._settle is not None:
            self._settle(self, at)

    def add(self, event: Event, at: int | None = None, cites: tuple[str, ...] = (), cause: str = "") -> Entry:
        """Let *event* have happened at *at* (default: now); an answer that this run has given already is quiet."""
        if isinstance(event, ANSWERS) and self.contest.told.before(event):
            event = replace(event, quiet=True)
        entry = Entry(self.contest.last + 1, self.now if at is None else at, event, cites, cause)
        self.contest.record(entry)
        self.contest.told = self.contest.told.after(event)
        self.entries.append(entry)
        return entry

    def play(self, move: Move) -> tuple[Entry, ...]:
        """Make *move* in the session; nothing is changed if it raises."""
        game = self.contest.game
        assert game is not None
        game = game.branch()
        game.next = self.contest.last + 1
        game, entries = move(game)
        self.contest.absorb(game, entries)
        self.entries.extend(entries)
        return entries
