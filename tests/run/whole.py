"""What replaying a ledger, and comparing its snapshot, come to by definition: all of it in memory, in one piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from difflib import SequenceMatcher

from nomicwolf.contest import Command, Contest, LetterCame, Outcome, hear
from nomicwolf.ledger.records import KeptHappening
from nomicwolf.ledger.store import Store
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic import events
from nomicwolf.nomic.setup import Setup
from nomicwolf.run import comparing, differing, otherwise, replaying
from nomicwolf.run.happened import Circumstances, circumstances_of
from nomicwolf.run.marks import ONCE, Marks, looked_up
from nomicwolf.run.original import Original
from nomicwolf.run.replaying import Replayed
from nomicwolf.run.reports import place_of
from nomicwolf.run.snapshots import contents, load, opened
from nomicwolf.run.taking import is_the_worlds
from nomicwolf.village.events import Entry

ADVICE = "take the snapshot away by `nomicwolf ledger verify --forget-snapshot`"


def replayed(original: Original, until: int | None = None) -> Replayed:
    """Return what `replaying.replay` does, by folding the record from its beginning whenever it is not known."""
    record, happened = tuple(original.entries()), tuple(original.store.happenings())
    owed = {o.letter.key: (o.number, o.letter) for o in original.store.outbox().each()}
    due = [kept for kept in happened if until is None or kept.now <= until]
    done = Replayed(Contest.of(original.setup, ()))
    circumstances, held, posted = Circumstances(original.setup, {}), "", 0
    for kept in due:
        if kept.base != done.contest.last or kept.setup != held:
            done.given += max(kept.base - done.contest.last, 0)
            held, circumstances = kept.setup, circumstances_of(kept, original.setup)
            if kept.base != done.contest.last:
                posted = -1
            done.contest = Contest.of(circumstances.setup, record[:kept.base])
        once_more(original, record, done, kept, circumstances, owed, posted)
        posted = kept.owed
    end = happened[len(due)].base if len(due) < len(happened) else len(record)
    for entry in record[done.contest.last:end]:
        if until is not None and entry.at > until:
            break
        done.contest.record(entry)
        done.given += 1
    if until is None:
        replaying._compare_buckets(done, original.store.counts().buckets)
    return done


def once_more(
    original: Original, record: Sequence[Entry], done: Replayed, kept: KeptHappening, circumstances: Circumstances,
    owed: dict[str, tuple[int, Outgoing]], posted: int,
) -> None:
    """Hear one happening again, and fold all again if it comes to anything else."""
    happening, what = original.happening(kept), replaying._named(kept)
    if kept.kind == "letter":
        replaying._read_again(original, done, original.letter(kept))
    try:
        outcome = hear(done.contest, happening, kept.now, circumstances.templates)
    except Exception as error:
        if is_the_worlds(error):
            raise
        done.differ(f"{what} can't be heard now: defect, {place_of(error)}")
        outcome = Outcome(done.contest)
    theirs = record[kept.base:kept.last]
    replaying._compare_entries(done, what, theirs, outcome.entries)
    compare_letters(done, what, kept, outcome.letters, owed, posted)
    done.entries += len(theirs)
    same = tuple(outcome.entries) == theirs
    done.contest = outcome.contest if same else Contest.of(circumstances.setup, record[:kept.last])


def compare_letters(
    done: Replayed, what: str, kept: KeptHappening, ours: tuple[Outgoing, ...], owed: dict[str, tuple[int, Outgoing]],
    posted: int,
) -> None:
    """Compare the letters that are made now with all that were ever owed."""
    for letter in ours:
        number, there = owed.get(letter.key, (0, None))
        if there is None:
            done.differ(f"{what}: now the letter {letter.key} is owed, and the ledger has none")
        elif there != letter:
            parts = [part.name for part in fields(letter) if getattr(there, part.name) != getattr(letter, part.name)]
            done.differ(f"owed letter {number} ({letter.key}), of {what}: differs in its {', '.join(parts)}")
        done.letters += there is not None
    made = {letter.key for letter in ours}
    for key, (number, _) in owed.items():
        if 0 <= posted < number <= kept.owed and key not in made and not key.startswith("defect/"):
            done.differ(f"owed letter {number} ({key}), of {what}: isn't made now")


def compared(setup: Setup, store: Store) -> list[str]:
    """Return what `comparing.problems` does, from the whole record and everything that can be looked up."""
    snapshot, marks = store.shortcuts().snapshot(), Marks(setup.secret)
    if snapshot is None:
        return []
    record = [entry for entry in store.record() if entry.number <= max(snapshot.last, snapshot.found)]
    lost, seen = set[int](), set[str]()
    for entry in record[:snapshot.found] if snapshot.key == marks.name else ():
        for kind, text in looked_up(entry.event):
            mark = marks.mark(kind, text)
            if not (kind in ONCE and mark in seen) and entry.number not in store.shortcuts().found(mark):
                lost.add(entry.number)
            seen.add(mark)
    found = [f"entry {number}: can't be looked up by what it says; {ADVICE}" for number in sorted(lost)]
    data = opened(setup, snapshot)
    if data is not None:
        should = contents(Contest.of(setup, record[:snapshot.last]))
        found += [f"{part} of the snapshot at entry {snapshot.last}: not what the record tells; take it away by "
                  "`nomicwolf ledger verify --forget-snapshot`" for part in comparing.otherwise(should, load(data))]
    return found


def without(original: Original, digest: str, until: int | None = None) -> otherwise.Otherwise:
    """Return what `otherwise.without` does of the letters of *digest*, by hearing all of them again."""
    record = tuple(original.entries())
    due = [kept for kept in original.happenings() if until is None or kept.now <= until]
    found, made, held = otherwise.Otherwise(Contest(original.setup)), list[Entry](), ""
    numbers: dict[int, int] = {}
    for kept in due:
        circumstances = circumstances_of(kept, original.setup)
        if kept.setup != held:
            found.contest, held = Contest.of(circumstances.setup, made), kept.setup
        happening = original.happening(kept)
        if isinstance(happening, LetterCame) and happening.letter.digest == digest:
            continue
        if isinstance(happening, Command) and happening.name in otherwise.NUMBERED:
            number = str(happening.get("number"))
            if int(number) not in numbers:
                found.missing.append(f"{happening.name} {number}")
                continue
            happening = replace(happening, args={**happening.args, "number": str(numbers[int(number)])})
        outcome = hear(found.contest, happening, kept.now, circumstances.templates)
        waiting: dict[str, list[int]] = {}
        for entry in outcome.entries:
            waiting.setdefault(entry.event.name, []).append(entry.number)
        numbers |= {entry.number: waiting[entry.event.name].pop(0) for entry in record[kept.base:kept.last]
                    if waiting.get(entry.event.name)}
        made += outcome.entries
        found.contest = outcome.contest
    theirs = {ours: their for their, ours in numbers.items()}
    was = differing._lines(record[:due[-1].last] if due else ())
    would_be = differing._lines(as_they_count(entry, theirs) for entry in made)
    for kind, a, b, c, d in SequenceMatcher(None, was, would_be, autojunk=False).get_opcodes():
        if kind != "equal":
            found.differs += [f"- {line}" for line in was[a:b]] + [f"+ {line}" for line in would_be[c:d]]
    return found


def as_they_count(entry: Entry, theirs: dict[int, int]) -> Entry:
    """Return an entry with the number that the letter it is about has in the ledger."""
    event = entry.event
    if isinstance(event, events.LetterHeld | events.LetterReleased | events.LetterRejected):
        return replace(entry, event=replace(event, letter=theirs.get(event.letter, event.letter)))
    return entry
