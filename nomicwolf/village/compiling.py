"""Ballots as flat code, with everything that the public record settles folded away (step 0 of the definition).

What the code is made of stands in `nodes`. No function here calls itself: a ballot may be as deep or as wide as its
author likes.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Final

from nomicwolf.village.ballots import (
    Alike,
    And,
    AsMany,
    AsOfNow,
    Ballot,
    Cast,
    Condition,
    Copy,
    Count,
    Endorse,
    FirstOf,
    For,
    If,
    Leads,
    Majority,
    More,
    Nobody,
    Not,
    Operator,
    Or,
    Votes,
)
from nomicwolf.village.nodes import (
    ALL,
    ANY,
    CHOICE,
    FALSE,
    FEWEST,
    FIRST,
    IS,
    LEADS,
    MORE,
    MOST,
    NO,
    NULL,
    NULL_LEAF,
    SAME,
    SAY,
    SEAT,
    SECRET,
    TRUE,
    WHEN,
    WITHIN,
    Code,
    Node,
)
from nomicwolf.village.town import Town, bounds, compare


class Compiler:
    """Writes the code of *me*'s ballots, or of conditions on it, in *town*; *ranked* if one asks who leads."""

    def __init__(self, town: Town, me: int) -> None:
        self.town = town
        self.seats = town.seats
        self.me = me
        self.code: Code = []
        self.secrets: dict[Condition | int, int] = {}
        self.ranked = False

    def ballot(self, ballot: Ballot, me: int | None = None) -> Code:
        """The folded code of *ballot*: one ``SEAT`` or ``SAY`` node, or a tree with a root; *me* votes from now on."""
        if me is not None:
            self.me = me
        code = self.code = []
        self.secrets.clear()
        if ballot.__class__ is If and ballot.then.__class__ in LEAVES and ballot.otherwise.__class__ in LEAVES:
            return self._choice(ballot)
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
                code.append(self._leaf(item))
                sizes.append(1)
        return code

    def _choice(self, ballot: If) -> Code:
        """The code of a choice between two leaves; of a condition that is denied, with the leaves exchanged."""
        condition, then, otherwise = ballot.condition, ballot.then, ballot.otherwise
        while condition.__class__ is Not:
            condition, then, otherwise = condition.part, otherwise, then
        size = self.condition(condition)
        if size <= 0:
            return [self._leaf(then if size == TRUE else otherwise)]
        one, other = self._leaf(then), self._leaf(otherwise)
        if one == other:
            return [one]
        self.code += (one, other, CHOICE)
        return self.code

    def _leaf(self, leaf: Ballot) -> Node:
        """A vote for another townsperson, for nobody, or the same as another's.

        A person who is no townsperson has the null vote. A ``Copy`` that was never pinned had nothing to copy.
        """
        kind = leaf.__class__
        if kind is For:
            seat = self.seats.get(leaf.whom, NULL)  # type: ignore[union-attr]
            return SEAT, NULL if seat == self.me and not self.town.own_votes else seat
        if kind is Endorse and leaf.whom in self.seats:  # type: ignore[union-attr]
            return SAY, self.seats[leaf.whom]  # type: ignore[union-attr]
        return NULL_LEAF

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
        kept: list[Code] = []
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

    def condition(self, condition: Condition) -> int:
        """Append the folded code of *condition*; how long that is, or ``TRUE`` or ``FALSE``."""
        atom = ATOMS.get(condition.__class__)
        if atom:
            return atom(self, condition)
        code = self.code
        if isinstance(condition, (And, Or)) and all(part.__class__ in ATOMS for part in condition.parts):
            start, kind = len(code), ALL if isinstance(condition, And) else ANY
            return self._join(kind, start, len(condition.parts), [
                ATOMS[part.__class__](self, part) for part in condition.parts])
        work: list[Condition | tuple[int, int, int]] = [condition]
        sizes: list[int] = []
        while work:
            item = work.pop()
            if isinstance(item, tuple):
                kind, start, parts = item
                size = self.negate(sizes.pop()) if kind == NO else self._join(kind, start, parts, sizes)
                sizes.append(size)
            elif isinstance(item, (And, Or)):
                work.append((ALL if isinstance(item, And) else ANY, len(code), len(item.parts)))
                work += reversed(item.parts)
            elif isinstance(item, Not):
                work += ((NO, 0, 1), item.part)
            else:
                atom = ATOMS.get(item.__class__)
                sizes.append(atom(self, item) if atom else self._public(item))
        return sizes.pop()

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
        return self.add((kind, *distances(lengths)), sum(lengths))

    def add(self, node: Node, below: int = 0) -> int:
        """Append *node*, whose parts are *below* nodes long together."""
        self.code.append(node)
        return below + 1

    def negate(self, size: int) -> int:
        """The opposite of the condition that was written last."""
        if size > 0:
            return self.add((NO,), size)
        return TRUE if size == FALSE else FALSE

    def _public(self, atom: Condition) -> int:
        known = self.town.known(atom)
        if known is None:
            return self.secret(atom)
        return TRUE if known else FALSE

    def secret(self, atom: Condition) -> int:
        """A condition that nobody can know now; one that was pinned while it was open is like no other."""
        key = len(self.secrets) if isinstance(atom, AsOfNow) else atom
        return self.add((SECRET, self.secrets.setdefault(key, len(self.secrets))))

    def within(self, seat: int | None, operator: Operator, number: int, others: bool) -> int:
        """A number of votes compared; the dead and strangers have none."""
        if seat is None:
            return TRUE if compare(operator, 0, number) else FALSE
        low, high, inside = bounds(operator, number)
        least, most = FEWEST if low is None else low, MOST if high is None else high
        size = self.add((WITHIN, seat, least, most, not others))
        return size if inside else self.negate(size)

    def more(self, one: str, other: str, others: bool) -> int:
        """Whether *one* has more votes than *other*."""
        x, y = self.seats.get(one), self.seats.get(other)
        if x is None or x == y:
            return FALSE
        if y is None:
            return self.within(x, ">=", 1, others)
        return self.add((MORE, x, y, not others))

    def count(self, atom: Count) -> int:
        """Whether a number of votes for someone is as it is to be."""
        seat = self.seats.get(atom.whom)
        if seat is None or atom.operator != ">=":
            return self.within(seat, atom.operator, atom.number, atom.others)
        self.code.append((WITHIN, seat, atom.number, MOST, not atom.others))
        return 1

    def votes(self, atom: Votes) -> int:
        """Whether someone votes for someone, or for nobody."""
        voter = self.seats.get(atom.who)
        if voter is None:
            return TRUE if atom.whom is None else FALSE
        seat = NULL if atom.whom is None else self.seats.get(atom.whom)
        if seat is None:
            return FALSE
        self.code.append((IS, voter, seat))
        return 1

    def alike(self, atom: Alike) -> int:
        """Whether two persons vote alike; the dead and strangers vote for nobody."""
        one, other = self.seats.get(atom.one), self.seats.get(atom.other)
        if one == other:
            return TRUE
        if one is not None and other is not None:
            return self.add((SAME, one, other))
        return self.add((IS, (other or 0) if one is None else one, NULL))

    def leads(self, atom: Leads) -> int:
        """Whether someone has more votes than everyone else, or as many."""
        seat = self.seats.get(atom.whom)
        if seat is not None:
            self.ranked = True
            return self.add((LEADS, seat, atom.tied, not atom.others))
        return self.within(len(self.seats), "<=", 0, atom.others) if atom.tied else FALSE


def distances(sizes: list[int]) -> list[int]:
    """How far before their parent parts of these *sizes*, in order, have their roots."""
    return [*accumulate(reversed(sizes[1:]), initial=1)][::-1]


LEAVES: Final = frozenset((Nobody, For, Endorse, Copy))
"""Ballots that are no choice."""
ATOMS: Final[dict[type, Callable[..., int]]] = {
    Votes: Compiler.votes,
    Alike: Compiler.alike,
    Leads: Compiler.leads,
    AsMany: lambda c, a: c.negate(c.more(a.other, a.one, a.others)),
    More: lambda c, a: c.more(a.one, a.other, a.others),
    Count: Compiler.count,
    Majority: lambda c, a: c.within(c.seats.get(a.whom), ">=", c.town.majority, a.others),
    Cast: lambda c, a: c.within(len(c.seats), a.operator, a.number, a.others),
    AsOfNow: Compiler.secret,
}
