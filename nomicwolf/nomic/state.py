"""A contest as it stands: a fold over its record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from nomicwolf.dataclass import dataclass
from nomicwolf.nomic import cover, flood, persons, waiting
from nomicwolf.nomic.care import PersonRenamed
from nomicwolf.nomic.events import (
    Awarded,
    AwardsHeld,
    CountPosted,
    DeedHeard,
    LetterHeard,
    LetterHeld,
    LetterRejected,
    LetterReleased,
    LimitConfirmed,
    Noted,
    Reminded,
    Revealed,
    SessionStarted,
    SessionStopped,
)
from nomicwolf.nomic.law import Law, evolve
from nomicwolf.nomic.recalled import Recalled
from nomicwolf.nomic.ruled import ended_in
from nomicwolf.nomic.setup import PRIVATE, Setup
from nomicwolf.village.events import Entry, Event, Opened
from nomicwolf.village.game import Game

ONCE = ("echo", "held", "bounce", "newcomer", "unseen")
"""Topics of notes of which each is told once."""


class Contest:
    """One contest; read-only to whoever holds it, `branch` gives a copy to go on from.

    *last* is the number of its last entry; *game* the present or latest session; *parties* the roster of each
    nomic; *deeds* those that wait; *said* who first wrote a deed in these words where others could read it, *by_seal*
    the entry of the letter that a signed text first came in, by the text's digest; *held* the letters that wait for a
    ruling, by the number of their letter's entry; *freed* the one that was released last, until it does a deed (0:
    none); *buckets* how many letters ended where, *echoed* through what our own came back, *noted* what is to be told
    but once; *clock* the latest instant heard of (UTC seconds); *spent* what everyone has written today; *cover* what
    waits for a letter to everyone; *public* the work that `reports.public` has done already, from which a branch goes
    on.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.last = 0
        self.clock = 0
        self.entries: list[Entry] = []
        self.persons: persons.Persons = {}
        self.parties: persons.Parties = {f.nomic: () for f in setup.forums}
        self.game: Game | None = None
        self.games: dict[int, Game] = {}
        self.sessions: dict[int, SessionStarted] = {}
        self.stopped: dict[int, SessionStopped] = {}
        self.letters: dict[int, LetterHeard] = {}
        self.buckets: dict[str, int] = {}
        self.freed = 0
        self.echoed: frozenset[str] = frozenset()
        self.noted: frozenset[tuple[str, str]] = frozenset()
        self.by_message: dict[str, tuple[int, ...]] = {}
        self.by_digest: dict[str, int] = {}
        self.by_seal: dict[str, int] = {}
        self.deeds = waiting.Waiting()
        self.said: dict[str, str] = {}
        self.held: dict[int, LetterHeld] = {}
        self.limits: dict[str, LimitConfirmed] = {}
        self.awards: dict[int, tuple[Awarded, ...]] = {}
        self.awards_held: dict[int, AwardsHeld] = {}
        self.revealed: dict[int, Revealed] = {}
        self.counted_at = 0
        self.spent: dict[str, flood.Spent] = {}
        self.cover = cover.Cover()
        self.law = Law()
        self.recalled = Recalled()
        self.public: PublicHalf | None = None

    @classmethod
    def of(cls, setup: Setup, entries: Iterable[Entry]) -> Contest:
        """Return the contest that *entries* tell of."""
        contest = cls(setup)
        contest.take(entries)
        return contest

    def take(self, entries: Iterable[Entry]) -> None:
        """Record *entries* in order."""
        for entry in entries:
            self.record(entry)

    def branch(self) -> Contest:
        """Return a copy that can go on without changing this contest."""
        new = Contest.__new__(Contest)
        parts = vars(new)
        parts.update(vars(self))
        for name in COPIED:
            parts[name] = parts[name].copy()
        if self.game is not None:
            new.game = self.game.branch()
            new.games = {**self.games, self.session: new.game}
        return new

    @property
    def session(self) -> int:
        """The number of the present or latest session, 0 before the first."""
        return self.recalled.session

    @property
    def running(self) -> Game | None:
        """The session in progress, if there is one."""
        return self.game if self.game is not None and not self.game.over else None

    @property
    def pending(self) -> Mapping[int, DeedHeard]:
        """The deeds that wait for the clock."""
        return self.deeds.pending

    def contestants(self) -> tuple[str, ...]:
        """Return the parties of any nomic but the contestmaster of any (D-N1), in canonical order."""
        everyone = {who for names in self.parties.values() for who in names}
        return tuple(sorted(everyone - {*map(self.contestmaster, self.setup.nomics)}, key=str.casefold))

    def contestmaster(self, nomic: str = "") -> str:
        """Return who is the contestmaster in *nomic* (NC 1d): the one that the settings name, unless it has changed."""
        return self.law.masters.get(nomic, self.setup.contestmaster)

    def address_of(self, who: str) -> str:
        """Return where private mail for *who* goes; '' if it is not known."""
        if who == self.setup.contestmaster:
            return self.setup.contestmaster_addresses[0] if self.setup.contestmaster_addresses else ""
        person = self.persons.get(who)
        return person.addresses[0] if person and person.addresses else ""

    def record(self, entry: Entry) -> None:
        """Let *entry* have happened."""
        self.entries.append(entry)
        self.last = entry.number
        self.clock = max(self.clock, entry.at)
        if isinstance(entry.event, Opened):
            self.game = Game()
            self.games = {**self.games, entry.event.session: self.game}
        if self.game is not None and not self.game.over and is_village(entry.event):
            self.game.record(entry)
        flood.count(self.spent, entry)
        _evolve(self, entry)
        if self.cover.slots or isinstance(entry.event, cover.BEGINNINGS):
            self._cover(entry)

    def absorb(self, game: Game, entries: Iterable[Entry]) -> None:
        """Let *entries* have happened that the kernel has already recorded in *game*."""
        for entry in entries:
            self.entries.append(entry)
            self.last = entry.number
            self.clock = max(self.clock, entry.at)
            _evolve(self, entry)
            self._cover(entry, game)
        self.game = game
        self.games = {**self.games, self.session or (game.opened.session if game.opened else 0): game}

    def rebucket(self, old: str, new: str) -> None:
        """Count a letter as ended in bucket *new* in place of *old*."""
        self.buckets[old] -= 1
        if not self.buckets[old]:
            del self.buckets[old]
        self.buckets[new] = self.buckets.get(new, 0) + 1

    def _cover(self, entry: Entry, played: Game | None = None) -> None:
        """Let what is told of *entry* wait if the session is covered; *played* is how the session stands after it."""
        game = played or self.game
        phase, seats = (game.phase, game.seats) if game is not None and not game.over else ("", ())
        self.cover = cover.evolve(self.cover, entry, phase, seats)


@dataclass(frozen=True, slots=True)
class PublicHalf:
    """What everyone may know of a contest's first *seen* entries: the public *entries* among them, and what they tell.

    *contest* is the contest that all of *entries* tell of; *before* is how many of them came before the latest session,
    and the contest that these tell of.
    """

    seen: int
    entries: list[Entry]
    contest: Contest
    before: tuple[int, Contest]


COPIED = (
    "awards_held", "buckets", "by_digest", "by_message", "by_seal", "deeds", "entries", "held", "letters", "recalled",
    "said", "spent")
"""What a contest changes in place, so that a branch has it for itself: what letters change, and a phase.

All else is replaced when it changes, which it does a few times in a session.
"""


def is_village(event: Event) -> bool:
    """Return whether *event* is of the game rather than of the law around it (other packages' events are)."""
    return not type(event).__module__.startswith("nomicwolf.nomic")


def _evolve(contest: Contest, entry: Entry) -> None:
    contest.recalled.record(entry, contest)
    _CHANGES.get(type(entry.event), _evolve_law)(contest, entry)


def _evolve_letters(contest: Contest, entry: Entry) -> None:
    match entry.event:
        case LetterHeard() as letter:
            contest.letters[entry.number] = letter
            contest.buckets[letter.bucket] = contest.buckets.get(letter.bucket, 0) + 1
            if letter.bucket == "own":
                contest.echoed |= {letter.channel}
            if letter.message_id:
                known = contest.by_message.get(letter.message_id, ())
                contest.by_message[letter.message_id] = (*known, entry.number)
            contest.by_digest.setdefault(letter.digest, entry.number)
            for seal in letter.seals:
                contest.by_seal.setdefault(seal, entry.number)
        case LetterHeld(letter=number) as held:
            contest.held[number] = held
        case LetterReleased(letter=number) | LetterRejected(letter=number):
            contest.held.pop(number, None)
            since = contest.entries[number:]
            contest.rebucket(ended_in(contest.letters[number].bucket, number, since, entry.number), "no-deed")
            contest.freed = number if isinstance(entry.event, LetterReleased) else 0


def _evolve_deeds(contest: Contest, entry: Entry) -> None:
    deed = entry.event
    contest.deeds.record(entry)
    if not isinstance(deed, DeedHeard):
        return
    if deed.letter and deed.letter == contest.freed:
        contest.freed = 0
        contest.rebucket("no-deed", "deeds")
    if deed.channel != PRIVATE:
        contest.said.setdefault(deed.text.strip(), deed.who)


def _evolve_persons(contest: Contest, entry: Entry) -> None:
    contest.persons, contest.parties = persons.evolve(contest.persons, contest.parties, entry.event)


def _evolve_sessions(contest: Contest, entry: Entry) -> None:
    match entry.event:
        case SessionStarted() as started:
            contest.sessions = {**contest.sessions, started.session: started}
            contest.deeds.drop_kept()
            contest.counted_at = entry.at
        case SessionStopped() as stopped:
            contest.stopped = {**contest.stopped, stopped.session: stopped}
            if contest.game is not None:
                contest.game.phase = "over"
        case CountPosted():
            contest.counted_at = entry.at
        case Noted(topic, text) if topic in ONCE:
            contest.noted |= {(topic, text)}
        case LimitConfirmed() as limit:
            contest.limits = {**contest.limits, limit.nomic: limit}
        case AwardsHeld() as held:
            contest.awards_held[held.session] = held
        case Awarded() as awarded:
            others = contest.awards.get(awarded.session, ())
            contest.awards = {**contest.awards, awarded.session: (*others, awarded)}
            contest.awards_held.pop(awarded.session, None)
        case Revealed() as revealed:
            contest.awards_held.pop(revealed.session, None)
            contest.revealed = {**contest.revealed, revealed.session: revealed}


def _evolve_law(contest: Contest, entry: Entry) -> None:
    match entry.event:
        case Reminded(who=who, verb=verb):
            contest.law = replace(contest.law, reminded={**contest.law.reminded, (who, verb): entry.at})
        case PersonRenamed():
            _evolve_persons(contest, entry)
            contest.law = evolve(contest.law, entry)
        case _:
            contest.law = evolve(contest.law, entry)


_CHANGES: Mapping[type[Event], Callable[[Contest, Entry], None]] = {
    **dict.fromkeys((LetterHeard, LetterHeld, LetterReleased, LetterRejected), _evolve_letters),
    **dict.fromkeys(waiting.LOOKED_AT, _evolve_deeds), **dict.fromkeys(persons.LOOKED_AT, _evolve_persons),
    **dict.fromkeys((SessionStarted, SessionStopped, CountPosted, Noted, LimitConfirmed, AwardsHeld, Awarded, Revealed),
                    _evolve_sessions),
}
"""What each kind of event changes; any other is the law's."""
