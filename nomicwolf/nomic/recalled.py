"""Answers to what is asked of the record again and again, kept up to date as it grows.

Without them, each poll would have to go through the record of years to learn, say, when the latest session ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from itertools import takewhile
from typing import TYPE_CHECKING

from nomicwolf.dataclass import dataclass
from nomicwolf.nomic.care import QuestionAnswered, QuestionAsked
from nomicwolf.nomic.events import Awarded, LetterHeard, PartyJoined, Ruled, SessionStarted, SessionStopped
from nomicwolf.nomic.profiles import DAY
from nomicwolf.nomic.seeds import SeedBound, SeedKept
from nomicwolf.village.events import Ended, Entry, Event

if TYPE_CHECKING:
    from nomicwolf.nomic.state import Contest

AWAITED = 8 * DAY
"""For how many seconds a forum's copy of a letter is waited for that names the forum by itself."""


@dataclass(slots=True)
class Recalled:
    """What a contest remembers of its record; entries are named by their numbers, instants are UTC seconds.

    * *joined* is when each party first joined.
    * *session* is the number of the latest session, *started* the entry of its start; *ended* is the entry of the
      latest end that the rules brought, *ended_at* its instant, and *over_at* when a session was last over by whatever.
    * *awarded* is the latest session for which something was awarded.
    * *questions* are those to the contestmaster that have no answer yet, by their entries.
    * *bound* are, by session, the entries that bound the contestmaster's half of its seed, and *halves* the halves
      themselves; only of sessions that are not yet past.
    * *ruled* are the session's rulings that are secret (instant, text, authority, whom each concerns) (D-A11).
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
    unseen: dict[int, tuple[int, LetterHeard]] = field(default_factory=dict)
    stamping: dict[str, int] = field(default_factory=dict)

    def copy(self) -> Recalled:
        """Return a copy that can go on by itself."""
        return Recalled(
            {**self.joined}, self.session, self.started, self.awarded, self.ended, self.ended_at, self.over_at,
            {**self.questions}, {**self.bound}, {**self.halves}, self.ruled, {**self.unseen}, {**self.stamping})

    def record(self, entry: Entry, contest: Contest) -> None:
        """Remember what *entry* tells; *contest*, which is only looked at, is as it was before *entry*."""
        change = _CHANGES.get(type(entry.event))
        if change is not None:
            change(self, entry, contest)


def _heard(recalled: Recalled, entry: Entry, contest: Contest) -> None:
    """Note whether a letter with deeds has its forum's stamp yet; a stamped copy ends the wait for one."""
    letter = entry.event
    assert isinstance(letter, LetterHeard)
    if letter.channel not in contest.setup.nomics:
        return
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


_CHANGES: Mapping[type[Event], Callable[[Recalled, Entry, Contest], None]] = {
    LetterHeard: _heard, Ended: _over, SessionStopped: _over, SessionStarted: _started,
    **dict.fromkeys((PartyJoined, Awarded, QuestionAsked, QuestionAnswered, SeedBound, SeedKept, Ruled), _tell),
}
