"""One step: happening, work and outcome."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from nomicwolf.letters.attribution import Authored
from nomicwolf.letters.letter import Assurance, Bucket, Letter, Outgoing
from nomicwolf.nomic.caps import ANSWERS, Told
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import Reading
from nomicwolf.village.events import Entry, Event
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import rules_in, ruleset


def whole_number(text: str) -> int | None:
    """Return the number from 0 on that *text* writes in up to 18 digits, None for anything else.

    >>> whole_number("12"), whole_number("-1"), whole_number("\u00b2"), whole_number("9" * 5000)
    (12, None, None, None)
    """
    return int(text) if text.isdecimal() and len(text) <= 18 else None


class Misuse(Refusal):
    """An order that can't be understood as it is written: wrong use, exit status 2."""


@dataclass(frozen=True, slots=True)
class Command:
    """The contestmaster gave a command on eir own machine.

    *phase* names the phase it is meant for (``night 1``), if any: it is refused when that has passed. *letter* is
    the letter that it is about (``release``), made again from the ledger's bytes; *since* and *run* as in `Tick`.
    """

    name: str
    args: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    phase: str = ""
    letter: Letter | None = None
    since: int = 0
    run: int = 0

    def get(self, name: str) -> str:
        """Return the argument *name* as text, '' if it was not given."""
        value = self.args.get(name, "")
        return value if isinstance(value, str) else " ".join(value)

    def words(self, name: str, missing: str, cites: tuple[str, ...] = ()) -> str:
        """Return the argument *name* without what is blank around it; `Misuse` says *missing* if nothing is left."""
        text = self.get(name).strip()
        if not text:
            raise Misuse(missing, cites)
        return text

    def number(self, name: str) -> int | None:
        """Return the argument *name* as a whole number, None if it was not given; `Misuse` if it is none."""
        text = self.get(name)
        number = whole_number(text)
        if text and number is None:
            raise Misuse(f"{text[:40]!r} is no number; write it in digits.")
        return number

    def many(self, name: str) -> tuple[str, ...]:
        """Return the argument *name* as a list; commas separate what was given as one text."""
        value = self.args.get(name, ())
        parts = value.split(",") if isinstance(value, str) else value
        return tuple(p.strip() for p in parts if p.strip())


Parse: TypeAlias = Callable[[Sequence[str]], Command]
"""The words of a command line to a command, as the command line's own parser has it; ValueError for one it refuses."""


def parse_order(line: str, parse: Parse) -> Command:
    """Return the command of a written *line*, with or without ``nomicwolf`` before it; ValueError if it is none."""
    words = shlex.split(line)
    return parse(words[1:] if words[:1] == ["nomicwolf"] else words)


@dataclass(frozen=True, slots=True)
class LetterCame:
    """A letter came in.

    For orders of the contestmaster's by mail, *parse* is the command line's own parser (ValueError for what is no
    order), and *again* makes a held letter anew, by the number of its entry, from the ledger's bytes. *returned* says
    which letter of ours came back with it, for the contestmaster; *run* as in `Tick`.
    """

    letter: Letter
    parse: Parse | None = None
    again: Callable[[int], Letter | None] | None = None
    returned: str = ""
    run: int = 0


@dataclass(frozen=True, slots=True)
class Tick:
    """Nothing but time; *since* is when time last passed before (UTC seconds; 0: not long ago).

    *run* is the number of the run in which it passes: what was told to somebody in one run isn't told em again in it.
    Of a run that is this one happening alone it is 0. It ends the run: what its letters brought is posted with it. If
    it is not to *pass*, time stands still, and only that is done.
    """

    since: int = 0
    run: int = 0
    passes: bool = True


Happening: TypeAlias = LetterCame | Command | Tick


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a happening.

    *contest* is the contest after it, *entries* what is new in its record, *letters* what is now owed;
    *bucket*, *author* and *why* tell where a letter ended; *said* is for the terminal, *status* its exit status.
    """

    contest: Contest
    entries: tuple[Entry, ...] = ()
    letters: tuple[Outgoing, ...] = ()
    bucket: Bucket | None = None
    author: str = ""
    why: str = ""
    said: str = ""
    status: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a letter ended: its *bucket*, its *author*, *why* (for the contestmaster), and how *sure* the author is."""

    bucket: Bucket
    author: str = ""
    why: str = ""
    sure: Assurance = "none"


@dataclass(frozen=True, slots=True)
class ReadLetter:
    """A letter that is its author's, and read.

    *number* is its entry, *channel* the way it came, *text* what is the author's own, *reading* what that does, *sure*
    how certain the author is.
    """

    letter: Letter
    number: int
    author: str
    channel: str
    text: Authored
    reading: Reading
    sure: Assurance


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
        """Execute what was sent or is due up to *at*, before something that happens out of its turn (D-A4)."""
        if self._settle is not None:
            self._settle(self, at)

    def add(self, event: Event, at: int | None = None, cites: tuple[str, ...] = (), cause: str = "") -> Entry:
        """Record *event* at *at* (default: now); an answer that this run has given already is quiet."""
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
