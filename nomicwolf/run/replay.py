"""Replay of a ledger, whole or without one letter.

The record holds secrets, and guesses at them must not be tested against a printed head. So it is printed as an
HMAC-SHA-256 under the contest's key. Whoever is given ledger and key can check it against the forums' own archives,
and a rewritten record is found out (NC 6).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import SequenceMatcher
from functools import cached_property
from itertools import islice, takewhile
from pathlib import Path

from nomicwolf import __version__
from nomicwolf.contest import Command, Contest, Happening, LetterCame, Outcome, Setup, Tick, hear
from nomicwolf.contest.step import Parse
from nomicwolf.language.lexicon import OwnFrame
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.records import OwedLetter, StoredHappening, StoredLetter, read_value
from nomicwolf.ledger.store import UNHEARD, Store
from nomicwolf.letters.compose import is_ours, record_mark
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.nomic import events
from nomicwolf.nomic.events import Asked, Erasures, Refused
from nomicwolf.nomic.times import when
from nomicwolf.reports.history import event_line as told
from nomicwolf.reports.views import own_frames
from nomicwolf.run.letter_intake import (
    Circumstances,
    Order,
    bounce_note,
    circumstances_of,
    find_bounced,
    is_external_error,
    parse_letter,
)
from nomicwolf.run.resources import error_place
from nomicwolf.settings.keys import Settings
from nomicwolf.village.events import Entry

_PRINTED_HEAD = re.compile(rb"^\W*Record:\s+([0-9a-f]{64})\b", re.MULTILINE)
_SHOWN_DIGITS = 12
"""Hex digits of a head in a report."""


def printed_heads(letters: bytes) -> tuple[str, ...]:
    """Return the heads printed in *letters* (one, or a whole mbox), quoted or not, in order."""
    return tuple(dict.fromkeys(found.decode("ascii") for found in _PRINTED_HEAD.findall(letters)))


def known_heads(store: Store, secret: bytes, marks: Collection[str]) -> set[str]:
    """Return those of *marks* that a letter of this record may have printed."""
    if not marks:
        return set()
    lasts = {happened.last for happened in store.happenings()}
    return {record_mark(head, secret) for number, head in store.heads() if number in lasts}.intersection(marks)


def other_key_warning(store: Store, secret: bytes) -> str:
    """Return the warning if the newest letters weren't made with *secret*, '' if they were, or there are none."""
    first = last = newest = 0
    for number, message_id in store.outbox().names():
        newest = number
        if not is_ours(message_id, secret):
            first, last = first or number, number
    if not last or last != newest:
        return ""
    return (f"contest.key is not the key by which letters {first} to {last} were made. Put that one back "
            "from a backup; if it is lost for good, answers to those letters don't count, and their heads can't be "
            "checked")


def foreign_heads(store: Store, secret: bytes, files: Iterable[Path] = ()) -> list[str]:
    """Report heads that this record never had, in letters of its outbox and in *files*.

    OSError if a file can't be read.
    """
    told = [(number, head) for number, data in store.outbox().published() for head in printed_heads(data)]
    others = [(path, head) for path in files for head in printed_heads(path.read_bytes())]
    ours = known_heads(store, secret, {head for _, head in (*told, *others)})
    places = [*((f"letter {number}", head) for number, head in told if head not in ours),
              *((str(path), head) for path, head in others if head not in ours)]
    return [f"{where}: tells the head {head[:_SHOWN_DIGITS]}... of a record that is not this one, or not as it was then"
            for where, head in places]


_PROVEN = ("signers", "seal", "unproven")  # what servers and keys said of a letter then, they may not say now
_WORDS = {"subject", "body"}
_SET_ASIDE = "defect"
_AT_MOST = 200
"""Differences that are reported."""


@dataclass(slots=True)
class Replayed:
    """The result of a replay.

    *contest* is its final state. *entries* and *letters* count what was made again and compared, *given* the entries
    that were taken as recorded because their cause is unknown. *differs* lists the differences, at most 200 lines,
    *worded* those that are only another version's wording.
    """

    contest: Contest
    entries: int = 0
    letters: int = 0
    given: int = 0
    differs: list[str] = field(default_factory=list)
    worded: list[str] = field(default_factory=list)

    def differ(self, line: str, worded: str = "") -> None:
        """Add a difference; one in wording only counts as such if another version *worded* it."""
        other = worded not in ("", __version__)
        found = self.worded if other else self.differs
        if len(found) < _AT_MOST:
            found.append(f"{line}: written by nomicwolf {worded}; this is {__version__}" if other else line)


def replay(original: Recording, until: int | None = None) -> Replayed:
    """Hear everything again, up to *until* (UTC seconds) if given, and compare it with the ledger.

    After a difference the replay goes on from the ledger's entries, so that each is reported once.
    """
    done, course = Replayed(Contest(original.setup)), ContestFold(original.setup, [*original.entries()])
    circumstances, held, posted, heard = Circumstances(original.setup, {}), "", 0, 0
    erased = Erasures.of(course.record)
    for kept in original.happenings():
        if until is not None and kept.now > until:
            continue
        heard += 1
        if kept.setup != held:
            held, circumstances = kept.setup, circumstances_of(kept, original.setup)
        if kept.base != course.place:
            done.given += max(min(kept.base, len(course.record)) - course.place, 0)
            posted = -1
        course.go(kept.base, circumstances.setup)
        waits = kept.kind == "letter" and bool(kept.of_letter()[1])
        before = course.contest.posted or course.contest.branch()
        if _is_touched(kept, posted, erased):
            course.go(kept.last, circumstances.setup)
            done.given += kept.last - kept.base
        else:
            _once_more(original, done, kept, circumstances, course, posted)
        course.contest.posted = before if waits else None
        posted = kept.owed
    others = original.happenings() if until is not None else iter(())
    _take_the_rest(done, course, next((kept.base for kept in islice(others, heard, None)), None), until)
    done.contest = course.contest
    if until is None:
        _compare_buckets(done, original.store.counts().buckets)
    return done


def _is_touched(kept: StoredHappening, posted: int, erased: Erasures) -> bool:
    """Return whether an erasure has rewritten any of a happening, which is then taken as recorded.

    *posted* is the number of letters owed before it, -1 if unknown.
    """
    heard = kept.kind == "letter" and kept.of_letter()[0] in erased.letters
    entries, owed = range(kept.base + 1, kept.last + 1), range(max(posted, 0) + 1, kept.owed + 1)
    return heard or not erased.entries.isdisjoint(entries) or (posted >= 0 and not erased.owed.isdisjoint(owed))


def _take_the_rest(done: Replayed, course: ContestFold, end: int | None, until: int | None) -> None:
    """Take the entries up to place *end*, whose causes aren't in the ledger, as recorded."""
    rest = course.record[course.place:end]
    given = [*takewhile(lambda entry: until is None or entry.at <= until, rest)]
    course.go(course.place + len(given), course.contest.setup)
    done.given += len(given)


def _once_more(
    original: Recording, done: Replayed, kept: StoredHappening, circumstances: Circumstances, course: ContestFold,
    posted: int,
) -> None:
    """Hear a happening again, and compare; *posted* is the number of letters owed before it, -1 if unknown."""
    letter = original.letter(kept) if kept.kind == "letter" else None
    happening, contest = original.happening(kept, letter), course.contest
    if letter is not None:
        _read_again(original, done, letter, own_frames(contest))
    what = _named(kept)
    try:
        outcome = hear(contest, happening, kept.now, circumstances.templates)
    except Exception as error:
        if is_external_error(error):
            raise
        done.differ(f"{what} can't be heard now: defect, {error_place(error)}")
        outcome = Outcome(contest)
    theirs = course.record[kept.base:kept.last]
    version = circumstances.version
    _compare_entries(done, what, theirs, outcome.entries, version)
    _compare_letters(original, done, what, kept, outcome.letters, posted, version)
    done.entries += len(theirs)
    if [*outcome.entries] == theirs:
        course.heard(outcome.contest, len(theirs))
    else:
        course.go(kept.last, circumstances.setup)


def _read_again(original: Recording, done: Replayed, kept: StoredLetter, own: tuple[OwnFrame, ...]) -> None:
    """Parse the letter again from its bytes, with the session's *own* deeds, and compare it with the recorded one."""
    if kept.letter.trouble.startswith(_SET_ASIDE):
        return
    now = parse_letter(original.settings, original.setup, kept.raw, own)
    proven = (*_PROVEN, "body") if kept.letter.seal else _PROVEN  # of a sealed letter, only what is signed was read
    now = replace(now, **{name: getattr(kept.letter, name) for name in proven})
    parts = [part.name for part in fields(Letter) if getattr(now, part.name) != getattr(kept.letter, part.name)]
    if parts:
        done.differ(f"letter {kept.number}: is understood otherwise now: {', '.join(parts)}")


def _compare_buckets(done: Replayed, kept: Mapping[str, int]) -> None:
    """Compare the numbers of letters in each bucket with the record's."""
    made = done.contest.buckets
    for bucket in sorted(made.keys() | kept.keys()):
        if made.get(bucket, 0) != kept.get(bucket, 0):
            done.differ(f"letters: {kept.get(bucket, 0)} are kept as {bucket}, and the record has "
                        f"{made.get(bucket, 0)}")


def _compare_entries(
    done: Replayed, what: str, theirs: Sequence[Entry], ours: Sequence[Entry], version: str = ""
) -> None:
    for there, here in zip(theirs, ours, strict=False):
        if there != here:
            worded = version if _unworded(there) == _unworded(here) else ""
            done.differ(f"entry {there.number}, of {what}: {_otherwise(there, here)}", worded)
    for there in theirs[len(ours):]:
        done.differ(f"entry {there.number}, of {what}: the ledger has “{_line(there)}”, now nothing")
    for here in ours[len(theirs):]:
        done.differ(f"{what}: the ledger has nothing more, now there is “{_line(here)}”")


def _compare_letters(
    original: Recording, done: Replayed, what: str, kept: StoredHappening, ours: Sequence[Outgoing], posted: int,
    version: str,
) -> None:
    """Compare the letters made now with those owed; *posted* is the number owed before, -1 if unknown."""
    outbox = original.store.outbox()
    news = {owed.letter.key: owed for owed in outbox.between(posted, kept.owed)} if posted >= 0 else {}
    for letter in ours:
        owed = news.get(letter.key) or _owed(original, letter.key)
        if owed is None:
            done.differ(f"{what}: now the letter {letter.key} is owed, and the ledger has none")
            continue
        if owed.letter != letter:
            parts = [p.name for p in fields(letter) if getattr(owed.letter, p.name) != getattr(letter, p.name)]
            done.differ(f"owed letter {owed.number} ({letter.key}), of {what}: differs in its {', '.join(parts)}",
                        version if set(parts) <= _WORDS else "")
        done.letters += 1
    made = {letter.key for letter in ours}
    for key, owed in news.items():
        if key not in made and not key.startswith(UNHEARD):
            done.differ(f"owed letter {owed.number} ({key}), of {what}: isn't made now")


def _owed(original: Recording, key: str) -> OwedLetter | None:
    """Return the letter with that *key*; all are searched only if the ledger's index doesn't find it."""
    outbox = original.store.outbox()
    found = outbox.get(key)
    if found is not None and found.letter.key == key:
        return found
    number = original.owed.get(key, 0)
    return next(iter(outbox.between(number - 1, number)), None)


def _named(kept: StoredHappening) -> str:
    if kept.kind == "letter":
        return f"letter {kept.of_letter()[0]}"
    if kept.kind == "tick":
        return "time's passing"
    order: Order = read_value(Order, kept.data)
    return f"command {order.name}"


def _otherwise(there: Entry, here: Entry) -> str:
    """Describe the difference of two entries, by their lines or by what these don't show."""
    if _line(there) != _line(here):
        return f"the ledger has “{_line(there)}”, now it is “{_line(here)}”"
    parts = [part.name for part in fields(Entry) if getattr(there, part.name) != getattr(here, part.name)]
    return f"“{_line(there)}” differs in its {', '.join(parts)}"


def _unworded(entry: Entry) -> Entry:
    """Return *entry* without its explanation in words."""
    match entry.event:
        case Refused() as event:
            return replace(entry, event=replace(event, why=""))
        case Asked() as event:
            return replace(entry, event=replace(event, hint=""))
        case _:
            return entry


def _line(entry: Entry) -> str:
    return f"{entry.event.name}: {told(entry.event)}"


@dataclass(frozen=True)
class Recording:
    """A ledger to be replayed; *ends* are its numbers of happenings and of the last entry."""

    settings: Settings
    setup: Setup
    store: Store
    ends: tuple[int, int]
    parse: Parse | None = None

    def entries(self) -> Iterator[Entry]:
        """Yield the entries."""
        return takewhile(lambda entry: entry.number <= self.ends[1], self.store.record())

    def happenings(self) -> Iterator[StoredHappening]:
        """Yield the happenings."""
        return islice(self.store.happenings(), self.ends[0])

    @cached_property
    def owed(self) -> dict[str, int]:
        """The numbers of all letters of the outbox by key."""
        return {owed.letter.key: owed.number for owed in self.store.outbox().each()}

    def letter(self, kept: StoredHappening) -> StoredLetter:
        """Return the letter of a happening; `LedgerError` if it is gone."""
        number, _ = kept.of_letter()
        found = self.store.letter(number)
        if found is None:
            raise LedgerError(f"letter {number} is gone from the ledger; run `nomicwolf ledger verify`")
        return found

    def happening(self, kept: StoredHappening, letter: StoredLetter | None = None) -> Happening:
        """Return the happening; a letter as it was parsed then, which is *letter* if that was read already."""
        if kept.kind == "letter":
            return self._came(letter or self.letter(kept), kept.of_letter()[1])
        if kept.kind == "tick":
            tick: Tick = read_value(Tick, kept.data)
            return tick
        order: Order = read_value(Order, kept.data)
        return Command(order.name, order.args, order.phase, self._meant(order), order.since, order.run)

    def _came(self, kept: StoredLetter, run: int) -> LetterCame:
        back = find_bounced(self.store.outbox(), self.setup, kept.raw, kept.letter)
        return LetterCame(kept.letter, self.parse, self._again, bounce_note(back, self.setup.contestmaster), run)

    def _meant(self, order: Order) -> Letter | None:
        number = order.args.get("number", "")
        known = order.name == "release" and isinstance(number, str) and number.isdecimal()
        return self._again(int(str(number))) if known else None

    def _again(self, number: int) -> Letter | None:
        kept = self.store.letter_of(number)
        return parse_letter(self.settings, self.setup, kept.raw) if kept else None


def recording_of(settings: Settings, setup: Setup, store: Store, parse: Parse | None = None) -> Recording:
    """Return a ledger for replay; *setup* is the present one, for its keys; *parse* reads commands in letters.

    Everything is read once beforehand, so that `Garbled` comes before anything is done.
    """
    original = Recording(settings, setup, store, store.ends(), parse)
    deque(original.entries(), maxlen=0)
    deque(store.outbox().each(), maxlen=0)
    return original


class ContestFold:
    """A contest that is folded along its *record*: *contest* is as of its first *place* entries."""

    def __init__(self, setup: Setup, record: list[Entry]) -> None:
        self.record = record
        self.contest = Contest(setup)
        self.place = 0

    def go(self, place: int, setup: Setup) -> None:
        """Fold the record up to *place*, or its end, by *setup*; from the beginning if either requires it."""
        if self.place > place or setup is not self.contest.setup:
            self.contest, self.place = Contest(setup), 0
        entries = self.record[self.place:place]
        self.contest.take(entries)
        if self.place:
            for entry in entries:
                self.contest.told = self.contest.told.after(entry.event)
        self.place += len(entries)

    def heard(self, contest: Contest, count: int) -> None:
        """Go on from *contest*, which is *count* entries further."""
        self.contest = contest
        self.place += count

    def extend(self, contest: Contest, entries: Sequence[Entry]) -> None:
        """Append *entries* to the record at its end, and go on from *contest* after them."""
        self.record += entries
        self.heard(contest, len(entries))


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
