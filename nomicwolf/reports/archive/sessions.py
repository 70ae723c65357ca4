"""A session as the archive tells it: its phases, its votes, its dead; and its secrets, once they were revealed."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from nomicwolf.nomic.events import Awarded, CountPosted, DeedHeard, Revealed, SessionStarted, SessionStopped
from nomicwolf.nomic.law_events import AwardCorrected
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.archive.drawing import phases, tracks
from nomicwolf.reports.archive.following import Following, following
from nomicwolf.reports.archive.published import Published
from nomicwolf.reports.archive.tracks import Track
from nomicwolf.reports.public import Places, fold, go_on, is_public
from nomicwolf.reports.sides import won
from nomicwolf.reports.statistics import Fared, Record, called_now, csv_told, fared, rating_said
from nomicwolf.reports.views import PublicView, viewed
from nomicwolf.village import events as village
from nomicwolf.village.events import Ended, Entry, PhaseBegan, Voted

NIGHTLY = (
    village.Chose, village.Agreed, village.Joined, village.Killed, village.Revived, village.Turned,
)  # fmt: skip
QUIET = (Voted, village.Counted, DeedHeard, village.PhaseBegan, Awarded, CountPosted, SessionStarted)


@dataclass(frozen=True, slots=True)
class Phase:
    """A day or a night: *told* are its public events but for the votes, *secret* what was revealed of it later."""

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
        """The name of its page within the session's folder (``day-2.html``)."""
        return f"{self.phase}-{self.number}.html"

    @property
    def paged(self) -> bool:
        """Whether it has a page of its own: each day has, and whatever there was a vote in."""
        return bool(self.tracks) or self.phase == "day"


@dataclass(frozen=True)
class Session:
    """One session of what is *published*, whose *entries* begin at the place *first* of it; *views* are all sessions'.

    *earlier* is the contest before it as everyone knew it: intents and claims in it may be older. *ended*, *stopped*
    and *revealed* are None as long as that did not happen; *awards* are those given for it, *corrections* set them
    right. What its pages show is worked out when it is asked for: most pages are there already.
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
        """What everyone may know of it at its end, or by now."""
        return self.views.at(self.first + len(self.entries))

    @cached_property
    def public(self) -> list[Entry]:
        """Its public entries up to when its secrets were told, or it was over."""
        last = _first(self.entries, Revealed) or self.over or self.entries[-1]
        return [e for e in self.entries if is_public(e.event) and e.number <= last.number]

    @cached_property
    def fates(self) -> dict[str, str]:
        """How and when each of the dead died, as all were told: ``lynched on day 1``, ``killed in night 1``."""
        found: dict[str, str] = {}
        for first, until in phases(self.public):
            began = first.event
            assert isinstance(began, PhaseBegan)
            when = f"{'on' if began.phase == 'day' else 'in'} {began.phase} {began.number}"
            for entry in until:
                match entry.event:
                    case village.Lynched(who):
                        found[who] = f"lynched {when}"
                    case village.DeathsAnnounced(killed=killed):
                        found.update({who: f"killed {when}" for who in killed if found.get(who) != f"lynched {when}"})
        return found

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """Its days and nights."""
        return _coloured(_phases(self.earlier, self.entries, self.public, phases(self.public)))

    @property
    def following(self) -> Following:
        """Who followed whom in all its votes, among those who began it or took over."""
        seats = tuple(dict.fromkeys((*self.view.players, *self.started.players)))
        return following(seats, (track for phase in self.phases for track in phase.tracks))

    @property
    def last_vote(self) -> tuple[Phase, Track] | None:
        """The latest vote that there was, and when; None before the first."""
        return next(((phase, phase.tracks[-1]) for phase in reversed(self.phases) if phase.tracks), None)

    @property
    def before(self) -> tuple[Entry, ...]:
        """What was told before its first phase."""
        found = phases(self.public)
        mark = found[0][0].number if found else self.entries[-1].number + 1
        return tuple(e for e in self.public if e.number < mark and not isinstance(e.event, QUIET))

    @property
    def over(self) -> Entry | None:
        """The entry with which it was over."""
        return self.ended or self.stopped

    @property
    def until(self) -> int:
        """The instant up to which its pages tell of it (UTC seconds)."""
        return self.public[-1].at

    @property
    def folder(self) -> str:
        """Where its pages lie (``session-1``)."""
        return f"session-{self.number}"

    @property
    def winners(self) -> tuple[str, ...]:
        """Who won it, in seat order."""
        return self.ended.event.winners if self.ended and isinstance(self.ended.event, Ended) else ()

    @property
    def outcome(self) -> str:
        """What came of it, in a few words."""
        if self.ended and isinstance(self.ended.event, Ended):
            return won(self.ended.event.side) if self.winners else "nobody wins"
        return "ended by the contestmaster" if self.stopped else f"in progress: {self.view.place}"


class Views:
    """What everyone may know at places of a record; who asks for places that grow has each entry folded once.

    The view that was asked for last is at hand.
    """

    def __init__(self, setup: Setup, entries: Sequence[Entry]) -> None:
        self._public = [e for e in entries if is_public(e.event)]
        self._counts = array("L", accumulate((is_public(e.event) for e in entries), initial=0))
        self._places = Places(setup, self._public, go_on)
        self._latest: tuple[int, PublicView] | None = None

    def at(self, place: int) -> PublicView:
        """Return the view before entry *place*, which counts from 0."""
        if self._latest is None or self._latest[0] != place:
            self._latest = place, self._viewed(self._counts[place])
        return self._latest[1]

    def told(self, place: int) -> Contest:
        """Return the contest before entry *place* that the public entries tell of; it is not to be changed."""
        return self._places.at(self._counts[place])

    def _viewed(self, many: int) -> PublicView:
        return viewed(self._public[:many], self._places.at(many))


def sessions(published: Published) -> tuple[Session, ...]:
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
    """Return whether *event* is told of a night; what was seen is told as those who asked were (NC 7a)."""
    return isinstance(event, NIGHTLY) or (isinstance(event, village.Told) and event.topic == "seen")


def _coloured(found: list[Phase]) -> tuple[Phase, ...]:
    """Return the phases with the session's candidates in one order."""
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
        tuple(secret), tracks(earlier, public, first, until, numbers))


@dataclass(frozen=True, slots=True)
class Score:
    """How someone has done over all sessions that are over; *awards* are (nomic, what, sum)."""

    record: Record
    awards: tuple[tuple[str, str, int], ...]

    @property
    def rating(self) -> str:
        """Eir rating with its uncertainty."""
        return rating_said(self.record)


@dataclass(frozen=True, slots=True)
class Standings:
    """How all sessions went: *scores* with who won most first, all that was *found*, and *csv* with it (RFC 4180)."""

    scores: tuple[Score, ...]
    found: Fared
    csv: str


def standings(published: Published) -> Standings:
    """Return how everyone and every side has fared: most won first, then fewest played, then by name.

    Who was renamed is one player; who has been awarded something outside of these sessions is left out.
    """
    contest = fold(published.about.setup, published.entries)
    sums: dict[str, dict[tuple[str, str], int]] = {}
    for given in (e.event for e in published.entries if isinstance(e.event, Awarded | AwardCorrected)):
        mine, key = sums.setdefault(called_now(contest, given.who), {}), (given.nomic, given.what)
        mine[key] = mine.get(key, 0) + given.amount
    found = fared(contest, public=True)
    scores = [Score(r, tuple((nomic, what, amount) for (nomic, what), amount in sums.get(r.who, {}).items()))
              for r in found.players]
    return Standings(
        tuple(sorted(scores, key=lambda s: (-s.record.won, s.record.sessions, s.record.who.casefold()))),
        found, csv_told(found))
