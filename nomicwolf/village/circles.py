"""Circles: voters who wait only for each other, found bottom first (the *collapse* of the definition).

NC 3 conditional: “without going round in a circle or into a paradox, it counts as null”.

Circular are also votes that would agree with just one solution (D-V4), and ballots that speak of themselves
(D-V5). NC 3, D-N7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from nomicwolf.village.nodes import MOST, NULL, WITHIN
from nomicwolf.village.paradox import Agreement
from nomicwolf.village.ranges import UNSETTLED
from nomicwolf.village.settling import Ground
from nomicwolf.village.waiting import waiting

Reason: TypeAlias = Literal["circular", "paradox", "secret"]
"""Why votes that wait only for each other, or for the record, count as null."""


def components(edges: Mapping[int, Iterable[int]]) -> list[list[int]]:
    """The strongly connected components of a graph, each after all that it points to (Tarjan 1972).

    Nodes that are no key have no edges. Iterative: a chain may be as long as memory is.
    """
    least: dict[int, int] = {}
    path: list[int] = []
    found: list[list[int]] = []
    for root in edges:
        if root in least:
            continue
        least[root] = 0
        path.append(root)
        calls = [(root, 0, iter(edges[root]))]
        while calls:
            node, at, rest = calls[-1]
            for other in rest:
                if other not in least:
                    least[other] = len(path)
                    calls.append((other, len(path), iter(edges.get(other, ()))))
                    path.append(other)
                    break
                if least[other] < at:
                    least[node] = min(least[node], least[other])
            else:
                calls.pop()
                if least[node] == at:
                    part = path[at:]
                    del path[at:]
                    found.append(part)
                    least.update(dict.fromkeys(part, MOST))
                else:
                    above = calls[-1][0]
                    least[above] = min(least[above], least[node])
    return found


def parted(edges: Mapping[int, Sequence[int]], n: int) -> tuple[list[list[int]], list[list[int]]]:
    """The voters in each bottom circle of a graph, from which no edge leads out; and in each other component.

    Voters are the nodes below *n*; seats for which nobody may still vote don't count. What is no bottom circle comes
    after all that it points to.
    """
    bottoms: list[list[int]] = []
    rest: list[list[int]] = []
    idle: set[int] = set()
    for part in components(edges):
        inside = idle.union(part)
        closed = all(inside.issuperset(edges.get(node, ())) for node in part)
        voters = [node for node in part if node < n]
        if voters:
            (bottoms if closed else rest).append(voters)
        elif closed:
            idle.update(part)
    return bottoms, rest


def graph(ground: Ground, voters: Sequence[int]) -> dict[int, list[int]]:
    """For whom each of *voters* waits.

    Who waits for the votes for a seat points to the node n + seat, which points to all who may still vote so: a
    condition on a count costs one edge.
    """
    inside, n = set(voters), ground.n
    edges: dict[int, list[int]] = {}
    asked: dict[int, list[int]] = {}
    for voter in voters:
        if voter in ground.says:
            edges[voter] = [ground.says[voter]]
            continue
        code = ground.undecided(voter)
        if len(code) == 1 and code[0][0] == WITHIN:
            seat = code[0][1]
            edges[voter], asked[seat] = [n + seat], []
        else:
            found = waiting(ground, code, ground.values(code, voter), voter)
            edges[voter] = [*sorted(found.voters & inside), *(n + seat for seat in sorted(found.seats))]
            asked.update((seat, []) for seat in found.seats)
    for voter in voters if asked else ():
        for seat in ground.range[voter]:
            if seat in asked:
                asked[seat].append(voter)
    edges.update({n + seat: list(voters) if seat == n else able for seat, able in asked.items()})
    return edges


def collapse(ground: Ground, reasons: dict[int, Reason] | None = None) -> None:
    """Settle all who are left: bottom circles count as null, then what follows from that, until all are settled.

    With *ground.until*, stop where that voter's turn has come. *reasons* is told of each voter in a circle why eir
    vote counts as null; the votes do not depend on it.
    """
    value = ground.value
    work: list[Sequence[int]] = [ground.soft]
    while work:
        voters = sorted([voter for voter in work.pop() if value[voter] == UNSETTLED])
        if not voters:
            continue
        edges = graph(ground, voters) if voters[1:] or reasons is not None else {}
        bottoms, rest = parted(edges, ground.n) if edges else ([voters], [])
        for part in rest:
            ground.attend(part)
        for bottom in bottoms:
            if reasons is not None:
                reasons.update(dict.fromkeys(bottom, _reason(ground, bottom, edges)))
            if ground.until in bottom:
                return
            for voter in bottom:
                ground.settle(voter, NULL)
        if not ground.sift():
            return
        work += reversed(rest)


def _reason(ground: Ground, bottom: Sequence[int], edges: Mapping[int, Sequence[int]]) -> Reason:
    """Why a bottom circle counts as null: it waits for the record alone; or no votes agree with it; or some do."""
    if len(bottom) == 1 and not edges[bottom[0]]:
        return "secret"
    return "circular" if Agreement(ground, bottom, edges).exists() else "paradox"
