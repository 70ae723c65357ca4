"""Ballots as flat code, with everything that the public record settles folded away (step 0 of the definition).

What the code is made of stands in `nodes`. No function here calls itself: a ballot may be as deep or as wide as its
author likes.
"""

from __future__ import annotations

from typing import Final

from nomicwolf.village.ballots import Ballot, Copy, Endorse, FirstOf, For, If, Nobody, Not
from nomicwolf.village.conditions import ATOMS, Conditions, distances
from nomicwolf.village.nodes import (
    ALWAYS,
    CHOICE,
    FIRST,
    NEVER,
    NULL,
    NULL_LEAF,
    SAY,
    SEAT,
    TRUE,
    WHEN,
    Choice,
    Code,
    Node,
)


class Compiler(Conditions):
    """Writes the code of ballots, too."""

    def choice(self, ballot: Ballot, me: int) -> Choice | None:
        """*me*'s *ballot* as a choice, if it is one: most are, and this is all that takes; else there is ``ballot``."""
        if type(ballot) is not If:
            return None
        condition, then, otherwise = ballot.condition, ballot.then, ballot.otherwise
        if then.__class__ not in VOTES or otherwise.__class__ not in VOTES:
            return None
        while condition.__class__ is Not:
            condition, then, otherwise = condition.part, otherwise, then
        self.me = me
        one = self._vote(then) if then.__class__ is For else NULL
        other = self._vote(otherwise) if otherwise.__class__ is For else NULL
        if one == other:
            return None
        atom = ATOMS.get(condition.__class__)
        if atom:
            self.secrets.clear()
            node = atom(self, condition)
            return None if node is ALWAYS or node is NEVER else ((node,), one, other)
        self.begin()
        return (tuple(self.code), one, other) if self.condition(condition) > 0 else None

    def _vote(self, ballot: For) -> int:
        """The seat for which *ballot* is a vote; who is no townsperson has none."""
        seat = self.seats.get(ballot.whom, NULL)
        return NULL if seat == self.me and not self.own else seat

    def ballot(self, ballot: Ballot, me: int) -> Code:
        """The folded code of *me*'s *ballot*: one ``SEAT`` or ``SAY`` node, or a tree with a root."""
        self.me = me
        self.begin()
        code = self.code
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
            return SEAT, self._vote(ballot)
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
