"""Votes of large towns: whether anybody can have a majority is kept up to date; the rest is left until it matters.

Each tree of endorsements (``forest``) counts as a whole: for whom the one at its end votes, or, if e has conditions,
for each whom eir ballot names, since a vote never comes to a name outside its *Names* (step 0 of the definition in
``docs/votes.md``). So nobody has a majority who is not in *reach* of it, and whoever has one without any conditional
vote has it. A change costs a few steps, however large the town is.

Only if neither is so, the votes are settled, by the same code as ever, as far as it takes (``look``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from nomicwolf.village.ballots import Ballot, Endorse, FirstOf, For, If
from nomicwolf.village.conditions import PUBLIC
from nomicwolf.village.forest import Forest, LinkCut, Walked, planted
from nomicwolf.village.look import Look
from nomicwolf.village.nodes import NULL
from nomicwolf.village.roll import Roll
from nomicwolf.village.town import Town

CODED: Final = -2
"""Stands for the vote of one whose ballot has conditions that the record does not settle."""
SAYS: Final = -3
"""Stands for the vote of one who endorses another."""
UNNAMED: Final[tuple[set[int], bool]] = (set(), False)
"""What a conditional ballot leaves open that the record settles."""


class LazyRoll(Roll):
    """A roll for ``Standing`` that keeps what is in reach.

    *vote* has each one's plain vote, ``CODED`` or ``SAYS``, and *says* who endorses whom; *named* whom each
    conditional ballot names, and whether it endorses anybody. *closing* are those of *says* who would close a ring,
    and so are roots in the *forest*. *tied* is positive for all whose ballot is more than a vote, or whom someone
    endorses; these are *bound*, by name, as is who is no townsperson. All others' votes are what their ballots tell,
    and don't stand in *vote*. *reach* is how many votes each seat would have with all that name it, *loose* how many of
    them are of trees with conditions at their end; *anyone* how many votes may be for whomever, since the condition
    comes with an endorsement. *hot* has whoever has *near* votes in reach, and more.
    """

    __slots__ = ("anyone", "bound", "closing", "forest", "hot", "look", "loose", "named", "near", "reach", "says",
                 "seats", "slack", "tied", "vote")

    few: ClassVar = 32
    """In a town of fewer, one vote more or less mostly decides, so none is spared at first."""
    steps: ClassVar = 300
    """How many steps up a change may take, on average, before link-cut trees are quicker."""

    def __init__(self, town: Town, ballots: Mapping[str, Ballot]) -> None:
        super().__init__(town, ballots)
        n = len(town.living)
        self.seats = town.seats
        self.look = Look(n // self.few)
        self.says: dict[int, int] = {}
        self.named: dict[int, tuple[set[int], bool]] = {}
        self.vote = [self._enter(me, ballots.get(who)) for me, who in enumerate(town.living)]
        up, sizes, self.closing = planted(n, self.says)
        self.forest: Forest = Walked(up, sizes)
        self.tied = [0] * n
        for me in (*self.says, *self.says.values(), *self.named):
            self.tied[me] += 1
        self.reach = [0] * n + [-1 << 60]
        self.loose = [0] * (n + 1)
        self.anyone = self.slack = self.near = 0
        self.hot: set[int] = set()
        for voter in range(n):
            if up[voter] < 0:
                self._weigh(voter, 1)
        self._heat()
        self.bound = {who for who, ties in zip(town.living, self.tied, strict=True) if ties}
        self.bound.update(who for who in ballots if who not in self.seats)

    def sure(self) -> int:
        """Who has a majority, as ``Roll.sure`` has it."""
        if not self.hot:
            return NULL
        reach, near, majority = self.reach, self.near, self.town.majority
        most = 0
        for seat in tuple(self.hot):
            number = reach[seat]
            if number < near:
                self.hot.discard(seat)
            elif number - self.loose[seat] >= majority:
                return seat
            else:
                most = max(most, number)
        if most + self.anyone < majority:
            return NULL
        verdict = self.look.verdict
        return self.look.at(self, self.says) if verdict is None else verdict

    def revote(self, who: str, whom: str) -> bool:
        """Enter *who*'s plain vote for *whom*, if that is all there is to it: in place of one, with no endorsers."""
        old = self.ballots.get(who)
        if old.__class__ is not For or who in self.bound:
            return False
        seats, reach = self.seats, self.reach
        try:
            before, seat = seats[old.whom], seats[whom]
        except KeyError:
            return False
        if old.whom == who and not self.town.own_votes:
            before = NULL
        if whom == who and not self.town.own_votes:
            seat = NULL
        reach[before] -= 1
        number = reach[seat] = reach[seat] + 1
        if number >= self.near:
            self.hot.add(seat)
        if self.look.verdict is not None:
            self.look.touch(seats[who], self.watch.votes)
        return True

    def ignore(self, who: str) -> None:
        """*who*, who is no townsperson, casts a ballot."""
        self.bound.add(who)

    def put(self, me: int, ballot: Ballot | None) -> None:
        """*me*'s ballot will be *ballot*; what hangs on it follows."""
        if self.look.verdict is not None:
            self.look.touch(me, self.watch.votes)
        super().put(me, ballot)
        self._bind(me)
        self._leave(me)
        self.vote[me] = self._enter(me, ballot)
        if me in self.named:
            self.tied[me] += 1
        whom = self.says.get(me)
        if whom is None:
            self._weigh(me, 1)
        else:
            self._bind(whom)
            self.tied[me] += 1
            self.tied[whom] += 1
            self._join(me, whom)
        if not self.tied[me]:
            self.bound.discard(self.town.living[me])
        if not self.slack // 4 <= self.anyone <= self.slack:
            self._heat()
        forest = self.forest
        if forest.steps:
            forest.steps = steps = max(0, forest.steps - self.steps)
            if steps > len(self.vote) and isinstance(forest, Walked):
                self.forest = LinkCut(forest.up, forest.sizes)

    def _bind(self, me: int) -> None:
        """*me* is bound from now on, or not any more when that is known."""
        who = self.town.living[me]
        if who not in self.bound:
            self.bound.add(who)
            ballot = self.ballots.get(who)
            if isinstance(ballot, For) and (ballot.whom != who or self.town.own_votes):
                self.vote[me] = self.seats.get(ballot.whom, NULL)
            else:
                self.vote[me] = NULL

    def _leave(self, me: int) -> None:
        """Strike *me*'s ballot; *me* is a root then."""
        tied = self.tied
        said = self.says.pop(me, None)
        if said is None:
            self._weigh(me, -1)
        else:
            tied[me] -= 1
            tied[said] -= 1
            if not tied[said] and said != me:
                self.bound.discard(self.town.living[said])
            if self.closing.pop(me, None) is None:
                self._cut(me)
        if self.named.pop(me, None):
            tied[me] -= 1

    def _cut(self, me: int) -> None:
        """Take *me*, who hangs on somebody, out of eir tree; if it was a ring, it hangs on *me* now."""
        forest = self.forest
        root = forest.root(me)
        self._weigh(root, -1)
        forest.cut(me)
        whom = self.closing.get(root)
        if whom is not None and forest.root(whom) == me:
            del self.closing[root]
            forest.link(root, whom)
        else:
            self._weigh(root, 1)

    def _join(self, me: int, whom: int) -> None:
        """*me*, a root, endorses *whom*."""
        forest = self.forest
        root = forest.root(whom)
        if root == me:
            self.closing[me] = whom
        else:
            self._weigh(root, -1)
            forest.link(me, whom)
            self._weigh(root, 1)

    def _enter(self, me: int, ballot: Ballot | None) -> int:
        """*me*'s vote: a seat or ``NULL``, ``CODED`` (noting whom it names), or ``SAYS`` (noting whom e endorses)."""
        seats = self.seats
        if isinstance(ballot, (If, FirstOf)):
            self.named[me] = UNNAMED
        while isinstance(ballot, If) and ballot.condition.__class__ in PUBLIC:
            truth = self.town.known(ballot.condition)
            if truth is None:
                break
            ballot = ballot.then if truth else ballot.otherwise
        if isinstance(ballot, For):
            seat = seats.get(ballot.whom, NULL)
            return NULL if seat == me and not self.town.own_votes else seat
        if isinstance(ballot, Endorse):
            seat = seats.get(ballot.whom, NULL)
            if seat == NULL:
                return NULL
            self.says[me] = seat
            return SAYS
        if not isinstance(ballot, (If, FirstOf)):
            return NULL
        self.named[me] = self._names(me, ballot)
        return CODED

    def _names(self, me: int, ballot: Ballot) -> tuple[set[int], bool]:
        """Whom *me*'s *ballot* names, and whether it endorses anybody."""
        names: set[int] = set()
        heard = False
        todo: list[Ballot] = [ballot]
        while todo:
            part = todo.pop()
            if type(part) is For:
                names.add(self.seats.get(part.whom, NULL))
            elif type(part) is If:
                todo += (part.then, part.otherwise)
            elif type(part) is FirstOf:
                todo += part.options
            elif type(part) is Endorse:
                heard = True
        names -= {NULL} if self.town.own_votes else {NULL, me}
        return names, heard

    def _weigh(self, root: int, sign: int) -> None:
        """Count the tree of *root* in, or out (*sign*)."""
        seat = self.vote[root]
        if seat == CODED:
            size = sign * self.forest.size(root)
            names, heard = self.named[root]
            for seat in names:
                self._move(seat, size)
                self.loose[seat] += size
            if heard:
                self.anyone += size
        elif seat >= 0:
            size = self.forest.size(root)
            if size > 1 and self.vote[seat] == SAYS and not self.town.own_votes and self.forest.root(seat) == root:
                size -= self.forest.size(seat)
            self._move(seat, sign * size)

    def _move(self, seat: int, votes: int) -> None:
        """So many *votes* more, or fewer, are in reach of *seat*."""
        number = self.reach[seat] = self.reach[seat] + votes
        if number >= self.near:
            self.hot.add(seat)

    def _heat(self) -> None:
        """Find anew who is near a majority: allow for twice as many votes for whomever as there are."""
        self.slack = 2 * self.anyone
        near = self.near = self.town.majority - self.slack
        self.hot = {seat for seat, number in enumerate(self.reach) if number >= near}
