"""Ballots as trees, and the record they ask (NC 3).

A ballot says what a vote is to be; `nomicwolf.village.resolution` says what it evaluates to. Names are the
townspersons' canonical names.

A ballot's canonical text reads back as the same ballot. Precedence is *not*, *and*, *or*; an ``otherwise`` belongs to
the nearest ``if``; parentheses are written where they are needed, and around ``... are voting alike`` and ``..., not
counting my own vote`` inside another condition. No function here calls itself.

A `Town` is all that a condition may look at besides the votes. It has no secrets. What the record does not say is
unknown, never guessed: see `Town.known`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Final, Literal, TypeAlias

Operator: TypeAlias = Literal[">=", ">", "<=", "<", "==", "!="]
Side: TypeAlias = Literal["werewolf", "villager"]


@dataclass(frozen=True, slots=True)
class Nobody:
    """The null vote (canonical text: ``nobody``)."""


@dataclass(frozen=True, slots=True)
class For:
    """A vote for *whom* (``Gus``)."""

    whom: str


@dataclass(frozen=True, slots=True)
class Endorse:
    """The same vote as *whom*'s, whatever that is at each moment (``endorse Bex``)."""

    whom: str


@dataclass(frozen=True, slots=True)
class Copy:
    """The vote that *whom* has at the instant of casting, pinned (``copy Bex``)."""

    whom: str


@dataclass(frozen=True, slots=True)
class If:
    """*then* while *condition* holds, else *otherwise* (``Gus if COND, otherwise Hal``)."""

    condition: Condition
    then: Ballot
    otherwise: Ballot = Nobody()


@dataclass(frozen=True, slots=True)
class FirstOf:
    """The first of *options* whose value is not null (``endorse Bex or else Gus``)."""

    options: tuple[Ballot, ...]


Ballot: TypeAlias = Nobody | For | Endorse | Copy | If | FirstOf


@dataclass(frozen=True, slots=True)
class Fixed:
    """A condition that is settled for good: what a pinned condition becomes when cast."""

    value: bool


@dataclass(frozen=True, slots=True)
class And:
    """All of *parts* (``A and B``)."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of *parts* (``A or B``)."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """*part* is not so (``not (A)``)."""

    part: Condition


@dataclass(frozen=True, slots=True)
class AsOfNow:
    """*part* as it is at the instant of casting, pinned (``COND as of now``)."""

    part: Condition


@dataclass(frozen=True, slots=True)
class Votes:
    """*who*'s vote is *whom*; None is the null vote (``Bex is voting for Gus``)."""

    who: str
    whom: str | None


@dataclass(frozen=True, slots=True)
class Alike:
    """*one* and *other* have the same vote (``Bex and Cam are voting alike``)."""

    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Count:
    """How many vote for *whom*, compared with *number*; *others* leaves out the own vote."""

    whom: str
    operator: Operator
    number: int
    others: bool = False


@dataclass(frozen=True, slots=True)
class More:
    """*one* has more votes than *other* (``Gus has more votes than Hal``)."""

    one: str
    other: str
    others: bool = False


@dataclass(frozen=True, slots=True)
class AsMany:
    """*one* has at least as many votes as *other*."""

    one: str
    other: str
    others: bool = False


@dataclass(frozen=True, slots=True)
class Leads:
    """*whom* has more votes than every other living townsperson; *tied* allows equals."""

    whom: str
    tied: bool = False
    others: bool = False


@dataclass(frozen=True, slots=True)
class Majority:
    """More than half of the living vote for *whom* (``Gus has a majority``)."""

    whom: str
    others: bool = False


@dataclass(frozen=True, slots=True)
class Cast:
    """How many votes that are not null there are (``at least 3 votes have been cast``)."""

    operator: Operator
    number: int
    others: bool = False


@dataclass(frozen=True, slots=True)
class Alive:
    """*who* is a living townsperson."""

    who: str


@dataclass(frozen=True, slots=True)
class Dead:
    """*who* has been killed, publicly."""

    who: str


@dataclass(frozen=True, slots=True)
class Was:
    """*who* was a *side*; unknown until that has been disclosed (NC 6)."""

    who: str
    side: Side


@dataclass(frozen=True, slots=True)
class Day:
    """The number of the day, compared (``it is day 2 or later``)."""

    operator: Operator
    number: int


@dataclass(frozen=True, slots=True)
class InPhase:
    """It is day, or night."""

    phase: Literal["day", "night"]


@dataclass(frozen=True, slots=True)
class After:
    """The clock has reached *instant* (UTC seconds); true from that second on."""

    instant: int


@dataclass(frozen=True, slots=True)
class Before:
    """The clock has not reached *instant* (UTC seconds)."""

    instant: int


@dataclass(frozen=True, slots=True)
class IntoDay:
    """The clock has reached so many *hours* into the day, or has not; the day is known when the ballot is cast."""

    hours: int
    reached: bool = True


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact for the contestmaster to publish; unknown until then (``"some text" is so``)."""

    text: str


Condition: TypeAlias = (
    Fixed | And | Or | Not | AsOfNow | Votes | Alike | Count | More | AsMany | Leads | Majority
    | Cast | Alive | Dead | Was | Day | InPhase | After | Before | IntoDay | Fact
)


Piece: TypeAlias = "str | Ballot | Condition"

QUANTITY: Final[dict[Operator, str]] = {
    ">=": "at least", ">": "more than", "<=": "at most", "<": "fewer than", "==": "exactly", "!=": "not exactly",
}
DAY: Final[dict[Operator, str]] = {
    ">=": "it is day {} or later", ">": "it is after day {}", "<=": "it is day {} or earlier",
    "<": "it is before day {}", "==": "it is day {}", "!=": "it is not day {}",
}
NOT_MINE: Final = ", not counting my own vote"


def ballot_text(ballot: Ballot) -> str:
    """Return *ballot* in its canonical form, as ``read --json`` prints it after ``vote``."""
    return _ballot(ballot) or _spelled(ballot)


def condition_text(condition: Condition) -> str:
    """Return *condition* in its canonical form."""
    return _spelled(condition)


def instant_text(instant: int) -> str:
    """Return UTC seconds as ISO 8601, with seconds only if there are any: ``2026-12-01T12:00Z``."""
    moment = datetime.fromtimestamp(instant, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ" if moment.second else "%Y-%m-%dT%H:%MZ")


def _spelled(piece: Piece) -> str:
    """Spell out pieces from left to right; what is compound is replaced by its parts."""
    todo: list[Piece] = [piece]
    words: list[str] = []
    while todo:
        piece = todo.pop()
        if isinstance(piece, str):
            words.append(piece)
        elif isinstance(piece, (If, FirstOf, And, Or, Not, AsOfNow)):
            todo += reversed(_parts(piece))
        else:
            words.append(_plain(piece))
    return "".join(words)


def _parts(piece: If | FirstOf | And | Or | Not | AsOfNow) -> list[Piece]:
    """Return the parts of something compound, with the words between them."""
    match piece:
        case If(condition, then, otherwise):
            last = _inside(otherwise, (FirstOf,))
            return [*_inside(then, (If, FirstOf)), " if ", condition, ", otherwise ", *last]
        case FirstOf(options):
            return _joined([_inside(option, (If, FirstOf)) for option in options], " or else ") or ["nobody"]
        case And(parts):
            return _joined([_inside(part, (And, Or)) for part in parts], " and ") or [Fixed(value=True)]
        case Or(parts):
            return _joined([_inside(part, (Or,)) for part in parts], " or ") or [Fixed(value=False)]
        case Not(part):
            return ["not (", part, ")"]
        case AsOfNow(part):
            return [*_inside(part, (And, Or, Not, AsOfNow)), " as of now"]


def _inside(piece: Ballot | Condition, loose: tuple[type, ...]) -> list[Piece]:
    """Return *piece*, in parentheses if it is one of *loose*, or would be read on into what follows."""
    if isinstance(piece, (*loose, Alike)) or _plain_ending(piece):
        return ["(", piece, ")"]
    return [piece]


def _plain_ending(piece: Ballot | Condition) -> bool:
    """Return whether *piece* ends in ``not counting my own vote``."""
    return isinstance(piece, (More, AsMany, Leads, Majority, Cast)) and piece.others


def _joined(parts: Sequence[list[Piece]], word: str) -> list[Piece]:
    """Return *parts* with *word* between them."""
    return [piece for number, part in enumerate(parts) for piece in ([word, *part] if number else part)]


def _plain(piece: Piece) -> str:
    """Return the words of a ballot or condition that has no parts; those that most ballots are made of come first."""
    match piece:
        case For(whom):
            return whom
        case Nobody():
            return "nobody"
        case Votes(who, whom):
            return f"{who} is voting for {whom or 'nobody'}"
    text = _ballot(piece) or _about_votes(piece) or _public(piece)
    return text + NOT_MINE if not isinstance(piece, str) and _plain_ending(piece) else text


def _ballot(piece: Piece) -> str:
    match piece:
        case For(whom):
            return whom
        case Endorse(whom):
            return f"endorse {whom}"
        case Copy(whom):
            return f"copy {whom}"
        case _:
            return ""


def _about_votes(piece: Piece) -> str:
    match piece:
        case Votes(who, whom):
            return f"{who} is voting for {whom or 'nobody'}"
        case Alike(one, other):
            return f"{one} and {other} are voting alike"
        case Count(whom, operator, number, others):
            crowd = "others" if others else "townspersons"
            return f"{QUANTITY[operator]} {number} {crowd} are voting for {whom}"
        case More(one, other):
            return f"{one} has more votes than {other}"
        case AsMany(one, other):
            return f"{one} has at least as many votes as {other}"
        case Leads(whom, tied):
            return f"{whom} is leading or tied for the lead" if tied else f"{whom} is leading"
        case Majority(whom):
            return f"{whom} has a majority"
        case Cast(operator, number):
            return f"{QUANTITY[operator]} {number} votes have been cast"
        case _:
            return ""


def _public(piece: Piece) -> str:
    match piece:
        case Alive(who):
            return f"{who} is alive"
        case Dead(who):
            return f"{who} is dead"
        case Was(who, side):
            return f"{who} was a {side}"
        case Day(operator, number):
            return DAY[operator].format(number)
        case InPhase(phase):
            return f"it is {phase}"
        case After(instant) | Before(instant):
            return f"it is {'after' if isinstance(piece, After) else 'before'} {instant_text(instant)}"
        case IntoDay(hours, reached):
            return f"it is {'after' if reached else 'before'} {hours} hours into the day"
        case Fact(text):
            return f'"{text}" is so'
        case Fixed(value):
            return "it was so when cast" if value else "it was not so when cast"
        case _:
            return "nobody"


LOOSE: Final = "\0loose"
"""What stands for a vote that some condition decides (``unconditional``); nobody is called so."""
UNKNOWN: Final = "\0unknown"
"""What stands for a vote that has not been followed to its end yet; nobody is called so."""
NOT_A_WEREWOLF: Final = "not a werewolf"
"""What is disclosed of a lynched townsperson who was none (NC 3, 6b); the same as the villagers' side."""


@dataclass(frozen=True)
class Town:
    """Who lives, who has been killed, and what everyone knows, at one instant.

    *living* are the townspersons in seat order; *dead* those whose death is public; *disclosed* maps a name
    to the side that was published ("werewolf", "villager", "not a werewolf", or another rule set's word);
    *day* is the number of the current or last day; *now* is in UTC seconds; *facts* are what the
    contestmaster has published, by their text; with *own_votes* one may vote for oneself (D-T23, D-M18). The last so
    many of *living* as *verdicts* says are no persons, but can be voted for: guilty and innocent. *weights* has how
    many votes a person has whose ballot counts as another number than one.
    """

    living: tuple[str, ...]
    dead: tuple[str, ...] = ()
    disclosed: Mapping[str, str] = field(default_factory=dict)
    day: int = 1
    phase: Literal["day", "night"] = "day"
    now: int = 0
    facts: Mapping[str, bool] = field(default_factory=dict)
    own_votes: bool = False
    verdicts: int = 0
    weights: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def by_seat(self) -> list[int]:
        """How many votes each of the living has, by seat."""
        return [self.weights.get(name, 1) for name in self.living]

    @cached_property
    def seats(self) -> dict[str, int]:
        """The place of each living townsperson, from 0."""
        return {name: seat for seat, name in enumerate(self.living)}

    @cached_property
    def unknown(self) -> dict[str, str | None]:
        """Each living townsperson's vote while nothing is known; not to be changed, a copy is quickly made."""
        return dict.fromkeys(self.living, UNKNOWN)

    @cached_property
    def places(self) -> dict[str | None, int]:
        """What a vote for each is among seats: -1 for nobody, and -2 for one that is ``LOOSE``."""
        places: dict[str | None, int] = {None: -1, LOOSE: -2}
        places.update(self.seats)
        return places

    def at(self, now: int) -> Town:
        """Return the same record at another instant (UTC seconds)."""
        town = object.__new__(Town)
        town.__dict__.update(self.__dict__, now=now, seats=self.seats)
        return town

    @property
    def majority(self) -> int:
        """How many votes are more than half of the living (NC 3), without those who have none."""
        voters = len(self.living) - self.verdicts
        return (voters - self.by_seat.count(0) if self.weights else voters) // 2 + 1

    def side(self, who: str, side: str) -> bool | None:
        """Return whether *who* was a *side*; None until it has been disclosed."""
        told = self.disclosed.get(who)
        if told is None:
            return None
        return told == side or (side == "villager" and told == NOT_A_WEREWOLF)

    def known(self, atom: Condition) -> bool | None:
        """Return whether the record makes *atom* true; None if it does not tell, or if *atom* is no public one."""
        match atom:
            case Fixed(value):
                return value
            case Alive(who):
                return who in self.seats
            case Dead(who):
                return who in self.dead
            case Was(who, side):
                return self.side(who, side)
            case Day(operator, number):
                return compare(operator, self.day, number)
            case InPhase(phase):
                return self.phase == phase
            case After(instant):
                return self.now >= instant
            case Before(instant):
                return self.now < instant
            case Fact(text):
                return self.facts.get(text)
            case _:
                return None


def compare(operator: Operator, left: int, right: int) -> bool:
    """Return whether *left* stands to *right* as *operator* says."""
    low, high, inside = bounds(operator, right)
    within = (low is None or left >= low) and (high is None or left <= high)
    return within is inside


def bounds(operator: Operator, number: int) -> tuple[int | None, int | None, bool]:
    """Return the whole numbers that *operator* *number* admits: least and greatest (None: no end).

    The third is whether they are those inside (True) or those outside (False: only for ``!=``).
    """
    match operator:
        case ">=":
            return number, None, True
        case ">":
            return number + 1, None, True
        case "<=":
            return None, number, True
        case "<":
            return None, number - 1, True
        case "==":
            return number, number, True
        case "!=":
            return number, number, False
