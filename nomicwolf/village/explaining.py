"""Why a vote is what it is: the steps from the ballot to its value, in words a player understands (NC 3).

The votes are settled again up to the voter's turn, so that each step rests on what was settled by then: a
condition that was open but did not matter is called that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from nomicwolf.village.ballots import Ballot, Condition, Copy, Endorse, FirstOf, For, If, Nobody, Not
from nomicwolf.village.circles import collapse, graph
from nomicwolf.village.compiling import Compiler
from nomicwolf.village.nodes import NULL
from nomicwolf.village.ranges import NOT, OPEN, SO, UNSETTLED
from nomicwolf.village.reasons import Reasons, short
from nomicwolf.village.resolution import Table, consulted
from nomicwolf.village.roll import Roll
from nomicwolf.village.settling import Ground
from nomicwolf.village.town import Town
from nomicwolf.village.waiting import waiting
from nomicwolf.village.wording import condition_text

STUCK: Final = ("circular", "paradox", "secret")


def explain(
    town: Town, ballots: Mapping[str, Ballot], table: Table, who: str, clause: str = "NC 3"
) -> tuple[str, ...]:
    """The steps by which *who*'s vote comes to its value in *table* (what ``resolve(town, ballots)`` gives).

    Nothing for a plain vote and for none. *clause* is what a vote that counts as null is put down to. KeyError if
    *who* is no living townsperson.
    """
    seat = town.seats[who]
    ballot = ballots.get(who)
    if ballot is None or isinstance(ballot, (Nobody, Copy)) or (isinstance(ballot, For) and table.values[who]):
        return ()
    roll = Roll(town, ballots)
    ground = Ground(roll, roll.firm(), until=seat)
    if ground.sift() and UNSETTLED in ground.value:
        collapse(ground)
    if table.statuses[who] == "circular" and ground.value[seat] == UNSETTLED and isinstance(ground.look(seat), int):
        ground = all_settled(roll)
    steps = Steps(town, ground, table, who, clause)
    if table.statuses[who] in STUCK:
        return tuple(steps.stuck(ballot))
    steps.follow(ballot)
    return tuple(short_steps(steps.said))


def all_settled(roll: Roll) -> Ground:
    """The votes of *roll*, all of them settled: a ring of endorsements that comes to null by itself shows only then."""
    ground = Ground(roll, roll.firm())
    ground.sift()
    collapse(ground)
    ground.unknown = NOT
    return ground


def short_steps(steps: list[str]) -> list[str]:
    """*steps* without immediate repetition."""
    return [step for at, step in enumerate(steps) if not at or steps[at - 1] != step]


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
        """The branch that is taken; either, if it does not matter which."""
        truth = self.reasons.truths(ballot.condition)[id(ballot.condition)]
        if truth == OPEN or self.same(ballot):
            self.said.append(f"it does not matter whether {condition_text(bare(ballot.condition))}")
            return ballot.then
        self.said += self.reasons.why(ballot.condition)
        return ballot.then if truth == SO else ballot.otherwise

    def same(self, ballot: If) -> bool:
        """Whether *ballot* is a choice between equals."""
        codes = [Compiler(self.town, self.seat).ballot(branch, self.seat) for branch in (ballot.then, ballot.otherwise)]
        return codes[0] == codes[1] and Compiler(self.town, self.seat).condition(ballot.condition) > 0

    def arrives(self, ballot: Ballot, plain: bool, last: bool) -> bool:
        """Say what a vote or an endorsement comes to; whether that is the end, rather than a fall-back following."""
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
        """Why a vote for *whom* is none."""
        why = f"{whom} can't vote for emself" if whom == self.who else self.reasons.being(whom)
        return [why, "so nobody"] if last else [why]

    def settled(self, who: str) -> str | None:
        """The vote of *who* as far as it is settled."""
        seat = self.town.seats.get(who)
        value = NULL if seat is None else self.ground.value[seat]
        return self.town.living[value] if value >= 0 else None

    def says(self, who: str) -> str:
        """What the vote of *who*, who is endorsed, comes to."""
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
        """Why a vote that could not be determined counts as null."""
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
        """The choices of *ballot* that can still go either way, in order."""
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
        """The shortest way from the voter back to emself, along those who wait for each other."""
        ground, n = self.ground, self.ground.n
        if ground.value[self.seat] == UNSETTLED:
            edges = graph(ground, [voter for voter in range(n) if ground.value[voter] == UNSETTLED])
            edges[self.seat] = self.waits(edges)
        else:
            edges = {voter: consulted(ground, voter) for voter in range(n) if ground.value[voter] == NULL}
        return [self.town.living[node] for node in shortest(edges, self.seat) if node < n]

    def waits(self, edges: Mapping[int, Sequence[int]]) -> list[int]:
        """For whom the voter waits, by the *edges* of ``circles.graph``: for emself only where eir own vote counts."""
        ground, n, me = self.ground, self.ground.n, self.seat
        if me in ground.says:
            return [ground.says[me]]
        code = ground.undecided(me)
        own = waiting(ground, code, ground.values(code, me), me).own
        found: list[int] = []
        for node in edges[me]:
            seat = node - n
            found += [node] if seat < 0 else [other for other in edges[node] if other != me or seat in own]
        return found


def bare(condition: Condition) -> Condition:
    """*condition* without the *not* around it: what it depends on is the same."""
    while isinstance(condition, Not):
        condition = condition.part
    return condition


def shortest(edges: Mapping[int, Sequence[int]], start: int) -> list[int]:
    """The shortest path from *start* back to it, both ends included; *start* alone if there is none."""
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
