"""Ballots and conditions compiled to flat code.

This is step 0 of the definition in ``docs/votes.md``: everything that the public record settles is folded away. A
``Code`` is a row of nodes, children before parents, the root last. A node is a tuple: its kind, then what the kind says
below. A child is named by its distance back, so equal sub-ballots are equal slices, and a value computed for each node
in turn is found at ``values[-distance]``. Voters are numbers, their seats. No function here calls itself: a ballot may
be as deep or as wide as its author likes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final, TypeAlias

from nomicwolf.village.ballots import (
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


class Conditions:
    """Writes the *code* of conditions on *me*'s ballot in *town*; *ranked* if one asks who leads."""

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
        """The opposite of the condition that was written last."""
        if size > 0:
            self.code.append((NO,))
            return size + 1
        return TRUE if size == FALSE else FALSE

    def public(self, atom: Condition) -> Node:
        """What the record says, if it does."""
        known = self.town.known(atom)
        if known is None:
            return self.secret(atom)
        return ALWAYS if known else NEVER

    def secret(self, atom: Condition) -> Node:
        """A condition that nobody can know now; one that was pinned while it was open is like no other."""
        key = len(self.secrets) if isinstance(atom, AsOfNow) else atom
        return SECRET, self.secrets.setdefault(key, len(self.secrets))

    def within(self, seat: int | None, operator: Operator, number: int, others: bool) -> Node:
        """A number of votes compared; the dead and strangers have none."""
        if seat is None:
            return ALWAYS if compare(operator, 0, number) else NEVER
        low, high, inside = bounds(operator, number)
        least, most = FEWEST if low is None else low, MOST if high is None else high
        return WITHIN if inside else BESIDE, seat, least, most, not others

    def more(self, one: str, other: str, by: int, others: bool) -> Node:
        """Whether *one* has more votes than *other* (*by* 1), or as many (0)."""
        x, y = self.seats.get(one), self.seats.get(other)
        if x == y:
            return NEVER if by else ALWAYS
        if y is None:
            return self.within(x, ">=", by, others) if by else ALWAYS
        if x is None:
            return NEVER if by else self.within(y, "<=", 0, others)
        return MORE, x, y, not others, by

    def count(self, atom: Count) -> Node:
        """Whether a number of votes for someone is as it is to be."""
        seat = self.seats.get(atom.whom)
        if seat is None or atom.operator != ">=":
            return self.within(seat, atom.operator, atom.number, atom.others)
        return WITHIN, seat, atom.number, MOST, not atom.others

    def votes(self, atom: Votes) -> Node:
        """Whether someone votes for someone, or for nobody."""
        voter = self.seats.get(atom.who)
        if voter is None:
            return ALWAYS if atom.whom is None else NEVER
        seat = NULL if atom.whom is None else self.seats.get(atom.whom)
        return NEVER if seat is None else (IS, voter, seat)

    def alike(self, atom: Alike) -> Node:
        """Whether two persons vote alike; the dead and strangers vote for nobody."""
        one, other = self.seats.get(atom.one), self.seats.get(atom.other)
        if one == other:
            return ALWAYS
        if one is not None and other is not None:
            return SAME, one, other
        return IS, (other or 0) if one is None else one, NULL

    def leads(self, atom: Leads) -> Node:
        """Whether someone has more votes than everyone else, or as many."""
        seat = self.seats.get(atom.whom)
        if seat is not None:
            self.ranked = True
            return LEADS, seat, atom.tied, not atom.others
        return self.within(len(self.seats), "<=", 0, atom.others) if atom.tied else NEVER


def distances(sizes: Sequence[int]) -> list[int]:
    """How far before their parent parts of these *sizes*, in order, have their roots."""
    return [*accumulate(reversed(sizes[1:]), initial=1)][::-1]


PUBLIC: Final = frozenset((Fixed, Alive, Dead, Was, Day, InPhase, After, Before, IntoDay, Fact))
"""Conditions on the public record alone."""
ATOMS: Final[dict[type, Callable[..., Node]]] = {
    **dict.fromkeys(PUBLIC, Conditions.public),
    Votes: Conditions.votes,
    Alike: Conditions.alike,
    Leads: Conditions.leads,
    AsMany: lambda c, a: c.more(a.one, a.other, 0, a.others),
    More: lambda c, a: c.more(a.one, a.other, 1, a.others),
    Count: Conditions.count,
    Majority: lambda c, a: c.within(c.seats.get(a.whom), ">=", c.town.majority, a.others),
    Cast: lambda c, a: c.within(len(c.seats), a.operator, a.number, a.others),
    AsOfNow: Conditions.secret,
}
"""How each condition that is not made of others is written: the node that it is, or ``ALWAYS`` or ``NEVER``."""


class Compiler(Conditions):
    """Writes the code of ballots, too."""

    def ballot(self, ballot: Ballot, me: int) -> Code:
        """The folded code of *me*'s *ballot*: one ``SEAT`` or ``SAY`` node, or a tree with a root."""
        self.me = me
        code: list[Node] = []
        self.code = code
        self.secrets.clear()
        if type(ballot) is If:
            one, other = self._leaf(ballot.then), self._leaf(ballot.otherwise)
            if one and other:
                size = self.condition(ballot.condition)
                if size <= 0 or one == other:
                    return (one if size == TRUE else other,)
                code += (one, other, CHOICE)
                return tuple(code)
        self._tree(ballot)
        return tuple(code)

    def _leaf(self, ballot: Ballot) -> Node | None:
        """A vote, or the same as another's; None for anything else.

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


VOTES: Final = frozenset((Nobody, For, Copy))
"""Ballots that hang on nothing."""
