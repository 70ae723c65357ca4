"""Do a contest again: every letter, command and tick in its order, compared with what the ledger holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace

from nomicwolf.contest import Command, Contest, Happening, LetterCame, Outcome, Setup, Tick, hear
from nomicwolf.ledger.codec import read_value
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.records import KeptHappening, KeptLetter
from nomicwolf.ledger.store import Store
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.reports.happened import happened as told
from nomicwolf.run.bounces import returned, returned_note
from nomicwolf.run.happened import Circumstances, Order, circumstances_of
from nomicwolf.run.receiving import Parse
from nomicwolf.run.reports import place_of
from nomicwolf.run.taking import is_the_worlds, letter_of
from nomicwolf.settings import Settings
from nomicwolf.village.events import Entry

_PROVEN = ("signers", "seal", "unproven")  # what servers and keys said of a letter then, they may not say now
_SET_ASIDE = "defect"
_AT_MOST = 200


@dataclass(slots=True)
class Replayed:
    """What came of doing it all again.

    *contest* is how it stands then; *entries* and *letters* count what was made again and compared, *given* the
    entries that were taken as they stand, since nothing says what they followed from; *differs* says what came out
    otherwise, at most 200 lines.
    """

    contest: Contest
    entries: int = 0
    letters: int = 0
    given: int = 0
    differs: list[str] = field(default_factory=list)

    def differ(self, line: str) -> None:
        """Say that something came out otherwise."""
        if len(self.differs) < _AT_MOST:
            self.differs.append(line)


@dataclass(frozen=True, slots=True)
class Past:
    """A ledger, read to do it again: its *record*, what *happened* in it, and the letters *owed* by their keys."""

    settings: Settings
    setup: Setup
    store: Store
    record: tuple[Entry, ...]
    happened: tuple[KeptHappening, ...]
    owed: dict[str, tuple[int, Outgoing]]
    parse: Parse | None = None

    def upto(self, number: int, circumstances: Circumstances) -> Contest:
        """Return the contest that the first *number* entries tell of."""
        return Contest.of(circumstances.setup, self.record[:number])

    def letter(self, kept: KeptHappening) -> KeptLetter:
        """Return the letter that a happening was; `LedgerError` if it is gone."""
        found = self.store.letter(int(kept.data))
        if found is None:
            raise LedgerError(f"letter {kept.data} is gone from the ledger; run `nomicwolf ledger verify`")
        return found

    def happening(self, kept: KeptHappening) -> Happening:
        """Return what happened; a letter as it was understood then."""
        if kept.kind == "letter":
            return self._came(self.letter(kept))
        if kept.kind == "tick":
            tick: Tick = read_value(Tick, kept.data)
            return tick
        order: Order = read_value(Order, kept.data)
        return Command(order.name, order.args, order.phase, self._meant(order), order.since)

    def _came(self, kept: KeptLetter) -> LetterCame:
        back = returned(self.store.outbox(), self.setup, kept.raw, kept.letter)
        return LetterCame(kept.letter, self.parse, self._again, returned_note(back, self.setup.contestmaster))

    def _meant(self, order: Order) -> Letter | None:
        number = order.args.get("number", "")
        known = order.name == "release" and isinstance(number, str) and number.isdecimal()
        return self._again(int(str(number))) if known else None

    def _again(self, number: int) -> Letter | None:
        kept = self.store.letter_of(number)
        return letter_of(self.settings, self.setup, kept.raw) if kept else None


def past_of(settings: Settings, setup: Setup, store: Store, parse: Parse | None = None) -> Past:
    """Read a ledger to do it again; *setup* is what the contest is now, for its keys; *parse* reads orders by mail."""
    owed = {o.letter.key: (o.number, o.letter) for o in store.outbox().everything()}
    return Past(settings, setup, store, tuple(store.record()), tuple(store.happenings()), owed, parse)


def replay(past: Past, until: int | None = None) -> Replayed:
    """Hear everything again, up to *until* (UTC seconds) if given, and compare entries and letters with the ledger's.

    After a difference it goes on from what the ledger holds, so that each is told once.
    """
    due = [kept for kept in past.happened if until is None or kept.now <= until]
    done = Replayed(Contest.of(past.setup, ()))
    circumstances, held, posted = Circumstances(past.setup, {}), "", 0
    for kept in due:
        if kept.base != done.contest.last or kept.setup != held:
            done.given += max(kept.base - done.contest.last, 0)
            held, circumstances = kept.setup, circumstances_of(kept, past.setup)
            if kept.base != done.contest.last:
                posted = -1
            done.contest = past.upto(kept.base, circumstances)
        _once_more(past, done, kept, circumstances, posted)
        posted = kept.owed
    _take_the_rest(past, done, len(due), until)
    return done


def _take_the_rest(past: Past, done: Replayed, heard: int, until: int | None) -> None:
    """Take the entries of which the ledger doesn't say what they followed from as they stand."""
    end = past.happened[heard].base if heard < len(past.happened) else len(past.record)
    for entry in past.record[done.contest.last:end]:
        if until is not None and entry.at > until:
            return
        done.contest.record(entry)
        done.given += 1


def _once_more(past: Past, done: Replayed, kept: KeptHappening, circumstances: Circumstances, posted: int) -> None:
    happening = past.happening(kept)
    if kept.kind == "letter":
        _read_again(past, done, past.letter(kept))
    what = _named(kept)
    try:
        outcome = hear(done.contest, happening, kept.now, circumstances.templates)
    except Exception as error:
        if is_the_worlds(error):
            raise
        done.differ(f"{what} can't be heard now: defect, {place_of(error)}")
        outcome = Outcome(done.contest)
    theirs = past.record[kept.base:kept.last]
    _compare_entries(done, what, theirs, outcome.entries)
    _compare_letters(past, done, what, kept, outcome.letters, posted)
    done.entries += len(theirs)
    same = tuple(outcome.entries) == theirs
    done.contest = outcome.contest if same else past.upto(kept.last, circumstances)


def _read_again(past: Past, done: Replayed, kept: KeptLetter) -> None:
    """Make the letter again from the bytes that came, and compare it with what was understood then."""
    if kept.letter.trouble.startswith(_SET_ASIDE):
        return
    now = letter_of(past.settings, past.setup, kept.raw)
    proven = (*_PROVEN, "body") if kept.letter.seal else _PROVEN  # of a sealed letter, only what is signed was read
    now = replace(now, **{name: getattr(kept.letter, name) for name in proven})
    parts = [part.name for part in fields(Letter) if getattr(now, part.name) != getattr(kept.letter, part.name)]
    if parts:
        done.differ(f"letter {kept.number}: is understood otherwise now: {', '.join(parts)}")


def _compare_entries(done: Replayed, what: str, theirs: Sequence[Entry], ours: Sequence[Entry]) -> None:
    for there, here in zip(theirs, ours, strict=False):
        if there != here:
            done.differ(f"entry {there.number}, of {what}: {_otherwise(there, here)}")
    for there in theirs[len(ours):]:
        done.differ(f"entry {there.number}, of {what}: the ledger has “{_line(there)}”, now nothing")
    for here in ours[len(theirs):]:
        done.differ(f"{what}: the ledger has nothing more, now there is “{_line(here)}”")


def _compare_letters(
    past: Past, done: Replayed, what: str, kept: KeptHappening, ours: Sequence[Outgoing], posted: int
) -> None:
    """Compare the letters made now with those owed; *posted* is how many were owed before, -1 if nobody knows."""
    for letter in ours:
        number, there = past.owed.get(letter.key, (0, None))
        if there is None:
            done.differ(f"{what}: now the letter {letter.key} is owed, and the ledger has none")
        elif there != letter:
            parts = [part.name for part in fields(letter) if getattr(there, part.name) != getattr(letter, part.name)]
            done.differ(f"owed letter {number} ({letter.key}), of {what}: differs in its {', '.join(parts)}")
        done.letters += there is not None
    made = {letter.key for letter in ours}
    for key, (number, _) in past.owed.items():
        if 0 <= posted < number <= kept.owed and key not in made and not key.startswith(f"{_SET_ASIDE}/"):
            done.differ(f"owed letter {number} ({key}), of {what}: isn't made now")


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


def _line(entry: Entry) -> str:
    return f"{entry.event.name}: {told(entry.event)}"
