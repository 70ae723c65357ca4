"""Ballots compiled to code, and those in force (NC 3).

This is step 0 of the definition in ``docs/votes.md``: everything that the public record settles is folded away. A
``Code`` is a row of nodes, children before parents, the root last. A node is a tuple: its kind, then what the kind says
below. A child is named by its distance back, so equal sub-ballots are equal slices, and a value computed for each node
in turn is found at ``values[-distance]``. Voters are numbers, their seats. No function here calls itself: a ballot may
be as deep or as wide as its author likes.

Plain votes, and endorsements followed to their end, make up nearly every town, and all of most towns; so this is one
pass over the ballots, by names, and one over the endorsements. The conditional ballots are kept as code by seat, as
the public record leaves them. A ballot is compiled when votes are first counted after it was cast, and its code is kept
until its voter casts another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple, TypeAlias

from nomicwolf.village.ballots import (
    LOOSE,
    UNKNOWN,
    After,
    Alike,
    Alive,
    And,
    AsMany,
    AsOfNow,
    Ballot,
    Before,
    Cast,
    Condition,
    Copy,
    Count,
    Day,
    Dead,
    Endorse,
    Fact,
    FirstOf,
    Fixed,
    For,
    If,
    InPhase,
    IntoDay,
    Leads,
    Majority,
    More,
    Nobody,
    Not,
    Operator,
    Or,
    Town,
    Votes,
    Was,
    bounds,
    compare,
)

Node: TypeAlias = tuple[int, ...]
Code: TypeAlias = tuple[Node, ...]

NULL: Final = -1  # the null vote, among seats
FEWEST: Final = -1 << 60  # the ends of a number of votes that has no least or no most
MOST: Final = 1 << 60

SECRET: Final = 0  # (number)                 a condition that the record does not tell
WITHIN: Final = 1  # (seat, low, high, own)   low <= votes for seat <= high; seat n: votes cast; own 0: but mine
BESIDE: Final = 2  # (seat, low, high, own)   the votes for seat are fewer, or more
IS: Final = 3      # (voter, seat)            voter's vote is seat, or NULL
SAME: Final = 4    # (voter, voter)           they vote alike
MORE: Final = 5    # (seat, seat, own, by)    the first has at least so many votes more
LEADS: Final = 6   # (seat, tied, own)        more votes than everyone else, or as many if tied
ALL: Final = 7     # (distance, ...)          and
ANY: Final = 8     # (distance, ...)          or
NO: Final = 9      # ()                       not the node before
SEAT: Final = 10   # (seat)                   a vote for seat, or NULL
SAY: Final = 11    # (voter)                  the same as voter's
WHEN: Final = 12   # (condition, then, otherwise)  distances
FIRST: Final = 13  # (distance, ...)          the first that is not null

TRUE: Final = -1  # sizes of conditions that are settled; any other size is that of code still open
FALSE: Final = 0

ALWAYS: Final[Node] = (TRUE,)
"""Stands for a condition that is so by the public record; no code has it."""
NEVER: Final[Node] = (FALSE,)
NULL_LEAF: Final[Node] = (SEAT, NULL)
CHOICE: Final[Node] = (WHEN, 3, 2, 1)
"""The root of a choice by one condition between two leaves."""


class Compiler:
    """Writes the *code* of *me*'s ballots, and of conditions on them, in *town*; *ranked* if one asks who leads."""

    def __init__(self, town: Town, me: int) -> None:
        self.town = town
        self.seats = town.seats
        self.own = town.own_votes
        self.me = me
        self.code: list[Node] = []
        self.secrets: dict[Condition | int, int] = {}
        self.ranked = False

    def condition(self, condition: Condition) -> int:
        """Append the folded code of *condition*; how long that is, or ``TRUE`` or ``FALSE``."""
        atom = ATOMS.get(condition.__class__)
        if atom:
            node = atom(self, condition)
            if node is ALWAYS or node is NEVER:
                return node[0]
            self.code.append(node)
            return 1
        code = self.code
        if condition.__class__ is And or condition.__class__ is Or:
            atoms = []
            for part in condition.parts:
                atom = ATOMS.get(part.__class__)
                if not atom:
                    break
                atoms.append(atom(self, part))
            else:
                return self._joined(ALL if condition.__class__ is And else ANY, atoms)
        work: list[Condition | tuple[int, int, int]] = [condition]
        sizes: list[int] = []
        while work:
            item = work.pop()
            if isinstance(item, tuple):
                kind, start, parts = item
                sizes.append(self._deny(sizes.pop()) if kind == NO else self._join(kind, start, parts, sizes))
            elif isinstance(item, (And, Or)):
                work.append((ALL if isinstance(item, And) else ANY, len(code), len(item.parts)))
                work += reversed(item.parts)
            elif isinstance(item, Not):
                work += ((NO, 0, 1), item.part)
            else:
                sizes.append(self._enter(ATOMS[item.__class__](self, item)))
        return sizes.pop()

    def _joined(self, kind: int, atoms: list[Node]) -> int:
        """Append an *and* or *or* of *atoms* alone."""
        stop, idle = (NEVER, ALWAYS) if kind == ALL else (ALWAYS, NEVER)
        if stop in atoms:
            return FALSE if kind == ALL else TRUE
        while idle in atoms:
            atoms.remove(idle)
        n = len(atoms)
        if n < 2:
            return self._enter(atoms[0] if atoms else idle)
        self.code += atoms
        self.code.append((kind, *range(n, 0, -1)))
        return n + 1

    def _enter(self, node: Node) -> int:
        """Append the code of one atom, if it is open."""
        if node is ALWAYS or node is NEVER:
            return TRUE if node is ALWAYS else FALSE
        self.code.append(node)
        return 1

    def _join(self, kind: int, start: int, parts: int, sizes: list[int]) -> int:
        """Close an *and* or *or* of the last *parts* conditions, which began at *start*."""
        stop, idle = (FALSE, TRUE) if kind == ALL else (TRUE, FALSE)
        last = sizes[len(sizes) - parts :]
        del sizes[len(sizes) - parts :]
        if stop in last:
            del self.code[start:]
            return stop
        lengths = [size for size in last if size > 0]
        if len(lengths) < 2:
            return lengths[0] if lengths else idle
        self.code.append((kind, *distances(lengths)))
        return sum(lengths) + 1

    def _deny(self, size: int) -> int:
        """Return the opposite of the condition that was written last."""
        if size > 0:
            self.code.append((NO,))
            return size + 1
        return TRUE if size == FALSE else FALSE

    def public(self, atom: Condition) -> Node:
        """Return what the record says, if it does."""
        known = self.town.known(atom)
        if known is None:
            return self.secret(atom)
        return ALWAYS if known else NEVER

    def secret(self, atom: Condition) -> Node:
        """Return a condition that nobody can know now; one that was pinned while it was open is like no other."""
        key = len(self.secrets) if isinstance(atom, AsOfNow) else atom
        return SECRET, self.secrets.setdefault(key, len(self.secrets))

    def within(self, seat: int | None, operator: Operator, number: int, others: bool) -> Node:
        """Return a number of votes compared; the dead and strangers have none."""
        if seat is None:
            return ALWAYS if compare(operator, 0, number) else NEVER
        low, high, inside = bounds(operator, number)
        least, most = FEWEST if low is None else low, MOST if high is None else high
        return WITHIN if inside else BESIDE, seat, least, most, not others

    def more(self, one: str, other: str, by: int, others: bool) -> Node:
        """Return whether *one* has more votes than *other* (*by* 1), or as many (0)."""
        x, y = self.seats.get(one), self.seats.get(other)
        if x == y:
            return NEVER if by else ALWAYS
        if y is None:
            return self.within(x, ">=", by, others) if by else ALWAYS
        if x is None:
            return NEVER if by else self.within(y, "<=", 0, others)
        return MORE, x, y, not others, by

    def count(self, atom: Count) -> Node:
        """Return whether a number of votes for someone is as it is to be."""
        seat = self.seats.get(atom.whom)
        if seat is None or atom.operator != ">=":
            return self.within(seat, atom.operator, atom.number, atom.others)
        return WITHIN, seat, atom.number, MOST, not atom.others

    def votes(self, atom: Votes) -> Node:
        """Return whether someone votes for someone, or for nobody."""
        voter = self.seats.get(atom.who)
        if voter is None:
            return ALWAYS if atom.whom is None else NEVER
        seat = NULL if atom.whom is None else self.seats.get(atom.whom)
        return NEVER if seat is None else (IS, voter, seat)

    def alike(self, atom: Alike) -> Node:
        """Return whether two persons vote alike; the dead and strangers vote for nobody."""
        one, other = self.seats.get(atom.one), self.seats.get(atom.other)
        if one == other:
            return ALWAYS
        if one is not None and other is not None:
            return SAME, one, other
        return IS, (other or 0) if one is None else one, NULL

    def leads(self, atom: Leads) -> Node:
        """Return whether someone has more votes than everyone else, or as many."""
        seat = self.seats.get(atom.whom)
        if seat is not None:
            self.ranked = True
            return LEADS, seat, atom.tied, not atom.others
        return self.within(len(self.seats), "<=", 0, atom.others) if atom.tied else NEVER

    def ballot(self, ballot: Ballot, me: int) -> Code:
        """Return the folded code of *me*'s *ballot*: one ``SEAT`` or ``SAY`` node, or a tree with a root."""
        code: list[Node] = []
        self.me, self.code = me, code
        if self.secrets:
            self.secrets.clear()
        if type(ballot) is If:
            one, other = self._leaf(ballot.then), self._leaf(ballot.otherwise)
            if one and other:
                size = self.condition(ballot.condition)
                return (*code, one, other, CHOICE) if size > 0 and one != other else (one if size == TRUE else other,)
        self._tree(ballot)
        return tuple(code)

    def _leaf(self, ballot: Ballot) -> Node | None:
        """Return a vote, or the same as another's; None for anything else.

        Who is no townsperson has the null vote. A ``Copy`` that was never pinned had nothing to copy.
        """
        if type(ballot) is For:
            seat = self.seats.get(ballot.whom, NULL)
            return NULL_LEAF if seat == self.me and not self.own else (SEAT, seat)
        if type(ballot) is Endorse:
            whom = self.seats.get(ballot.whom)
            return NULL_LEAF if whom is None else (SAY, whom)
        return NULL_LEAF if type(ballot) in VOTES else None

    def _tree(self, ballot: Ballot) -> None:
        """Write the code of a ballot of any form."""
        code = self.code
        work: list[Ballot | tuple[int, int, int]] = [ballot]
        sizes: list[int] = []
        while work:
            item = work.pop()
            if isinstance(item, tuple):
                start, condition, parts = item
                if condition:
                    self._close_when(start, condition, sizes)
                else:
                    self._close_first(start, parts, sizes)
            elif isinstance(item, If):
                start = len(code)
                size = self.condition(item.condition)
                if size > 0:
                    work += ((start, size, 2), item.otherwise, item.then)
                else:
                    work.append(item.then if size == TRUE else item.otherwise)
            elif isinstance(item, FirstOf):
                work.append((len(code), 0, len(item.options)))
                work += reversed(item.options)
            else:
                code.append(self._leaf(item) or NULL_LEAF)
                sizes.append(1)

    def _close_when(self, start: int, condition: int, sizes: list[int]) -> None:
        """Join a condition and two branches; a choice between equals is none."""
        code, other, then = self.code, sizes.pop(), sizes.pop()
        if other == then and code[-other:] == code[-other - then : -other]:
            del code[start:-other]
            sizes.append(other)
        else:
            code.append((WHEN, 1 + other + then, 1 + other, 1))
            sizes.append(condition + then + other + 1)

    def _close_first(self, start: int, parts: int, sizes: list[int]) -> None:
        """Join fall-backs: nulls are passed over, and nothing follows a name."""
        code, at = self.code, start
        kept: list[list[Node]] = []
        for size in sizes[len(sizes) - parts :]:
            part = code[at : at + size]
            at += size
            if part != [NULL_LEAF]:
                kept.append(part)
                if part[0][0] == SEAT and size == 1:
                    break
        del code[start:], sizes[len(sizes) - parts :]
        for part in kept:
            code += part
        if not kept:
            code.append(NULL_LEAF)
        elif len(kept) > 1:
            code.append((FIRST, *distances([len(part) for part in kept])))
        sizes.append(len(code) - start)


def distances(sizes: Sequence[int]) -> list[int]:
    """Return how far before their parent parts of these *sizes*, in order, have their roots."""
    return [*accumulate(reversed(sizes[1:]), initial=1)][::-1]


PUBLIC: Final = frozenset((Fixed, Alive, Dead, Was, Day, InPhase, After, Before, IntoDay, Fact))
"""Conditions on the public record alone."""
ATOMS: Final[dict[type, Callable[..., Node]]] = {
    **dict.fromkeys(PUBLIC, Compiler.public),
    Votes: Compiler.votes,
    Alike: Compiler.alike,
    Leads: Compiler.leads,
    AsMany: lambda c, a: c.more(a.one, a.other, 0, a.others),
    More: lambda c, a: c.more(a.one, a.other, 1, a.others),
    Count: Compiler.count,
    Majority: lambda c, a: c.within(c.seats.get(a.whom), ">=", c.town.majority, a.others),
    Cast: lambda c, a: c.within(len(c.seats), a.operator, a.number, a.others),
    AsOfNow: Compiler.secret,
}
"""How each condition that is not made of others is written: the node that it is, or ``ALWAYS`` or ``NEVER``."""
VOTES: Final = frozenset((Nobody, For, Copy))
"""Ballots that depend on nothing."""


Values: TypeAlias = dict[str, str | None]
Reader: TypeAlias = Callable[[Mapping[str, Ballot]], Mapping[str, Ballot]]
"""Gives the votes and endorsements that conditional ballots, by voter, come to by the public record alone."""


class Unconditional(NamedTuple):
    """Votes as far as no condition decides them.

    *values* has each of the living in seat order, with their vote (None: null; ``LOOSE``: some condition decides), and
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
    if not ballots.keys() <= town.seats.keys():
        ballots = {who: ballot for who, ballot in ballots.items() if who in town.seats}
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
    """Return whom each endorses whose endorsement leads to a vote that some condition decides."""
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
    """Return how many votes each has; votes for strangers become null."""
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
    """Return how many votes each of *counts* has where not all ballots count the same; who has none isn't in it."""
    found = dict.fromkeys(counts, 0)
    for who, vote in values.items():
        if vote in found:
            found[vote] += town.weights.get(who, 1)
    return {who: number for who, number in found.items() if number}


NOBODY: Final = Nobody()


class CompiledBallots:
    """The conditional ballots among *ballots*, which the owner goes on changing, telling of each change before it.

    *codes* has those with open conditions, by seat; *names* the seats (and ``NULL``) that each names, and *hears* the
    voters whom it endorses; *leaves* what the others evaluate to. *ranked* says whether any asks who
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
        """Forget the code of *me*'s ballot, which will be *ballot*; None: nothing is cast."""
        if self.leaves:
            self.leaves.pop(me, None)
        if self.codes.pop(me, None):
            self.names.pop(me, None)
            self.hears.pop(me, None)

    def unconditional(self) -> Unconditional:
        """Return the votes that no condition decides; the code of all other ballots is at hand then."""
        return unconditional_votes(self.town, self.ballots, self._read)

    def endorsed(self, me: int) -> int | None:
        """Return whom *me* endorses, if their ballot is, or folds to, an endorsement of a townsperson."""
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
        """Return the ballot that *node* is all of."""
        kind, one = node
        return NOBODY if one == NULL else (For if kind == SEAT else Endorse)(self.town.living[one])

    def _note(self, me: int, code: Code) -> None:
        """Note whom *me*'s *code* names, and endorses."""
        one, other = code[-3], code[-2]
        if code[-1] is CHOICE and one[0] == other[0] == SEAT:
            self.names[me] = frozenset((NULL, one[1], other[1]))
            return
        names, hears = [NULL], []
        for node in code[-3:-1] if code[-1] is CHOICE else code:
            if node[0] == SEAT:
                names.append(node[1])
            elif node[0] == SAY:
                hears.append(node[1])
        self.names[me] = frozenset(names)
        if hears:
            self.hears[me] = hears
