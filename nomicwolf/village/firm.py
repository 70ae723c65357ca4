"""Votes that no condition decides: plain votes, and endorsements followed to their end (NC 3).

They make up nearly every town, and all of most towns; so this is one pass over the ballots, by names, and one over
the endorsements whose end comes later in the order of seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from nomicwolf.village.ballots import Ballot, Endorse, FirstOf, For, If
from nomicwolf.village.town import LOOSE, UNKNOWN, Town

Values: TypeAlias = dict[str, str | None]
Reader: TypeAlias = Callable[[str, Ballot], Ballot | None]
"""Gives the vote or endorsement that a voter's conditional ballot comes to by the public record alone, if it does."""


class Firm(NamedTuple):
    """Votes as far as no condition decides them.

    *values* has each of the living in seat order, with eir vote (None: null; ``LOOSE``), and *counts* the votes for
    each who has any. *coded* are the voters whose ballots have open conditions, and *says* has those who endorse
    them, or one another, or who do; with whom they endorse.
    """

    values: Values
    counts: dict[str, int]
    coded: list[str]
    says: dict[str, str]


def firm(town: Town, ballots: Mapping[str, Ballot], read: Reader) -> Firm:
    """Follow the *ballots* of *town*; O(voters).

    Dead persons and strangers have the null vote, and a vote for them is null; so is one for oneself (D-N5), unless
    the town has *own_votes*. Who only endorse one another put no name forward, so their votes are null.
    """
    living, own = town.living, town.own_votes
    values = town.unknown.copy()
    later: list[str] = []
    conditional: list[str] = []
    for who, ballot in zip(living, map(ballots.get, living), strict=True):
        kind = ballot.__class__
        if kind is For:
            vote: str | None = ballot.whom  # type: ignore[union-attr]
            values[who] = vote if vote != who or own else None
        elif kind is Endorse:
            try:
                vote = values[ballot.whom]  # type: ignore[union-attr]
            except KeyError:
                vote = None
            if vote is UNKNOWN:
                later.append(who)
            else:
                values[who] = vote if vote != who or own else None
        elif kind is If or kind is FirstOf:
            conditional.append(who)
        else:
            values[who] = None
    coded: list[str] = []
    if conditional:
        coded, ballots = _folded(town, ballots, conditional, read, values)
        later += (who for who in conditional if values[who] is UNKNOWN)
    if later:
        _follow(values, later, ballots, own)
    says = [who for who in later if values[who] is LOOSE] if coded else []
    return Firm(values, _counts(town, values), coded, {who: ballots[who].whom for who in says})  # type: ignore[union-attr]


def _folded(
    town: Town, ballots: Mapping[str, Ballot], conditional: list[str], read: Reader, values: Values
) -> tuple[list[str], Mapping[str, Ballot]]:
    """Return the *conditional* voters but those whose ballots fold to a leaf, and the *ballots* with these leaves."""
    coded: list[str] = []
    leaves: dict[str, Ballot] = {}
    for who in conditional:
        leaf = read(who, ballots[who])
        if leaf is None:
            coded.append(who)
            values[who] = LOOSE
        elif leaf.__class__ is Endorse:
            leaves[who] = leaf
        else:
            vote = leaf.whom if isinstance(leaf, For) else None
            values[who] = vote if vote != who or town.own_votes else None
    return coded, {**ballots, **leaves} if leaves else ballots


def _follow(values: Values, later: list[str], ballots: Mapping[str, Ballot], own: bool) -> None:
    """Follow each endorsement that is left to its end; on the way there the votes are null, so a ring's remain so."""
    for who in reversed(later):
        if values[who] is UNKNOWN:
            vote = values[ballots[who].whom]  # type: ignore[union-attr]
            if vote is not UNKNOWN:
                values[who] = vote if vote != who or own else None
                continue
            path, one = [], who
            while vote is UNKNOWN:
                path.append(one)
                values[one] = None
                one = ballots[one].whom  # type: ignore[union-attr]
                vote = values[one]
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
    strangers = [vote for vote in counts if vote not in seats]
    if strangers:
        for who, vote in values.items():
            if vote in strangers:
                values[who] = None
        for stranger in strangers:
            del counts[stranger]
    return counts  # type: ignore[return-value]
