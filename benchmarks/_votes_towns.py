"""Towns for the benchmarks of votes, from a seed.

Each workload has a name, and a way to make a ballot. Townspersons are ``P0``, ``P1`` ...; the first few (*candidates*)
are the ones who are voted for.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from random import Random
from typing import TypeAlias

from nomicwolf.village.ballots import (
    After,
    And,
    Ballot,
    Condition,
    Count,
    Endorse,
    FirstOf,
    For,
    If,
    Leads,
    Majority,
    More,
    Nobody,
    Not,
    Or,
    Town,
    Votes,
    Was,
)

Change: TypeAlias = tuple[str, Ballot]
Maker: TypeAlias = Callable[["Workload", int], Ballot]


class Workload:
    """The ballots of one kind in a town of *size*; equal seeds give equal ballots."""

    def __init__(self, kind: str, size: int, seed: int = 1) -> None:
        self.size = size
        self.kind = kind
        self.random = Random(seed)
        self.candidates = max(3, min(50, size // 5))
        self.living = tuple(sys.intern(f"P{seat}") for seat in range(size))
        self.town = Town(self.living)
        self.make = KINDS[kind]
        self.ballots = dict(zip(self.living, map(self.ballot, range(size)), strict=True))

    def ballot(self, me: int) -> Ballot:
        """A ballot of the kind for the voter in seat *me*."""
        return self.make(self, me)

    def someone(self) -> str:
        """A candidate."""
        return self.living[self.random.randrange(self.candidates)]

    def anyone(self) -> str:
        """A townsperson."""
        return self.living[self.random.randrange(self.size)]

    def about(self, mean: float, spread: float) -> int:
        """A number of votes near *mean*, at least 1."""
        return min(self.size, max(1, int(self.random.gauss(mean, spread))))


def plain(load: Workload, me: int) -> Ballot:
    """A vote for a candidate."""
    return For(load.someone())


def forest(load: Workload, me: int) -> Ballot:
    """Four in five endorse anyone."""
    return plain(load, me) if load.random.random() < 0.2 else Endorse(load.anyone())


def conditional(load: Workload, me: int) -> Ballot:
    """A condition as players write them: a number, someone's vote, two rivals, or two of these."""
    random, size, candidates = load.random, load.size, load.candidates
    share = size / candidates
    turn = random.random()
    condition: Condition
    if turn < 0.5:
        condition = Count(load.someone(), ">=", load.about(share, share / 3))
        condition = Not(condition) if random.random() < 0.3 else condition
    elif turn < 0.7:
        condition = Votes(load.anyone(), load.someone() if random.random() < 0.8 else None)
    elif turn < 0.85:
        one, other = random.sample(range(candidates), 2)
        condition = More(load.living[one], load.living[other])
    else:
        parts = (Votes(load.anyone(), load.someone()), Count(load.someone(), ">=", load.about(share, share / 3)))
        condition = And(parts) if random.random() < 0.5 else Or(parts)
    turn = random.random()
    other_vote: Ballot = Nobody() if turn < 0.5 else For(load.someone()) if turn < 0.8 else Endorse(load.anyone())
    return If(condition, For(load.someone()), other_vote)


def mixed(load: Workload, me: int) -> Ballot:
    """Three in five vote outright, one in five endorses, one in five has a condition."""
    turn = load.random.random()
    return plain(load, me) if turn < 0.6 else Endorse(load.anyone()) if turn < 0.8 else conditional(load, me)


def contest(load: Workload, me: int) -> Ballot:
    """Two rivals, one near a majority, and one in five who would decide it: it is always in reach."""
    random, size, living = load.random, load.size, load.living
    turn = random.random()
    if turn < 0.72:
        first = random.random() < 0.6
        return For(living[0] if first else living[1] if random.random() < 0.92 else load.someone())
    if turn < 0.8:
        return Endorse(load.anyone())
    rival = living[random.randrange(2)]
    count = Count(rival, ">=", load.about(0.42 * size, 0.04 * size + 1))
    condition = count if random.random() < 0.7 else Votes(load.anyone(), rival)
    return If(condition, For(rival), For(load.someone()) if random.random() < 0.4 else Nobody())


def session(load: Workload, me: int) -> Ballot:
    """What players of a real session write: leads, majorities, fall-backs, the dead's sides, the clock."""
    random = load.random
    turn = random.random()
    if turn < 0.55:
        return plain(load, me)
    if turn < 0.6:
        return Nobody()
    if turn < 0.75:
        return Endorse(load.anyone())
    if turn < 0.8:
        return FirstOf((Endorse(load.anyone()), For(load.someone())))
    conditions: list[Condition] = [
        Leads(load.someone()), Leads(load.someone(), tied=True), Majority(load.someone()),
        After(random.randrange(100_000)), Was(load.anyone(), "werewolf"),
        Count(load.someone(), ">=", random.randint(2, 4), others=True), Votes(load.anyone(), load.someone()),
        More(load.someone(), load.someone()),
    ]
    return If(random.choice(conditions), For(load.someone()), random.choice((Nobody(), Endorse(load.anyone()))))


KINDS: dict[str, Maker] = {
    "plain": plain, "forest": forest, "mixed": mixed, "contest": contest, "session": session,
}  # fmt: skip


def tally(ballots: Iterable[Ballot]) -> dict[str, int]:
    """The floor: add up the plain votes, as if nothing else could be written."""
    counts: dict[str, int] = {}
    for ballot in ballots:
        if ballot.__class__ is For:
            whom = ballot.whom
            counts[whom] = counts.get(whom, 0) + 1
    return counts
