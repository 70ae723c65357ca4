"""Settling votes: strike out what can no longer happen until nothing more can be; the *ground* of the definition.

A work-list with triggers: a ballot is looked at again when a vote that it names, or a number that it waits for,
has moved. Plain votes and what endorses them are settled first, in one pass, without ranges. A ring with one way
out settles to what stands there (D-V3).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from nomicwolf.village.ballots import Ballot, Endorse, For, Nobody
from nomicwolf.village.compiling import IS, LEADS, MORE, NULL, SAME, SAY, SEAT, WITHIN, Code, Compiler
from nomicwolf.village.ranges import JUST_NULL, UNSETTLED, Ranges
from nomicwolf.village.town import Town


class Ground(Ranges):
    """The votes of one town while they are being settled.

    *codes* has the code of each ballot that is more than a vote or an endorsement; *says* whom the other
    unsettled voters endorse; *rings* the voters who only endorse one another (their votes are null from the
    first: they put no name forward). With *until*, settling stops as soon as that voter would be settled.
    """

    __slots__ = ("_cares", "_fans", "_leaders", "_marked", "_rivals", "_todo", "_triggers",
                 "codes", "order", "rings", "says", "selves", "until")

    def __init__(self, town: Town, ballots: Mapping[str, Ballot], until: int = UNSETTLED) -> None:
        super().__init__(len(town.living))
        self.until = until
        self.codes: dict[int, Code] = {}
        self.says: dict[int, int] = {}
        self.rings: list[int] = []
        self.order: list[int] = []
        self._fans: dict[int, list[int]] = {}
        self._cares: dict[int, list[int]] = {}
        self._triggers: dict[tuple[int, int], list[int]] = {}
        self._rivals: dict[int, list[int]] = {}
        self._leaders: list[int] = []
        self._todo: deque[int] = deque()
        self._marked: set[int] = set()
        self.selves = town.own_votes
        self._read(town, ballots)
        soft = self._soft()
        self._open(soft)

    def _read(self, town: Town, ballots: Mapping[str, Ballot]) -> None:
        """Sort the ballots: votes, endorsements, and those with code."""
        seats, value, low = town.seats, self.value, self.low
        for me, name in enumerate(town.living):
            ballot = ballots.get(name)
            kind = ballot.__class__
            if ballot is None or kind is Nobody:
                value[me] = NULL
            elif isinstance(ballot, For):
                seat = seats.get(ballot.whom, NULL)
                if seat == NULL or (seat == me and not self.selves):
                    value[me] = NULL
                else:
                    value[me] = seat
                    low[seat] += 1
            elif isinstance(ballot, Endorse):
                self._endorse(me, seats.get(ballot.whom, NULL))
            else:
                self._code(me, Compiler(town, me).ballot(ballot))

    def _endorse(self, me: int, whom: int) -> None:
        if whom == NULL:
            self.value[me] = NULL
        else:
            self.says[me] = whom
            self._fans.setdefault(whom, []).append(me)

    def _code(self, me: int, code: Code) -> None:
        kind, *rest = code[-1]
        if kind == SEAT:
            self.value[me] = rest[0]
            if rest[0] != NULL:
                self.low[rest[0]] += 1
        elif kind == SAY:
            self._endorse(me, rest[0])
        else:
            self.codes[me] = code

    def _soft(self) -> list[int]:
        """Settle the endorsements of what is settled; the voters who must wait, conditional ones first."""
        value, low, fans = self.value, self.low, self._fans
        todo = [voter for voter in fans if value[voter] != UNSETTLED]
        for voter in todo:
            said = value[voter]
            for fan in fans[voter]:
                value[fan] = NULL if said in self._barred(fan) else said
                if value[fan] != NULL:
                    low[said] += 1
                if fan in fans:
                    todo.append(fan)
        soft = list(self.codes)
        seen = set(soft)
        for voter in soft:
            for fan in fans.get(voter, ()):
                if fan not in seen:
                    seen.add(fan)
                    soft.append(fan)
        if self.says:
            self.rings = [voter for voter in self.says if value[voter] == UNSETTLED and voter not in seen]
            for voter in self.rings:
                value[voter] = NULL
        return soft

    def _open(self, soft: list[int]) -> None:
        """Give each voter of *soft* the range it starts with, and set the triggers."""
        low, high = self.low, self.high
        low[self.n] = sum(low)
        high[:] = low
        names = self._names(soft) if soft else {}
        for voter in soft:
            if not names[voter]:
                self.value[voter] = NULL
                continue
            self.range[voter] = names[voter] | JUST_NULL
            for seat in (*names[voter], self.n):
                high[seat] += 1
        for voter, code in self.codes.items():
            self._watch(voter, code)
        self._todo.extend(soft)
        self._marked.update(soft)

    def _names(self, soft: list[int]) -> dict[int, frozenset[int]]:
        """Every name that could reach each voter of *soft*: its own and those of whom it endorses, but itself."""
        names: dict[int, frozenset[int]] = {}
        heard: dict[int, list[int]] = {}
        for voter in soft:
            code = self.codes.get(voter)
            nodes: Iterable[Sequence[int]] = code or ((SAY, self.says[voter]),)
            own = {node[1] for node in nodes if node[0] == SEAT}
            for node in nodes:
                if node[0] == SAY:
                    if self.value[node[1]] == UNSETTLED:
                        heard.setdefault(node[1], []).append(voter)
                    else:
                        own.add(self.value[node[1]])
            names[voter] = frozenset(own - {NULL}) - self._barred(voter)
        todo = deque(soft)
        while todo:
            voter = todo.popleft()
            for fan in heard.get(voter, ()):
                new = names[voter] - names[fan] - self._barred(fan)
                if new:
                    names[fan] |= new
                    todo.append(fan)
        return names

    def _watch(self, voter: int, code: Code) -> None:
        """Have *voter*'s ballot looked at again when something it speaks of moves."""
        for node in code:
            kind = node[0]
            if kind == WITHIN:
                _, seat, least, most, _ = node
                for number in {least - 1, least, most, most + 1}:
                    self._triggers.setdefault((seat, number), []).append(voter)
            elif kind in (IS, SAY):
                self._cares.setdefault(node[1], []).append(voter)
            elif kind == SAME:
                self._cares.setdefault(node[1], []).append(voter)
                self._cares.setdefault(node[2], []).append(voter)
            elif kind == MORE:
                self._rivals.setdefault(node[1], []).append(voter)
                self._rivals.setdefault(node[2], []).append(voter)
            elif kind == LEADS:
                self._leaders.append(voter)

    def settle(self, voter: int, value: int) -> None:
        """*voter*'s vote is *value*, for good."""
        self.value[voter] = value
        self.order.append(voter)
        low, n = self.low, self.n
        for seat in self.range[voter]:
            if seat not in (NULL, value):
                self._lose(seat)
        if value == NULL:
            self._lose(n)
        else:
            low[value] += 1
            low[n] += 1
            self._moved(value, low[value])
            self._moved(n, low[n])
        self.range[voter] = JUST_NULL
        self._touch(voter)

    def _lose(self, seat: int) -> None:
        """One vote fewer is still possible for *seat*."""
        self.high[seat] -= 1
        self._moved(seat, self.high[seat])

    def _moved(self, seat: int, number: int) -> None:
        """A bound of *seat* has come to *number*: mark the ballots that wait for it."""
        if (seat, number) in self._triggers:
            self._mark(self._triggers[seat, number])
        if seat in self._rivals:
            self._mark(self._rivals[seat])
        if self._leaders:
            self._mark(self._leaders)

    def _touch(self, voter: int) -> None:
        """Mark those who endorse or name *voter*."""
        if voter in self._fans:
            self._mark(self._fans[voter])
        if voter in self._cares:
            self._mark(self._cares[voter])

    def _mark(self, voters: Iterable[int]) -> None:
        for voter in voters:
            if voter not in self._marked and self.value[voter] == UNSETTLED:
                self._marked.add(voter)
                self._todo.append(voter)

    def sift(self) -> bool:
        """Strike out until nothing more can be; whether that came to an end before *until*'s turn."""
        todo, value = self._todo, self.value
        while todo:
            voter = todo.popleft()
            self._marked.discard(voter)
            if value[voter] != UNSETTLED:
                continue
            code = self.codes.get(voter)
            may = self.values(code, voter)[-1] if code else self.said(voter)
            if isinstance(may, int):
                if voter == self.until:
                    return False
                self.settle(voter, may)
            elif len(may | JUST_NULL) < len(self.range[voter]):
                self._narrow(voter, may | JUST_NULL)
        return True

    def said(self, voter: int) -> int | frozenset[int]:
        """What a plain endorsement may come to."""
        whom = self.says[voter]
        value = self.value[whom]
        if value != UNSETTLED:
            return NULL if value in self._barred(voter) else value
        may = self.range[whom] - self._barred(voter)
        return may if len(may) > 1 else NULL

    def _barred(self, voter: int) -> frozenset[int]:
        """Whom *voter*'s vote can't come to: emself, unless the ballot is one in which it can (D-N5, D-T23)."""
        return frozenset() if self.selves else frozenset((voter,))

    def _narrow(self, voter: int, may: frozenset[int]) -> None:
        """*voter*'s range shrinks to *may*."""
        gone = self.range[voter] - may
        self.range[voter] = may
        for seat in gone:
            self._lose(seat)
        self._touch(voter)
