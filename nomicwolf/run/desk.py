"""A run's working state, and stored happenings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nomicwolf import __version__
from nomicwolf.contest import Command, Contest, Happening, LetterCame, Outcome, Setup, Tick, next_alarm
from nomicwolf.contest.step import Parse
from nomicwolf.ledger.database import upgrade
from nomicwolf.ledger.errors import OldLedger
from nomicwolf.ledger.records import Happened, HeardLetter, Ruling, StoredHappening, read_value, write_value
from nomicwolf.ledger.store import Store
from nomicwolf.letters.letter import Outgoing
from nomicwolf.proofs.prover import Prover
from nomicwolf.run.contest_setup import others_of, setup_of
from nomicwolf.run.copies import before_phase
from nomicwolf.run.resources import demand_not_behind, note_last_entry
from nomicwolf.run.run_report import Findings
from nomicwolf.settings import Settings, SettingsError
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
        self.store.append(
            self.contest.last, outcome.entries, owed=outcome.letters, now=now, alarm=next_alarm(outcome.contest),
            ruled=ruled, happened=stored_happening(happening, self.circumstances))
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
            problem = f"templates/{file.name}: {error}; save it as a UTF-8 file that this user can read"
            raise SettingsError((problem,)) from error
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
