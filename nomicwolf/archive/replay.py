"""Published sessions, replayed.

Lots, the deal, every move, count, death and award are made again, each from its cause, and compared with the record.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from nomicwolf.archive.files import event_text
from nomicwolf.contest.ballots import ballot_of, in_its_day
from nomicwolf.contest.clock import GOES_ON
from nomicwolf.nomic.awards import awards_for, unconfirmed
from nomicwolf.nomic.events import (
    Awarded,
    DeedHeard,
    HalfTold,
    Revealed,
    SeedBound,
    SeedMixed,
    SessionStarted,
    revealed,
)
from nomicwolf.nomic.law import BALLOTS
from nomicwolf.nomic.law_events import PauseEnded
from nomicwolf.nomic.state import Contest, is_village
from nomicwolf.reports.archive import Published
from nomicwolf.reports.history import FoldedPlaces, apply_public, is_public
from nomicwolf.village.events import (
    STAGE,
    Announced,
    Cause,
    Chose,
    ClockStruck,
    Counted,
    DeathsAnnounced,
    Declared,
    Drawn,
    Ended,
    Entry,
    Event,
    Extended,
    Killed,
    Opened,
    Removed,
    Replaced,
    RolesBrought,
    StageBegan,
    Undone,
    Voted,
)
from nomicwolf.village.events import Published as FactPublished
from nomicwolf.village.game import Game, is_notice, is_retold, replay
from nomicwolf.village.kernel import Endless, Ruleset
from nomicwolf.village.laws.majority import count
from nomicwolf.village.laws.phases import about
from nomicwolf.village.laws.trials import LAST_WORDS
from nomicwolf.village.lots import commitment, draw, half_commitment, mixed_seed, roles_bound
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import rules_with

LATER = "it is told to have been done later than it came"


@dataclass(slots=True)
class Redone:
    """How much was replayed, by kind, and what differs.

    *exact* compares clauses, causes and notices too, which other versions of the program may word differently. Letters
    waited *settling* seconds for others with earlier stamps. *erased* are pseudonyms: lots depend on names, so one that
    involves them can't be drawn again.
    """

    checked: Counter[str] = field(default_factory=Counter)
    differs: list[str] = field(default_factory=list)
    exact: bool = True
    settling: int = 0
    erased: frozenset[str] = frozenset()

    def is_known(self, lot: Drawn) -> bool:
        """Return whether a lot can be drawn again, because everyone in it still has the same name."""
        return self.erased.isdisjoint(lot.options) and not any(name in lot.purpose for name in self.erased)


def replay_moves(entries: Sequence[Entry], rules: Ruleset, done: Redone, game: Game | None = None) -> Iterator[str]:
    """Replay every move and compare its effects with the record, up to the first difference.

    *game* is the session before the first of *entries*.
    """
    told = [e for e in entries if is_village(e.event) and _is_compared(e.event, done)]
    deeds = _deeds(entries)
    idle, game, place = _Idle(entries, deeds, rules, done.settling), game or Game(), 0
    while place < len(told) and not game.over:
        if missed := idle.missed(game, told[place]):
            yield missed
            return
        try:
            game, made = _move(rules, game, told, place, deeds)
        except (Refusal, Endless, KeyError, ValueError) as error:
            yield f"entry {told[place].number}: can't be redone: {error}"
            return
        new = [e for e in made if _is_compared(e.event, done)]
        if not new:
            yield f"entry {told[place].number}: {told[place].event.name}: redone, it does not happen"
            return
        if differs := _first_difference(told, place, new, done):
            drawn = [e.event for e in told[place:place + len(new)] if isinstance(e.event, Drawn)]
            if all(map(done.is_known, drawn)):  # else all that follows depends on that lot, and is taken as told
                yield differs
            return
        place += len(new)
    if place < len(told):
        yield f"entry {told[place].number}: {told[place].event.name}: the session was over before"


def _deeds(entries: Sequence[Entry]) -> dict[int, DeedHeard]:
    """Return the published deeds by entry; those sent during a pause took effect at its end (D-A15)."""
    pauses = [(e.event.since, e.at) for e in entries if isinstance(e.event, PauseEnded)]

    def resumed(at: int) -> int:
        return next((until for since, until in pauses if since < at < until), at)

    return {e.number: e.event if e.event.verb in GOES_ON else replace(e.event, instant=resumed(e.event.instant))
            for e in entries if isinstance(e.event, DeedHeard)}


class _Idle:
    """Ballots without a recorded effect: each was refused, unless something is missing."""

    def __init__(
        self, entries: Sequence[Entry], deeds: Mapping[int, DeedHeard], rules: Ruleset, settling: int
    ) -> None:
        self._rules, self._settling = rules, settling
        self._heard = {e.number: e.at for e in entries if e.number in deeds}
        done = {Cause.of(e.cause).named("deed") for e in entries}
        self._waiting = deque((number, deeds[number]) for number in sorted(deeds)
                              if deeds[number].verb in BALLOTS and number not in done)
        self._idle = list[tuple[int, DeedHeard]]()

    def missed(self, game: Game, move: Entry) -> str:
        """Return a ballot that could have been cast before *move*, '' if there is none; drop those that couldn't."""
        while self._waiting and self._waiting[0][0] < move.number:
            self._idle.append(self._waiting.popleft())
        due = [each for each in self._idle if each[1].instant < move.at]
        self._idle = [each for each in self._idle if each[1].instant >= move.at]
        for number, deed in due:
            if _could_be_done(self._rules, game, deed):
                return f"entry {number}: {deed.who} could {deed.says} then, and nothing came of it"
        refused = self._refused_before(game, move)
        self._idle = [each for each in self._idle if each not in refused] if refused else self._idle
        return ""

    def _refused_before(self, game: Game, move: Entry) -> list[tuple[int, DeedHeard]]:
        """Return the ballots that had been refused when the deed behind *move* was heard.

        A late second may open a vote in which they would have been valid (D-A8), but they were weighed without it. So
        were those of its own instant that came before it.
        """
        came = Cause.of(move.cause).named("deed")
        at, heard = self._heard.get(came, 0), self._heard
        return [(number, deed) for number, deed in self._idle
                if number < came and (deed.instant == move.at or (
                    move.at < deed.instant <= at - self._settling and heard[number] < at))
                and not _could_be_done(self._rules, game, deed)]


def _first_difference(told: Sequence[Entry], place: int, new: Sequence[Entry], done: Redone) -> str:
    """Return the first difference between *new* and *told* from *place* on, '' if there is none; count what agrees."""
    numbers = dict[int, int]()
    for here, one in enumerate(new, place):
        there = told[here] if here < len(told) else None
        if there is None or not _is_as_made(there, one, numbers, done):
            return _difference(told, here, one)
        numbers[one.number] = there.number
        done.checked["counts"] += isinstance(one.event, Counted)
        done.checked["deaths"] += isinstance(one.event, Killed)
    return ""


def _could_be_done(rules: Ruleset, game: Game, deed: DeedHeard) -> bool:
    """Return whether the game accepts the ballot *deed* as it is: neither early, late nor refused."""
    if deed.instant < max(game.clock, game.began, *(e.at for e in game.lines_now(StageBegan)[-1:])):
        return False
    try:
        rules.cast(game, deed.instant, deed.who, "vote", ballot_of(in_its_day(deed, game), about(game)))
    except Refusal:
        return False
    return True


def _is_compared(event: Event, done: Redone) -> bool:
    """Return whether *event* is published for a revealed session and must be reproduced."""
    return is_public(event) or (is_retold(event) and (done.exact or not is_notice(event)))


def _is_as_made(there: Entry, made: Entry, numbers: Mapping[int, int], done: Redone) -> bool:
    """Return whether the record has what was *made*, with its clauses and cause; *numbers* are the record's."""
    if not done.exact:
        return (there.at, there.event) == (made.at, made.event)
    by = Cause.of(made.cause).named("entry")
    cause = made.cause if not by else f"entry {numbers[by]}" if by in numbers else there.cause
    return (there.at, there.event, there.cites, there.cause) == (made.at, made.event, made.cites, cause)


def _difference(told: Sequence[Entry], place: int, made: Entry) -> str:
    should = f"{made.event.name} at {made.at}: {event_text(made.event)}"
    if place >= len(told):
        return f"entry {told[-1].number}: the record ends here, and redone this follows: {should}"
    there = told[place]
    if (there.at, there.event) == (made.at, made.event):
        return (f"entry {there.number}: the record has {there.event.name} by {', '.join(there.cites) or 'no clause'}, "
                f"caused by {there.cause!r}; redone it is by {', '.join(made.cites) or 'no clause'}, by {made.cause!r}")
    return (f"entry {there.number}: the record says {there.event.name} at {there.at}: "
            f"{event_text(there.event)}; redone it is {should}")


def _move(
    rules: Ruleset, game: Game, told: Sequence[Entry], place: int, deeds: Mapping[int, DeedHeard]
) -> tuple[Game, tuple[Entry, ...]]:
    """Replay the move that begins with entry *place* of *told*, by the public deed that its cause names."""
    entry = told[place]
    game = game.branch()
    game.next = entry.number
    deed = deeds.get(Cause.of(entry.cause).named("deed"))
    match entry.event:
        case Announced(topic, text, (who, *_)) if topic == LAST_WORDS:
            return rules.speak(game, entry.at, who, "say", text.partition(": ")[2], cause=entry.cause)
        case Chose() | Declared() as chose:
            return _chosen(rules, game, entry, chose, deed)
        case Voted() as voted:
            after = next((e.event for e in told[place + 1:] if not isinstance(e.event, Removed)), None)
            more = voted.overtakes and isinstance(after, Voted) and after.late
            return _cast(rules, game, entry, voted, deed, more=more)
        case ClockStruck(what):
            if (entry.at, what) not in rules.alarms(game) and (what, game.deadline) != (STAGE, entry.at):
                raise ValueError(f"nothing called {what!r} was due then")
            return rules.strike(game, entry.at, what)
        case Opened():
            lots = [e.event for e in told[place + 1:] if isinstance(e.event, Drawn | RolesBrought)
                    and e.cause == entry.cause]
            return rules.settle(game, entry.at, (entry.event, *lots), entry.cites, entry.cause)
        case Announced(topic="cards") | Drawn() | Extended() | FactPublished() | Removed() | Replaced() | Undone():
            return rules.settle(game, entry.at, (entry.event,), entry.cites, entry.cause)
    raise ValueError(f"{entry.event.name} follows from nothing")


def _chosen(
    rules: Ruleset, game: Game, entry: Entry, chose: Chose | Declared, deed: DeedHeard | None
) -> tuple[Game, tuple[Entry, ...]]:
    """Repeat a choice; ValueError if *deed*, its recorded cause, says something else."""
    who, verb, what = chose.who, chose.verb, chose.what
    by = chose.by if deed is None else ""
    if deed is not None and (deed.who != who or (deed.names and deed.names != what)):
        raise ValueError(f"{deed.who} wrote {deed.says!r}")
    if deed is not None and entry.at > max(deed.instant, game.clock):
        raise ValueError(LATER)
    passing = not what and any(d.verb == verb and d.arity for d in rules.duties(game, who))
    return rules.act(game, entry.at, who, verb, what, passing=passing, by=by, cause=entry.cause)


def _cast(
    rules: Ruleset, game: Game, entry: Entry, voted: Voted, deed: DeedHeard | None, *, more: bool = False
) -> tuple[Game, tuple[Entry, ...]]:
    """Cast a ballot again, that of *deed* if it is published; ValueError if the deed came later.

    With *more*, the next ballot was late as well, and both were weighed together.
    """
    who, ballot, by = voted.who, voted.ballot, voted.by
    if deed is not None:
        who, ballot, by = deed.who, ballot_of(in_its_day(deed, game), about(game)), ""
        if entry.at > deed.instant:
            raise ValueError(LATER)
    return rules.cast(game, entry.at, who, voted.verb, ballot, key=voted.key, by=by, cause=entry.cause, more=more)


SLACK = 600
"""Seconds by which the clocks of the contest and its mailbox may differ."""


def redo(published: Published, *, exact: bool = True) -> Redone:
    """Replay every session as far as the published record allows; *exact* as in `Redone`."""
    setup = published.about.setup
    done = Redone(exact=exact, settling=setup.settling, erased=frozenset(published.about.erased))
    told = {True: FoldedPlaces(setup, published.entries, Contest.take),
            False: FoldedPlaces(setup, published.entries, apply_public)}
    starts = [i for i, e in enumerate(published.entries) if isinstance(e.event, SessionStarted)]
    for first, end in zip(starts, [*starts, len(published.entries)][1:], strict=bool(starts)):
        _session(published, first, end, done, told)
    return done


def _session(published: Published, first: int, end: int, done: Redone, told: Mapping[bool, FoldedPlaces]) -> None:
    """Replay one session; *told* gives the contest at places of the record, in full and as publicly known."""
    entries = published.entries[first:end]
    started = entries[0].event
    assert isinstance(started, SessionStarted)
    opened = next((e for e in entries if isinstance(e.event, Opened)), None)
    try:
        brought = next((e.event.roles for e in entries if isinstance(e.event, RolesBrought)), ())
        rules = rules_with(started.ruleset, brought)
    except Refusal:
        done.differs.append(f"session {started.session}: the rule set {started.ruleset} is not installed here")
        return
    if opened is not None:
        done.differs += _deal(published, started, entries, rules, done)
        done.differs += replay_moves(entries, rules, done)
    else:
        done.differs += _public_counts(told[False], first, entries, done)
    done.differs += _awards(told[opened is not None], first, entries, opened is not None, done)


def _deal(
    published: Published, started: SessionStarted, entries: Sequence[Entry], rules: Ruleset, done: Redone
) -> Iterator[str]:
    """Repeat commitment, lots and deal from the seed."""
    opened = next(e.event for e in entries if isinstance(e.event, Opened))
    assert isinstance(opened, Opened)
    if commitment(published.about.contest, started.session, opened.seed) != started.commitment:
        yield f"session {started.session}: the commitment is not that of the seed"
    yield from _mixed(published, started, entries, opened.seed)
    dealt = tuple((who, role) for who, role, _ in opened.deal)
    bound = roles_bound(published.about.contest, started.session, opened.seed, dealt)
    if started.bound and _unerased(bound, done) != _unerased(started.bound, done):
        yield f"session {started.session}: the commitments to the roles are not those of the deal"
    for place, entry in enumerate(entries):
        match entry.event:
            case Revealed() as told:
                game = replay(e for e in entries[:place] if is_village(e.event))
                if told != revealed(started.session, game, told.ruled):
                    yield f"entry {entry.number}: tells another seed, other roles or Lovers than there were"
            case Drawn(purpose, options, result) as lot if done.is_known(lot):
                done.checked["draws"] += 1
                if draw(opened.seed, purpose, options, len(result)) != result:
                    yield f"entry {entry.number}: the lot for {purpose} falls otherwise"
    if done.erased.isdisjoint(who for who, _ in dealt):
        yield from _dealt(f"session {started.session}", opened, entries, rules)


def _unerased(bound: Sequence[tuple[str, str]], done: Redone) -> list[tuple[str, str]]:
    """Return the commitments to the roles of those who have kept their names."""
    return [(who, commitment) for who, commitment in bound if who not in done.erased]


def _mixed(published: Published, started: SessionStarted, entries: Sequence[Entry], seed: str) -> Iterator[str]:
    """Mix a seed with players' letters again; no letter between two that went into it may be missing."""
    erased = frozenset(published.about.erased)
    where = f"session {started.session}"
    mixed = next((e.event for e in entries if isinstance(e.event, SeedMixed)), None)
    told = next((e.event for e in entries if isinstance(e.event, HalfTold)), None)
    bound = [e.event.commitment for e in published.entries
             if isinstance(e.event, SeedBound) and e.event.session == started.session]
    if not bound and mixed is None:
        return
    if mixed is None or told is None or bound != [half_commitment(
            published.about.contest, started.session, told.half)]:
        yield f"{where}: the half of the seed is not the one that was bound"
        return
    named = erased.isdisjoint(who for who, _ in mixed.letters)
    if named and mixed_seed(told.half, mixed.letters) != seed:
        yield f"{where}: the seed is not made of the half and the letters"
    yield from _window(published, entries[0].number, mixed)


def _window(published: Published, start: int, mixed: SeedMixed) -> Iterator[str]:
    """Yield the letters that went into a seed but shouldn't have, or the reverse: all from first to last belong."""
    where, size = f"session {mixed.session}", len(mixed.letters)
    heard = [h for h in published.heard if h.author != published.about.contestmaster]
    words = [(h.author, h.digest) for h in heard]
    places = [i for i in range(len(words) - size + 1) if tuple(words[i:i + size]) == mixed.letters]
    if not places:
        yield f"{where}: the letters that went into the seed are not those of the forums, one after the other"
        return
    bind = next(e for e in published.entries if isinstance(e.event, SeedBound) and e.event.session == mixed.session)
    first = {named: e.number for e in reversed(published.entries) if (named := Cause.of(e.cause).named("letter"))}
    numbers = [first.get(h.number, 0) for h in heard]
    if not any(
            all(h.arrived <= bind.at + SLACK and n < bind.number
                for h, n in zip(heard[:place], numbers[:place], strict=True))
            and all(bind.number < n < start for n in numbers[place:place + size] if n)
            and all(n > start for n in numbers[place + size:] if n)
            for place in places):
        yield f"{where}: other letters came between the binding of the half and the start than went into the seed"


def _dealt(where: str, opened: Opened, entries: Sequence[Entry], rules: Ruleset) -> Iterator[str]:
    """Deal again; a deal without lots was made by hand and is taken as given."""
    names = tuple(who for who, _, _ in opened.deal)
    if not any(isinstance(e.event, Drawn) and e.cause == "command" for e in entries):
        return
    try:
        dealt, drawn = rules.dealt(names, opened.roles, opened.seed, dict(opened.switches))
    except Refusal as refused:
        yield f"{where}: this can't be dealt: {refused.why}"
        return
    lots = tuple(e.event for e in entries if isinstance(e.event, Drawn))[:len(drawn)]
    if lots != drawn:
        yield f"{where}: the lots of the deal are not those of the seed"
    if drawn and tuple((who, role, rules.roles[role].side) for who, role in dealt) != opened.deal:
        yield f"{where}: the deal is not that of the seed"


def _public_counts(told: FoldedPlaces, first: int, entries: Sequence[Entry], done: Redone) -> Iterator[str]:
    """Repeat the counts of standing votes from public facts alone (NC 3); other ways to vote wait for the seed.

    A count that a late ballot changed is dated back but made from what was known when it was heard (D-A8). A count that
    is followed by deaths without names waits for the seed, too.
    """
    for place, entry in enumerate(entries, first):
        if not isinstance(entry.event, Counted) or not entry.event.majority:
            continue
        game = told.at(place).game
        if game is None or game.stage or game.switches.get("lovers_vote") == "spared":
            continue
        fits = tuple(count(game, max(entry.at, game.clock)).counts.items()) == entry.event.counts
        if not fits and _named_then(entries, place - first):
            continue
        done.checked["counts"] += 1
        if not fits:
            yield f"entry {entry.number}: the ballots come to another count"


def _named_then(entries: Sequence[Entry], place: int) -> bool:
    """Return whether deaths in the same instant are named after the entry at *place*; the count may know of them."""
    after = (entries[number] for number in range(place + 1, len(entries)))
    return any(isinstance(e.event, DeathsAnnounced) for e in takewhile(lambda e: e.at == entries[place].at, after))


def _awards(
    told: FoldedPlaces, first: int, entries: Sequence[Entry], revealed: bool, done: Redone
) -> Iterator[str]:
    """Derive the awards again: who won, and floor(P/N) of each nomic (NC 5i, NC 5ii)."""
    given = [e for e in entries if isinstance(e.event, Awarded)]
    over = next((e for e in entries if isinstance(e.event, Ended)), None)
    if over is None or not given:
        return
    contest = told.at(first + list(entries).index(given[0]))
    assert isinstance(over.event, Ended)
    assert contest.game is not None
    if nomic := unconfirmed(contest, over.event):
        yield f"entry {given[0].number}: awards were given although P of {nomic} was not confirmed"
        return
    wanted = awards_for(contest, contest.game, over.event)
    done.checked["awards"] += len(given)
    should = [_plain(a, revealed) for a in wanted]
    for entry, award in zip(given, [*should, *[None] * len(given)], strict=False):
        assert isinstance(entry.event, Awarded)
        if _plain(entry.event, revealed) != award:
            yield f"entry {entry.number}: redone, award {entry.event.number} is {award}"
    if len(given) < len(should):
        yield f"entry {given[-1].number}: {len(should)} awards are due, and {len(given)} were given"


def _plain(award: Awarded, revealed: bool) -> Awarded:
    """Return an award, without the kind of points if sides were not revealed."""
    return award if revealed else replace(award, what="points" if award.what.endswith("points") else award.what)
