"""Make the moves of a session again, each from what brought it about, and compare what follows with its record."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from nomicwolf.archive.records import event_text
from nomicwolf.contest.casting import ballot_of, in_its_day
from nomicwolf.contest.channels import BALLOTS
from nomicwolf.dataclass import dataclass
from nomicwolf.nomic.events import DeedHeard
from nomicwolf.nomic.state import is_village
from nomicwolf.reports.public import is_public
from nomicwolf.village.alarms import STAGE
from nomicwolf.village.events import (
    Announced,
    Cause,
    Chose,
    ClockStruck,
    Counted,
    Declared,
    Drawn,
    Entry,
    Event,
    Extended,
    Killed,
    Opened,
    Published,
    Removed,
    Replaced,
    StageBegan,
    Undone,
    Voted,
)
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Endless, Ruleset
from nomicwolf.village.laws.stages import about
from nomicwolf.village.laws.trial import LAST_WORDS
from nomicwolf.village.notices import is_notice, is_retold
from nomicwolf.village.rules import Refusal

LATER = "it is told to have been done later than it came"


@dataclass(slots=True)
class Redone:
    """How much was redone, by kind, and what differs.

    *exact* asks for what another version of the program may say otherwise, too: clauses, causes and notices. Letters
    waited *settling* seconds for others with an earlier stamp.
    """

    checked: Counter[str] = field(default_factory=Counter)
    differs: list[str] = field(default_factory=list)
    exact: bool = True
    settling: int = 0


def moves(entries: Sequence[Entry], rules: Ruleset, done: Redone, game: Game | None = None) -> Iterator[str]:
    """Make every move again, and compare what follows with the record, up to the first difference.

    *game* is how the session stood before the first of *entries*.
    """
    told = [e for e in entries if is_village(e.event) and _is_compared(e.event, done)]
    deeds = {e.number: e.event for e in entries if isinstance(e.event, DeedHeard)}
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
            yield differs
            return
        place += len(new)
    if place < len(told):
        yield f"entry {told[place].number}: {told[place].event.name}: the session was over before"


class _Idle:
    """The ballots that nothing is told to have come of: each was refused, or else something is missing."""

    def __init__(
        self, entries: Sequence[Entry], deeds: Mapping[int, DeedHeard], rules: Ruleset, settling: int
    ) -> None:
        self._rules, self._settling = rules, settling
        self._heard = {e.number: e.at for e in entries if e.number in deeds}
        causes = {e.cause for e in entries}
        self._waiting = deque((number, deeds[number]) for number in sorted(deeds)
                              if deeds[number].verb in BALLOTS and f"deed {number}" not in causes)
        self._idle = list[tuple[int, DeedHeard]]()

    def missed(self, game: Game, move: Entry) -> str:
        """Return which ballot could have been cast before *move*, '' if none could; those that couldn't are done."""
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
        """Return which ballots had been refused when that deed was heard which made *move* before them.

        A late second may open the vote that they would have been cast in (D-A8): they were weighed without it. So were
        those of its own instant that came before it.
        """
        came = Cause.of(move.cause).named("deed")
        at, heard = self._heard.get(came, 0), self._heard
        return [(number, deed) for number, deed in self._idle
                if number < came and (deed.instant == move.at or (
                    move.at < deed.instant <= at - self._settling and heard[number] < at))
                and not _could_be_done(self._rules, game, deed)]


def _first_difference(told: Sequence[Entry], place: int, new: Sequence[Entry], done: Redone) -> str:
    """Return where what is *new* differs first from *told*, from *place* on, '' if nowhere; count what is the same."""
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
    """Return whether the ballot *deed* is one that the game takes as it stands: neither early, late nor refused."""
    if deed.instant < max(game.clock, game.began, *(e.at for e in game.lines_now(StageBegan)[-1:])):
        return False
    try:
        rules.cast(game, deed.instant, deed.who, "vote", ballot_of(in_its_day(deed, game), about(game)))
    except Refusal:
        return False
    return True


def _is_compared(event: Event, done: Redone) -> bool:
    """Return whether *event* is published of a session that was revealed, and must be what it is here."""
    return is_public(event) or (is_retold(event) and (done.exact or not is_notice(event)))


def _is_as_made(there: Entry, made: Entry, numbers: Mapping[int, int], done: Redone) -> bool:
    """Return whether the record tells what was *made*, with its clauses and cause; *numbers* are the record's."""
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
    """Make the move that begins with entry *place* of *told*, by the public deed that it names as its cause."""
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
            lots = [e.event for e in told[place + 1:] if isinstance(e.event, Drawn) and e.cause == entry.cause]
            return rules.settle(game, entry.at, (entry.event, *lots), entry.cites, entry.cause)
        case Announced(topic="cards") | Extended() | Published() | Removed() | Replaced() | Undone():
            return rules.settle(game, entry.at, (entry.event,), entry.cites, entry.cause)
    raise ValueError(f"{entry.event.name} follows from nothing")


def _chosen(
    rules: Ruleset, game: Game, entry: Entry, chose: Chose | Declared, deed: DeedHeard | None
) -> tuple[Game, tuple[Entry, ...]]:
    """Do what was chosen again; ValueError if *deed*, of which it is told to have come, is another."""
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
    """Cast a ballot again: that of *deed*, if it is told; ValueError if that one came later.

    With *more* the next ballot was late as well, and both were weighed together.
    """
    who, ballot, by = voted.who, voted.ballot, voted.by
    if deed is not None:
        who, ballot, by = deed.who, ballot_of(in_its_day(deed, game), about(game)), ""
        if entry.at > deed.instant:
            raise ValueError(LATER)
    return rules.cast(game, entry.at, who, voted.verb, ballot, key=voted.key, by=by, cause=entry.cause, more=more)
