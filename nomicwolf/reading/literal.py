"""Literal votes that a letter may not cast: for oneself, the dead, or someone who does not play (NC 3, D-N27)."""

from __future__ import annotations

from nomicwolf.reading.deeds import People
from nomicwolf.reading.errors import BallotError
from nomicwolf.village.ballots import Ballot, Copy, Endorse, For, Nobody


def refuse_literal(ballot: Ballot, people: People) -> None:
    """BallotError ``oneself`` or ``not a townsperson``; conditionals may come to such a value, and are then null."""
    if not isinstance(ballot, For | Endorse | Copy):
        return
    whom = ballot.whom
    if whom == people.author and not (people.own_votes and isinstance(ballot, For)):
        raise BallotError("oneself", "A vote goes to another townsperson.", hint="name another townsperson, or nobody")
    if whom in people.dead and isinstance(ballot, For):
        raise BallotError("not a townsperson", f"{whom} is dead.", hint="name a living townsperson, or nobody")
    if whom not in people.living and whom not in people.dead:
        raise BallotError("not a townsperson", f"{whom} is no townsperson.", hint="name a townsperson, or nobody")


def refuse_called_conditional(said: str, ballot: Ballot) -> None:
    """BallotError ``ambiguous`` for a *ballot* without a condition in words that call it conditional."""
    if "onditional" in said and isinstance(ballot, For | Endorse | Nobody) and "nconditional" not in said:
        raise BallotError("ambiguous", "It is called conditional, and no condition was understood.",
                          hint="write “I vote for NAME if ...”, or leave the word out")

