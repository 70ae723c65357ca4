"""The live screen's read-only view of the ledger.

Only what has changed is read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice

from nomicwolf.contest import Contest
from nomicwolf.ledger.records import OwedLetter
from nomicwolf.ledger.store import Store
from nomicwolf.nomic.duties import contract_duties
from nomicwolf.nomic.events import DeedHeard, LetterHeard
from nomicwolf.reports.history import event_line
from nomicwolf.reports.journal import held_lines, may_act_for
from nomicwolf.reports.public import is_public
from nomicwolf.reports.views import contestmaster_view, untold_view
from nomicwolf.reports.vote_counts import Count, uncounted_rows
from nomicwolf.run.contest_setup import setup_of
from nomicwolf.run.resources import last_run, secret_if_any
from nomicwolf.settings import Settings
from nomicwolf.village.events import Counted, Entry, Voted

LINES = 40
"""How many letters and how many events are kept for the screen, the latest ones."""
ROUTINE = (Counted, DeedHeard, Voted, LetterHeard)


@dataclass(frozen=True, slots=True)
class Owing:
    """*who* owes *what*, since *since* and until *until* (UTC seconds); *secret*: it reveals their role.

    *acts* is whether clause 1j lets the contestmaster act for em once it is late.
    """

    who: str
    what: str
    since: int
    until: int
    secret: bool
    acts: bool = False


@dataclass(frozen=True, slots=True)
class Mail:
    """A letter that was heard: when (UTC seconds), whose, through which channel, where it ended and why."""

    at: int
    author: str
    channel: str
    bucket: str
    why: str
    secret: bool


@dataclass(frozen=True, slots=True)
class Line:
    """An entry of the record in words; *secret* ones are not for everyone."""

    at: int
    text: str
    secret: bool


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A contest after entry *last*; instants are UTC seconds, 0 for none.

    *count* is None unless the town votes; *coming* are the deeds that forums have had and that are not counted yet:
    when each takes effect, whose it is, what it says. *next* is when the game is asked again without a letter,
    *polled* when the mailbox was last read; *unsent* are the letters of the outbox that did not go yet, *states* counts
    all of them.
    """

    name: str
    last: int
    place: str
    began: int
    deadline: int
    next: int
    polled: int
    living: tuple[str, ...]
    dead: tuple[str, ...]
    count: Count | None = None
    coming: tuple[tuple[str, str, str], ...] = ()
    owed: tuple[Owing, ...] = ()
    held: tuple[str, ...] = ()
    mail: tuple[Mail, ...] = ()
    unsent: tuple[OwedLetter, ...] = ()
    states: Mapping[str, int] = field(default_factory=dict)
    record: tuple[Line, ...] = ()


class Lookout:
    """Looks at one contest's ledger: the whole record first, then what was added to it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._setup = setup_of(settings, secret_if_any(settings))
        self._contest: Contest | None = None
        self._head = ""

    def look(self) -> Snapshot:
        """Return the contest as it stands now; `LedgerError` if its ledger can't be read."""
        settings = self._settings
        with closing(Store.open(
                settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key)) as store:
            tip, contest = store.tip(), self._follow(store)
            unsent = store.outbox().in_state("queued", "sending", "unknown", "failed")
            states = store.counts().states
            return snapshot_of(contest, tip.alarm or 0, last_run(settings) or tip.polled_at, unsent, states)

    def _follow(self, store: Store) -> Contest:
        """Return the contest of the ledger, continued from the last look if the record still has that."""
        contest = self._contest
        if contest is None or store.head_at(contest.last) != self._head:
            contest = Contest(self._setup)
        contest.take(store.record(contest.last))
        self._contest, self._head = contest, store.head_at(contest.last)
        return contest


def snapshot_of(
    contest: Contest, alarm: int, polled: int, unsent: tuple[OwedLetter, ...], states: Mapping[str, int]
) -> Snapshot:
    """Return what the screen shows of *contest*."""
    public, view = untold_view(contest), contestmaster_view(contest)
    voting = public.phase == "day" and bool(public.session)
    record = latest(e for e in reversed(contest.entries) if not isinstance(e.event, ROUTINE))
    place = f"session {public.session}, {public.place}" if public.session else public.place
    return Snapshot(
        name=contest.setup.name, last=contest.last, place=place, deadline=public.deadline, next=alarm,
        began=public.began if contest.running is not None else contest.recalled.over_at,
        polled=polled, living=public.living, dead=public.dead, count=public.count if voting else None,
        coming=uncounted_rows(contest) if voting else (), owed=_owed(contest), held=tuple(held_lines(view)),
        mail=_mail(contest), unsent=unsent, states=states,
        record=tuple(Line(e.at, event_line(e.event), not is_public(e.event)) for e in record))


def _owed(contest: Contest) -> tuple[Owing, ...]:
    view = contestmaster_view(contest)
    players = [Owing(o.who, o.verb, o.since, o.until, secret=True, acts=may_act_for(view, o)) for o in view.owed]
    others = [Owing(d.who, f"{d.what} ({d.clause})", d.since, d.until, secret=False) for d in contract_duties(contest)]
    return (*players, *others)


def _mail(contest: Contest) -> tuple[Mail, ...]:
    forums = contest.setup.nomics
    came = latest(e for e in reversed(contest.entries) if isinstance(e.event, LetterHeard))
    return tuple(
        Mail(e.at, e.event.author, e.event.channel, e.event.bucket, e.event.why, e.event.channel not in forums)
        for e in came if isinstance(e.event, LetterHeard))


def latest(found: Iterator[Entry]) -> list[Entry]:
    """Return the latest of what is *found* from the end of the record on, oldest first."""
    return [*islice(found, LINES)][::-1]
