"""The ballots in force: followed or compiled (NC 3).

Plain votes, and endorsements followed to their end, make up nearly every town, and all of most towns; so this is one
pass over the ballots, by names, and one over the endorsements. The conditional ballots are kept as code by seat, as
the public record leaves them. A ballot is compiled when votes are first counted after it was cast, and its code is kept
until its voter casts another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from nomicwolf.village.ballots import LOOSE, UNKNOWN, Ballot, Endorse, FirstOf, For, If, Nobody, Town
from nomicwolf.village.compiling import CHOICE, NULL, SAY, SEAT, Code, Compiler, Node

Values: TypeAlias = dict[str, str | None]
Reader: TypeAlias = Callable[[Mapping[str, Ballot]], Mapping[str, Ballot]]
"""Gives the votes and endorsements that conditional ballots, by voter, come to by the public record alone."""


class Unconditional(NamedTuple):
    """Votes as far as no condition decides them.

    *values* has each of the living in seat order, with eir vote (None: null; ``LOOSE``: some condition decides), and
    *counts* the votes for each who has any. *says* has those who endorse one whose ballot has open conditions, or one
    another, or who do; with whom they endorse.
    """

    values: Values
    counts: dict[str, int]
    says: dict[str, str]


def unconditional_votes(town: Town, ballots: Mapping[str, Ballot], read: Reader) -> Unconditional:
    """Follow the *ballots* of *town*; O(voters).

    Dead persons and strangers have the null vote, and a vote for them is null; so is one for oneself (D-N5), unless
    the town has *own_votes*. Who only endorse one another put no name forward, so their votes are null.
    """
    own = town.own_votes
    values = town.unknown.copy()
    later: dict[str, str] = {}
    conditional: dict[str, Ballot] = {}
    for who, ballot in ballots.items():
        if type(ballot) is For:
            vote: str | None = ballot.whom
            values[who] = vote if vote != who or own else None
        elif type(ballot) is Endorse:
            if later or (vote := values.get(ballot.whom)) is UNKNOWN:
                later[who] = ballot.whom
            else:
                values[who] = vote if vote != who or own else None
        elif type(ballot) is If or type(ballot) is FirstOf:
            conditional[who] = ballot
        else:
            values[who] = None
    if len(values) > len(town.living):
        return unconditional_votes(town, {who: ballot for who, ballot in ballots.items() if who in town.seats}, read)
    if len(ballots) < len(values):
        values.update(dict.fromkeys(values.keys() - ballots.keys()))
    if conditional:
        leaves = read(conditional)
        values.update(dict.fromkeys(conditional, LOOSE))
        _enter(leaves, values, later, own=own)
    _follow(later, values, own=own)
    return Unconditional(values, _counts(town, values), _says(values, later) if conditional else {})


def _enter(leaves: Mapping[str, Ballot], values: Values, later: dict[str, str], *, own: bool) -> None:
    """Enter the *leaves* that conditional ballots folded to: votes into *values*, endorsements into *later*."""
    for who, leaf in leaves.items():
        if type(leaf) is Endorse:
            values[who] = UNKNOWN
            later[who] = leaf.whom
        else:
            vote = leaf.whom if isinstance(leaf, For) else None
            values[who] = vote if vote != who or own else None


def _says(values: Values, later: Mapping[str, str]) -> dict[str, str]:
    """Whom each endorses whose endorsement leads to a vote that some condition decides."""
    return {who: whom for who, whom in later.items() if values[who] is LOOSE}


def _follow(later: Mapping[str, str], values: Values, *, own: bool) -> None:
    """Follow each endorsement that is left (*later*: whom each endorses) to its end.

    On the way there the votes are null, so a ring's remain so.
    """
    for who, whom in later.items():
        if values[who] is UNKNOWN:
            vote = values.get(whom)
            if vote is not UNKNOWN:
                values[who] = vote if vote != who or own else None
                continue
            path, one = [], who
            while vote is UNKNOWN:
                path.append(one)
                values[one] = None
                one = later[one]
                vote = values.get(one)
            path.reverse()
            for one in path:
                if vote == one and not own:
                    vote = None
                values[one] = vote


def _counts(town: Town, values: Values) -> dict[str, int]:
    """How many votes each has; votes for strangers become null."""
    counts = dict(Counter(values.values()))
    counts.pop(None, 0)
    counts.pop(LOOSE, 0)
    seats = town.seats
    if not counts.keys() <= seats.keys():
        strangers = counts.keys() - seats.keys()
        for who, vote in values.items():
            if vote in strangers:
                values[who] = None
        for stranger in strangers:
            del counts[stranger]
    return _weighed(town, values, counts) if town.weights else counts  # type: ignore[arg-type, return-value]


def _weighed(town: Town, values: Values, counts: Mapping[str, int]) -> dict[str, int]:
    """How many votes each of *counts* has where not all ballots count the same; who has none isn't in it."""
    found = dict.fromkeys(counts, 0)
    for who, vote in values.items():
        if vote in found:
            found[vote] += town.weights.get(who, 1)
    return {who: number for who, number in found.items() if number}


NOBODY: Final = Nobody()


class CompiledBallots:
    """The conditional ballots among *ballots*, which the owner goes on changing, telling of each change before it.

    *codes* has those with open conditions, by seat; *names* the seats (and ``NULL``) that each names, and *hears* the
    voters whom it endorses; *leaves* what the others come to. *ranked* says whether any asks who
    leads.
    """

    __slots__ = ("ballots", "codes", "compiler", "hears", "leaves", "names", "ranked", "town")

    def __init__(self, town: Town, ballots: Mapping[str, Ballot]) -> None:
        self.town = town
        self.ballots = ballots
        self.codes: dict[int, Code] = {}
        self.leaves: dict[int, Ballot] = {}
        self.names: dict[int, frozenset[int]] = {}
        self.hears: dict[int, list[int]] = {}
        self.ranked = False
        self.compiler = Compiler(town, NULL)

    def put(self, me: int, ballot: Ballot | None) -> None:
        """*me*'s ballot will be *ballot*; None: nothing is cast."""
        if self.leaves:
            self.leaves.pop(me, None)
        if self.codes.pop(me, None):
            self.names.pop(me, None)
            self.hears.pop(me, None)

    def unconditional(self) -> Unconditional:
        """The votes that no condition decides; the code of all other ballots is at hand then."""
        return unconditional_votes(self.town, self.ballots, self._read)

    def endorsed(self, me: int) -> int | None:
        """Whom *me* endorses, if eir ballot is, or folds to, an endorsement of a townsperson."""
        ballot = self.leaves.get(me) or self.ballots.get(self.town.living[me])
        return self.town.seats.get(ballot.whom) if isinstance(ballot, Endorse) else None

    def _read(self, ballots: Mapping[str, Ballot]) -> dict[str, Ballot]:
        """Read those of the conditional *ballots* in force, by voter, that are new; the leaves that some fold to."""
        if self.compiler.town is not self.town:
            self.compiler = Compiler(self.town, NULL)
        seats, compiler, codes, leaves = self.town.seats, self.compiler, self.codes, self.leaves
        for who, ballot in ballots.items():
            me = seats[who]
            if me in codes or me in leaves:
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
        names, hears = {NULL}, []
        for node in code[-3:-1] if code[-1] is CHOICE else code:
            if node[0] == SEAT:
                names.add(node[1])
            elif node[0] == SAY:
                hears.append(node[1])
        self.names[me] = frozenset(names)
        if hears:
            self.hears[me] = hears
