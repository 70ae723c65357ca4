"""Votes settled by elimination: the *ground*.

Values that are no longer possible are struck out until no more can be.

A work-list with triggers: a ballot is looked at again when a vote that it names, or a number that it waits for,
has moved. Plain votes and what endorses them are settled first, in one pass, without ranges. A ring with one way
out settles to what stands there (D-V3).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from nomicwolf.village.compiled_ballots import CompiledBallots, Unconditional
from nomicwolf.village.compiling import NULL, Code
from nomicwolf.village.ranges import JUST_NULL, NOT, OPEN, UNSETTLED, VALUE, Ranges


class Ground(Ranges):
    """The votes of *compiled* while they are being settled; *unconditional* are those that no condition decides.

    *soft* are the voters whose votes were still open, those with conditions first. With *until*, settling stops as
    soon as that voter would be settled.
    """

    __slots__ = ("_fans", "_marked", "_peak", "_todo", "choices", "codes", "compiled", "says", "soft",
                 "until", "watch")

    def __init__(self, compiled: CompiledBallots, unconditional: Unconditional, until: int = UNSETTLED) -> None:
        seats, n = compiled.town.seats, len(compiled.town.living)
        super().__init__(n, compiled.choices, compiled.town.by_seat)
        self.value = list(map(compiled.town.places.__getitem__, unconditional.values.values()))
        for who, number in unconditional.counts.items():
            self.low[seats[who]] = number
        self.low[n] = sum(unconditional.counts.values())
        self.high = self.low.copy()
        self.compiled, self.choices, self.codes, self.watch = compiled, compiled.choices, compiled.codes, compiled.watch
        self.until = until
        self.says = {seats[who]: seats[whom] for who, whom in unconditional.says.items()}
        self.soft = [*self.choices, *self.codes, *self.says]
        self.selves = compiled.town.own_votes
        self._fans: dict[int, list[int]] = {}
        for voter, whom in self.says.items():
            self._fans.setdefault(whom, []).append(voter)
        if self.soft:
            self._open()
        self._todo = deque(self.soft)
        self._marked = set(self.soft)
        if compiled.ranked:
            self.able = [seat for seat in range(n) if self.high[seat]]
        self._peak = max(unconditional.counts.values(), default=0)

    def _open(self) -> None:
        """Count for each seat all who might vote so, and at index n, who might vote for anyone."""
        may, high, value, weights = self.range, self.high, self.value, self.weights
        self._names()
        cast = self.low[NULL]
        for voter, (_, one, other) in self.choices.items():
            high[one] += weights[voter]
            high[other] += weights[voter]
            cast += weights[voter]
        for voter in (*self.codes, *self.says):
            named = may[voter]
            if len(named) == 1:
                value[voter] = NULL
                continue
            cast += weights[voter]
            for seat in named:
                high[seat] += weights[voter]
        high[NULL] = cast

    def _names(self) -> None:
        """Every name that could reach each soft voter: its own and those of whom it endorses, but itself; and null."""
        may, names = self.range, self.compiled.names
        for voter in self.codes:
            may[voter] = names[voter]
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
        """Who endorses each soft voter, on conditions or not; whom else they endorse is among their names then."""
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
        """*may*, without the voter emself, unless this is a town in which one may vote so (D-N5, D-T23)."""
        return may - {voter} if voter in may and not self.selves else may

    def sweep(self) -> None:
        """Go through all who are open, and again through those who are left, until that settles nobody.

        Whoever is left will be looked at again anyway, so nobody needs to be told of what moves meanwhile. After two
        looks for each voter it is better if only those are looked at who have been told of something: see ``sift``.
        """
        left, moved, looks = self.soft, True, 2 * len(self.soft)
        while moved and len(left) <= looks:
            looks -= len(left)
            left, moved = self._swept(left)
        self._todo = deque(left if moved else ())
        self._marked = set(self._todo)
        self._peak = max(self.low[:-1], default=0)

    def _swept(self, voters: Sequence[int]) -> tuple[list[int], bool]:
        """Settle those of *voters* whose votes show; the others, and whether anything has moved."""
        value, choices, low, high, weights = self.value, self.choices, self.low, self.high, self.weights
        left, narrowed = [], False
        for voter in voters:
            choice = choices.get(voter)
            if choice is None:
                if value[voter] == UNSETTLED:
                    may = self.look(voter)
                    if isinstance(may, int):
                        self._enter(voter, may)
                    else:
                        left.append(voter)
                        narrowed = bool(may and self._narrow(voter, may)) or narrowed
                continue
            code, vote, other = choice
            node = code[0]
            truth = VALUE[node[0]](self, node, (), voter) if len(code) == 1 else self.values(code, voter)[-1]
            if truth == OPEN:
                left.append(voter)
                continue
            if truth == NOT:
                vote, other = other, vote
            value[voter], weight = vote, weights[voter]
            if vote == NULL:
                high[NULL] -= weight
                high[other] -= weight
            else:
                low[vote] += weight
                low[NULL] += weight
                if other != NULL:
                    high[other] -= weight
        return left, narrowed or len(left) < len(voters)

    def _enter(self, voter: int, value: int) -> frozenset[int]:
        """*voter*'s vote is *value*, for good; the range that it had."""
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
        """*voter*'s vote is *value*, for good."""
        may = self._enter(voter, value)
        if value != NULL:
            self._peak = max(self._peak, self.low[value])
        if self.watch.voters:
            self._less(may, value if value != NULL else UNSETTLED)
            if value != NULL:
                self._more(value)
            self._mark(self.watch.votes.get(voter, ()))
        if voter in self._fans:
            self._mark(self._fans[voter])

    def _less(self, may: Iterable[int], kept: int) -> None:
        """Mark whoever waits for it that fewer votes are possible for *may*, but for *kept*, and so for ``NULL`` then.

        Nobody leads who has fewer votes than the most that anyone is sure of, the *peak*. So who leads can hang only
        on a rival who may still get about that many.
        """
        high, watch, n = self.high, self.watch, self.n
        stride, falling, rivals, leads = watch.stride, watch.falling, watch.rivals, watch.leads
        for seat in may:
            if seat == kept or (seat == NULL and kept != UNSETTLED):
                continue
            key = high[seat] * stride + (seat if seat >= 0 else n)
            if key in falling:
                self._mark(falling[key])
            rival = seat if seat >= 0 else n
            if rival in rivals:
                self._mark(rivals[rival])
            if leads and (watch.weighed or -1 <= high[seat] - self._peak <= 1):
                for leader, voters in leads.items():
                    if watch.weighed or self.low[leader] + 1 >= self._peak:
                        self._mark(voters)

    def _more(self, value: int) -> None:
        """Mark whoever waits for it that more votes are sure for *value*, and cast."""
        low, watch = self.low, self.watch
        for seat in (value, self.n):
            key = low[seat] * watch.stride + seat
            if key in watch.rising:
                self._mark(watch.rising[key])
            if seat in watch.rivals:
                self._mark(watch.rivals[seat])
        if watch.leads and low[value] == self._peak:
            self._outdone()

    def _outdone(self) -> None:
        """More votes are sure for somebody than for anybody: mark those who ask for one that can't have more."""
        for leader, voters in self.watch.leads.items():
            if self.watch.weighed or -1 <= self.high[leader] - self._peak <= 1:
                self._mark(voters)

    def _mark(self, voters: Iterable[int]) -> None:
        marked, value = self._marked, self.value
        for voter in voters:
            if voter not in marked and value[voter] == UNSETTLED:
                marked.add(voter)
                self._todo.append(voter)

    def sift(self) -> bool:
        """Strike out until nothing more can be; whether that came to an end before *until*'s turn."""
        todo, value, watched = self._todo, self.value, self.watch.voters
        while todo:
            voter = todo.popleft()
            self._marked.discard(voter)
            if value[voter] != UNSETTLED:
                continue
            may = self.look(voter)
            if isinstance(may, int):
                if voter == self.until:
                    return False
                self.settle(voter, may)
                continue
            if voter not in watched:
                self.attend((voter,))
            gone = may and self._narrow(voter, may)
            if gone:
                self._less(gone, UNSETTLED)
                self._mark(self.watch.votes.get(voter, ()))
                self._mark(self._fans.get(voter, ()))
        return True

    def attend(self, voters: Iterable[int]) -> None:
        """See that those of *voters* are told of what moves who have conditions; plain endorsers always are."""
        self.compiled.attend(voter for voter in voters if voter not in self.says)

    def look(self, voter: int) -> int | frozenset[int] | None:
        """What *voter*'s ballot may come to; None if it is a choice that is still open."""
        choice = self.choices.get(voter)
        if choice:
            return self.chosen(choice, voter)
        code = self.codes.get(voter)
        return self.outcome(code, voter) if code else self.said(voter)

    def undecided(self, voter: int) -> Code:
        """The code that decides *voter*'s ballot, which is no plain endorsement: of a choice, the condition's."""
        choice = self.choices.get(voter)
        return choice[0] if choice else self.codes[voter]

    def said(self, voter: int) -> int | frozenset[int]:
        """What a plain endorsement may come to."""
        whom = self.says[voter]
        value = self.value[whom]
        if value != UNSETTLED:
            return NULL if value == voter and not self.selves else value
        may = self._but_own(voter, self.range[whom])
        return may if len(may) > 1 else NULL

    def _narrow(self, voter: int, may: frozenset[int]) -> frozenset[int]:
        """*voter*'s range shrinks to *may*, and null; what it no longer has."""
        gone = self.range[voter] - may - JUST_NULL
        if gone:
            self.range[voter] -= gone
            for seat in gone:
                self.high[seat] -= self.weights[voter]
        return gone
