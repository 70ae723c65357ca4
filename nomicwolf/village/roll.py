"""The conditional ballots in force, as code by seat: what is left once the public record has been folded in (NC 3).

A ballot is read when votes are first counted after it was cast, and its code is kept until its voter casts another:
whoever follows votes as they change reads each ballot once, and none that never mattered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from nomicwolf.village.ballots import Ballot, Endorse, For, Nobody
from nomicwolf.village.compiling import Compiler
from nomicwolf.village.firm import Firm, firm
from nomicwolf.village.nodes import (
    BESIDE,
    CHOICE,
    FEWEST,
    IS,
    LEADS,
    MORE,
    MOST,
    NULL,
    SAME,
    SAY,
    SEAT,
    WITHIN,
    Choice,
    Code,
    Node,
)
from nomicwolf.village.town import Town

NOBODY: Final = Nobody()

Voters: TypeAlias = defaultdict[int, list[int]]


class Watch:
    """Which *voters* must be looked at again when something moves; each may be found in vain, or twice.

    *votes* is by the voter whose vote a ballot endorses or names; *rising* and *falling* are by a number of votes and
    a seat (``number * stride + seat``) which the votes that are sure, and those that are possible, come to; *rivals*
    by a seat whose votes are compared with another's, and *leads* by one who is asked whether e leads.
    """

    __slots__ = ("falling", "leads", "rising", "rivals", "stride", "voters", "votes")

    def __init__(self, n: int) -> None:
        self.stride = n + 1
        self.voters: set[int] = set()
        self.votes: Voters = defaultdict(list)
        self.rising: Voters = defaultdict(list)
        self.falling: Voters = defaultdict(list)
        self.rivals: Voters = defaultdict(list)
        self.leads: Voters = defaultdict(list)

    def add(self, me: int, code: Iterable[Node]) -> None:
        """Watch for *me* what *code* speaks of."""
        self.voters.add(me)
        for node in code:
            kind = node[0]
            if kind in (WITHIN, BESIDE):
                self._within(me, *node[1:])
            elif kind in (SAY, IS):
                self.votes[node[1]].append(me)
            elif kind == MORE:
                self.rivals[node[1]].append(me)
                self.rivals[node[2]].append(me)
            elif kind == SAME:
                self.votes[node[1]].append(me)
                self.votes[node[2]].append(me)
            elif kind == LEADS:
                self.rivals[node[1]].append(me)
                self.leads[node[1]].append(me)

    def _within(self, me: int, seat: int, least: int, most: int, own: int) -> None:
        """Watch a number of votes; without the own vote, there may be one more."""
        stride, rising, falling = self.stride, self.rising, self.falling
        if least != FEWEST:
            key = least * stride + seat
            rising[key].append(me)
            falling[key - stride].append(me)
            if not own:
                falling[least * stride + seat].append(me)
        if most != MOST:
            rising[(most + 1) * stride + seat].append(me)
            falling[most * stride + seat].append(me)
            if not own:
                falling[(most + 1) * stride + seat].append(me)


class Roll:
    """The conditional ballots among *ballots*, which the owner goes on changing, telling of each change before it.

    *choices* and *codes* have those with open conditions, by seat; *names* the seats (and ``NULL``) that each code
    names and *hears* the voters whom it endorses; *leaves* what the others come to; *watch* who must be looked at again
    when, for those who were still open when they were looked at first. *ranked* says whether any asks who leads.
    """

    __slots__ = ("ballots", "choices", "codes", "compiler", "hears", "leaves", "names", "ranked", "stale", "town",
                 "watch")

    def __init__(self, town: Town, ballots: Mapping[str, Ballot]) -> None:
        self.town = town
        self.ballots = ballots
        self.choices: dict[int, Choice] = {}
        self.codes: dict[int, Code] = {}
        self.leaves: dict[int, Ballot] = {}
        self.names: dict[int, frozenset[int]] = {}
        self.hears: dict[int, list[int]] = {}
        self.ranked = False
        self.stale = 0
        self.watch = Watch(len(town.living))
        self.compiler = Compiler(town, NULL)

    def put(self, me: int, ballot: Ballot | None) -> None:
        """*me*'s ballot will be *ballot*; None: nothing is cast."""
        if self.leaves:
            self.leaves.pop(me, None)
        if self.choices.pop(me, None) or self.codes.pop(me, None):
            self.hears.pop(me, None)
            if me in self.watch.voters:
                self.watch.voters.discard(me)
                self.stale += 1
                if self.stale > 16 + len(self.watch.voters):
                    self._sweep()

    def _sweep(self) -> None:
        """Watch nothing any more for ballots that are gone."""
        self.stale = 0
        voters = self.watch.voters
        self.watch = Watch(len(self.town.living))
        self.attend(voters)

    def attend(self, voters: Iterable[int]) -> None:
        """See that all that the conditional ballots of *voters* speak of is watched."""
        watch, choices = self.watch, self.choices
        for voter in voters:
            if voter not in watch.voters:
                watch.add(voter, choices[voter][0] if voter in choices else self.codes[voter])

    def firm(self) -> Firm:
        """The votes that no condition decides; the code of all other ballots is at hand then."""
        return firm(self.town, self.ballots, self._read)

    def endorsed(self, me: int) -> int | None:
        """Whom *me* endorses, if eir ballot is, or folds to, an endorsement of a townsperson."""
        ballot = self.leaves.get(me) or self.ballots.get(self.town.living[me])
        return self.town.seats.get(ballot.whom) if isinstance(ballot, Endorse) else None

    def _read(self, ballots: Mapping[str, Ballot]) -> dict[str, Ballot]:
        """Read those of the conditional *ballots* in force, by voter, that are new; the leaves that some fold to."""
        if self.compiler.town is not self.town:
            self.compiler = Compiler(self.town, NULL)
        seats, compiler, choices, codes, leaves = self.town.seats, self.compiler, self.choices, self.codes, self.leaves
        known = {*choices, *codes, *leaves}
        for who, ballot in ballots.items():
            me = seats[who]
            if me in known:
                continue
            choice = compiler.choice(ballot, me)
            if choice:
                choices[me] = choice
                continue
            code = compiler.ballot(ballot, me)
            if len(code) == 1:
                leaves[me] = self._leaf(code[0])
            else:
                codes[me] = code
                self._note(me, code)
        self.ranked = self.ranked or compiler.ranked
        return {self.town.living[me]: leaf for me, leaf in leaves.items()}

    def _leaf(self, node: Node) -> Ballot:
        """The ballot that *node* is all of."""
        kind, one = node
        return NOBODY if one == NULL else (For if kind == SEAT else Endorse)(self.town.living[one])

    def _note(self, me: int, code: Code) -> None:
        """Note whom *me*'s *code* names, and endorses."""
        names, hears = [NULL], []
        for node in code[-3:-1] if code[-1] is CHOICE else code:
            if node[0] == SEAT:
                names.append(node[1])
            elif node[0] == SAY:
                hears.append(node[1])
        self.names[me] = frozenset(names)
        if hears:
            self.hears[me] = hears
