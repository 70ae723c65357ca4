"""The contest as it would be without one letter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from nomicwolf.contest import Command, Contest, Happening, LetterCame, hear
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.records import StoredHappening
from nomicwolf.nomic import events
from nomicwolf.nomic.events import Erasures
from nomicwolf.nomic.times import when
from nomicwolf.reports.history import event_line as told
from nomicwolf.run.desk import Circumstances, circumstances_of
from nomicwolf.run.replay import ContestFold, Recording
from nomicwolf.village.events import Entry

NUMBERED = ("undo", "release", "reject", "answer")
"""Commands that name an entry by its number."""


@dataclass(slots=True)
class Counterfactual:
    """The *contest* as it would be; *differs* lists the lines that were (-) and that would have been (+).

    *missing* names commands whose object would not exist.
    """

    contest: Contest
    differs: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def replay_without(original: Recording, letter: str, until: int | None = None) -> Counterfactual:
    """Hear everything again except *letter* (its entry's number or its Message-ID) and its copies.

    All other letters and commands stay as they are. What came before the letter isn't heard again. `LedgerError` if
    there is no such letter, or if it is older than the ledger's happenings.
    """
    digests, first = _copies(original, letter)
    covered = next((kept.base for kept in original.happenings()), None)
    if covered is None or first <= covered:
        raise LedgerError(f"letter {letter} was heard before the ledger kept what each entry followed from")
    _demand_readable(original, first)
    place, held, circumstances = covered, "", Circumstances(original.setup, {})
    world: _World | None = None
    for kept in original.happenings():
        if until is not None and kept.now > until:
            continue
        if kept.setup != held:
            held, circumstances = kept.setup, circumstances_of(kept, original.setup)
        if world is None and kept.last < first:
            place = kept.last
            continue
        world = world or _World(original, kept.base, circumstances, digests)
        world.hear(kept, circumstances)
    if world is None:
        course = ContestFold(circumstances.setup, [*original.entries()])
        course.go(place, circumstances.setup)
        return Counterfactual(course.contest)
    return Counterfactual(world.course.contest, world.differing.all(), world.missing)


def _demand_readable(original: Recording, first: int) -> None:
    """Raise `LedgerError` if letters from entry *first* on were erased, because their effects are unknown."""
    erased = Erasures.of(original.entries()).letters
    gone = sum(kept.kind == "letter" and kept.last >= first and kept.of_letter()[0] in erased
               for kept in original.happenings())
    if gone:
        raise LedgerError(f"{gone} letters from then on were erased (party erase, keep.letters), and can't be heard "
                          "again: what would have been isn't known any more")


def _copies(original: Recording, letter: str) -> tuple[set[str], int]:
    """Return the digests of the letter and its copies, and the number of the first entry that records one."""
    places: dict[str, int] = {}
    named: set[str] = set()
    for entry in original.entries():
        heard = entry.event
        if isinstance(heard, events.LetterHeard):
            places.setdefault(heard.digest, entry.number)
            if letter in (str(entry.number), heard.message_id):
                named.add(heard.digest)
    if not named:
        raise LedgerError(
            f"{letter}: no letter of that number or Message-ID was heard; `nomicwolf history` shows the numbers")
    return named, min(places[digest] for digest in named)


def pair_entries(theirs: Iterable[Entry], ours: Sequence[Entry]) -> dict[int, int]:
    """Return the numbers of *ours* by the numbers of *theirs* that they replace; both follow from one happening.

    The first entry of a kind of event replaces the first of that kind, the second the second, and so on.
    """
    waiting: dict[str, list[int]] = {}
    for entry in ours:
        waiting.setdefault(entry.event.name, []).append(entry.number)
    return {entry.number: waiting[entry.event.name].pop(0) for entry in theirs if waiting.get(entry.event.name)}


class _World:
    """The contest that departs from the record at place *base*, and goes on without the letters of *digests*.

    *course* is its fold, *differing* the difference, *missing* the commands without an object.
    """

    def __init__(self, original: Recording, base: int, circumstances: Circumstances, digests: set[str]) -> None:
        self._original = original
        self._digests = digests
        self._theirs, self._told = [*original.entries()], base
        same = {entry.number: entry.number for entry in self._theirs[:base]}
        self._ours, self._of_ours = same, same.copy()
        self.course = ContestFold(circumstances.setup, self._theirs[:base])
        self.course.go(base, circumstances.setup)
        self.differing = EventDiff()
        self.missing: list[str] = []

    def hear(self, kept: StoredHappening, circumstances: Circumstances) -> None:
        """Hear a happening again, and compare its entries with the recorded ones."""
        self.course.go(self.course.place, circumstances.setup)
        happening = self._meant(self._original.happening(kept))
        made: tuple[Entry, ...] = ()
        theirs = self._theirs[self._told:kept.last]
        if happening is not None:
            outcome = hear(self.course.contest, happening, kept.now, circumstances.templates)
            made = tuple(outcome.entries)
            pairs = pair_entries([entry for entry in theirs if entry.number > kept.base], made)
            self._ours |= pairs
            self._of_ours |= {ours: their for their, ours in pairs.items()}
            self.course.extend(outcome.contest, made)
        self.differing.add(theirs, map(self._as_they_count, made))
        self._told = kept.last

    def _meant(self, happening: Happening) -> Happening | None:
        """Return the happening as it is in this world, None if it isn't."""
        if isinstance(happening, LetterCame) and happening.letter.digest in self._digests:
            return None
        if not isinstance(happening, Command) or happening.name not in NUMBERED:
            return happening
        given = happening.get("number")
        if not given.isdecimal():
            return happening
        number = self._ours.get(int(given))
        if number is None:
            self.missing.append(f"{happening.name} {given}")
            return None
        return replace(happening, args={**happening.args, "number": str(number)})

    def _as_they_count(self, entry: Entry) -> Entry:
        """Return an entry of ours with its letter's number in the ledger."""
        event = entry.event
        if isinstance(event, (events.LetterHeld, events.LetterReleased, events.LetterRejected)):
            return replace(entry, event=replace(event, letter=self._of_ours.get(event.letter, event.letter)))
        return entry


BATCH_LINES = 1000
"""Lines compared at once, unless one happening has more; the time grows with their square."""
_PAPERWORK = (
    events.LetterHeard, events.CopyHeard, events.DeedHeard, events.DeedMoved, events.DeedDone, events.Answered,
    events.Asked, events.Noted,
)


class EventDiff:
    """A diff of two courses of events, in batches of happenings."""

    def __init__(self) -> None:
        self._was: list[str] = []
        self._would_be: list[str] = []
        self._found: list[str] = []

    def add(self, was: Iterable[Entry], would_be: Iterable[Entry]) -> None:
        """Add a happening's recorded entries, and those it would have had."""
        self._was += _lines(was)
        self._would_be += _lines(would_be)
        if max(len(self._was), len(self._would_be)) >= BATCH_LINES:
            self._compare()

    def all(self) -> list[str]:
        """Return the lines that were (-) and those that would have been (+), without common ones."""
        self._compare()
        return self._found

    def _compare(self) -> None:
        was, self._was = self._was, []
        would_be, self._would_be = self._would_be, []
        for kind, a, b, c, d in SequenceMatcher(None, was, would_be, autojunk=False).get_opcodes():
            if kind != "equal":
                self._found += [f"- {line}" for line in was[a:b]] + [f"+ {line}" for line in would_be[c:d]]


def _lines(entries: Iterable[Entry]) -> list[str]:
    return [f"{when(e.at)}  {told(e.event)}" for e in entries if not isinstance(e.event, _PAPERWORK)]
