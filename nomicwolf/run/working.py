"""The work of a run: letters heard one by one, each kept with all that follows; then time; then the post."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import field
from functools import partial
from pathlib import Path

from nomicwolf.contest import Contest, Happening, Outcome, Setup, Tick, hear, next_alarm
from nomicwolf.contest.happenings import Parse
from nomicwolf.dataclass import dataclass
from nomicwolf.ledger.errors import OldLedger
from nomicwolf.ledger.records import Ruling
from nomicwolf.ledger.schema import upgrade
from nomicwolf.ledger.store import Store
from nomicwolf.post.errors import Away, PostError
from nomicwolf.post.source import Source
from nomicwolf.proofs import Prover
from nomicwolf.run.doubting import doubt_what_may_be_out
from nomicwolf.run.echoes import look_for_copies, look_for_echoes
from nomicwolf.run.grouping import grouping
from nomicwolf.run.happened import Circumstances, happened
from nomicwolf.run.others import others_of
from nomicwolf.run.receiving import prover_of
from nomicwolf.run.reports import Findings, PollReport, place_of
from nomicwolf.run.sending import send_owed
from nomicwolf.run.setting import setup_of
from nomicwolf.run.taking import Taken, is_the_worlds
from nomicwolf.run.turn import Allowance
from nomicwolf.run.world import demand_not_behind, note_last
from nomicwolf.settings import Settings, SettingsError

_CLOCK_SLACK = 3600
"""Seconds by which the clock may be behind the ledger before the contestmaster is told."""


@dataclass(slots=True)
class Desk:
    """What a run works with.

    *contest* is as of the last thing that was heard; *waiting* are the letters heard that are still to be kept.
    """

    settings: Settings
    setup: Setup
    store: Store
    contest: Contest
    templates: dict[str, str]
    found: Findings
    circumstances: str
    prover: Prover
    parse: Parse | None = None
    clock_is_right: bool = False
    waiting: list[Taken] = field(default_factory=list)

    def keep(self, happening: Happening, outcome: Outcome, *, now: int,
             ruled: tuple[Ruling, ...] = ()) -> None:
        """Keep what came of an order, or of time, in one transaction, and go on from there."""
        self.store.keep(
            self.contest.last, outcome.entries, owed=outcome.letters, now=now, alarm=next_alarm(outcome.contest),
            ruled=ruled, happened=happened(happening, self.circumstances))
        self.contest = outcome.contest


def open_store(settings: Settings) -> Store:
    """Open the ledger to write in it; one of an older schema is brought to the newest, and copied before.

    `Stopped` if it is a file that has lost entries which it was given here.
    """
    url, contest = settings.ledger.url, settings.contest.id
    try:
        store = Store.open(url, contest, keys=settings.ledger.key)
    except OldLedger:
        upgrade(url)
        store = Store.open(url, contest, keys=settings.ledger.key)
    if settings.ledger_file is not None:
        store.note_last = partial(note_last, settings)
        try:
            demand_not_behind(settings, store.opened.last)
        except BaseException:
            store.close()
            raise
    return store


def open_desk(settings: Settings, secret: bytes, store: Store, parse: Parse | None = None) -> Desk:
    """Return the contest as its ledger tells it, and all that is needed to go on with it; *parse* reads orders."""
    setup = setup_of(settings, secret, others_of(settings))
    templates = own_templates(settings)
    contest = Contest.of(setup, store.record())
    return Desk(settings, setup, store, contest, templates, Findings(), Circumstances(setup, templates).text(),
                prover_of(settings), parse)


def own_templates(settings: Settings) -> dict[str, str]:
    """Return the contest's own templates (``templates/*.txt`` in its folder) by name; they come before ours.

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


def work(
    settings: Settings, secret: bytes, source: Source, now: Callable[[], int], since: int = 0,
    allowance: Allowance | None = None, parse: Parse | None = None, *, clock_is_right: bool = False,
) -> PollReport:
    """Fetch, hang up, hear, tick and send; see `poll`.

    *since* is when that was last done (UTC seconds; 0: not known). No connection to a mailbox is held while letters are
    sent: many servers are both, and count connections.
    """
    with closing(open_store(settings)) as store:
        desk = open_desk(settings, secret, store, parse)
        desk.clock_is_right = clock_is_right
        _look_at_the_clock(desk, now())
        with closing(source):
            heard_all = fetch(desk, source, now)
        if heard_all:
            tick(desk, now, since)
            look_for_copies(desk, now())
            look_for_echoes(desk, now())
        doubt_what_may_be_out(settings, secret, store, now, desk.found)
        send_owed(settings, secret, store, now, desk.found, desk.contest.address_of, allowance)
        return desk.found.report(str(store.check()))


def _look_at_the_clock(desk: Desk, now: int) -> None:
    """Tell of a clock that is behind what the ledger has seen; instants never go back, so the game stands still."""
    ahead = desk.store.opened.polled_at - now
    if ahead > _CLOCK_SLACK:
        from nomicwolf.reports.times import lasting

        desk.found.needs_you(
            f"the clock is {lasting(ahead)} behind the ledger's last change; set it right, or if it is right and "
            "was ahead then, go back to a backup from before (nomicwolf restore --over)")


def fetch(desk: Desk, source: Source, now: Callable[[], int]) -> bool:
    """Hear every new letter; a source that fails leaves the rest for the next run.

    Returns whether all of it was heard: no time passes over letters that nobody could read (D-N9).
    """
    mark = desk.store.mark(source.name)
    try:
        with grouping(desk) as group:
            for fetched in source.fetch(mark, group.known):
                group.take(fetched, now())
    except PostError as error:
        (desk.found.later if isinstance(error, Away) else desk.found.needs_you)(str(error))
        return False
    after = source.mark_after()
    if after is not None and after != desk.store.mark(source.name):
        desk.store.keep(desk.contest.last, mark=after, now=now(), alarm=next_alarm(desk.contest))
    return True


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
    if outcome.entries or outcome.letters or next_alarm(outcome.contest) != desk.store.alarm:
        desk.keep(passing, outcome, now=at)
