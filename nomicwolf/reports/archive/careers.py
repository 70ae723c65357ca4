"""What each player has done: eir seats, votes, endorsements and awards, gathered over all sessions in one go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from nomicwolf.nomic.events import Awarded
from nomicwolf.nomic.law_events import AwardCorrected
from nomicwolf.reports.archive.people import Person
from nomicwolf.reports.archive.sessions import Session
from nomicwolf.reports.archive.wording import deed_said
from nomicwolf.village.ballots import Endorse, ballot_text
from nomicwolf.village.events import PhaseBegan, Voted


@dataclass(frozen=True, slots=True)
class Ballot:
    """One ballot of a player's: *said* in a few words, cast in *day*, told at *place*, the path of a page."""

    day: str
    said: str
    place: str


@dataclass(slots=True)
class Seat:
    """A player's seat in a *session*: *fate* is how e died, '' while e lives; *won* None while it runs.

    *role* and *side* are as dealt, '' until they are told.
    """

    session: Session
    role: str = ""
    side: str = ""
    fate: str = ""
    won: bool | None = None
    ballots: list[Ballot] = field(default_factory=list)


@dataclass(slots=True)
class Career:
    """All that a *person* has done; *gave* and *got* are how often e endorsed whom, and was endorsed by whom."""

    person: Person
    seats: list[Seat] = field(default_factory=list)
    gave: Counter[str] = field(default_factory=Counter)
    got: Counter[str] = field(default_factory=Counter)
    awards: list[tuple[Session, Awarded | AwardCorrected]] = field(default_factory=list)


def careers(known: Mapping[str, Person], played: Iterable[Session]) -> dict[str, Career]:
    """Return what everyone of *known* has done in the sessions *played*, by the names of eir pages."""
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
    """Return the seats of a session by the pages of those who have them at its end, or had them before."""
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
