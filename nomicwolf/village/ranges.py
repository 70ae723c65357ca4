"""Ranges: what each vote may still become (NC 3, D-V6).

Three truths: ``NOT``, ``OPEN`` (it still depends) and ``SO``. A condition about votes is so, or not, when it is
in every completion of the ranges, else open; and, or and not are strong Kleene. A ballot evaluates to a seat (or
``NULL``) or, while open, to the set of those that are possible. Since null is in every unsettled range, counts are
decided by two numbers for each seat: the votes it has, and the votes it may still get.

An open ballot depends on the voters whose votes still matter to it (*Dep* of the definition). Only the live part
counts: open conditions, branches that can still be taken, unsettled votes that are endorsed; a part that can take only
one value depends on nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from nomicwolf.village.compiled_ballots import (
    ALL,
    ANY,
    BESIDE,
    CHOICE,
    FIRST,
    IS,
    LEADS,
    MORE,
    NO,
    NULL,
    SAME,
    SAY,
    SEAT,
    WHEN,
    WITHIN,
    Code,
    Node,
)

UNSETTLED: Final = -2
NOT: Final = 0
OPEN: Final = 1
SO: Final = 2
JUST_NULL: Final = frozenset((NULL,))

Values: TypeAlias = Sequence[Any]
"""What the nodes of a code evaluate to, in order: a truth, a seat or a set of seats."""


class Ranges:
    """The *value* of each voter's vote (``UNSETTLED`` while open) and its *range*.

    For each seat, and at index n for all votes cast: how many there are at least (*low*) and at most (*high*).
    *able* are the seats that any vote is possible for, where this is known; all others have none.
    *unknown* is what a condition that nobody can know counts as (D-V8). With *selves*, one may vote for oneself.
    *weights* has how many votes each seat has.
    """

    __slots__ = ("able", "high", "low", "n", "range", "selves", "unknown", "value", "weights")

    def __init__(self, n: int, weights: Sequence[int]) -> None:
        self.n = n
        self.weights = weights
        self.value = [UNSETTLED] * n
        self.range: dict[int, frozenset[int]] = {}
        self.low = [0] * (n + 1)
        self.high = [0] * (n + 1)
        self.able: Sequence[int] = range(n)
        self.unknown = OPEN
        self.selves = False

    def outcome(self, code: Code, me: int) -> int | frozenset[int]:
        """Return what *me*'s *code* evaluates to."""
        if code[-1] is not CHOICE:
            return self.values(code, me)[-1]  # type: ignore[no-any-return]
        first, one, other = code[0], code[-3], code[-2]
        truth = VALUE[first[0]](self, first, (), me) if len(code) == 4 else self.values(code[:-3], me)[-1]
        if truth == OPEN and one[0] == other[0] == SEAT:
            return self.range[me]
        if truth == OPEN:
            return joined(VALUE[one[0]](self, one, (), me), VALUE[other[0]](self, other, (), me))
        leaf = one if truth == SO else other
        return leaf[1] if leaf[0] == SEAT else _say(self, leaf, (), me)

    def values(self, code: Sequence[Node], me: int) -> Values:
        """Return what each node of *me*'s *code* evaluates to; the last is the whole."""
        out: list[Any] = []
        for node in code:
            out.append(VALUE[node[0]](self, node, out, me))
        return out

    def own(self, seat: int, me: int) -> tuple[int, int]:
        """Return what *me*'s own vote adds to the least and the most votes for *seat* (D-V7)."""
        value, weight = self.value[me], self.weights[me]
        if value != UNSETTLED:
            mine = weight * int(value != NULL if seat == self.n else value == seat)
            return mine, mine
        return 0, weight * int(seat == self.n or seat in self.range[me])

    def span(self, seat: int, me: int, own: int) -> tuple[int, int]:
        """Return the least and the most votes for *seat*, without *me*'s if not *own*."""
        if own:
            return self.low[seat], self.high[seat]
        least, most = self.own(seat, me)
        return self.low[seat] - least, self.high[seat] - most


def _within(ranges: Ranges, node: Node, out: Values, me: int) -> int:
    _, seat, least, most, own = node
    low, high = ranges.low[seat], ranges.high[seat]
    if not own:
        low, high = ranges.span(seat, me, 0)
    if low >= least and high <= most:
        return SO
    return NOT if high < least or low > most else OPEN


def _is(ranges: Ranges, node: Node, out: Values, me: int) -> int:
    value = ranges.value[node[1]]
    if value != UNSETTLED:
        return SO if value == node[2] else NOT
    return OPEN if node[2] in ranges.range[node[1]] else NOT


def _same(ranges: Ranges, node: Node, out: Values, me: int) -> int:
    one, other = ranges.value[node[1]], ranges.value[node[2]]
    if UNSETTLED not in (one, other):
        return SO if one == other else NOT
    if one == other:
        return OPEN
    voter, value = (node[2], one) if other == UNSETTLED else (node[1], other)
    return OPEN if value in ranges.range[voter] else NOT


def _more(ranges: Ranges, node: Node, out: Values, me: int) -> int:
    _, one, other, own, by = node
    low, high, least, most = ranges.low[one], ranges.high[one], ranges.low[other], ranges.high[other]
    if not own:
        low, high = ranges.span(one, me, 0)
        least, most = ranges.span(other, me, 0)
    if low - most >= by:
        return SO
    return NOT if high - least < by else OPEN


def spans(ranges: Ranges, seat: int, me: int, own: int) -> dict[int, tuple[int, int]]:
    """Return the least and the most votes for every townsperson but *seat* whom any vote is possible for."""
    low, high = ranges.low, ranges.high
    found = {other: (low[other], high[other]) for other in ranges.able if other != seat}
    if not own:
        value = ranges.value[me]
        for other in ranges.range[me] if value == UNSETTLED else (value,):
            if other in found:
                found[other] = ranges.span(other, me, 0)
    return found


def _leads(ranges: Ranges, node: Node, out: Values, me: int) -> int:
    _, seat, tied, own = node
    least, most = ranges.span(seat, me, own)
    if own:
        others = [other for other in ranges.able if other != seat]
        low = [ranges.low[other] for other in others]
        high = [ranges.high[other] for other in others]
    else:
        pairs = spans(ranges, seat, me, own).values()
        low, high = [few for few, _ in pairs], [many for _, many in pairs]
    if len(low) < ranges.n - 1:
        low.append(0)
        high.append(0)
    if least + tied > max(high, default=-1):
        return SO
    return NOT if most + tied <= max(low, default=-1) else OPEN


def _say(ranges: Ranges, node: Node, out: Values, me: int) -> int | frozenset[int]:
    value = ranges.value[node[1]]
    if value != UNSETTLED:
        return NULL if value == me and not ranges.selves else value
    may = ranges.range[node[1]]
    if me not in may or ranges.selves:
        return may
    may -= {me}
    return may if len(may) > 1 else NULL


def _when(ranges: Ranges, node: Node, out: Values, me: int) -> int | frozenset[int]:
    truth = out[-node[1]]
    if truth != OPEN:
        chosen: int | frozenset[int] = out[-node[2]] if truth == SO else out[-node[3]]
        return chosen
    return joined(out[-node[2]], out[-node[3]])


def joined(one: int | frozenset[int], other: int | frozenset[int]) -> int | frozenset[int]:
    """Return both sets of values as one."""
    if isinstance(one, int):
        if isinstance(other, int):
            return one if one == other else frozenset((one, other))
        return other | {one}
    return one | ({other} if isinstance(other, int) else other)


def _first(ranges: Ranges, node: Node, out: Values, me: int) -> int | frozenset[int]:
    may: set[int] = {NULL}
    for back in node[1:]:
        value = out[-back]
        may.discard(NULL)
        if isinstance(value, int):
            may.add(value)
        else:
            may |= value
        if NULL not in may:
            break
    return may.pop() if len(may) == 1 else frozenset(may)


VALUE: Final[tuple[Callable[[Ranges, Node, Values, int], Any], ...]] = (
    lambda ranges, node, out, me: ranges.unknown,  # SECRET
    _within,
    lambda ranges, node, out, me: SO - _within(ranges, node, out, me),  # BESIDE
    _is, _same, _more, _leads,
    lambda ranges, node, out, me: min(out[-back] for back in node[1:]),  # ALL
    lambda ranges, node, out, me: max(out[-back] for back in node[1:]),  # ANY
    lambda ranges, node, out, me: SO - out[-1],  # NO
    lambda ranges, node, out, me: node[1],  # SEAT
    _say, _when, _first,
)
"""What a node of each kind comes to, in the order of the kinds' numbers."""


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
    """Return whom *me*'s ballot waits for; its nodes evaluate to *values*."""
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
    """Return where the live parts of an open ballot stand."""
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
