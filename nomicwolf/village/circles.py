"""Circles: voters who wait only for each other, found bottom first (the *collapse* of the definition).

NC 3 conditional: “without going round in a circle or into a paradox, it counts as null”.

Circular are also votes that would agree with just one solution (D-V4), and ballots that speak of themselves
(D-V5). NC 3, D-N7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from nomicwolf.village.nodes import NULL, WITHIN
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
    index: dict[int, int] = {}
    least: dict[int, int] = {}
    path: list[int] = []
    on_path: set[int] = set()
    found: list[list[int]] = []
    for root in edges:
        if root in index:
            continue
        calls = [(root, iter(edges[root]))]
        while calls:
            node, rest = calls[-1]
            if node not in index:
                index[node] = least[node] = len(index)
                path.append(node)
                on_path.add(node)
            for other in rest:
                if other not in index:
                    calls.append((other, iter(edges.get(other, ()))))
                    break
                if other in on_path:
                    least[node] = min(least[node], index[other])
            else:
                calls.pop()
                if calls:
                    above = calls[-1][0]
                    least[above] = min(least[above], least[node])
                if least[node] == index[node]:
                    cut = path.index(node) if len(path) < 8 else _cut(path, node)
                    found.append(path[cut:])
                    on_path.difference_update(path[cut:])
                    del path[cut:]
    return found


def _cut(path: Sequence[int], node: int) -> int:
    """Where *node* stands in *path*, searched from its end."""
    at = len(path) - 1
    while path[at] != node:
        at -= 1
    return at


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
        choice = ground.choices.get(voter)
        code = choice[0] if choice else ground.codes[voter]
        if len(code) == 1 and code[0][0] == WITHIN:
            others, seats = [], [code[0][1]]
        else:
            found = waiting(ground, code, ground.values(code, voter), voter)
            others, seats = sorted(found.voters & inside), sorted(found.seats)
        edges[voter] = [*others, *(n + seat for seat in seats)]
        asked.update((seat, []) for seat in seats)
    if asked:
        for voter in voters:
            for seat in ground.range[voter] & asked.keys():
                asked[seat].append(voter)
    edges.update({n + seat: list(voters) if seat == n else able for seat, able in asked.items()})
    return edges


def collapse(ground: Ground, reasons: dict[int, Reason] | None = None) -> None:
    """Settle all who are left: bottom circles count as null, then what follows from that, until all are settled.

    With *ground.until*, stop where that voter's turn has come. *reasons* is told of each voter in a circle why eir
    vote counts as null; the votes do not depend on it.
    """
    work = [sorted(voter for voter in ground.soft if ground.value[voter] == UNSETTLED)]
    while work:
        voters = [voter for voter in work.pop() if ground.value[voter] == UNSETTLED]
        if not voters:
            continue
        edges: dict[int, list[int]] = {}
        found = [voters]
        if voters[1:] or reasons is not None:
            edges = graph(ground, voters)
        if voters[1:]:
            found = [[node for node in part if node < ground.n] for part in components(edges)]
        bottom, *rest = (part for part in found if part)
        if reasons is not None:
            reasons.update(dict.fromkeys(bottom, _reason(ground, bottom, edges)))
        if ground.until in bottom:
            break
        for voter in bottom:
            ground.settle(voter, NULL)
        if not ground.sift():
            break
        work += reversed(rest)


def _reason(ground: Ground, bottom: Sequence[int], edges: Mapping[int, Sequence[int]]) -> Reason:
    """Why a bottom circle counts as null: it waits for the record alone; or no votes agree with it; or some do."""
    if len(bottom) == 1 and not edges[bottom[0]]:
        return "secret"
    return "circular" if Agreement(ground, bottom, edges).exists() else "paradox"
