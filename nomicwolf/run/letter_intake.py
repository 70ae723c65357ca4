"""Intake of letters, and the desk for it.

Poison letters are found by a time limit, and by a record of letters in which runs died. The limit is on processor time,
so that slow disks and servers don't count. What it can't stop (an endless loop in foreign code, exhausted memory) kills
the run. A file beside the ledger records in which letter, and after some attempts that letter is held unread while the
others are heard.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Self

from nomicwolf import __version__
from nomicwolf.contest import Command, Contest, Happening, LetterCame, Outcome, Setup, Tick, hear, next_alarm
from nomicwolf.contest.mail.assurance import unseen_notes
from nomicwolf.contest.step import Parse, author_of, forums_of
from nomicwolf.language.lexicon import OwnFrame
from nomicwolf.ledger.database import upgrade
from nomicwolf.ledger.errors import Garbled, LedgerError, OldLedger, Stopped
from nomicwolf.ledger.records import Happened, HeardLetter, OwedLetter, Ruling, StoredHappening, read_value, write_value
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.transaction import Outbox, Step
from nomicwolf.letters.compose import is_ours
from nomicwolf.letters.letter import Bucket, Letter, Limits, Outgoing, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.letters.origin import Bounce, bounce
from nomicwolf.nomic.events import DeedHeard, LetterHeard, LetterRejected, LetterReleased
from nomicwolf.nomic.state import ended_in
from nomicwolf.post.refusals import PostError
from nomicwolf.proofs.prover import Prover
from nomicwolf.reports.history import echoing_forums
from nomicwolf.reports.layout import shell_word
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.sections import defect_letter
from nomicwolf.run.contest_setup import others_of, setup_of
from nomicwolf.run.copies import before_phase
from nomicwolf.run.resources import (
    Findings,
    demand_not_behind,
    demand_sent_before_arrival,
    error_place,
    lock_file,
    note_last_entry,
)
from nomicwolf.run.sending import MARK
from nomicwolf.settings.keys import Settings, SettingsError
from nomicwolf.village.events import Entry, PhaseBegan

if TYPE_CHECKING:
    from nomicwolf.post.source import Fetched

@dataclass(slots=True)
class Desk:
    """The working state of a run.

    *contest* is as of the last happening; *pending* are letters that were heard and not yet written; *run* is the run's
    number, which is that of the first entry that it can make.
    """

    settings: Settings
    setup: Setup
    store: Store
    contest: Contest
    templates: dict[str, str]
    found: Findings
    circumstances: str
    prover: Prover
    run: int
    parse: Parse | None = None
    clock_is_right: bool = False
    pending: list[PendingLetter] = field(default_factory=list)

    def commit(self, happening: Happening, outcome: Outcome, *, now: int,
             ruled: tuple[Ruling, ...] = ()) -> None:
        """Write the outcome of a command or a tick in one transaction, and go on from it."""
        self.secure(outcome.entries, now)
        self.store.append(Step(
            self.contest.last, outcome.entries, owed=outcome.letters, now=now, alarm=next_alarm(outcome.contest),
            ruled=ruled, happened=stored_happening(happening, self.circumstances)))
        self.contest = outcome.contest

    def secure(self, entries: Sequence[Entry], now: int) -> None:
        """Make a backup before *entries* are written, if they begin a phase; the game goes on if it fails."""
        if any(isinstance(e.event, PhaseBegan) for e in entries) and (
                said := before_phase(self.settings, entries, self.store.last(), now)):
            self.found.needs_you(said)


def open_store(settings: Settings) -> Store:
    """Open the ledger for writing; one of an older schema is copied and upgraded first.

    `Stopped` if its file has lost entries that were written here.
    """
    url, contest = settings.ledger.url, settings.contest.id
    try:
        store = Store.open(url, contest, keys=settings.ledger.key)
    except OldLedger:
        upgrade(url)
        store = Store.open(url, contest, keys=settings.ledger.key)
    if settings.ledger_file is not None:
        store.note_last = partial(note_last_entry, settings)
        try:
            demand_not_behind(settings, store.opened.last)
        except BaseException:
            store.close()
            raise
    return store


def open_desk(settings: Settings, secret: bytes, store: Store, parse: Parse | None = None) -> Desk:
    """Fold the contest from its ledger, and return what is needed to go on; *parse* reads commands in letters."""
    setup = setup_of(settings, secret, others_of(settings))
    templates = own_templates(settings)
    contest = Contest.of(setup, store.record())
    posted = store.posted_until()
    if posted < contest.last:
        contest.posted = Contest.of(setup, contest.entries[:posted])
    return Desk(settings, setup, store, contest, templates, Findings(), Circumstances(setup, templates).text(),
                prover_of(settings), contest.last + 1, parse)


def own_templates(settings: Settings) -> dict[str, str]:
    """Return the contest's own templates (``templates/*.txt`` in its folder) by name; they override ours.

    `SettingsError` for one that can't be read.
    """
    folder: Path = settings.folder / "templates"
    found: dict[str, str] = {}
    for file in sorted(folder.glob("*.txt")):
        try:
            found[file.stem] = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(
                f"templates/{file.name}: {error}; save it as a UTF-8 file that this user can read") from error
    return found


@dataclass(frozen=True, slots=True)
class PendingLetter:
    """A letter that was heard at *now* (UTC seconds) after entry *base*, and is not yet in the ledger.

    The contestmaster is told its *trouble* once it is written. The contest after it isn't stored here, because each
    state of a contest takes memory of its own.
    """

    fetched: Fetched
    now: int
    base: int
    happening: LetterCame
    entries: tuple[Entry, ...]
    heard: HeardLetter
    owed: tuple[Outgoing, ...] = ()
    trouble: str = ""

    def is_own(self, message_id: str) -> bool:
        """Return whether this is the echo of the contest's own letter with that Message-ID."""
        return self.heard.bucket == "own" and self.heard.letter.message_id == message_id


def prover_of(settings: Settings) -> Prover:
    """Return the prover that the settings ask for; it looks up the key of a domain once in a run."""
    identity = settings.identity
    return Prover(identity.dkim == "dns", identity.nameservers, identity.dns_seconds, identity.arc_sealers)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The contest's setup without keys, its own *templates*, and the *version* of the program, at some time."""

    setup: Setup
    templates: Mapping[str, str]
    version: str = __version__

    def text(self) -> str:
        """Return them in stored form."""
        others = tuple(replace(other, secret=b"") for other in self.setup.others)
        return write_value(replace(self, setup=replace(self.setup, secret=b"", others=others)))


@dataclass(frozen=True, slots=True)
class Order:
    """A command in stored form, without the letter that it is about, which is in the ledger."""

    name: str
    args: Mapping[str, str | tuple[str, ...]]
    phase: str = ""
    since: int = 0
    run: int = 0


def stored_happening(happening: Happening, circumstances: str) -> Happened:
    """Return *happening* in stored form; *circumstances* are in stored form already."""
    match happening:
        case LetterCame(run=run):
            return Happened("letter", str(run), circumstances)
        case Command(name, args, phase, _, since, run):
            return Happened("command", write_value(Order(name, args, phase, since, run)), circumstances)
        case Tick():
            return Happened("tick", write_value(happening), circumstances)


def circumstances_of(kept: StoredHappening, now: Setup) -> Circumstances:
    """Return the circumstances of a happening, with the keys of *now*, which never change."""
    told: Circumstances = read_value(Circumstances, kept.setup)
    secrets = {other.names[0]: other.secret for other in now.others}
    others = tuple(replace(other, secret=secrets.get(other.names[0], b"")) for other in told.setup.others)
    return replace(told, setup=replace(told.setup, secret=now.secret, others=others))


ATTEMPTS = 5
"""Runs that may die in a letter before it is held; a machine may be switched off during any."""


class PoisonError(Exception):
    """A letter that takes too long, or in which runs have died; the text is safe to log."""


@contextmanager
def limited_time(seconds: float) -> Iterator[None]:
    """Raise `PoisonError` in the block once it has taken *seconds* of processor time (0: no limit).

    Signals reach only the main thread; elsewhere there is no limit.
    """
    if seconds <= 0 or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise PoisonError(f"it takes more than {seconds:g} seconds to read")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class AttemptLog:
    """The record of the letter that is being heard, with its time limit; a context manager around a fetch.

    It ends empty. With a ledger on a server nothing is recorded, because the next run may be on another machine.
    """

    def __init__(self, settings: Settings) -> None:
        self._file = lock_file(settings).with_suffix(".attempt") if settings.ledger_file is not None else None
        self._died, self._mark = _read(self._file)
        self._memory = -1
        self._seconds = settings.limits.letter_seconds

    @property
    def any_died(self) -> bool:
        """Whether a run died in a letter that has not been heard since."""
        return self._died > 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._memory >= 0:
            os.close(self._memory)
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Record the letter at *place* while it is heard.

        `PoisonError` if five runs have died in it, or if it takes too long.
        """
        try:
            if (died := self._begun(place)) >= ATTEMPTS:
                raise PoisonError(f"{died} runs have died in it")
            with limited_time(self._seconds):
                yield
        finally:
            if self._memory >= 0:
                os.pwrite(self._memory, b"0", 0)

    def _begun(self, place: str) -> int:
        """Record the letter at *place*; return the number of runs that have died in it."""
        if self._file is None:
            return 0
        if self._memory < 0:
            self._memory = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        mark = sha256(place.encode("utf-8", "replace")).hexdigest()
        died = self._died if mark == self._mark else 0
        os.pwrite(self._memory, f"{died + 1} {mark}\n".encode("ascii"), 0)
        return died


def _read(file: Path | None) -> tuple[int, str]:
    """Return the number of runs that died in a letter, and its mark."""
    if file is None or not file.exists():
        return 0, ""
    number, _, mark = file.read_text(encoding="ascii", errors="replace").strip().partition(" ")
    return (int(number), mark) if number.isdecimal() else (0, "")


def set_aside(desk: Desk, fetched: Fetched, error: Exception, now: int) -> tuple[PendingLetter, Contest]:
    """Hold a letter unread because of an *error* in our own code; return it and the contest after it.

    The contestmaster is told.
    """
    raw, why = fetched.raw, str(error) if isinstance(error, PoisonError) else f"defect: {error_place(error)}"
    letter = unread_letter(raw, why)
    happening = LetterCame(letter, run=desk.run)
    try:
        outcome = hear(desk.contest, happening, now, desk.templates)
        kept = heard_letter(raw, letter, outcome)
    except Exception as second:
        if is_external_error(second):
            raise
        outcome, kept = Outcome(desk.contest), HeardLetter(raw, letter, "held", why=why)
    owed = (*outcome.letters, defect_letter(desk.setup, Prose(desk.templates), letter.place, why, now))
    said = f"letter {raw.place} was set aside whole, {why}; please report it with that line"
    return PendingLetter(
        fetched, now, desk.contest.last, happening, outcome.entries, kept, owed, said), outcome.contest


def parse_letter(settings: Settings, setup: Setup, raw: Raw, own: tuple[OwnFrame, ...] = ()) -> Letter:
    """Parse *raw* within the contest's limits; *own* are the deeds of the session's own roles."""
    given = settings.limits
    limits = Limits(raw=given.letter_bytes, header_bytes=given.header_bytes, headers=given.headers,
                    depth=given.nesting, parts=given.parts, text=given.body_chars)
    return make_letter(raw, forums_of(setup), (setup.address,), limits, settings.contest.mail_hosts, own)


def heard_letter(raw: Raw, letter: Letter, outcome: Outcome) -> HeardLetter:
    """Return the letter with its bucket and the number of the entry that records it."""
    entry = next((e.number for e in outcome.entries if isinstance(e.event, LetterHeard)), 0)
    return HeardLetter(raw, letter, outcome.bucket or "held", outcome.author, outcome.why, entry)


def unread_letter(raw: Raw, trouble: str) -> Letter:
    """Return a letter of which only the bytes are known."""
    content = sha256(raw.data).hexdigest()
    return Letter(raw.place, raw.order, raw.arrived, content, content, "", "", None, (), "", trouble=trouble,
                  size=raw.size)


def is_external_error(error: Exception) -> bool:
    """Return whether the error came from outside (ledger, mail, system) rather than from a bug."""
    return isinstance(error, (LedgerError, PostError, OSError)) and not isinstance(error, Garbled)


def letter_came(desk: Desk, raw: Raw, letter: Letter) -> LetterCame:
    """Return the happening that *letter* is, with its proofs and with what commands in letters need."""
    back = bounce_of(desk, raw, letter)
    return LetterCame(
        proven(desk.contest, desk.prover, raw, letter), desk.parse, lambda number: held_letter(desk, number),
        bounce_note(back, desk.setup.contestmaster), desk.run)


def proven(contest: Contest, prover: Prover, raw: Raw, letter: Letter) -> Letter:
    """Return *letter* with its proofs; none is looked for, and no server is asked, for a stranger's letter."""
    found = author_of(contest, letter)
    if found.person is None:
        return letter
    return prover.prove(raw, letter, keys_of(contest, found.person.name), raw.arrived)


def keys_of(contest: Contest, name: str) -> Mapping[str, str]:
    """Return *name*'s OpenPGP certificates by fingerprint."""
    return {key.fingerprint: key.certificate for key in contest.law.keys.get(name, ())}


def held_letter(desk: Desk, number: int) -> Letter | None:
    """Parse a held letter again from its bytes; None if there is none with that number."""
    waits = next((pending.heard for pending in desk.pending if number and pending.heard.entry == number), None)
    kept = waits or desk.store.letter_of(number)
    return parse_letter(desk.settings, desk.setup, kept.raw) if kept else None


def rulings_in(contest: Contest, entries: Iterable[Entry]) -> tuple[Ruling, ...]:
    """Return the rulings in *entries* on held letters of *contest*, each with the letter's new bucket."""
    new = list(entries)
    deeds = any(isinstance(entry.event, DeedHeard) for entry in new)
    found: list[Ruling] = []
    for entry in new:
        match entry.event:
            case LetterReleased(number, author):
                bucket: Bucket = "deeds" if deeds else "no-deed"
                found.append(Ruling(number, bucket, f"released as {author}'s", _was(contest, number, entry)))
            case LetterRejected(number, why):
                found.append(Ruling(number, "no-deed", f"rejected: {why}", _was(contest, number, entry)))
    return tuple(found)


def _was(contest: Contest, number: int, ruling: Entry) -> str:
    return ended_in(contest.letters[number].bucket, number, contest.entries[number:], ruling.number)


def find_bounced(
    outbox: Outbox, setup: Setup, raw: Raw, letter: Letter,
    waiting: Sequence[PendingLetter] = (),
) -> tuple[OwedLetter, Bounce] | None:
    """Return our letter that *letter* reports as undeliverable, with the report; None if there is none.

    The Message-ID of a public letter is known to all, so anyone can forge such a report. A public letter whose echo has
    come has reached its forum, whatever a subscriber's server reports. *waiting* are letters that were heard and are
    not in the ledger yet.
    """
    found = bounce(raw, letter, setup.address.rpartition("@")[2].lower())
    for message_id in found.ids if found is not None else ():
        owed = outbox.by_message_id(message_id)
        if owed is None or found is None:
            continue
        if owed.letter.kind == "public" and (
                outbox.heard_again(message_id) or any(one.is_own(message_id) for one in waiting)):
            continue
        return owed, found
    return None


def bounce_of(desk: Desk, raw: Raw, letter: Letter) -> tuple[OwedLetter, Bounce] | None:
    """Return the same as `find_bounced`, with the desk's pending letters."""
    return find_bounced(desk.store.outbox(), desk.setup, raw, letter, desk.pending)


def mark_bounced(desk: Desk, raw: Raw, letter: Letter, now: int) -> None:
    """Mark our letter that bounced as failed, and report it.

    A report that was heard before is about an earlier sending: the letter may have gone to a better address since.
    """
    found = bounce_of(desk, raw, letter)
    if found is not None and not desk.store.outbox().reported_before(raw.data):
        owed, report = found
        desk.store.outbox().mark_bounced(owed.letter.key, f"came back: {report.status}", now)
        desk.found.needs_you(bounce_text(owed, report))


def bounce_note(found: tuple[OwedLetter, Bounce] | None, contestmaster: str) -> str:
    """Return the note about a bounced letter for the contestmaster, '' if there is none.

    There is none about the contestmaster's own letters, because that would bounce too; the run reports those.
    """
    if found is None or found[0].letter.person == contestmaster:
        return ""
    return bounce_text(*found)


def bounce_text(owed: OwedLetter, report: Bounce) -> str:
    """Return the report of a bounced letter, with the remedy."""
    whom = owed.letter.forum or owed.letter.person
    status = f" ({report.status})" if report.status else ""
    then = (f"look whether {whom} still takes the contest's letters" if owed.letter.forum else
            f"ask for another address: nomicwolf party address {shell_word(whom)} ADDRESS")
    return f"Letter {owed.number} to {whom} came back{status}: {then}; then nomicwolf unsent --again {owed.number}."


ECHO_DELAY = 86_400
"""Seconds by which an echo may be late, because forums moderate."""
ECHO_HORIZON = 60 * ECHO_DELAY
"""Seconds for which the echo of a sent letter is looked for."""


def check_copies(desk: Desk, now: int) -> None:
    """Note once in the journal each letter that is public by its own To or Cc, but no forum has distributed."""
    if unseen_notes(desk.contest, now):
        order = Command("only-named", {}, run=desk.run)
        desk.commit(order, hear(desk.contest, order, now, desk.templates), now=now)


def check_echoes(desk: Desk, now: int) -> None:
    """Note once in the journal each letter to an echoing forum that has not come back within a day."""
    echoes = echoing_forums(desk.contest)
    if not echoes:
        return
    lost = tuple(
        f"{o.letter.forum} {o.number} {o.letter.subject.replace(',', ';')}"
        for o in desk.store.outbox().not_back(now - ECHO_HORIZON)
        if o.letter.forum in echoes and now - o.letter.at > ECHO_DELAY
    )
    if not lost:
        return
    order = Command("echo-missing", {"letters": lost}, run=desk.run)
    outcome = hear(desk.contest, order, now, desk.templates)
    if outcome.entries:
        desk.commit(order, outcome, now=now)


OTHER_COPY = (
    "a letter of this contest's came back ({}) that was not sent from this ledger: another copy of the folder is at "
    "work, or the ledger is behind what was sent, as one whose -wal file is gone. Nothing is sent now. Keep one copy, "
    "the one with the newest ledger; if this one is to go on, say nomicwolf backup now.db, then nomicwolf restore "
    "now.db --over, which sends no announcement again that may be out")


def demand_sent_here(desk: Desk, letter: Letter, now: int) -> None:
    """Raise `Stopped` if *letter* carries the contest's own mark, but was not sent from this ledger.

    After a restore this is normal until the whole mailbox has been read. `Stopped` also if the letter left after it
    came, because then our clock is ahead.
    """
    if not is_ours(letter.message_id, desk.setup.secret):
        return
    if not desk.clock_is_right:
        demand_sent_before_arrival(letter, now)
    mark = desk.store.mark(MARK)
    if (mark is None or not mark[2]) and desk.store.outbox().by_message_id(letter.message_id) is None:
        raise Stopped(OTHER_COPY.format(letter.message_id))
