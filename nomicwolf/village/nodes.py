"""What the code of ballots is made of: a ``Code`` is a row of nodes, children before parents, the root last.

A node is a tuple: its kind, then what the kind says below. A child is named by its distance back, so equal sub-ballots
are equal slices, and a value computed for each node in turn is found at ``values[-distance]``. Voters are numbers,
their seats.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Node: TypeAlias = tuple[int, ...]
Code: TypeAlias = tuple[Node, ...]
Choice: TypeAlias = tuple[Code, int, int]
"""A ballot in short: the code of an open condition, and the seats (or ``NULL``) that it chooses from."""

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
