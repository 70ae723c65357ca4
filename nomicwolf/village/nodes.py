"""What the code of ballots is made of: a ``Code`` is a list of nodes, children before parents, the root last.

A node is a tuple: its kind, then what the kind says below. A child is named by its distance back, so equal sub-ballots
are equal slices, and a value computed for each node in turn is found at ``values[-distance]``. Voters are numbers,
their seats.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Node: TypeAlias = tuple[int, ...]
Code: TypeAlias = list[Node]

NULL: Final = -1  # the null vote, among seats
FEWEST: Final = -1 << 60  # the ends of a number of votes that has no least or no most
MOST: Final = 1 << 60

SECRET: Final = 0  # (number)                 a condition that the record does not tell
WITHIN: Final = 1  # (seat, low, high, own)   low <= votes for seat <= high; seat n: votes cast; own 0: but mine
IS: Final = 2      # (voter, seat)            voter's vote is seat, or NULL
SAME: Final = 3    # (voter, voter)           they vote alike
MORE: Final = 4    # (seat, seat, own)        the first has more votes
LEADS: Final = 5   # (seat, tied, own)        more votes than everyone else, or as many if tied
ALL: Final = 6     # (distance, ...)          and
ANY: Final = 7     # (distance, ...)          or
NO: Final = 8      # ()                       not the node before
SEAT: Final = 9    # (seat)                   a vote for seat, or NULL
SAY: Final = 10    # (voter)                  the same as voter's
WHEN: Final = 11   # (condition, then, otherwise)  distances
FIRST: Final = 12  # (distance, ...)          the first that is not null

TRUE: Final = -1  # sizes of conditions that are settled; any other size is that of code still open
FALSE: Final = 0

NULL_LEAF: Final[Node] = (SEAT, NULL)
CHOICE: Final[Node] = (WHEN, 3, 2, 1)
"""The root of a choice by one condition between two leaves."""
