"""Ballots as trees: plain, endorsing, conditional, fall-backs; and the conditions they hang on.

A ballot says what a vote is to be; `nomicwolf.village.resolution` says what it comes to. Names are the
townspersons' canonical names. Clause: NC 3.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from nomicwolf.dataclass import dataclass

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
