"""The work of a run: letters heard one by one, each kept with all that follows; then time; then the post."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from nomicwolf.contest import Contest, Happening, LetterCame, Outcome, Setup, Tick, hear, next_alarm
from nomicwolf.contest.mailing import forums_of
from nomicwolf.ledger.errors import Garbled, LedgerError, OldLedger
from nomicwolf.ledger.records import HeardLetter
from nomicwolf.ledger.schema import upgrade
from nomicwolf.ledger.store import Store
from nomicwolf.letters.letter import Bucket, Letter, Limits, Outgoing, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.nomic.events import LetterHeard
from nomicwolf.post.errors import Away, PostError
from nomicwolf.post.source import Fetched, Source
from nomicwolf.proofs import Prover
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.trying import defect_letter
from nomicwolf.run.bounces import take_back
from nomicwolf.run.doubting import doubt_what_may_be_out
from nomicwolf.run.echoes import look_for_copies, look_for_echoes
from nomicwolf.run.happened import Circumstances, happened
from nomicwolf.run.others import others_of
from nomicwolf.run.patience import PoisonError, attempt, within
from nomicwolf.run.receiving import Parse, came, prover_of, ruled_by
from nomicwolf.run.reports import Findings, PollReport, place_of
from nomicwolf.run.sending import send_owed
from nomicwolf.run.setting import setup_of
from nomicwolf.run.snapshots import keep as keep_snapshot
from nomicwolf.run.snapshots import take_up
from nomicwolf.run.turn import Allowance
from nomicwolf.settings import Settings

_CLOCK_SLACK = 3600


@dataclass(slots=True)
class Desk:
    """What a run works with; *contest* is as of the last thing that was kept, *since* the entry of its snapshot."""

    settings: Settings
    setup: Setup
    store: Store
    contest: Contest
    templates: dict[str, str]
    found: Findings
    circumstances: str
    prover: Prover
    parse: Parse | None = None
    since: int = 0

    def keep(self, happening: Happening, outcome: Outcome, heard: HeardLetter | None = None,
             fetched: Fetched | None = None, *, now: int, owed: tuple[Outgoing, ...] = (),
             ruled: tuple[tuple[int, Bucket, str], ...] = ()) -> None:
        """Keep what came of *happening* in one transaction, and go on from there."""
        self.store.keep(
            self.contest.last, outcome.entries, (heard,) if heard else (), (*outcome.letters, *owed),
            fetched.mark if fetched else None, now=now, alarm=next_alarm(outcome.contest), ruled=ruled,
            happened=happened(happening, self.circumstances))
        self.contest = outcome.contest


def open_store(settings: Settings) -> Store:
    """Open the ledger to write in it; one of an older schema is brought to the newest, and copied before."""
    url, contest = settings.ledger.url, settings.contest.id
    try:
        return Store.open(url, contest, keys=settings.ledger.key)
    except OldLedger:
        upgrade(url)
        return Store.open(url, contest, keys=settings.ledger.key)


def open_desk(settings: Settings, secret: bytes, store: Store, parse: Parse | None = None) -> Desk:
    """Return the contest as its ledger tells it, and all that is needed to go on with it; *parse* reads orders."""
    setup = setup_of(settings, secret, others_of(settings))
    templates = own_templates(settings)
    found = take_up(setup, store)
    return Desk(settings, setup, store, found.contest, templates, Findings(), Circumstances(setup, templates).text(),
                prover_of(settings), parse, found.since)


def own_templates(settings: Settings) -> dict[str, str]:
    """Return the contest's own templates (``templates/*.txt`` in its folder) by name; they come before ours."""
    folder: Path = settings.folder / "templates"
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.txt"))}


def work(
    settings: Settings, secret: bytes, source: Source, now: Callable[[], int], since: int = 0,
    allowance: Allowance | None = None, parse: Parse | None = None,
) -> PollReport:
    """Fetch, hear, tick and send; see `poll`. *since* is when that was last done (UTC seconds; 0: not known)."""
    with closing(open_store(settings)) as store:
        desk = open_desk(settings, secret, store, parse)
        _look_at_the_clock(desk, now())
        if fetch(desk, source, now):
            tick(desk, now, since)
        look_for_copies(desk, now())
        look_for_echoes(desk, now())
        doubt_what_may_be_out(settings, secret, store, now, desk.found)
        send_owed(settings, secret, store, now, desk.found, allowance)
        keep_snapshot(desk.setup, store, desk.contest, desk.since)
        return desk.found.report(str(store.check()))


def _look_at_the_clock(desk: Desk, now: int) -> None:
    """Tell of a clock that is behind what the ledger has seen; instants never go back, so the game stands still."""
    ahead = desk.store.standing().polled_at - now
    if ahead > _CLOCK_SLACK:
        desk.found.needs_you(
            f"the clock is {ahead // 60} minutes behind the ledger's last change; set it right, or if it is right and "
            "was ahead then, go back to a backup from before (nomicwolf restore --over)")


def fetch(desk: Desk, source: Source, now: Callable[[], int]) -> bool:
    """Hear every new letter; a source that fails leaves the rest for the next run.

    Returns whether all of it was heard: no time passes over letters that nobody could read (D-N9).
    """
    mark = desk.store.mark(source.name)
    try:
        for fetched in source.fetch(mark, desk.store.knows):
            take(desk, fetched, now())
    except PostError as error:
        (desk.found.later if isinstance(error, Away) else desk.found.needs_you)(str(error))
        return False
    after = source.mark_after()
    if after is not None and after != desk.store.mark(source.name):
        desk.store.keep(desk.contest.last, mark=after, now=now(), alarm=next_alarm(desk.contest))
    return True


def take(desk: Desk, fetched: Fetched, now: int) -> None:
    """Hear one letter and keep it, with what follows and what is owed, in one transaction."""
    raw = fetched.raw
    try:
        with attempt(desk.settings, raw.place), within(desk.settings.limits.letter_seconds):
            happening = came(desk, raw, letter_of(desk.settings, desk.setup, raw))
            outcome = hear(desk.contest, happening, now, desk.templates)
        if happening.letter.through:
            desk.store.outbox().settle_by_echo(happening.letter.message_id, now)
        if outcome.bucket == "machine":
            take_back(desk, raw, happening.letter, now)
        kept = heard_letter(raw, happening.letter, outcome)
        desk.keep(happening, outcome, kept, fetched, now=now, ruled=ruled_by(outcome.entries))
    except Exception as error:
        if is_the_worlds(error):
            raise
        _set_aside(desk, fetched, error, now)
    desk.found.heard += 1


def _set_aside(desk: Desk, fetched: Fetched, error: Exception, now: int) -> None:
    """Hold a letter whole that our own code can't deal with, and tell the contestmaster; the run goes on."""
    raw, why = fetched.raw, str(error) if isinstance(error, PoisonError) else f"defect: {place_of(error)}"
    letter = bare_letter(raw, why)
    try:
        outcome = hear(desk.contest, LetterCame(letter), now, desk.templates)
        kept = heard_letter(raw, letter, outcome)
    except Exception as again:
        if is_the_worlds(again):
            raise
        outcome, kept = Outcome(desk.contest), HeardLetter(raw, letter, "held", why=why)
    told = defect_letter(desk.setup, Prose(desk.templates), letter.place, why, now)
    desk.keep(LetterCame(letter), outcome, kept, fetched, now=now, owed=(told,))
    desk.found.needs_you(f"letter {raw.place} was set aside whole, {why}; please report it with that line")


def letter_of(settings: Settings, setup: Setup, raw: Raw) -> Letter:
    """Return what can be understood of *raw* within the contest's limits."""
    limits = settings.limits
    return make_letter(
        raw, forums_of(setup), (setup.address,),
        Limits(raw=limits.letter_bytes, header_bytes=limits.header_bytes, headers=limits.headers,
               depth=limits.nesting, parts=limits.parts, text=limits.body_chars),
        settings.contest.mail_hosts)


def heard_letter(raw: Raw, letter: Letter, outcome: Outcome) -> HeardLetter:
    """Return the letter with its bucket, tied to the entry that tells of it."""
    entry = next((e.number for e in outcome.entries if isinstance(e.event, LetterHeard)), 0)
    return HeardLetter(raw, letter, outcome.bucket or "held", outcome.author, outcome.why, entry)


def bare_letter(raw: Raw, trouble: str) -> Letter:
    """Return a letter of which nothing is known but its bytes."""
    content = sha256(raw.data).hexdigest()
    return Letter(raw.place, raw.order, raw.arrived, content, content, "", "", None, (), "", trouble=trouble,
                  size=raw.size)


def tick(desk: Desk, now: Callable[[], int], since: int = 0) -> None:
    """Let time pass; how long nobody polled is counted by the runs' own clock, also where the record is ahead of it."""
    at = now()
    passing = Tick(since + max(0, desk.contest.clock - at) if since else 0)
    try:
        outcome = hear(desk.contest, passing, at, desk.templates)
    except Exception as error:
        if is_the_worlds(error):
            raise
        desk.found.needs_you(f"time could not pass, defect: {place_of(error)}; please report it with that line")
        return
    if outcome.entries or outcome.letters or next_alarm(outcome.contest) != desk.store.standing().alarm:
        desk.keep(passing, outcome, now=at)


def is_the_worlds(error: Exception) -> bool:
    """Tell errors of ledger, post and system, which are no fault of a letter's, from defects of ours."""
    return isinstance(error, (LedgerError, PostError, OSError)) and not isinstance(error, Garbled)
