"""Sessions, people and their careers."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from unicodedata import normalize

from nomicwolf.nomic.events import (
    Awarded,
    CountPosted,
    DeedHeard,
    PartyJoined,
    Revealed,
    SessionStarted,
    SessionStopped,
)
from nomicwolf.nomic.law_events import AwardCorrected, PersonRenamed
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.archive.charts import Following, Track, count_following, phases_of, tracks_of
from nomicwolf.reports.archive.published import Published
from nomicwolf.reports.archive.vote_picture import deed_said
from nomicwolf.reports.awards import PlayerRecord, Results, current_name, rating_text, results_csv, results_of
from nomicwolf.reports.history import FoldedPlaces, apply_public, fold, is_public, victory
from nomicwolf.reports.views import PublicView, fates, view_from
from nomicwolf.village import events as village
from nomicwolf.village.ballots import Endorse, ballot_text
from nomicwolf.village.events import Ended, Entry, PhaseBegan, Replaced, Voted

RESERVED_PAGES = frozenset({"", "index"})
"""Names of pages that belong to no person."""


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who has joined or played: their present *name*, *former* names, and the name of their *page*.

    The page is named after the first name they had, so that it stays when they are renamed.
    """

    name: str
    page: str
    former: tuple[str, ...] = ()


@dataclass(slots=True)
class _Known:
    names: dict[str, Person] = field(default_factory=dict)
    pages: set[str] = field(default_factory=set)

    def meet(self, *names: str) -> None:
        for name in names:
            if name not in self.names:
                page = page_of(name)
                if page in self.pages or page in RESERVED_PAGES:
                    page = f"{page}-{sha256(name.encode('utf-8', 'replace')).hexdigest()[:6]}".strip("-")
                self.pages.add(page)
                self.names[name] = Person(name, page)

    def rename(self, old: str, new: str) -> None:
        self.meet(old)
        before = self.names[old]
        after = replace(before, name=new, former=(*before.former, before.name))
        self.names |= dict.fromkeys((*after.former, new), after)


def known_people(entries: Iterable[Entry]) -> dict[str, Person]:
    """Return everyone who has joined or played, by each name they have had."""
    known = _Known()
    for entry in entries:
        match entry.event:
            case PartyJoined(who=who):
                known.meet(who)
            case SessionStarted(players=players):
                known.meet(*players)
            case Replaced(old, new):
                known.meet(old, new)
            case PersonRenamed(old, new):
                known.rename(old, new)
    return known.names


def page_of(name: str) -> str:
    """Return *name* in a form fit for URLs: letters a to z, digits and hyphens.

    >>> page_of("Ash"), page_of("0x44"), page_of("José M."), page_of("Ясень")
    ('ash', '0x44', 'jose-m', '')
    """
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


NIGHTLY = (
    village.Chose, village.Agreed, village.Joined, village.Killed, village.Revived, village.Turned,
)  # fmt: skip
QUIET = (Voted, village.Counted, DeedHeard, village.PhaseBegan, Awarded, CountPosted, SessionStarted)


@dataclass(frozen=True, slots=True)
class Phase:
    """A day or a night: *told* are its public events except votes, *secret* those that were revealed later."""

    phase: str
    number: int
    began: int
    told: tuple[Entry, ...]
    secret: tuple[Entry, ...]
    tracks: tuple[Track, ...]

    @property
    def name(self) -> str:
        """The phase as players call it (``day 2``)."""
        return f"{self.phase} {self.number}"

    @property
    def page(self) -> str:
        """Its page within the session's folder (``day-2.html``)."""
        return f"{self.phase}-{self.number}.html"

    @property
    def paged(self) -> bool:
        """Whether it has a page of its own, as each day and each phase with a vote has."""
        return bool(self.tracks) or self.phase == "day"


@dataclass(frozen=True)
class Session:
    """A session of what is *published*, whose *entries* begin at the place *first*; *views* are those of all sessions.

    *earlier* is the publicly known contest before it, with older intents and claims. *ended*, *stopped* and *revealed*
    are None until that happens; *awards* are those for it, which *corrections* correct. What its pages show is computed
    on demand, because most pages exist already.
    """

    published: Published
    views: Views
    earlier: Contest
    first: int
    number: int
    at: int
    started: SessionStarted
    entries: tuple[Entry, ...]
    ended: Entry | None = None
    stopped: Entry | None = None
    revealed: Revealed | None = None
    awards: tuple[Awarded, ...] = ()
    corrections: tuple[AwardCorrected, ...] = ()

    @property
    def view(self) -> PublicView:
        """The public view at its end, or at present."""
        return self.views.at(self.first + len(self.entries))

    @cached_property
    def public(self) -> list[Entry]:
        """Its public entries until its secrets were revealed or it was over."""
        last = _first(self.entries, Revealed) or self.over or self.entries[-1]
        return [e for e in self.entries if is_public(e.event) and e.number <= last.number]

    @cached_property
    def fates(self) -> dict[str, str]:
        """How and when each of the dead died, as all were told: ``lynched on day 1``, ``killed in night 1``."""
        return fates(self.view, self.public)

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """Its days and nights."""
        return _coloured(_phases(self.earlier, self.entries, self.public, phases_of(self.public)))

    @property
    def following(self) -> Following:
        """Who followed whom in all its votes, among its players and substitutes."""
        seats = tuple(dict.fromkeys((*self.view.players, *self.started.players)))
        return count_following(seats, (track for phase in self.phases for track in phase.tracks))

    @property
    def last_vote(self) -> tuple[Phase, Track] | None:
        """The latest vote, and when it began; None before the first."""
        return next(((phase, phase.tracks[-1]) for phase in reversed(self.phases) if phase.tracks), None)

    @property
    def before(self) -> tuple[Entry, ...]:
        """The public events before its first phase."""
        found = phases_of(self.public)
        mark = found[0][0].number if found else self.entries[-1].number + 1
        return tuple(e for e in self.public if e.number < mark and not isinstance(e.event, QUIET))

    @property
    def over(self) -> Entry | None:
        """The entry that ended it."""
        return self.ended or self.stopped

    @property
    def until(self) -> int:
        """The latest instant that its pages cover (UTC seconds)."""
        return self.public[-1].at

    @property
    def folder(self) -> str:
        """The folder of its pages (``session-1``)."""
        return f"session-{self.number}"

    @property
    def winners(self) -> tuple[str, ...]:
        """Its winners in seat order."""
        return self.ended.event.winners if self.ended and isinstance(self.ended.event, Ended) else ()

    @property
    def outcome(self) -> str:
        """Its outcome in a few words."""
        if self.ended and isinstance(self.ended.event, Ended):
            return victory(self.ended.event.side) if self.winners else "nobody wins"
        return "ended by the contestmaster" if self.stopped else f"in progress: {self.view.place}"


class Views:
    """The public view at any place of a record; places asked for in ascending order fold each entry once.

    The latest view is cached.
    """

    def __init__(self, setup: Setup, entries: Sequence[Entry]) -> None:
        self._public = [e for e in entries if is_public(e.event)]
        self._counts = array("L", accumulate((is_public(e.event) for e in entries), initial=0))
        self._places = FoldedPlaces(setup, self._public, apply_public)
        self._latest: tuple[int, PublicView] | None = None

    def at(self, place: int) -> PublicView:
        """Return the view before entry *place*, counted from 0."""
        if self._latest is None or self._latest[0] != place:
            self._latest = place, self._viewed(self._counts[place])
        return self._latest[1]

    def told(self, place: int) -> Contest:
        """Return the publicly known contest before entry *place*. Callers must not change it."""
        return self._places.at(self._counts[place])

    def _viewed(self, many: int) -> PublicView:
        return view_from(self._public[:many], self._places.at(many))


def sessions_of(published: Published) -> tuple[Session, ...]:
    """Return every session, oldest first."""
    starts = [i for i, e in enumerate(published.entries) if isinstance(e.event, SessionStarted)]
    ends = [*starts, len(published.entries)][1:]
    given: dict[int, list[Awarded | AwardCorrected]] = {}
    for entry in published.entries:
        if isinstance(entry.event, Awarded | AwardCorrected):
            given.setdefault(entry.event.session, []).append(entry.event)
    views = Views(published.about.setup, published.entries)
    return tuple(_session(published, views, i, j, given) for i, j in zip(starts, ends, strict=bool(starts)))


def _session(
    published: Published, views: Views, first: int, end: int, given: Mapping[int, Sequence[Awarded | AwardCorrected]],
) -> Session:
    entries = published.entries[first:end]
    started = entries[0].event
    assert isinstance(started, SessionStarted)
    number, revealed = started.session, _first(entries, Revealed)
    mine = given.get(number, ())
    return Session(
        published, views, views.told(first), first, number, entries[0].at, started, entries, _first(entries, Ended),
        _first(entries, SessionStopped),
        revealed.event if revealed and isinstance(revealed.event, Revealed) else None,
        tuple(event for event in mine if isinstance(event, Awarded)),
        tuple(event for event in mine if isinstance(event, AwardCorrected)))


def _first(entries: Sequence[Entry], kind: type) -> Entry | None:
    return next((e for e in entries if isinstance(e.event, kind)), None)


def _phases(
    earlier: Contest, entries: Sequence[Entry], public: Sequence[Entry], found: list[tuple[Entry, list[Entry]]]
) -> list[Phase]:
    cast = [e.number for e in public if isinstance(e.event, Voted)]
    counts = {number: place for place, number in enumerate(cast, 1)}
    numbers = {number: (counts[number], nth) for _, until in found
               for nth, number in enumerate((e.number for e in until if isinstance(e.event, Voted)), 1)}
    ends = [*(first.number for first, _ in found), entries[-1].number + 1][1:]
    return [
        _phase(earlier, entries, public, first, until, end, numbers)
        for (first, until), end in zip(found, ends, strict=bool(found))
    ]


def _nightly(event: village.Event) -> bool:
    """Return whether the report of a night includes *event*; what was seen is reported as the seer was told (NC 7a)."""
    return isinstance(event, NIGHTLY) or (isinstance(event, village.Told) and event.topic == "seen")


def _coloured(found: list[Phase]) -> tuple[Phase, ...]:
    """Return the phases with the session's candidates in one order, so that each keeps a colour."""
    palette = tuple(dict.fromkeys(who for phase in found for track in phase.tracks for who in track.candidates))
    return tuple(replace(p, tracks=tuple(replace(t, palette=palette) for t in p.tracks)) for p in found)


def _phase(
    earlier: Contest, entries: Sequence[Entry], public: Sequence[Entry], first: Entry, until: list[Entry], end: int,
    numbers: dict[int, tuple[int, int]],
) -> Phase:
    event = first.event
    assert isinstance(event, PhaseBegan)
    secret = [e for e in entries if first.number <= e.number < end and _nightly(e.event)
              and not is_public(e.event) and getattr(e.event, "cause", "") != "lynch"]
    return Phase(
        event.phase, event.number, first.at, tuple(e for e in until if not isinstance(e.event, QUIET)),
        tuple(secret), tracks_of(earlier, public, first, until, numbers))


@dataclass(frozen=True, slots=True)
class Score:
    """Someone's results over all finished sessions; *awards* are (nomic, what, sum)."""

    record: PlayerRecord
    awards: tuple[tuple[str, str, int], ...]

    @property
    def rating(self) -> str:
        """The rating with its uncertainty."""
        return rating_text(self.record)


@dataclass(frozen=True, slots=True)
class Standings:
    """The results of all sessions: *scores*, most wins first, everything *found*, and *csv* of it (RFC 4180)."""

    scores: tuple[Score, ...]
    found: Results
    csv: str


def standings(published: Published) -> Standings:
    """Return everyone's results: most wins first, then fewest sessions, then by name.

    Someone who was renamed is one player; awards outside these sessions are left out.
    """
    contest = fold(published.about.setup, published.entries)
    sums: dict[str, dict[tuple[str, str], int]] = {}
    for given in (e.event for e in published.entries if isinstance(e.event, Awarded | AwardCorrected)):
        mine, key = sums.setdefault(current_name(contest, given.who), {}), (given.nomic, given.what)
        mine[key] = mine.get(key, 0) + given.amount
    found = results_of(contest, public=True)
    scores = [Score(r, tuple((nomic, what, amount) for (nomic, what), amount in sums.get(r.who, {}).items()))
              for r in found.players]
    return Standings(
        tuple(sorted(scores, key=lambda s: (-s.record.won, s.record.sessions, s.record.who.casefold()))),
        found, results_csv(found))


@dataclass(frozen=True, slots=True)
class Ballot:
    """A player's ballot: *said* describes it, *day* is when it was cast, *place* the path of its page."""

    day: str
    said: str
    place: str


@dataclass(slots=True)
class Seat:
    """A player's seat in a *session*: *fate* is how they died, '' while they live; *won* is None while it runs.

    *role* and *side* are as dealt, '' until they are revealed.
    """

    session: Session
    role: str = ""
    side: str = ""
    fate: str = ""
    won: bool | None = None
    ballots: list[Ballot] = field(default_factory=list)


@dataclass(slots=True)
class Career:
    """Everything a *person* has done; *gave* and *got* count endorsements of and by others."""

    person: Person
    seats: list[Seat] = field(default_factory=list)
    gave: Counter[str] = field(default_factory=Counter)
    got: Counter[str] = field(default_factory=Counter)
    awards: list[tuple[Session, Awarded | AwardCorrected]] = field(default_factory=list)


def careers_of(known: Mapping[str, Person], played: Iterable[Session]) -> dict[str, Career]:
    """Return the careers of everyone *known* in the sessions *played*, by the names of their pages."""
    found = {person.page: Career(person) for person in known.values()}
    for session in played:
        seats = _seats(known, session)
        for page, seat in seats.items():
            found[page].seats.append(seat)
        _vote(known, session, seats, found)
        given: tuple[Awarded | AwardCorrected, ...] = (*session.awards, *session.corrections)
        for award in given:
            if award.who in known:
                found[known[award.who].page].awards.append((session, award))
    return found


def _seats(known: Mapping[str, Person], session: Session) -> dict[str, Seat]:
    """Return the seats of a session by the pages of everyone who held them."""
    dealt = {who: (role, side) for who, role, side in (session.revealed.deal if session.revealed else ())}
    dead, found = session.view.dead, dict[str, Seat]()
    for who in (*session.started.players, *session.view.players):
        role, side = dealt.get(who, ("", ""))
        fate = session.fates.get(who, "dead") if who in dead else "" if who in session.view.players else "left"
        won = who in session.winners if session.ended else None
        found[known[who].page] = Seat(session, role, side, fate, won)
    return found


def _vote(
    known: Mapping[str, Person], session: Session, seats: Mapping[str, Seat], found: Mapping[str, Career]
) -> None:
    votes, day, page = 0, "", ""
    for entry in session.public:
        match entry.event:
            case PhaseBegan(phase, number):
                day, page = f"{phase} {number}", f"{phase}-{number}"
            case Voted(who, ballot):
                votes += 1
                voter = known[who].page
                if voter in seats:
                    place = f"{session.folder}/{page}.html#vote-{votes}"
                    seats[voter].ballots.append(Ballot(day, deed_said(ballot_text(ballot)), place))
                if isinstance(ballot, Endorse):
                    found[voter].gave[ballot.whom] += 1
                    found[known[ballot.whom].page].got[who] += 1
