"""What would have been without a letter: the same contest, heard again without it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from nomicwolf.contest import Command, Contest, Happening, LetterCame, hear
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.nomic import events
from nomicwolf.reports.happened import happened as told
from nomicwolf.reports.times import when
from nomicwolf.run.happened import circumstances_of
from nomicwolf.run.replaying import Past
from nomicwolf.village.events import Entry

NUMBERED = ("undo", "release", "reject", "answer")
"""Commands that name an entry of the record by its number."""
_PAPERWORK = (
    events.LetterHeard, events.CopyHeard, events.DeedHeard, events.DeedMoved, events.DeedDone, events.Answered,
    events.Asked, events.Noted,
)


@dataclass(slots=True)
class Otherwise:
    """What would have been: *contest* as it would stand; *differs*, what was (-) and what would have been (+).

    *missing* names commands that would have had nothing to be about.
    """

    contest: Contest
    differs: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def without(past: Past, letter: str, until: int | None = None) -> Otherwise:
    """Hear everything again but *letter* and its copies; it is named by its entry's number or its Message-ID.

    Everybody writes and commands what e did, whatever comes of it. `LedgerError` if there is no such letter, or if
    the ledger doesn't say what it followed from.
    """
    digests = _digests(past, letter)
    due = [kept for kept in past.happenings() if until is None or kept.now <= until]
    covered = next((kept.base for kept in due), len(past.record))
    if any(isinstance(e.event, events.LetterHeard) and e.event.digest in digests for e in past.record[:covered]):
        raise LedgerError(f"letter {letter} was heard before the ledger kept what each entry followed from")
    found = Otherwise(past.upto(covered, circumstances_of(due[0], past.setup)) if due else Contest.of(past.setup, ()))
    numbers: dict[int, int] = {n: n for n in range(1, covered + 1)}
    made: list[Entry] = []
    held = due[0].setup if due else ""
    for kept in due:
        circumstances = circumstances_of(kept, past.setup)
        if kept.setup != held:
            found.contest, held = Contest.of(circumstances.setup, (*past.record[:covered], *made)), kept.setup
        happening = _meant(found, past.happening(kept), numbers, digests)
        if happening is None:
            continue
        outcome = hear(found.contest, happening, kept.now, circumstances.templates)
        numbers |= _paired(past.record[kept.base:kept.last], outcome.entries)
        made += outcome.entries
        found.contest = outcome.contest
    last = due[-1].last if due else covered
    theirs = {ours: their for their, ours in numbers.items()}
    found.differs = _differences(past.record[covered:last], [_as_they_count(entry, theirs) for entry in made])
    return found


def _digests(past: Past, letter: str) -> set[str]:
    """Return what is the same in all copies of the letter."""
    heard = [entry for entry in past.record if isinstance(entry.event, events.LetterHeard)]
    same = {
        entry.event.digest for entry in heard
        if isinstance(entry.event, events.LetterHeard) and letter in (str(entry.number), entry.event.message_id)
    }
    if not same:
        raise LedgerError(
            f"{letter}: no letter of that number or Message-ID was heard; `nomicwolf history` shows the numbers")
    return same


def _meant(found: Otherwise, happening: Happening, numbers: dict[int, int], digests: set[str]) -> Happening | None:
    """Return what happens in that other world, None for nothing."""
    if isinstance(happening, LetterCame) and happening.letter.digest in digests:
        return None
    if not isinstance(happening, Command) or happening.name not in NUMBERED:
        return happening
    given = happening.get("number")
    if not given.isdecimal():
        return happening
    if int(given) not in numbers:
        found.missing.append(f"{happening.name} {given}")
        return None
    return replace(happening, args={**happening.args, "number": str(numbers[int(given)])})


def _paired(theirs: Iterable[Entry], ours: Iterable[Entry]) -> dict[int, int]:
    """Return which entry of ours stands for which of theirs: the first of its kind for the first, and so on."""
    waiting: dict[str, list[int]] = {}
    for entry in ours:
        waiting.setdefault(entry.event.name, []).append(entry.number)
    return {e.number: waiting[e.event.name].pop(0) for e in theirs if waiting.get(e.event.name)}


def _as_they_count(entry: Entry, theirs: dict[int, int]) -> Entry:
    """Return an entry of ours with the number that the letter it is about has in the ledger."""
    event = entry.event
    if isinstance(event, (events.LetterHeld, events.LetterReleased, events.LetterRejected)):
        return replace(entry, event=replace(event, letter=theirs.get(event.letter, event.letter)))
    return entry


def _differences(theirs: Iterable[Entry], ours: Iterable[Entry]) -> list[str]:
    was, would_be = _lines(theirs), _lines(ours)
    found = []
    for kind, a, b, c, d in SequenceMatcher(None, was, would_be, autojunk=False).get_opcodes():
        if kind != "equal":
            found += [f"- {line}" for line in was[a:b]] + [f"+ {line}" for line in would_be[c:d]]
    return found


def _lines(entries: Iterable[Entry]) -> list[str]:
    return [f"{when(e.at)}  {told(e.event)}" for e in entries if not isinstance(e.event, _PAPERWORK)]
