"""Whether votes exist that agree with what a circle's own ballots say: if none do, it is a paradox.

Only the reason that is shown depends on this: the votes count as null in either case. A search with undo: one vote is
assumed, what follows is followed up, and a contradiction takes it back. What the record does not tell counts
as not so here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from nomicwolf.village.nodes import NULL
from nomicwolf.village.ranges import NOT, OPEN, UNSETTLED
from nomicwolf.village.settling import Ground

TRIES: Final = 5000
"""How many ballots may be looked at; a circle too intricate for that is called circular, never a paradox."""


class Agreement:
    """The search for votes of *circle*, all unsettled in *ground*, that agree with its ballots.

    *edges* are those of ``circles.graph``. The ground is left as it was.
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
        """Whether there are such votes, or it would take too long to be sure that there are none."""
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
        """The votes that the first undecided voter may have."""
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
        """Whose ballots may come to something else now that *voter*'s vote is assumed."""
        n = self.ground.n
        nodes = [voter, n + n, *(n + seat for seat in self.ground.range[voter] if seat != NULL)]
        return {voter}.union(*(self.readers.get(node, ()) for node in nodes))

    def _may(self, voter: int) -> frozenset[int]:
        """The votes that *voter* may have, by eir ballot and by what has been assumed of em."""
        self.tries += 1
        ground = self.ground
        may = ground.look(voter)
        if may is None:
            may = frozenset(ground.choices[voter][1:])
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
        for seat in self.ground.range[voter]:
            if seat not in (NULL, vote):
                high[seat] -= sign
        if vote == NULL:
            high[n] -= sign
        else:
            low[vote] += sign
            low[n] += sign
