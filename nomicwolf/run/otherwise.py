"""What would have been without a letter: the same contest, heard again without it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace

from nomicwolf.contest import Command, Contest, Happening, LetterCame, hear
from nomicwolf.dataclass import dataclass
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.records import KeptHappening
from nomicwolf.nomic import events
from nomicwolf.run.differing import Differing
from nomicwolf.run.following import Course
from nomicwolf.run.happened import Circumstances, circumstances_of
from nomicwolf.run.original import Original
from nomicwolf.village.events import Entry

NUMBERED = ("undo", "release", "reject", "answer")
"""Commands that name an entry of the record by its number."""


@dataclass(slots=True)
class Otherwise:
    """What would have been: *contest* as it would stand; *differs*, what was (-) and what would have been (+).

    *missing* names commands that would have had nothing to be about.
    """

    contest: Contest
    differs: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def without(original: Original, letter: str, until: int | None = None) -> Otherwise:
    """Hear everything again but *letter* and its copies; it is named by its entry's number or its Message-ID.

    Everybody writes and commands what e did, whatever comes of it. What came before the letter is as it was, and isn't
    heard again. `LedgerError` if there is no such letter, or if the ledger doesn't say what it followed from.
    """
    digests, first = _copies(original, letter)
    covered = next((kept.base for kept in original.happenings()), None)
    if covered is None or first <= covered:
        raise LedgerError(f"letter {letter} was heard before the ledger kept what each entry followed from")
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
        course = Course(circumstances.setup, [*original.entries()])
        course.go(place, circumstances.setup)
        return Otherwise(course.contest)
    return Otherwise(world.course.contest, world.differing.all(), world.missing)


def _copies(original: Original, letter: str) -> tuple[set[str], int]:
    """Return what is the same in all copies of the letter, and the number of the first entry that tells of one."""
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


def paired(theirs: Iterable[Entry], ours: Sequence[Entry]) -> dict[int, int]:
    """Return the numbers of *ours* by those of *theirs* that they replace; both are entries of one happening.

    The first entry of a kind of event replaces the first of that kind, the second the second, and so on.
    """
    waiting: dict[str, list[int]] = {}
    for entry in ours:
        waiting.setdefault(entry.event.name, []).append(entry.number)
    return {entry.number: waiting[entry.event.name].pop(0) for entry in theirs if waiting.get(entry.event.name)}


class _World:
    """The contest that parts from the record at place *base*, and goes on without the letters of *digests*.

    *course* is how it goes, *differing* what is otherwise, *missing* the commands that were about nothing.
    """

    def __init__(self, original: Original, base: int, circumstances: Circumstances, digests: set[str]) -> None:
        self._original = original
        self._digests = digests
        self._theirs, self._told = [*original.entries()], base
        same = {entry.number: entry.number for entry in self._theirs[:base]}
        self._ours, self._of_ours = same, same.copy()
        self.course = Course(circumstances.setup, self._theirs[:base])
        self.course.go(base, circumstances.setup)
        self.differing = Differing()
        self.missing: list[str] = []

    def hear(self, kept: KeptHappening, circumstances: Circumstances) -> None:
        """Let something happen again, and compare what comes of it with what came of it."""
        self.course.go(self.course.place, circumstances.setup)
        happening = self._meant(self._original.happening(kept))
        made: tuple[Entry, ...] = ()
        theirs = self._theirs[self._told:kept.last]
        if happening is not None:
            outcome = hear(self.course.contest, happening, kept.now, circumstances.templates)
            made = tuple(outcome.entries)
            pairs = paired([entry for entry in theirs if entry.number > kept.base], made)
            self._ours |= pairs
            self._of_ours |= {ours: their for their, ours in pairs.items()}
            self.course.extend(outcome.contest, made)
        self.differing.add(theirs, map(self._as_they_count, made))
        self._told = kept.last

    def _meant(self, happening: Happening) -> Happening | None:
        """Return what happens in this other world, None for nothing."""
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
        """Return an entry of ours with the number that the letter it is about has in the ledger."""
        event = entry.event
        if isinstance(event, (events.LetterHeld, events.LetterReleased, events.LetterRejected)):
            return replace(entry, event=replace(event, letter=self._of_ours.get(event.letter, event.letter)))
        return entry
