"""The ballots in force, as code by seat: what is left of them once the public record has been folded in (NC 3).

A roll is written once for a resolution from scratch, and kept by whoever follows votes as they change: entering one
ballot costs as much as that ballot is long, whatever the town's size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import Final, TypeAlias

from nomicwolf.village.ballots import Ballot, Endorse, For, Nobody
from nomicwolf.village.compiling import IS, LEADS, MORE, NULL, SAME, SAY, SEAT, WITHIN, Code, Compiler
from nomicwolf.village.ranges import UNSETTLED
from nomicwolf.village.town import Town

LEAD: Final = "lead"
"""What a ballot that asks who leads is looked up by, besides by the one whom it asks about."""

Settled: TypeAlias = tuple[list[int], list[int], list[int], list[int]]
"""Votes that no condition decides (``UNSETTLED`` for others) and their counts; the others, those with conditions
first; and the voters who only endorse one another: they put no name forward, so their votes are null."""


class Roll:
    """The *ballots* of the living of *town*, by seat.

    *value* has the plain votes (``UNSETTLED`` for all others), and *low* how many there are for each seat. *says*
    has whom the voters endorse who do just that, and *fans*, in order, who endorses whom so. Every other ballot has
    its *codes*, the seats that it *names*, and the voters whom it *hears*. *watch* finds the ballots that speak of a
    voter's vote (by eir seat), of a number of votes for a seat (by both), or of a seat's rivals (by ``~seat``).
    """

    __slots__ = ("codes", "fans", "hears", "low", "names", "says", "town", "value", "watch")

    def __init__(self, town: Town, ballots: Mapping[str, Ballot]) -> None:
        n = len(town.living)
        self.town = town
        self.value = [UNSETTLED] * n
        self.low = [0] * (n + 1)
        self.says: dict[int, int] = {}
        self.fans: defaultdict[int, dict[int, None]] = defaultdict(dict)
        self.codes: dict[int, Code] = {}
        self.names: dict[int, frozenset[int]] = {}
        self.hears: dict[int, list[int]] = {}
        self.watch: defaultdict[Hashable, dict[int, None]] = defaultdict(dict)
        self._enter(enumerate(map(ballots.get, town.living)))

    def put(self, me: int, ballot: Ballot | None) -> None:
        """*me*'s ballot is *ballot* from now on; None: nothing is cast."""
        self._leave(me)
        self._enter(((me, ballot),))

    def sure(self) -> int | None:
        """Who has a majority, whatever conditions come to; ``NULL`` if nobody can have one; None if it is not known."""
        return None

    def settled(self) -> Settled:
        """Plain votes, with the endorsements of what is settled, and who is left."""
        value, low, fans = self.value.copy(), self.low.copy(), self.fans
        todo = [voter for voter in fans if value[voter] != UNSETTLED]
        for voter in todo:
            said, followers = value[voter], fans[voter]
            for fan in followers:
                value[fan] = said
                if fan in fans:
                    todo.append(fan)
            if said != NULL:
                low[said] += len(followers)
                if said in followers and not self.town.own_votes:
                    value[said] = NULL
                    low[said] -= 1
        soft = list(self.codes)
        for voter in soft:
            if voter in fans:
                soft += fans[voter]
        if value.count(UNSETTLED) == len(soft):
            return value, low, soft, []
        waiting = set(soft)
        rings = [voter for voter in self.says if value[voter] == UNSETTLED and voter not in waiting]
        for voter in rings:
            value[voter] = NULL
        return value, low, soft, rings

    def _enter(self, ballots: Iterable[tuple[int, Ballot | None]]) -> None:
        """Sort the *ballots*: votes, endorsements, and those with code."""
        seats, value, low, selves = self.town.seats, self.value, self.low, self.town.own_votes
        for me, ballot in ballots:
            seat = NULL
            if isinstance(ballot, For):
                seat = seats.get(ballot.whom, NULL)
                if seat == me and not selves:
                    seat = NULL
            elif isinstance(ballot, Endorse):
                whom = seats.get(ballot.whom, NULL)
                if whom != NULL:
                    self.says[me] = whom
                    self.fans[whom][me] = None
                    continue
            elif ballot is not None and not isinstance(ballot, Nobody):
                self._code(me, Compiler(self.town, me).ballot(ballot))
                continue
            value[me] = seat
            if seat != NULL:
                low[seat] += 1

    def _code(self, me: int, code: Code) -> None:
        """Enter a ballot that is more than a vote or an endorsement, unless it folds to one."""
        kind, one, *_ = code[-1]
        if kind in (SEAT, SAY):
            leaf = Nobody() if one == NULL else (For if kind == SEAT else Endorse)(self.town.living[one])
            self._enter(((me, leaf),))
            return
        self.codes[me] = code
        named, self.hears[me], keys = spoken_of(code)
        self.names[me] = frozenset(named - ({NULL} if self.town.own_votes else {NULL, me}))
        for key in keys:
            self.watch[key][me] = None

    def _leave(self, me: int) -> None:
        """Strike *me*'s ballot."""
        if me in self.says:
            del self.fans[self.says.pop(me)][me]
        elif me in self.codes:
            for key in spoken_of(self.codes.pop(me))[2]:
                self.watch[key].pop(me, None)
            del self.names[me], self.hears[me]
        else:
            if self.value[me] != NULL:
                self.low[self.value[me]] -= 1
            self.value[me] = UNSETTLED


def spoken_of(code: Code) -> tuple[set[int], list[int], list[Hashable]]:
    """Whom *code* names, whom it endorses, and what it must be looked at again for, when that moves."""
    names: set[int] = set()
    hears: list[int] = []
    keys: list[Hashable] = []
    for node in code:
        kind = node[0]
        if kind == SEAT:
            names.add(node[1])
        elif kind == WITHIN:
            _, seat, least, most, _ = node
            keys += ((seat, least - 1), (seat, least), (seat, most), (seat, most + 1))
        elif kind == SAY:
            hears.append(node[1])
            keys.append(node[1])
        elif kind == IS:
            keys.append(node[1])
        elif kind == SAME:
            keys += node[1:3]
        elif kind == MORE:
            keys += (~node[1], ~node[2])
        elif kind == LEADS:
            keys += (~node[1], LEAD)
    return names, hears, keys
