"""The reasons for a vote's value (NC 3).

The votes are settled again up to the voter's turn, so that each step rests on what was settled by then: a
condition that was open but did not matter is called that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from nomicwolf.village.ballots import (
    QUANTITY,
    After,
    Alike,
    Alive,
    And,
    AsMany,
    AsOfNow,
    Ballot,
    Before,
    Cast,
    Condition,
    Copy,
    Count,
    Day,
    Dead,
    Endorse,
    Fact,
    FirstOf,
    For,
    If,
    InPhase,
    Leads,
    Majority,
    More,
    Nobody,
    Not,
    Or,
    Town,
    Votes,
    Was,
    condition_text,
    instant_text,
)
from nomicwolf.village.compiled_ballots import NULL, TRUE, CompiledBallots, Compiler
from nomicwolf.village.ranges import NOT, OPEN, SO, UNSETTLED, Ranges, waiting
from nomicwolf.village.resolution import Table, consulted, parts
from nomicwolf.village.settling import Ground, collapse, graph

MANY: Final = 4
"""How many reasons or names are given before the rest are only counted."""


def listed(names: Iterable[str], last: str = "and") -> str:
    """Return ``Ash``, ``Ash and Bex``, ``Ash, Bex and Cam``; long lists are cut short."""
    every = list(names)
    if len(every) > 2 * MANY:
        every = [*every[: 2 * MANY - 1], f"{len(every) - 2 * MANY + 1} more"]
    return f" {last} ".join(part for part in (", ".join(every[:-1]), *every[-1:]) if part)


def possessive(names: Iterable[str]) -> list[str]:
    """Return ``Ash's`` for each name."""
    return [f"{name}'s" for name in names]


def votes(number: int) -> str:
    """Return ``no votes``, ``1 vote``, ``2 votes``."""
    return f"{number or 'no'} {'vote' if number == 1 else 'votes'}"


def been(number: int) -> str:
    """Return ``has been`` for one, ``have been`` for more and for none."""
    return "has been" if number == 1 else "have been"


class Reasons:
    """The reasons of *me*'s ballot in *town*, with the votes as far as they are in *ranges*; *mine* is their own."""

    def __init__(self, town: Town, ranges: Ranges, me: int, mine: str | None = None) -> None:
        self.town = town
        self.ranges = ranges
        self.me = me
        self.mine = mine

    def truths(self, condition: Condition) -> dict[int, int]:
        """Return what *condition* and all its parts evaluate to (``NOT``, ``OPEN``, ``SO``), by ``id``."""
        found: dict[int, int] = {}
        todo: list[tuple[Condition, bool]] = [(condition, False)]
        while todo:
            part, ready = todo.pop()
            below: list[Condition] = [] if isinstance(part, AsOfNow) else list(parts(part))
            if below and not ready:
                todo.append((part, True))
                todo += ((one, False) for one in below)
            elif isinstance(part, Not):
                found[id(part)] = SO - found[id(part.part)]
            elif isinstance(part, (And, Or)):
                each = [found[id(one)] for one in below]
                idle = SO if isinstance(part, And) else NOT
                found[id(part)] = (min if isinstance(part, And) else max)(each, default=idle)
            else:
                found[id(part)] = self.truth(part)
        return found

    def truth(self, atom: Condition) -> int:
        """Return what *atom* comes to."""
        compiler = Compiler(self.town, self.me)
        size = compiler.condition(atom)
        if size <= 0:
            return SO if size == TRUE else NOT
        return int(self.ranges.values(compiler.code, self.me)[-1])

    def why(self, condition: Condition) -> list[str]:
        """Return why *condition*, which is settled, holds, or why not."""
        truths = self.truths(condition)
        found: list[str] = []
        todo = [condition]
        while todo:
            part = todo.pop()
            if isinstance(part, Not):
                todo.append(part.part)
            elif isinstance(part, (And, Or)) and part.parts:
                stop = NOT if isinstance(part, And) else SO
                some = [one for one in part.parts if truths[id(one)] == stop]
                todo += some[:1] if truths[id(part)] == stop else reversed(part.parts)
            else:
                found.append(self.fact(part, truths[id(part)] == SO))
        return short(found)

    def unknown(self, condition: Condition) -> list[str]:
        """Return what not everyone can know, of all that keeps *condition* open; nothing that depends on the truth."""
        truths = self.truths(condition)
        found: list[str] = []
        todo = [condition]
        while todo:
            part = todo.pop()
            if truths[id(part)] != OPEN:
                continue
            if isinstance(part, (And, Or, Not)):
                todo += reversed(parts(part))
            elif isinstance(part, AsOfNow):
                found.append(f"not everyone could know, when it was cast, whether {condition_text(part.part)}")
            elif isinstance(part, Fact):
                found.append(f'nothing has been published on "{part.text}"')
            elif isinstance(part, Was):
                found.append(f"not everyone can know whether {condition_text(part)}")
        return short(found)

    def fact(self, atom: Condition, so: bool) -> str:
        """Return a settled *atom* as a statement of how things are."""
        match atom:
            case Votes(who, whom):
                return self.vote(who) if so or whom is None else self.other_vote(who, whom)
            case Alike(one, other):
                return f"{self.vote(one)}, and {self.vote(other)}"
            case Count() | Majority() | Cast():
                return self.counted(atom, so)
            case More(one, other) | AsMany(one, other) if one == other:
                return f"{one} has as many votes as {one}, never more"
            case More(one, other) | AsMany(one, other):
                return f"{self.tally(one, atom.others)}, {self.tally(other, atom.others)}"
            case Leads(whom):
                return self.led(whom, atom.others, so)
            case _:
                return self.public(atom, so)

    def public(self, atom: Condition, so: bool) -> str:
        """Return a settled atom on the public record."""
        match atom:
            case Alive(who) | Dead(who):
                return self.being(who)
            case Was(who, side):
                return f"{who} was {'' if so else 'not '}a {side}"
            case _:
                return self.moment(atom, so)

    def moment(self, atom: Condition, so: bool) -> str:
        """Return a settled atom on the day or the clock, or a fact."""
        match atom:
            case Day():
                return f"it is day {self.town.day}"
            case InPhase():
                return f"it is {self.town.phase}"
            case After(instant) if not so:
                return f"it is not yet {instant_text(instant)}"
            case Before(instant) if not so:
                return f"it is no longer before {instant_text(instant)}"
            case Fact(text) if not so:
                return f'"{text}" is not so'
            case _:
                return condition_text(atom)

    def being(self, who: str) -> str:
        """Return whether *who* lives."""
        if who in self.town.seats:
            return f"{who} is alive"
        return f"{who} is dead" if who in self.town.dead else f"{who} is no townsperson"

    def vote(self, who: str) -> str:
        """Return ``Bex is voting for Dov``, as far as it is settled."""
        seat = self.town.seats.get(who)
        if seat is None:
            return f"{self.being(who)}, so eir vote is null"
        value = self.ranges.value[seat]
        if value != UNSETTLED:
            return f"{who} is voting for {self.town.living[value] if value != NULL else 'nobody'}"
        may = [self.town.living[one] for one in sorted(self.ranges.range[seat]) if one != NULL]
        return f"{who} can only be voting for {listed([*may, 'nobody'], 'or')}"

    def other_vote(self, who: str, whom: str) -> str:
        """Return why *who* is not voting for *whom*."""
        seat = self.town.seats.get(who)
        if seat is not None and whom not in self.town.seats:
            return f"{self.being(whom)}, so nobody votes for em"
        said = self.vote(who)
        return f"{said}, not {whom}" if seat is not None and self.ranges.value[seat] != NULL else said

    def voters(self, whom: str | None, others: bool) -> tuple[list[str], list[str]]:
        """Return who votes for *whom* (None: anyone), and who still may; *me* only while their own vote is open."""
        seat = len(self.town.living) if whom is None else self.town.seats.get(whom, UNSETTLED)
        sure, may = [], []
        for voter, name in enumerate(self.town.living):
            value = self.ranges.value[voter]
            if voter == self.me and (others or value != UNSETTLED):
                continue
            if value == UNSETTLED:
                if whom is None or seat in self.ranges.range[voter]:
                    may.append(name)
            elif value == seat or (whom is None and value != NULL):
                sure.append(name)
        return sure, may

    def counts(self, whom: str | None) -> bool:
        """Return whether the own vote is one for *whom* (None: for anyone); it is never among those that are named."""
        return self.mine is not None and whom in (None, self.mine)

    def counted(self, atom: Count | Majority | Cast, so: bool) -> str:
        """Return ``Gus has 3 of the 3 votes asked for: Bex, Cam and Fay``."""
        whom = None if isinstance(atom, Cast) else atom.whom
        sure, may = self.voters(whom, atom.others)
        own = f", not counting {self.town.living[self.me]}'s own"
        tail = self.whatever(may, so) + (own if atom.others else "")
        names = f": {listed(self.named(sure))}" if sure else ""
        sum_ = self.weigh(sure)
        if isinstance(atom, Majority):
            return f"{whom} has {sum_ or 'none'} of the {self.town.majority} votes of a majority{names}{tail}"
        if atom.operator in (">=", ">"):
            of = f"{sum_ or 'none'} of the {atom.number + (atom.operator == '>')} votes asked for"
            return f"{whom} has {of}{names}{tail}" if whom else f"{of} {been(sum_)} cast{names}{tail}"
        if so and not atom.others and self.counts(whom):
            tail += own
        number = f"{whom} has {votes(sum_)}" if whom else f"{votes(sum_)} {been(sum_)} cast"
        return f"{number}{names}{tail}; {QUANTITY[atom.operator]} {atom.number} asked for"

    def tally(self, whom: str, others: bool) -> str:
        """Return ``Gus has 2 votes (Bex and Cam)``, ``without Ash's`` if Ash's own is another."""
        sure, may = self.voters(whom, others)
        own = f" without {self.town.living[self.me]}'s" if self.counts(whom) else ""
        names = f" ({listed(self.named(sure))})" if sure else ""
        return f"{whom} has {votes(self.weigh(sure))}{names}{own}{self.whatever(may)}"

    def weigh(self, voters: Iterable[str]) -> int:
        """Return how many votes *voters* have."""
        return sum(self.town.weights.get(name, 1) for name in voters)

    def named(self, voters: Iterable[str]) -> list[str]:
        """Return *voters*, with the number of their votes where that isn't one."""
        weights = self.town.weights
        return [f"{name} ({votes(weights[name])})" if weights.get(name, 1) != 1 else name for name in voters]

    def whatever(self, may: list[str], so: bool = True) -> str:
        """Return the interval's other end: the votes that are not settled and do not matter."""
        if not so:
            return f", even with {listed(possessive(may))}" if may else ""
        names = [name for name in may if name != self.town.living[self.me]]
        return f", whatever {listed(possessive(names), 'or')} comes to" if names else ""

    def led(self, whom: str, others: bool, so: bool) -> str:
        """Return ``Gus has 2 votes, Hal 1``: *whom*, and the rival who has most, or, if *whom* leads, could have."""
        if not so and whom not in self.town.seats:
            return f"{self.being(whom)}, so nobody votes for em"
        rivals = [name for name in self.town.living if name != whom]
        top = max(rivals, key=lambda name: self.rank(name, others, so), default=None)
        return f"{self.tally(whom, others)}, {self.tally(top, others) if top else 'alone'}"

    def rank(self, rival: str, others: bool, so: bool) -> tuple[int, bool]:
        """Return how many votes *rival* has, or if *so* could have; of equals *me* is last, who can't get their own."""
        sure, may = self.voters(rival, others)
        return self.weigh(sure) + (self.weigh(may) if so else 0), rival != self.town.living[self.me]


def short(reasons: list[str]) -> list[str]:
    """Return *reasons* without repetition, long lists cut."""
    every = list(dict.fromkeys(reasons))
    return every if len(every) <= MANY else [*every[:MANY], f"and so on, {len(every) - MANY} more"]


STUCK: Final = ("circular", "paradox", "secret")


def explain(
    town: Town, ballots: Mapping[str, Ballot], table: Table, who: str, clause: str = "NC 3"
) -> tuple[str, ...]:
    """Return the steps by which *who*'s vote evaluates to its value in *table* (what ``resolve(town, ballots)`` gives).

    Nothing for a plain vote and for none. *clause* is what a vote that counts as null is put down to. KeyError if
    *who* is no living townsperson.
    """
    seat = town.seats[who]
    ballot = ballots.get(who)
    if ballot is None or isinstance(ballot, (Nobody, Copy)) or (isinstance(ballot, For) and table.values[who]):
        return ()
    compiled = CompiledBallots(town, ballots)
    ground = Ground(compiled, compiled.unconditional(), until=seat)
    if ground.sift() and UNSETTLED in ground.value:
        collapse(ground)
    if table.statuses[who] == "circular" and ground.value[seat] == UNSETTLED and isinstance(ground.look(seat), int):
        ground = all_settled(compiled)
    steps = Steps(town, ground, table, who, clause)
    if table.statuses[who] in STUCK:
        return tuple(steps.stuck(ballot))
    steps.follow(ballot)
    return tuple(step for step, _ in groupby(steps.said))


def all_settled(compiled: CompiledBallots) -> Ground:
    """Return the votes of *compiled*, all settled: only then a ring of endorsements that comes to null shows."""
    ground = Ground(compiled, compiled.unconditional())
    ground.sift()
    collapse(ground)
    ground.unknown = NOT
    return ground


class Steps:
    """The steps of *who*'s ballot, with the votes settled as far as they are in *ground*."""

    def __init__(self, town: Town, ground: Ground, table: Table, who: str, clause: str) -> None:
        self.town = town
        self.ground = ground
        self.table = table
        self.who = who
        self.clause = f"({clause})"
        self.seat = town.seats[who]
        self.reasons = Reasons(town, ground, self.seat, table.values[who])
        self.said: list[str] = []

    def follow(self, ballot: Ballot) -> None:
        """Say how a vote that is settled comes to its value."""
        todo: list[Ballot] = [ballot]
        plain = True
        while todo:
            ballot = todo.pop()
            if isinstance(ballot, If):
                todo.append(self.choose(ballot))
                plain = False
            elif isinstance(ballot, FirstOf):
                todo += reversed(ballot.options)
                plain = False
            elif self.arrives(ballot, plain, last=not todo):
                break

    def choose(self, ballot: If) -> Ballot:
        """Return the branch that is taken; either, if it does not matter which."""
        truth = self.reasons.truths(ballot.condition)[id(ballot.condition)]
        if truth == OPEN or self.same(ballot):
            self.said.append(f"it does not matter whether {condition_text(bare(ballot.condition))}")
            return ballot.then
        self.said += self.reasons.why(ballot.condition)
        return ballot.then if truth == SO else ballot.otherwise

    def same(self, ballot: If) -> bool:
        """Return whether *ballot* is a choice between equals."""
        codes = [Compiler(self.town, self.seat).ballot(branch, self.seat) for branch in (ballot.then, ballot.otherwise)]
        return codes[0] == codes[1] and Compiler(self.town, self.seat).condition(ballot.condition) > 0

    def arrives(self, ballot: Ballot, plain: bool, last: bool) -> bool:
        """Say what a vote or an endorsement evaluates to; return whether that is the end, without a fall-back."""
        value = self.table.values[self.who]
        if isinstance(ballot, For):
            if ballot.whom == value:
                self.said += [] if plain else [f"so {value}"]
                return True
            self.said += self.refused(ballot.whom, last)
        elif isinstance(ballot, Endorse):
            self.said += [f"endorses {ballot.whom}", self.says(ballot.whom)]
            if value is not None and self.settled(ballot.whom) == value:
                return True
            if self.table.values.get(ballot.whom) == self.who:
                self.said += self.refused(self.who, last)
        elif value is None and last:
            self.said += [] if plain else ["so nobody"]
        return False

    def refused(self, whom: str, last: bool) -> list[str]:
        """Return why a vote for *whom* is none."""
        why = f"{whom} can't vote for emself" if whom == self.who else self.reasons.being(whom)
        return [why, "so nobody"] if last else [why]

    def settled(self, who: str) -> str | None:
        """Return the vote of *who* as far as it is settled."""
        seat = self.town.seats.get(who)
        value = NULL if seat is None else self.ground.value[seat]
        return self.town.living[value] if value >= 0 else None

    def says(self, who: str) -> str:
        """Return what the vote of *who*, who is endorsed, comes to."""
        if who not in self.town.seats:
            return f"{self.reasons.being(who)}, so eir vote is null"
        if self.ground.value[self.town.seats[who]] == UNSETTLED:
            return self.reasons.vote(who)
        status = self.table.statuses[who]
        if status == "no vote":
            return f"{who} has cast no vote"
        if status in STUCK:
            return f"{who}'s vote counts as null"
        return f"{who} votes for {self.table.values[who] or 'nobody'}"

    def stuck(self, ballot: Ballot) -> list[str]:
        """Return why a vote that could not be determined counts as null."""
        status = self.table.statuses[self.who]
        begun = f"{self.who}'s vote counts as null"
        ring = self.ground.value[self.seat] == NULL
        conditions = [] if ring else [one.condition for one in self.open_choices(ballot)]
        if status == "secret":
            why = [reason for one in conditions for reason in self.reasons.unknown(one)]
            return [f"{begun}: {reason} {self.clause}" for reason in short(why)]
        hangs = short([f"it depends on whether {condition_text(bare(one))}" for one in conditions])
        path = self.circle()
        alone = len(path) <= 2
        if status == "paradox":
            what = "whatever it were, the ballot would say otherwise" if alone else f"no votes fit {' → '.join(path)}"
        else:
            what = "it depends on itself" if alone and conditions else f"{' → '.join(path)} is a circle"
        return [f"{begun}: {what} {self.clause}", *hangs]

    def open_choices(self, ballot: Ballot) -> list[If]:
        """Return the choices of *ballot* that can still go either way, in order."""
        todo: list[Ballot] = [ballot]
        found: list[If] = []
        while todo:
            ballot = todo.pop()
            if isinstance(ballot, FirstOf):
                todo += reversed(ballot.options)
            elif isinstance(ballot, If):
                truth = self.reasons.truths(ballot.condition)[id(ballot.condition)]
                if truth == OPEN:
                    found.append(ballot)
                    todo += (ballot.otherwise, ballot.then)
                else:
                    todo.append(ballot.then if truth == SO else ballot.otherwise)
        return found

    def circle(self) -> list[str]:
        """Return the shortest way from the voter back to themself, along those who wait for each other."""
        ground, n = self.ground, self.ground.n
        if ground.value[self.seat] == UNSETTLED:
            edges = graph(ground, [voter for voter in range(n) if ground.value[voter] == UNSETTLED])
            edges[self.seat] = self.waits(edges)
        else:
            edges = {voter: consulted(ground, voter) for voter in range(n) if ground.value[voter] == NULL}
        return [self.town.living[node] for node in shortest(edges, self.seat) if node < n]

    def waits(self, edges: Mapping[int, Sequence[int]]) -> list[int]:
        """Return whom the voter waits for, by the *edges* of `graph`: themself only where their own vote counts."""
        ground, n, me = self.ground, self.ground.n, self.seat
        if me in ground.says:
            return [ground.says[me]]
        code = ground.codes[me]
        own = waiting(ground, code, ground.values(code, me), me).own
        found: list[int] = []
        for node in edges[me]:
            seat = node - n
            found += [node] if seat < 0 else [other for other in edges[node] if other != me or seat in own]
        return found


def bare(condition: Condition) -> Condition:
    """Return *condition* without the *not* around it: what it depends on is the same."""
    while isinstance(condition, Not):
        condition = condition.part
    return condition


def shortest(edges: Mapping[int, Sequence[int]], start: int) -> list[int]:
    """Return the shortest path from *start* back to it, both ends included; *start* alone if there is none."""
    before: dict[int, int] = {}
    queue = [start]
    for node in queue:
        for other in edges.get(node, ()):
            if other == start:
                path = [start, node]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return path[::-1] if len(path) > 1 and node != start else [start, start]
            if other not in before:
                before[other] = node
                queue.append(other)
    return [start]
