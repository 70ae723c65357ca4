"""Who hangs on whom: trees of endorsements, with how many voters hang on each.

``Walked`` follows each tree step by step, which is quickest while trees are shallow, as they are among people.
``LinkCut`` takes O(log n) amortised for each operation however deep they are (Sleator and Tarjan 1983, with sizes of
subtrees kept beside the splay trees), several times as long as a few steps. Voters are numbers from 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

NO: Final = -1
"""No voter."""


def planted(n: int, says: Mapping[int, int]) -> tuple[list[int], list[int], dict[int, int]]:
    """Return the trees of *says* among *n* voters: whom each points to, how many hang on each, and what closes rings.

    One voter of each ring is made its root; the last has, for those, whom they point to. O(n).
    """
    up, sizes, below = [NO] * n, [1] * n, [0] * n
    for voter, whom in says.items():
        up[voter] = whom
        below[whom] += 1
    order = [voter for voter in says if not below[voter]]
    for voter in order:
        whom = up[voter]
        sizes[whom] += sizes[voter]
        below[whom] -= 1
        if not below[whom] and up[whom] != NO:
            order.append(whom)
    closing: dict[int, int] = {}
    for root in says:
        if below[root]:
            voter = closing[root] = up[root]
            up[root] = NO
            below[root] = 0
            while voter != root:
                below[voter] = 0
                sizes[up[voter]] += sizes[voter]
                voter = up[voter]
    return up, sizes, closing


class Walked:
    """Trees by *steps* up, which are counted; *sizes* is how many hang on each voter, with emself."""

    def __init__(self, up: list[int], sizes: list[int]) -> None:
        self.up = up
        self.sizes = sizes
        self.steps = 0

    def root(self, voter: int) -> int:
        """Return the root of *voter*'s tree."""
        up, steps = self.up, 0
        while up[voter] >= 0:
            voter = up[voter]
            steps += 1
        self.steps += steps
        return voter

    def size(self, voter: int) -> int:
        """Return how many hang on *voter*, with emself."""
        return self.sizes[voter]

    def cut(self, voter: int) -> None:
        """Make *voter*, who points to somebody, a root."""
        up, sizes = self.up, self.sizes
        gone, whom = sizes[voter], up[voter]
        up[voter] = NO
        while whom >= 0:
            sizes[whom] -= gone
            whom = up[whom]

    def link(self, voter: int, whom: int) -> None:
        """Let *voter*, a root, point to *whom*, in another tree."""
        up, sizes = self.up, self.sizes
        come = sizes[voter]
        up[voter] = whom
        while whom >= 0:
            sizes[whom] += come
            whom = up[whom]


class LinkCut:
    """Trees by splay trees of paths; at first every path is one voter long.

    *left*, *right* and *up* make the splay trees, *up* of a tree's root being where its path hangs; *beside* counts
    who hang on a voter by other paths, and *sizes* all below it in its splay tree, with those.
    """

    def __init__(self, up: list[int], sizes: list[int]) -> None:
        self.steps = 0
        self.left = [NO] * len(up)
        self.right = [NO] * len(up)
        self.up = up.copy()
        self.sizes = sizes.copy()
        self.beside = [size - 1 for size in sizes]

    def root(self, voter: int) -> int:
        """Return the root of *voter*'s tree."""
        self._expose(voter)
        left = self.left
        while left[voter] >= 0:
            voter = left[voter]
        self._splay(voter)
        return voter

    def size(self, voter: int) -> int:
        """Return how many hang on *voter*, with emself."""
        self._expose(voter)
        return 1 + self.beside[voter]

    def cut(self, voter: int) -> None:
        """Make *voter*, who points to somebody, a root."""
        self._expose(voter)
        above = self.left[voter]
        self.up[above] = NO
        self.left[voter] = NO
        self.sizes[voter] -= self.sizes[above]

    def link(self, voter: int, whom: int) -> None:
        """Let *voter*, a root, point to *whom*, in another tree."""
        self._expose(voter)
        self._expose(whom)
        self.up[voter] = whom
        self.beside[whom] += self.sizes[voter]
        self.sizes[whom] += self.sizes[voter]

    def _expose(self, voter: int) -> None:
        """Make the way from *voter* to its root one path that ends there, and *voter* the root of its splay tree."""
        left, right, up, sizes, beside = self.left, self.right, self.up, self.sizes, self.beside
        last, one = NO, voter
        while one >= 0:
            self._splay(one)
            below, above = right[one], left[one]
            if below >= 0:
                beside[one] += sizes[below]
            if last >= 0:
                beside[one] -= sizes[last]
            right[one] = last
            sizes[one] = (
                1 + beside[one] + (sizes[above] if above >= 0 else 0) + (sizes[last] if last >= 0 else 0))
            last, one = one, up[one]
        self._splay(voter)

    def _splay(self, one: int) -> None:
        """Rotate *one* to the root of its splay tree."""
        left, right, up = self.left, self.right, self.up
        while True:
            above = up[one]
            if above < 0 or (left[above] != one and right[above] != one):
                return
            top = up[above]
            if top >= 0 and (left[top] == above or right[top] == above):
                self._rotate(above if (left[top] == above) == (left[above] == one) else one)
            self._rotate(one)

    def _rotate(self, one: int) -> None:
        """Put *one* above the one above it."""
        left, right, up, sizes = self.left, self.right, self.up, self.sizes
        above = up[one]
        top = up[above]
        if left[above] == one:
            moved = left[above] = right[one]
            right[one] = above
        else:
            moved = right[above] = left[one]
            left[one] = above
        gone = sizes[above] - sizes[one]
        if moved >= 0:
            up[moved] = above
            gone += sizes[moved]
        up[above] = one
        up[one] = top
        if top >= 0:
            if left[top] == above:
                left[top] = one
            elif right[top] == above:
                right[top] = one
        sizes[one] = sizes[above]
        sizes[above] = gone


Forest: TypeAlias = Walked | LinkCut
