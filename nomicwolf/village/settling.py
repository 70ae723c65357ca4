"""Votes settled by elimination, and cycles of voters.

Values that are no longer possible are struck out until no more can be.

A ballot is looked at again when a vote that it names, or a number of votes that it waits for,
has moved. Plain votes and what endorses them are settled first, in one pass, without ranges. A ring with one way
out settles to what is there (D-V3).

NC 3 conditional: “without going round in a circle or into a paradox, it counts as null”.

Strongly connected components of voters who wait only for each other are found bottom first (the *collapse* of the
definition). Circular are also votes that would agree with just one solution (D-V4), and ballots that speak of
themselves (D-V5, D-N7).

A cycle is a paradox if no votes agree with what its own ballots say. Only the reason that is shown depends on this: the
votes count as null in either case. A search with undo assumes one vote, follows its consequences, and takes it back
after a contradiction. What the record does not tell counts as false here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from nomicwolf.village.compiled_ballots import (
    BESIDE,
    IS,
    LEADS,
    MORE,
    MOST,
    NULL,
    SAME,
    SAY,
    WITHIN,
    CompiledBallots,
    Unconditional,
)
from nomicwolf.village.ranges import JUST_NULL, NOT, OPEN, UNSETTLED, Ranges, waiting

RANKS: Final = -1
"""What is asked for by whoever asks who leads, among voters and seats."""


class Ground(Ranges):
    """The votes of *compiled* while they are being settled; *unconditional* are those that no condition decides.

    All are looked at once and, where they are still open, again; from then on only if something has moved that they ask
    for: *readers* has who asks for each voter, each number of votes (n + seat, and n + n for the votes cast) and
    ``RANKS``.

    *soft* are the voters whose votes were still open, those with conditions first. With *until*, settling stops as
    soon as that voter would be settled.
    """

    __slots__ = ("_fans", "_first", "_marked", "_todo", "_told", "codes", "compiled", "readers", "says", "soft",
                 "until")

    def __init__(self, compiled: CompiledBallots, unconditional: Unconditional, until: int = UNSETTLED) -> None:
        seats, n = compiled.town.seats, len(compiled.town.living)
        super().__init__(n, compiled.town.by_seat)
        self.value = list(map(compiled.town.places.__getitem__, unconditional.values.values()))
        for who, number in unconditional.counts.items():
            self.low[seats[who]] = number
        self.low[n] = sum(unconditional.counts.values())
        self.high = self.low.copy()
        self.compiled, self.codes = compiled, compiled.codes
        self.until = until
        self.says = {seats[who]: seats[whom] for who, whom in unconditional.says.items()}
        self.soft = [*self.codes, *self.says]
        self.selves = compiled.town.own_votes
        self._fans: dict[int, list[int]] = {}
        for voter, whom in self.says.items():
            self._fans.setdefault(whom, []).append(voter)
        if self.soft:
            self._open()
        self._todo = deque(self.soft)
        self._marked = set(self.soft)
        self._first = len(self.soft)
        self._told: set[int] = set()
        self.readers: dict[int, list[int]] = {}
        if compiled.ranked:
            self.able = [seat for seat in range(n) if self.high[seat]]

    def _open(self) -> None:
        """Count for each seat all who might vote so, and at index n, who might vote for anyone."""
        high, value, weights = self.high, self.value, self.weights
        self._names()
        cast = self.low[NULL]
        for voter, named in self.range.items():
            if len(named) == 1:
                value[voter] = NULL
                continue
            cast += weights[voter]
            for seat in named:
                high[seat] += weights[voter]
        high[NULL] = cast

    def _names(self) -> None:
        """Give each soft voter every name that could reach it: its own and those of whom it endorses, and null."""
        may = self.range = {**self.compiled.names, **dict.fromkeys(self.says, JUST_NULL)}
        heard = self._heard() if self.compiled.hears else self._fans
        if not heard:
            return
        todo = deque(voter for voter in self.soft if voter in heard)
        while todo:
            voter = todo.popleft()
            for fan in heard[voter]:
                old, more = may[fan], may[voter]
                if not more <= old:
                    new = self._but_own(fan, more if old is JUST_NULL else old | more)
                    if len(new) > len(old):
                        may[fan] = new
                        if fan in heard:
                            todo.append(fan)

    def _heard(self) -> dict[int, list[int]]:
        """Return who endorses each soft voter, on conditions or not; add settled votes so endorsed to the ranges."""
        may, value = self.range, self.value
        heard = {whom: voters.copy() for whom, voters in self._fans.items()}
        for voter, voices in self.compiled.hears.items():
            for whom in voices:
                if value[whom] == UNSETTLED:
                    heard.setdefault(whom, []).append(voter)
                else:
                    may[voter] = self._but_own(voter, may[voter] | {value[whom]})
        return heard

    def _but_own(self, voter: int, may: frozenset[int]) -> frozenset[int]:
        """Return *may*, without the voter themself, unless this is a town in which one may vote so (D-N5, D-T23)."""
        return may - {voter} if voter in may and not self.selves else may

    def _enter(self, voter: int, value: int) -> frozenset[int]:
        """Settle *voter*'s vote on *value*, for good; return the range that it had."""
        low, high, may, weight = self.low, self.high, self.range[voter], self.weights[voter]
        self.value[voter] = value
        for seat in may:
            high[seat] -= weight
        if value != NULL:
            for seat in (value, NULL):
                low[seat] += weight
                high[seat] += weight
        return may

    def settle(self, voter: int, value: int) -> None:
        """Settle *voter*'s vote on *value*, for good."""
        may = self._enter(voter, value)
        if self.readers:
            self._moved(voter, may)

    def _moved(self, voter: int, seats: Iterable[int]) -> None:
        """Look again at all who ask for *voter*'s vote, the number of votes of one of *seats*, or who leads."""
        n, readers, marked, value = self.n, self.readers, self._marked, self.value
        for node in (voter, RANKS, *[n + (n if seat == NULL else seat) for seat in seats]):
            for reader in readers.get(node, ()):
                if reader not in marked and value[reader] == UNSETTLED:
                    marked.add(reader)
                    self._todo.append(reader)

    def sift(self) -> bool:
        """Strike out until nothing more can be; whether that came to an end before *until*'s turn."""
        todo, marked, value, told = self._todo, self._marked, self.value, self._told
        while todo:
            self._first -= 1
            voter = todo.popleft()
            marked.remove(voter)
            if value[voter] != UNSETTLED:
                continue
            code = self.codes.get(voter)
            may = self.outcome(code, voter) if code else self.said(voter)
            if isinstance(may, int):
                if voter == self.until:
                    return False
                self.settle(voter, may)
                continue
            if self._first >= 0:
                marked.add(voter)
                todo.append(voter)
            elif voter not in told:
                told.add(voter)
                for node in self._asks(voter):
                    self.readers.setdefault(node, []).append(voter)
            if may is not self.range[voter] and (gone := self._narrow(voter, may)):
                self._moved(voter, gone)
        return True

    def _asks(self, voter: int) -> Iterator[int]:
        """Yield what the ballot of *voter* asks for, as *readers* has it; some twice."""
        if voter in self.says:
            yield self.says[voter]
            return
        n = self.n
        for node in self.codes[voter]:
            kind = node[0]
            if kind in (WITHIN, BESIDE):
                yield n + node[1]
            elif kind in (SAY, IS):
                yield node[1]
            elif kind == SAME:
                yield from node[1:]
            elif kind == MORE:
                yield from (n + node[1], n + node[2])
            elif kind == LEADS:
                yield RANKS

    def look(self, voter: int) -> int | frozenset[int]:
        """Return what *voter*'s ballot may evaluate to."""
        return self.outcome(self.codes[voter], voter) if voter in self.codes else self.said(voter)

    def said(self, voter: int) -> int | frozenset[int]:
        """Return what a plain endorsement may evaluate to."""
        whom = self.says[voter]
        value = self.value[whom]
        if value != UNSETTLED:
            return NULL if value == voter and not self.selves else value
        may = self._but_own(voter, self.range[whom])
        return may if len(may) > 1 else NULL

    def _narrow(self, voter: int, may: frozenset[int]) -> frozenset[int]:
        """Shrink *voter*'s range to *may*, and null; return what it no longer has."""
        gone = self.range[voter] - may - JUST_NULL
        if gone:
            self.range[voter] -= gone
            for seat in gone:
                self.high[seat] -= self.weights[voter]
        return gone


TRIES: Final = 5000
"""How many ballots may be looked at; a circle too intricate for that is called circular, never a paradox."""


class Agreement:
    """The search for votes of *circle*, all unsettled in *ground*, that agree with its ballots.

    *edges* are those of `graph`. The ground is left as it was.
    """

    def __init__(self, ground: Ground, circle: Sequence[int], edges: Mapping[int, Sequence[int]]) -> None:
        self.ground = ground
        self.circle = sorted(circle)
        self.trail: list[int] = []
        self.tries = 0
        self.readers: dict[int, list[int]] = {}
        for voter in self.circle:
            for node in edges[voter]:
                self.readers.setdefault(node, []).append(voter)

    def exists(self) -> bool:
        """Return whether there are such votes, or it would take too long to be sure that there are none."""
        self.ground.unknown = NOT
        try:
            return self._search()
        finally:
            self._undo(0)
            self.ground.unknown = OPEN

    def _search(self) -> bool:
        choices = [self._choices()]
        marks = [0]
        while choices:
            self._undo(marks[-1])
            choice = next(choices[-1], None)
            if choice is None:
                choices.pop()
                marks.pop()
            elif self._assume(*choice):
                if len(self.trail) == len(self.circle) or self.tries > TRIES:
                    return True
                choices.append(self._choices())
                marks.append(len(self.trail))
            elif self.tries > TRIES:
                return True
        return False

    def _choices(self) -> Iterator[tuple[int, int]]:
        """Yield the votes that the first undecided voter may have."""
        value = self.ground.value
        voter = next(voter for voter in self.circle if value[voter] == UNSETTLED)
        return ((voter, vote) for vote in sorted(self.ground.range[voter]))

    def _assume(self, voter: int, vote: int) -> bool:
        """Let *voter*'s vote be *vote*, with all that follows; whether that holds together."""
        todo = [(voter, vote)]
        while todo:
            one, its = todo.pop()
            if self.ground.value[one] != UNSETTLED:
                if self.ground.value[one] != its:
                    return False
                continue
            self._put(one, its)
            for reader in self._touched(one):
                may = self._may(reader)
                if not may:
                    return False
                if len(may) == 1 and self.ground.value[reader] == UNSETTLED:
                    todo.append((reader, next(iter(may))))
        return True

    def _touched(self, voter: int) -> set[int]:
        """Return whose ballots may evaluate to something else now that *voter*'s vote is assumed."""
        n = self.ground.n
        nodes = [voter, n + n, *(n + seat for seat in self.ground.range[voter] if seat != NULL)]
        return {voter}.union(*(self.readers.get(node, ()) for node in nodes))

    def _may(self, voter: int) -> frozenset[int]:
        """Return the votes that *voter* may have, by their ballot and by what has been assumed of them."""
        self.tries += 1
        ground = self.ground
        may = ground.look(voter)
        value = ground.value[voter]
        held = ground.range[voter] if value == UNSETTLED else {value}
        return frozenset({may} if isinstance(may, int) else may) & held

    def _put(self, voter: int, vote: int) -> None:
        self._count(voter, vote, 1)
        self.ground.value[voter] = vote
        self.trail.append(voter)

    def _undo(self, mark: int) -> None:
        while len(self.trail) > mark:
            voter = self.trail.pop()
            vote = self.ground.value[voter]
            self.ground.value[voter] = UNSETTLED
            self._count(voter, vote, -1)

    def _count(self, voter: int, vote: int, sign: int) -> None:
        """Move the bounds of all seats as *voter*'s settling on *vote* does (*sign* 1), or back (-1)."""
        low, high, n = self.ground.low, self.ground.high, self.ground.n
        sign *= self.ground.weights[voter]
        for seat in self.ground.range[voter]:
            if seat not in (NULL, vote):
                high[seat] -= sign
        if vote == NULL:
            high[n] -= sign
        else:
            low[vote] += sign
            low[n] += sign


Reason: TypeAlias = Literal["circular", "paradox", "secret"]
"""Why votes that wait only for each other, or for the record, count as null."""


def components(edges: Mapping[int, Iterable[int]]) -> list[list[int]]:
    """Return the strongly connected components of a graph, each after all that it points to (Tarjan 1972).

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
    """Return the voters in each bottom circle of a graph, from which no edge leads out; and in each other component.

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
    """Return whom each of *voters* waits for.

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
        code = ground.codes[voter]
        found = waiting(ground, code, ground.values(code, voter), voter)
        edges[voter] = [*sorted(found.voters & inside), *(n + seat for seat in sorted(found.seats))]
        asked.update((seat, []) for seat in found.seats)
    for voter in voters if asked else ():
        for seat in ground.range[voter]:
            if seat in asked and ground.weights[voter]:
                asked[seat].append(voter)
    having = [voter for voter in voters if ground.weights[voter]]
    edges.update({n + seat: having if seat == n else able for seat, able in asked.items()})
    return edges


def collapse(ground: Ground, reasons: dict[int, Reason] | None = None) -> None:
    """Settle all who are left: bottom circles count as null, then what follows from that, until all are settled.

    With *ground.until*, stop where that voter's turn has come. *reasons* is told of each voter in a circle why their
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
    """Return why a bottom circle counts as null: it waits for the record alone, no votes agree with it, or some do."""
    if len(bottom) == 1 and not edges[bottom[0]]:
        return "secret"
    return "circular" if Agreement(ground, bottom, edges).exists() else "paradox"
