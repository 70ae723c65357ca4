"""On whom an open ballot still waits: the voters whose votes still matter to it (*Dep* of the definition).

Only the live part counts: open conditions, branches that can still be taken, unsettled votes that are endorsed;
a part that can take only one value waits for nobody.
"""

from __future__ import annotations

from nomicwolf.village.nodes import (
    ALL,
    ANY,
    BESIDE,
    FIRST,
    IS,
    LEADS,
    MORE,
    NO,
    NULL,
    SAME,
    SAY,
    WHEN,
    WITHIN,
    Code,
    Node,
)
from nomicwolf.village.ranges import OPEN, SO, UNSETTLED, Ranges, Values, spans


class Waiting:
    """Whom a ballot waits for: *voters* by name, and all who may still vote for one of *seats* (n: for anyone).

    *own* are those seats for which the voter's own vote counts, too.
    """

    __slots__ = ("own", "seats", "voters")

    def __init__(self) -> None:
        self.voters: set[int] = set()
        self.seats: set[int] = set()
        self.own: set[int] = set()

    def count(self, *seats: int, own: int) -> None:
        """Wait for the votes for *seats*; *own* says whether the voter's counts."""
        self.seats.update(seats)
        if own:
            self.own.update(seats)


def waiting(ranges: Ranges, code: Code, values: Values, me: int) -> Waiting:
    """For whom *me*'s ballot waits, its nodes coming to *values*."""
    found = Waiting()
    todo = [len(code) - 1]
    while todo:
        at = todo.pop()
        node, value = code[at], values[at]
        if node[0] > NO:
            if not isinstance(value, int):
                todo += _live(node, at, values, found)
        elif value == OPEN:
            if node[0] in (ALL, ANY):
                todo += [at - back for back in node[1:]]
            elif node[0] == NO:
                todo.append(at - 1)
            else:
                _atom(ranges, node, me, found)
    return found


def _live(node: Node, at: int, values: Values, found: Waiting) -> list[int]:
    """Where the live parts of an open ballot stand."""
    if node[0] == WHEN:
        truth = values[at - node[1]]
        if truth == OPEN:
            return [at - back for back in node[1:]]
        return [at - node[2] if truth == SO else at - node[3]]
    if node[0] == FIRST:
        live = []
        for back in node[1:]:
            value = values[at - back]
            live.append(at - back)
            if value != NULL and (isinstance(value, int) or NULL not in value):
                break
        return live
    if node[0] == SAY:
        found.voters.add(node[1])
    return []


def _atom(ranges: Ranges, node: Node, me: int, found: Waiting) -> None:
    """Note who still matters to an open condition about votes."""
    kind = node[0]
    if kind in (WITHIN, BESIDE):
        found.count(node[1], own=node[4])
    elif kind == MORE:
        found.count(*node[1:3], own=node[3])
    elif kind == LEADS:
        _rivals(ranges, node, me, found)
    elif kind in (IS, SAME):
        found.voters.update(voter for voter in node[1 : 2 + (kind == SAME)] if ranges.value[voter] == UNSETTLED)


def _rivals(ranges: Ranges, node: Node, me: int, found: Waiting) -> None:
    """For *leads*: the townsperson, and each rival with whom it is still open who has more."""
    _, seat, tied, own = node
    least, most = ranges.span(seat, me, own)
    rivals = spans(ranges, seat, me, own)
    for rival, (few, many) in rivals.items():
        if least + tied <= many and most + tied > few:
            found.count(seat, rival, own=own)
    if len(rivals) < ranges.n - 1 and least + tied <= 0 < most + tied:
        found.count(seat, own=own)
