"""The ballots in force: followed or compiled (NC 3).

Plain votes, and endorsements followed to their end, make up nearly every town, and all of most towns; so this is one
pass over the ballots, by names, and one over the endorsements. The conditional ballots are kept as code by seat, as
the public record leaves them. A ballot is compiled when votes are first counted after it was cast, and its code is kept
until its voter casts another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from nomicwolf.village.ballots import LOOSE, UNKNOWN, Ballot, Endorse, FirstOf, For, If, Nobody, Town
from nomicwolf.village.compiling import (
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
    Compiler,
    Node,
)

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

Voters: TypeAlias = defaultdict[int, list[int]]


class Watch:
    """Which *voters* must be looked at again when something moves; each may be found in vain, or twice.

    *votes* is by the voter whose vote a ballot endorses or names; *rising* and *falling* are by a number of votes and
    a seat (``number * stride + seat``) which the votes that are sure, and those that are possible, come to; *rivals*
    by a seat whose votes are compared with another's, and *leads* by one who is asked whether e leads. Where ballots
    are *weighed* numbers move by more than one, so whoever asks for one looks at each change.
    """

    __slots__ = ("falling", "leads", "rising", "rivals", "stride", "voters", "votes", "weighed")

    def __init__(self, n: int, *, weighed: bool = False) -> None:
        self.stride, self.weighed = n + 1, weighed
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
        if self.weighed:
            self.rivals[seat].append(me)
            return
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


class CompiledBallots:
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
        self.watch = Watch(len(town.living), weighed=bool(town.weights))
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
        self.watch = Watch(len(self.town.living), weighed=bool(self.town.weights))
        self.attend(voters)

    def attend(self, voters: Iterable[int]) -> None:
        """See that all that the conditional ballots of *voters* speak of is watched."""
        watch, choices = self.watch, self.choices
        for voter in voters:
            if voter not in watch.voters:
                watch.add(voter, choices[voter][0] if voter in choices else self.codes[voter])

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
