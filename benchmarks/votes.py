"""Votes: a town resolved from scratch, beside clingo on the same votes; and a day replayed, beside adding votes up.

Each workload has a name, and a way to make a ballot. Townspersons are ``P0``, ``P1`` ...; the first few (*candidates*)
are the ones who are voted for.

Stable models are not the definition of ``docs/votes.md``: where conditions lean on each other there may be none, or
several. Endorsements alone make a positive program, whose one model is the definition's result.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from time import process_time
from typing import TypeAlias

import clingo

from benchmarks._harness import Against, Effort, Method, Row, compare, timed
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
from nomicwolf.village.day_replay import Cast, replay_day
from nomicwolf.village.resolution import resolve

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


class Program:
    """The program text of *ballots*: ``v(V,X)`` says that V's vote is X.

    Ballots without conditions are facts, with one rule for all votes and one for all endorsements, which clingo grounds
    several times as fast as a rule for each.
    """

    def __init__(self, seats: Mapping[str, int], ballots: Mapping[str, Ballot]) -> None:
        self.seats = seats
        self.lines = ["v(V,X):-p(V,X).", "v(V,X):-e(V,U),v(U,X),V!=X."]
        self.conditions = 0
        for who, ballot in ballots.items():
            self.ballot(ballot, seats[who], ())
        if self.conditions:
            self.lines.append("vd(V):-v(V,_).")
        self.text = "\n".join([*self.lines, "#show v/2."])

    def ballot(self, ballot: Ballot, me: int, given: tuple[str, ...]) -> None:
        """Write *me*'s *ballot*, taken while all of *given* hold."""
        if isinstance(ballot, For):
            if (whom := self.seats[ballot.whom]) != me:
                self.rule(f"v({me},{whom})" if given else f"p({me},{whom})", given)
        elif isinstance(ballot, Endorse) and not given:
            self.rule(f"e({me},{self.seats[ballot.whom]})", ())
        elif isinstance(ballot, Endorse):
            self.rule(f"v({me},X)", (*given, f"v({self.seats[ballot.whom]},X)", f"X!={me}"))
        elif isinstance(ballot, If):
            truth = f"t({self.condition(ballot.condition)})"
            self.ballot(ballot.then, me, (*given, truth))
            self.ballot(ballot.otherwise, me, (*given, f"not {truth}"))

    def rule(self, head: str, body: tuple[str, ...]) -> None:
        """Write one rule, or a fact."""
        self.lines.append(f"{head}:-{','.join(body)}." if body else f"{head}.")

    def condition(self, condition: Condition) -> int:
        """Write *condition*; the number under which it is known."""
        self.conditions += 1
        mine = self.conditions
        truth, seats = f"t({mine})", self.seats
        match condition:
            case Count(whom, ">=", number):
                self.rule(truth, (f"#count{{V:v(V,{seats[whom]})}}>={number}",))
            case More(one, other):
                self.rule(truth, (f"#sum{{1,V:v(V,{seats[one]});-1,V:v(V,{seats[other]})}}>0",))
            case Votes(who, None):
                self.rule(truth, (f"not vd({seats[who]})",))
            case Votes(who, str(whom)):
                self.rule(truth, (f"v({seats[who]},{seats[whom]})",))
            case Not(part):
                self.rule(truth, (f"not t({self.condition(part)})",))
            case And(parts):
                self.rule(truth, tuple(f"t({self.condition(part)})" for part in parts))
            case Or(parts):
                for part in parts:
                    self.rule(truth, (f"t({self.condition(part)})",))
            case _:
                raise ValueError(f"no workload for clingo has {condition}")
        return mine


def stable(text: str) -> int | None:
    """Ground and solve: how many votes the first stable model has, or None if there is no model."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    found: list[int] = []
    control.solve(on_model=lambda model: found.append(len(model.symbols(shown=True))))
    return found[0] if found else None


SIZES = (100, 1_000)
DAYS = (11, 30, 100)
DAY = 100_000
TURN = 0.01
"""Seconds of a turn, if a method takes less than that: none is measured by how it starts in another's caches."""


def rows(effort: Effort) -> Iterator[Row]:
    """Towns of each kind and size; there is no program for clingo of what a real session's players write."""
    for kind in KINDS:
        for size in SIZES[: effort.sizes]:
            load = Workload(kind, size)
            ours = {"ours": often(lambda load=load: resolve(load.town, load.ballots))}  # type: ignore[misc]
            if kind == "session":
                ours["tally"] = often(lambda load=load: tally(load.ballots.values()))  # type: ignore[misc]
                yield from compare("votes", kind, size, ours, [Against("tally", "<=", 100)], effort)
            else:
                text = Program(load.town.seats, load.ballots).text
                ours["clingo"] = often(lambda text=text: stable(text))  # type: ignore[misc]
                yield from compare("votes", kind, size, ours, [Against("clingo", ">=", 12)], effort)
    for size in DAYS[: effort.sizes]:
        load = Workload("session", size)
        stream = [(load.living[me], session(load, me)) for me in (load.random.randrange(size) for _ in range(5 * size))]
        casts = [Cast((DAY * at // len(stream), 2, at), who, ballot) for at, (who, ballot) in enumerate(stream)]
        ours = {"ours": often(lambda load=load, casts=casts: replay_day(load.town, casts, until=DAY))}  # type: ignore[misc]
        ours["tally"] = often(lambda load=load, stream=stream: kept_tally(load, stream))  # type: ignore[misc]
        yield from compare("votes", "a day", size, ours, [Against("tally", "<=", 900)], effort)


def kept_tally(load: Workload, stream: list[Change]) -> int:
    """Return how often somebody has a majority; each ballot is a plain vote, moved from one count to another."""
    votes: dict[str, str] = {}
    counts = dict.fromkeys(load.living, 0)
    lynchings = 0
    for who, ballot in stream:
        whom = ballot.whom if isinstance(ballot, For) else who
        if who in votes:
            counts[votes[who]] -= 1
        votes[who] = whom
        counts[whom] += 1
        lynchings += counts[whom] >= load.town.majority
    return lynchings


def often(run: Callable[[], object]) -> Method:
    """Return the method that does *run* as often as fits into `TURN`, and costs the processor's seconds of one."""
    start = process_time()
    run()
    times = max(1, int(TURN / max(process_time() - start, 1e-9)))
    return timed(lambda: [run() for _ in range(times)], times)
