"""Do a contest again: every letter, command and tick in its order, compared with what the ledger holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from itertools import islice, takewhile

from nomicwolf import __version__
from nomicwolf.contest import Contest, Outcome, hear
from nomicwolf.dataclass import dataclass
from nomicwolf.ledger.codec import read_value
from nomicwolf.ledger.records import KeptHappening, KeptLetter, OwedLetter
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.nomic.events import Asked, Refused
from nomicwolf.reports.happened import happened as told
from nomicwolf.run.following import Course
from nomicwolf.run.happened import Circumstances, Order, circumstances_of
from nomicwolf.run.original import Original
from nomicwolf.run.reports import place_of
from nomicwolf.run.taking import is_the_worlds, letter_of
from nomicwolf.village.events import Entry

_PROVEN = ("signers", "seal", "unproven")  # what servers and keys said of a letter then, they may not say now
_WORDS = {"subject", "body"}
_SET_ASIDE = "defect"
_AT_MOST = 200
"""How many differences are told."""


@dataclass(slots=True)
class Replayed:
    """What came of doing it all again.

    *contest* is how it stands then; *entries* and *letters* count what was made again and compared, *given* the
    entries that were taken as they stand, since nothing says what they followed from; *differs* says what came out
    otherwise, at most 200 lines; *worded* of that what another version of the program had put into other words.
    """

    contest: Contest
    entries: int = 0
    letters: int = 0
    given: int = 0
    differs: list[str] = field(default_factory=list)
    worded: list[str] = field(default_factory=list)

    def differ(self, line: str, worded: str = "") -> None:
        """Say that something came out otherwise; of what is only *worded* so by a version, if that was another one."""
        other = worded not in ("", __version__)
        found = self.worded if other else self.differs
        if len(found) < _AT_MOST:
            found.append(f"{line}: written by nomicwolf {worded}; this is {__version__}" if other else line)


def replay(original: Original, until: int | None = None) -> Replayed:
    """Hear everything again, up to *until* (UTC seconds) if given, and compare entries and letters with the ledger's.

    After a difference it goes on from what the ledger holds, so that each is told once.
    """
    done, course = Replayed(Contest(original.setup)), Course(original.setup, [*original.entries()])
    circumstances, held, posted, heard = Circumstances(original.setup, {}), "", 0, 0
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
        _once_more(original, done, kept, circumstances, course, posted)
        posted = kept.owed
    others = original.happenings() if until is not None else iter(())
    _take_the_rest(done, course, next((kept.base for kept in islice(others, heard, None)), None), until)
    done.contest = course.contest
    if until is None:
        _compare_buckets(done, original.store.counts().buckets)
    return done


def _take_the_rest(done: Replayed, course: Course, end: int | None, until: int | None) -> None:
    """Take the entries up to place *end* of which the ledger doesn't say what they followed from as they stand."""
    rest = course.record[course.place:end]
    given = [*takewhile(lambda entry: until is None or entry.at <= until, rest)]
    course.go(course.place + len(given), course.contest.setup)
    done.given += len(given)


def _once_more(
    original: Original, done: Replayed, kept: KeptHappening, circumstances: Circumstances, course: Course, posted: int,
) -> None:
    """Hear a happening again, and compare; *posted* letters were owed before it, -1 if nobody knows."""
    letter = original.letter(kept) if kept.kind == "letter" else None
    happening, contest = original.happening(kept, letter), course.contest
    if letter is not None:
        _read_again(original, done, letter)
    what = _named(kept)
    try:
        outcome = hear(contest, happening, kept.now, circumstances.templates)
    except Exception as error:
        if is_the_worlds(error):
            raise
        done.differ(f"{what} can't be heard now: defect, {place_of(error)}")
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


def _read_again(original: Original, done: Replayed, kept: KeptLetter) -> None:
    """Make the letter again from the bytes that came, and compare it with what was understood then."""
    if kept.letter.trouble.startswith(_SET_ASIDE):
        return
    now = letter_of(original.settings, original.setup, kept.raw)
    proven = (*_PROVEN, "body") if kept.letter.seal else _PROVEN  # of a sealed letter, only what is signed was read
    now = replace(now, **{name: getattr(kept.letter, name) for name in proven})
    parts = [part.name for part in fields(Letter) if getattr(now, part.name) != getattr(kept.letter, part.name)]
    if parts:
        done.differ(f"letter {kept.number}: is understood otherwise now: {', '.join(parts)}")


def _compare_buckets(done: Replayed, kept: Mapping[str, int]) -> None:
    """Say in which buckets letters lie where the record has none, or the reverse."""
    made = done.contest.buckets
    for bucket in sorted(made.keys() | kept.keys()):
        if made.get(bucket, 0) != kept.get(bucket, 0):
            done.differ(f"letters: {kept.get(bucket, 0)} are kept as {bucket}, and the record tells of "
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
    original: Original, done: Replayed, what: str, kept: KeptHappening, ours: Sequence[Outgoing], posted: int,
    version: str,
) -> None:
    """Compare the letters made now with those owed; *posted* is how many were owed before, -1 if nobody knows."""
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
        if key not in made and not key.startswith(f"{_SET_ASIDE}/"):
            done.differ(f"owed letter {owed.number} ({key}), of {what}: isn't made now")


def _owed(original: Original, key: str) -> OwedLetter | None:
    """Return the letter that says it has that *key*; that is asked of all only where the ledger doesn't find it."""
    outbox = original.store.outbox()
    found = outbox.get(key)
    if found is not None and found.letter.key == key:
        return found
    number = original.owed.get(key, 0)
    return next(iter(outbox.between(number - 1, number)), None)


def _named(kept: KeptHappening) -> str:
    if kept.kind == "letter":
        return f"letter {kept.data}"
    if kept.kind == "tick":
        return "time's passing"
    order: Order = read_value(Order, kept.data)
    return f"command {order.name}"


def _otherwise(there: Entry, here: Entry) -> str:
    """Say in what two entries differ: by their line, or by what their line doesn't tell."""
    if _line(there) != _line(here):
        return f"the ledger has “{_line(there)}”, now it is “{_line(here)}”"
    parts = [part.name for part in fields(Entry) if getattr(there, part.name) != getattr(here, part.name)]
    return f"“{_line(there)}” differs in its {', '.join(parts)}"


def _unworded(entry: Entry) -> Entry:
    """Return *entry* without the words in which its reader is told why."""
    match entry.event:
        case Refused() as event:
            return replace(entry, event=replace(event, why=""))
        case Asked() as event:
            return replace(entry, event=replace(event, hint=""))
        case _:
            return entry


def _line(entry: Entry) -> str:
    return f"{entry.event.name}: {told(entry.event)}"
