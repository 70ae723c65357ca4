"""A look at who has a majority that holds for some changes to come (NC 3).

Votes are settled as far as it takes: who has a majority, or that nobody can, often shows before all are. And most
often it would show even if some more ballots were others. So votes are settled with every count taken to be *spare*
votes less certain, at both ends; if it shows even then, it holds until more voters than that are *touched*: those who
changed their ballots since, and all who endorse or name them, directly or not. For whatever was settled of the others
rested on no vote of the touched, and on counts that these can move by no more than their number; so the same steps
settle the same votes now, and any steps lead to the one result of the definition (``docs/votes.md``).
"""

from __future__ import annotations

from collections.abc import Mapping

from nomicwolf.village.circles import collapse
from nomicwolf.village.nodes import NULL
from nomicwolf.village.roll import Roll
from nomicwolf.village.settling import Ground


class Look:
    """What settling the votes has shown of majorities, and how long that holds.

    *verdict* is the seat that has one, ``NULL`` if nobody has, or None if it must be looked at again: when more than
    *spare* voters are *touched*. *next* is how many to spare the next time; *wait* how often not to try before that.
    """

    __slots__ = ("fails", "fans", "next", "spare", "touched", "verdict", "wait")

    def __init__(self, first: int) -> None:
        self.verdict: int | None = None
        self.spare = 0
        self.next = first
        self.touched: set[int] = set()
        self.fans: dict[int, list[int]] = {}
        self.fails = self.wait = 0

    def at(self, roll: Roll, says: Mapping[int, int]) -> int:
        """Settle the votes of *roll* as far as it takes to know who has a majority (``NULL``: nobody).

        *says* has all who just endorse somebody, with whom.
        """
        firm, verdict, majority = roll.firm(), None, roll.town.majority
        if self.wait:
            self.wait -= 1
        else:
            for spare in filter(None, (self.next, self.next * 2 // 3)):
                ground = Ground(roll, firm, spare=spare, goal=majority)
                ground.sweep()
                ground.sift()
                verdict = shown(ground, majority)
                self._learn(spare, verdict is not None, ground.n)
                if verdict is not None:
                    self.spare = spare
                    break
        if verdict is None:
            self.spare = 0
            ground = Ground(roll, firm, goal=majority)
            ground.sweep()
            ground.sift()
            verdict = shown(ground, majority)
            if verdict is None:
                collapse(ground)
                verdict = shown(ground, majority)
        assert verdict is not None
        self.verdict = verdict
        self.touched = set()
        self.fans = {}
        if self.spare:
            roll.attend((*roll.choices, *roll.codes))
            folded = ((voter, roll.endorsed(voter)) for voter in roll.leaves)
            for voter, whom in (*says.items(), *folded):
                if whom is not None:
                    self.fans.setdefault(whom, []).append(voter)
        return verdict

    def _learn(self, spare: int, held: bool, n: int) -> None:
        """Spare more the next time, or fewer; and not at once, if even a few were too many."""
        if held:
            self.fails = 0
            self.next = min(spare + spare // 12 + 1, n // 4)
        elif spare < self.next or spare < 3:
            self.fails = min(self.fails + 1, 6)
            self.wait = 1 << self.fails
            self.next = max(1, spare // 2)

    def touch(self, me: int, names: Mapping[int, list[int]]) -> None:
        """*me*'s ballot is another: so may be the votes of all who endorse em, or speak of eir vote (*names*)."""
        touched = self.touched
        if me in touched:
            return
        touched.add(me)
        todo = [me]
        for voter in todo:
            if len(touched) > self.spare:
                self.verdict = None
                return
            for other in (*self.fans.get(voter, ()), *names.get(voter, ())):
                if other not in touched:
                    touched.add(other)
                    todo.append(other)


def shown(ground: Ground, majority: int) -> int | None:
    """Who has a *majority* as far as votes are settled; ``NULL`` if nobody can; None if that is still open."""
    low = ground.low[:-1]
    most = max(low)
    if most >= majority:
        return low.index(most)
    return NULL if max(ground.high[:-1]) < majority else None
