"""The ballots in force, as code by seat: what is left of them once the public record has been folded in (NC 3).

A roll is written once for a resolution from scratch, and kept by whoever follows votes as they change: entering one
ballot costs as much as that ballot is long, whatever the town's size.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Final

from nomicwolf.village.ballots import Ballot, Endorse, For, Nobody
from nomicwolf.village.compiling import IS, LEADS, MORE, NULL, SAME, SAY, SEAT, WITHIN, Code, Compiler
from nomicwolf.village.ranges import UNSETTLED
from nomicwolf.village.town import Town

ANY_COUNT: Final = "any count"
"""What a ballot that asks who leads is looked up by: it must hear of every count."""


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
        self.fans: dict[int, dict[int, None]] = {}
        self.codes: dict[int, Code] = {}
        self.names: dict[int, frozenset[int]] = {}
        self.hears: dict[int, list[int]] = {}
        self.watch: dict[Hashable, dict[int, None]] = {}
        self._enter(enumerate(map(ballots.get, town.living)))

    def put(self, me: int, ballot: Ballot | None) -> None:
        """*me*'s ballot is *ballot* from now on; None: nothing is cast."""
        self._leave(me)
        self._enter(((me, ballot),))

    def _enter(self, ballots: Iterable[tuple[int, Ballot | None]]) -> None:
        """Sort the *ballots*: votes, endorsements, and those with code."""
        seats, value, low, selves = self.town.seats, self.value, self.low, self.town.own_votes
        for me, ballot in ballots:
            if isinstance(ballot, For):
                seat = seats.get(ballot.whom, NULL)
                if seat == NULL or (seat == me and not selves):
                    value[me] = NULL
                else:
                    value[me] = seat
                    low[seat] += 1
            elif isinstance(ballot, Endorse):
                self._endorse(me, seats.get(ballot.whom, NULL))
            elif ballot is None or isinstance(ballot, Nobody):
                value[me] = NULL
            else:
                self._code(me, Compiler(self.town, me).ballot(ballot))

    def _endorse(self, me: int, whom: int) -> None:
        if whom == NULL:
            self.value[me] = NULL
            return
        self.says[me] = whom
        if whom in self.fans:
            self.fans[whom][me] = None
        else:
            self.fans[whom] = {me: None}

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
            named = {node[1] for node in code if node[0] == SEAT}
            self.names[me] = frozenset(named - ({NULL} if self.town.own_votes else {NULL, me}))
            self.hears[me] = [node[1] for node in code if node[0] == SAY]
            for key in watched(code):
                self.watch.setdefault(key, {})[me] = None

    def _leave(self, me: int) -> None:
        """Strike *me*'s ballot."""
        if me in self.says:
            del self.fans[self.says.pop(me)][me]
        elif me in self.codes:
            for key in watched(self.codes.pop(me)):
                self.watch[key].pop(me, None)
            del self.names[me], self.hears[me]
        else:
            if self.value[me] != NULL:
                self.low[self.value[me]] -= 1
            self.value[me] = UNSETTLED


def watched(code: Code) -> Iterator[Hashable]:
    """What *code* speaks of: when one of these moves, it may come to something else."""
    for node in code:
        kind = node[0]
        if kind == WITHIN:
            _, seat, least, most, _ = node
            yield from ((seat, least - 1), (seat, least), (seat, most), (seat, most + 1))
        elif kind in (IS, SAY):
            yield node[1]
        elif kind == SAME:
            yield from node[1:3]
        elif kind == MORE:
            yield from (~node[1], ~node[2])
        elif kind == LEADS:
            yield ANY_COUNT
