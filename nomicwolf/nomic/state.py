"""A contest as a fold over its record.

What each run asks of the whole record, such as when the latest session ended, is derived as entries are added
(`Recalled`), so that no question goes through the record of years.

Deeds wait for their instant or phase. They are also kept by their letter, a copy of which may move them (D-N9), and by
the rulings on it: a letter that was held, released, and came too late then, is held again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TypeAlias

from nomicwolf.nomic import delivery
from nomicwolf.nomic.events import (
    Awarded,
    AwardsHeld,
    CountPosted,
    DeedDone,
    DeedHeard,
    DeedMoved,
    LetterHeard,
    LetterHeld,
    LetterRejected,
    LetterReleased,
    LimitConfirmed,
    Noted,
    PartyJoined,
    PartyLeft,
    PersonKnown,
    Refused,
    Reminded,
    Revealed,
    Ruled,
    SeedBound,
    SeedKept,
    SessionStarted,
    SessionStopped,
)
from nomicwolf.nomic.law import Law, evolve_law
from nomicwolf.nomic.law_events import PAUSE, DeedKept, PauseEnded, PersonRenamed, QuestionAnswered, QuestionAsked
from nomicwolf.nomic.setup import DAY, PLAIN, PRIVATE, Owed, Setup
from nomicwolf.village.events import Ended, Entry, Event, Opened, PhaseBegan, Removed, Replaced, Voted
from nomicwolf.village.game import Game, renamed


@dataclass(frozen=True, slots=True)
class Person:
    """Someone known to the contest: *addresses* (the first is where mail goes) and *aliases*."""

    name: str
    addresses: tuple[str, ...]
    aliases: tuple[str, ...] = ()


Persons: TypeAlias = dict[str, Person]
"""Everyone who is known, by name."""
Parties: TypeAlias = dict[str, tuple[str, ...]]
"""The roster of each nomic."""
PERSON_EVENTS = (PersonKnown, PartyJoined, PartyLeft)
"""The events that change nothing else; a `PersonRenamed` changes the law's names, too."""


def evolve_persons(persons: Persons, parties: Parties, event: Event) -> tuple[Persons, Parties]:
    """Return who is known, and who is a party, after *event*; what it doesn't change is the same mapping."""
    match event:
        case PersonKnown(who, addresses, aliases):
            return {**persons, who: Person(who, addresses, aliases)}, parties
        case PartyJoined(who, nomic):
            others = tuple(p for p in parties.get(nomic, ()) if p != who)
            return persons, {**parties, nomic: (*others, who)}
        case PartyLeft(who=who, nomic=nomic):
            return persons, {**parties, nomic: tuple(p for p in parties.get(nomic, ()) if p != who)}
        case PersonRenamed(old, new):
            renamed = {n: tuple(new if p == old else p for p in names) for n, names in parties.items()}
            return _rename(persons, old, new), renamed
    return persons, parties


def _rename(persons: Persons, old: str, new: str) -> Persons:
    """Return everyone with *old* called *new*; their former name stays an alias."""
    person = persons.get(old)
    if person is None:
        return persons
    aliases = tuple(a for a in dict.fromkeys((*person.aliases, old)) if a != new)
    others = {who: other for who, other in persons.items() if who != old}
    return {**others, new: Person(new, person.addresses, aliases)}


DEED_EVENTS = (DeedHeard, DeedDone, Refused, DeedMoved, DeedKept, PauseEnded, PhaseBegan, Removed, Replaced)
"""The events by which deeds begin to wait, go on to, or cease."""


@dataclass(slots=True)
class PendingDeeds:
    """The deeds that wait, by the numbers of their entries.

    *pending* wait for the clock, *by_letter* are their numbers by the letter's; *kept* wait for the phase that is named
    beside them.
    """

    pending: dict[int, DeedHeard] = field(default_factory=dict)
    by_letter: dict[int, tuple[int, ...]] = field(default_factory=dict)
    kept: dict[int, tuple[DeedHeard, str]] = field(default_factory=dict)

    def copy(self) -> PendingDeeds:
        """Return a copy that can go on by itself."""
        return PendingDeeds(self.pending.copy(), self.by_letter.copy(), self.kept.copy())

    def record(self, entry: Entry) -> None:
        """Apply *entry* to the deeds that wait."""
        match entry.event:
            case DeedHeard() as deed:
                self._wait(entry.number, deed)
            case DeedDone(deed=number) | Refused(deed=number):
                self._done(number)
            case DeedMoved(deed=number, instant=instant) if number in self.pending:
                self.pending[number] = replace(self.pending[number], instant=instant)
            case Replaced(old, new):
                self.pending = {n: renamed(deed, old, new) for n, deed in self.pending.items()}
                self.kept = {n: (renamed(deed, old, new), phase) for n, (deed, phase) in self.kept.items()}
            case DeedKept(deed=number, phase=phase, instead_of=other) if number in self.pending:
                self.kept.pop(other, None)
                self.kept[number] = (self.pending[number], phase)
                self._done(number)
            case Removed(who=who):
                for number in [n for n, deed in self.pending.items() if (deed.who, deed.verb) == (who, "leave")]:
                    self._done(number)
            case PauseEnded():
                self._take_up(PAUSE, entry.at)
            case PhaseBegan(phase):
                self._take_up(phase, entry.at)

    def _take_up(self, phase: str, at: int) -> None:
        """Queue what was kept for a phase for its beginning, as if it had come then (D-N38).

        What was sent after it, since the phase was found later to have begun (D-A8), waits for its own instant.
        """
        for number, (deed, wanted) in list(self.kept.items()):
            if wanted == phase:
                self._wait(number, replace(deed, instant=max(at, deed.instant)))
                del self.kept[number]

    def _wait(self, number: int, deed: DeedHeard) -> None:
        self.pending[number] = deed
        self.by_letter[deed.letter] = (*self.by_letter.get(deed.letter, ()), number)

    def _done(self, number: int) -> None:
        """Drop the deed *number*, if it waits."""
        deed = self.pending.pop(number, None)
        if deed is None:
            return
        if others := tuple(other for other in self.by_letter[deed.letter] if other != number):
            self.by_letter[deed.letter] = others
        else:
            del self.by_letter[deed.letter]


def ended_in(first: str, letter: int, since: Iterable[Entry], before: int) -> str:
    """Return the bucket of a letter at the entry *before*: its *first* one, until it is released.

    *letter* is the number of its own entry, and *since* are the entries after that.
    """
    came = list(takewhile(lambda e: e.number < before, since))
    if not any(isinstance(e.event, LetterReleased) and e.event.letter == letter for e in came):
        return first
    return "deeds" if any(isinstance(e.event, DeedHeard) and e.event.letter == letter for e in came) else "no-deed"


ONCE = ("echo", "held", "bounce", "newcomer", "unnamed", "unseen")
"""Topics of notes of which each is told once."""


class Contest:
    """One contest; read-only to whoever holds it, `branch` gives a copy to go on from.

    *last* is the number of its last entry; *game* the present or latest session; *parties* the roster of each
    nomic; *deeds* those that wait; *said* who first wrote a deed in these words where others could read it, *by_seal*
    the entry of the letter that a signed text first came in, by the text's digest; *held* the letters that wait for a
    ruling, by the number of their letter's entry; *freed* the one that was released last, until it does a deed (0:
    none); *buckets* how many letters ended where, *echoed* through what our own came back, *noted* what is to be told
    but once; *clock* the latest instant heard of (UTC seconds); *spent* what everyone has written today, *told* what
    people were told in the present run (no fold knows that), *posted* the contest as reported by the letters owed so
    far, None if they report all; *cover* what waits for a letter to everyone; *owing* what `nomic.duties.owing`
    found, and after which entry.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.last = 0
        self.clock = 0
        self.entries: list[Entry] = []
        self.persons: Persons = {}
        self.parties: Parties = {f.nomic: () for f in setup.forums}
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
        self.deeds = PendingDeeds()
        self.said: dict[str, str] = {}
        self.held: dict[int, LetterHeld] = {}
        self.limits: dict[str, LimitConfirmed] = {}
        self.awards: dict[int, tuple[Awarded, ...]] = {}
        self.awards_held: dict[int, AwardsHeld] = {}
        self.revealed: dict[int, Revealed] = {}
        self.counted_at = 0
        self.spent: dict[str, delivery.Spent] = {}
        self.told = delivery.ToldOnce()
        self.posted: Contest | None = None
        self.cover = delivery.Cover()
        self.law = Law()
        self.recalled = Recalled()
        self.owing: tuple[int, tuple[Owed, ...]] | None = None

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
        """Apply *entry*."""
        self.entries.append(entry)
        self.last = entry.number
        self.clock = max(self.clock, entry.at)
        if isinstance(entry.event, Opened):
            self.game = Game()
            self.games = {**self.games, entry.event.session: self.game}
        if self.game is not None and not self.game.over and is_village(entry.event):
            self.game.record(entry)
        delivery.count_entry(self.spent, entry)
        _evolve(self, entry)
        if self.cover.slots or isinstance(entry.event, delivery.BEGINNINGS):
            self._cover(entry)

    def absorb(self, game: Game, entries: Iterable[Entry]) -> None:
        """Apply *entries* that the kernel has already recorded in *game*."""
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
        """Delay what is told of *entry* if the session is covered; *played* is the session after it."""
        game = played or self.game
        phase, seats = (game.phase, game.seats) if game is not None and not game.over else ("", ())
        self.cover = delivery.evolve_cover(self.cover, entry, phase, seats)


COPIED = (
    "awards_held", "buckets", "by_digest", "by_message", "by_seal", "deeds", "entries", "held", "letters", "recalled",
    "said", "spent")
"""The fields that a contest changes in place, so that a branch has its own: what letters change, and a phase.

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
    if isinstance(deed, PauseEnded | Replaced):
        _evolve_law(contest, entry)
    if not isinstance(deed, DeedHeard):
        return
    if deed.letter and deed.letter == contest.freed:
        contest.freed = 0
        contest.rebucket("no-deed", "deeds")
    if deed.channel != PRIVATE:
        contest.said.setdefault(deed.text.strip(), deed.who)


def _evolve_persons(contest: Contest, entry: Entry) -> None:
    contest.persons, contest.parties = evolve_persons(contest.persons, contest.parties, entry.event)


def _evolve_sessions(contest: Contest, entry: Entry) -> None:
    match entry.event:
        case SessionStarted() as started:
            contest.sessions = {**contest.sessions, started.session: started}
            contest.deeds.kept = {}  # what waited for a phase
            contest.counted_at = entry.at
            left = tuple(who for who in contest.law.standby if who not in started.players)
            contest.law = replace(contest.law, policy=PLAIN, prods={}, reminded={}, standby=left)
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
        case Reminded(who=who, verb=verb, until=until):
            before = contest.law.reminded.get((who, verb), ())
            told = (*before, (entry.at, until))
            contest.law = replace(contest.law, reminded={**contest.law.reminded, (who, verb): told})
        case PersonRenamed():
            _evolve_persons(contest, entry)
            contest.law = evolve_law(contest.law, entry)
        case _:
            contest.law = evolve_law(contest.law, entry)


_CHANGES: Mapping[type[Event], Callable[[Contest, Entry], None]] = {
    **dict.fromkeys((LetterHeard, LetterHeld, LetterReleased, LetterRejected), _evolve_letters),
    **dict.fromkeys(DEED_EVENTS, _evolve_deeds), **dict.fromkeys(PERSON_EVENTS, _evolve_persons),
    **dict.fromkeys((SessionStarted, SessionStopped, CountPosted, Noted, LimitConfirmed, AwardsHeld, Awarded, Revealed),
                    _evolve_sessions),
}
"""The change by each kind of event; any other is the law's."""

AWAITED = 8 * DAY
"""For how many seconds a forum's copy of a letter is waited for that names the forum by itself."""


@dataclass(slots=True)
class Recalled:
    """State derived from the record; entries are named by their numbers, instants are UTC seconds.

    * *joined* is when each party first joined.
    * *session* is the number of the latest session, *started* the entry of its start; *ended* is the entry of the
      latest end that the rules brought, *ended_at* its instant, and *over_at* when a session was last over by whatever.
    * *awarded* is the latest session for which something was awarded.
    * *questions* are those to the contestmaster that have no answer yet, by their entries.
    * *bound* are, by session, the entries that bound the contestmaster's half of its seed, and *halves* the halves
      themselves; only of sessions that are not yet past.
    * *ruled* are the session's rulings that are secret (instant, text, authority, whom each concerns) (D-A11).
    * *signs* is when each was last seen by all: by a letter to a forum, or a vote, sealed or not (D-A12).
    * *unseen* are the letters with deeds that no forum has stamped, by their entries, each with its instant;
      *stamping* is when each forum last sent a letter with its stamp.
    """

    joined: dict[str, int] = field(default_factory=dict)
    session: int = 0
    started: int = 0
    awarded: int = 0
    ended: int = 0
    ended_at: int = 0
    over_at: int = 0
    questions: dict[int, QuestionAsked] = field(default_factory=dict)
    bound: dict[int, int] = field(default_factory=dict)
    halves: dict[int, str] = field(default_factory=dict)
    ruled: tuple[tuple[int, str, str, tuple[str, ...]], ...] = ()
    signs: dict[str, int] = field(default_factory=dict)
    unseen: dict[int, tuple[int, LetterHeard]] = field(default_factory=dict)
    stamping: dict[str, int] = field(default_factory=dict)

    def copy(self) -> Recalled:
        """Return a copy that can go on by itself."""
        return Recalled(
            {**self.joined}, self.session, self.started, self.awarded, self.ended, self.ended_at, self.over_at,
            {**self.questions}, {**self.bound}, {**self.halves}, self.ruled, {**self.signs},
            {**self.unseen}, {**self.stamping})

    def record(self, entry: Entry, contest: Contest) -> None:
        """Remember *entry*; *contest*, which is only read, is as it was before *entry*."""
        change = _REMEMBERED.get(type(entry.event))
        if change is not None:
            change(self, entry, contest)


def _heard(recalled: Recalled, entry: Entry, contest: Contest) -> None:
    """Note whether a letter with deeds has its forum's stamp yet; a stamped copy ends the wait for one."""
    letter = entry.event
    assert isinstance(letter, LetterHeard)
    if letter.channel not in contest.setup.nomics:
        return
    if letter.author and letter.bucket in ("deeds", "no-deed"):
        recalled.signs[letter.author] = max(recalled.signs.get(letter.author, 0), letter.stamped or letter.arrived)
    if letter.stamped:
        recalled.stamping[letter.channel] = max(recalled.stamping.get(letter.channel, 0), entry.at)
        copied = letter.message_id and [
            number for number, (_, other) in recalled.unseen.items()
            if (other.message_id, other.digest) == (letter.message_id, letter.digest)]
        for number in copied or ():
            del recalled.unseen[number]
    elif letter.bucket == "deeds" and not (letter.message_id and any(
            _is_stamped(contest, number, letter.digest) for number in contest.by_message.get(letter.message_id, ()))):
        for number in [*takewhile(lambda n: recalled.unseen[n][0] <= entry.at - AWAITED, recalled.unseen)]:
            del recalled.unseen[number]
        recalled.unseen[entry.number] = entry.at, letter


def _is_stamped(contest: Contest, number: int, digest: str) -> bool:
    letter = contest.letters.get(number)
    return letter is not None and bool(letter.stamped) and letter.digest == digest and (
        letter.channel in contest.setup.nomics)


def _tell(recalled: Recalled, entry: Entry, contest: Contest) -> None:
    """Note what is told by an event that needs nothing else of the contest."""
    match entry.event:
        case Voted(who=who, by="") | Replaced(new=who):
            recalled.signs[who] = max(recalled.signs.get(who, 0), entry.at)
        case PartyJoined(who=who):
            recalled.joined.setdefault(who, entry.at)
        case Awarded(session=session):
            recalled.awarded = max(recalled.awarded, session)
        case QuestionAsked() as asked:
            recalled.questions[entry.number] = asked
        case QuestionAnswered(question=number):
            recalled.questions.pop(number, None)
        case SeedBound(session=session):
            recalled.bound.setdefault(session, entry.number)
        case SeedKept(session=session, half=half):
            recalled.halves.setdefault(session, half)
        case Ruled(secret=True) as ruled:
            recalled.ruled += ((entry.at, ruled.text, ruled.authority, ruled.about),)


def _over(recalled: Recalled, entry: Entry, contest: Contest) -> None:
    recalled.over_at = max(recalled.over_at, entry.at)
    if isinstance(entry.event, Ended):
        recalled.ended, recalled.ended_at = entry.number, entry.at


def _started(recalled: Recalled, entry: Entry, contest: Contest) -> None:
    assert isinstance(entry.event, SessionStarted)
    session = entry.event.session
    recalled.session, recalled.started = max(recalled.session, session), entry.number
    recalled.bound = {other: number for other, number in recalled.bound.items() if other >= session}
    recalled.halves = {other: half for other, half in recalled.halves.items() if other >= session}
    recalled.ruled = ()


_REMEMBERED: Mapping[type[Event], Callable[[Recalled, Entry, Contest], None]] = {
    LetterHeard: _heard, Ended: _over, SessionStopped: _over, SessionStarted: _started,
    **dict.fromkeys((PartyJoined, Awarded, QuestionAsked, QuestionAnswered, Replaced, Ruled, SeedBound, SeedKept,
                     Voted), _tell),
}
