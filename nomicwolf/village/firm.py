"""Votes that no condition decides: plain votes, and endorsements followed to their end (NC 3).

They make up nearly every town, and all of most towns; so this is one pass over the ballots, by names, and one over
the endorsements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from nomicwolf.village.ballots import Ballot, Endorse, FirstOf, For, If
from nomicwolf.village.town import LOOSE, UNKNOWN, Town

Values: TypeAlias = dict[str, str | None]
Reader: TypeAlias = Callable[[Mapping[str, Ballot]], Mapping[str, Ballot]]
"""Gives the votes and endorsements that conditional ballots, by voter, come to by the public record alone."""


class Firm(NamedTuple):
    """Votes as far as no condition decides them.

    *values* has each of the living in seat order, with eir vote (None: null; ``LOOSE``: some condition decides), and
    *counts* the votes for each who has any. *says* has those who endorse one whose ballot has open conditions, or one
    another, or who do; with whom they endorse.
    """

    values: Values
    counts: dict[str, int]
    says: dict[str, str]


def firm(town: Town, ballots: Mapping[str, Ballot], read: Reader) -> Firm:
    """Follow the *ballots* of *town*; O(voters).

    Dead persons and strangers have the null vote, and a vote for them is null; so is one for oneself (D-N5), unless
    the town has *own_votes*. Who only endorse one another put no name forward, so their votes are null.
    """
    own = town.own_votes
    values = town.unknown.copy()
    later: list[str] = []
    conditional: dict[str, Ballot] = {}
    for who, ballot in ballots.items():
        kind = ballot.__class__
        if kind is For:
            vote: str | None = ballot.whom  # type: ignore[union-attr]
            values[who] = vote if vote != who or own else None
        elif kind is Endorse:
            if later or (vote := values.get(ballot.whom)) is UNKNOWN:  # type: ignore[union-attr]
                later.append(who)
            else:
                values[who] = vote if vote != who or own else None
        elif kind is If or kind is FirstOf:
            conditional[who] = ballot
        else:
            values[who] = None
    if len(values) > len(town.living):
        return firm(town, {who: ballot for who, ballot in ballots.items() if who in town.seats}, read)
    if len(ballots) < len(values):
        values.update(dict.fromkeys(values.keys() - ballots.keys()))
    if conditional:
        leaves = read(conditional)
        values.update(dict.fromkeys(conditional, LOOSE))
        ballots = _folded(values, later, ballots, leaves, own)
    _follow(values, later, ballots, own)
    return Firm(values, _counts(town, values), _says(values, later, ballots) if conditional else {})


def _folded(
    values: Values, later: list[str], ballots: Mapping[str, Ballot], leaves: Mapping[str, Ballot], own: bool
) -> Mapping[str, Ballot]:
    """Enter the *leaves* that conditional ballots folded to; the *ballots*, with those leaves that are endorsements."""
    endorsing: dict[str, Ballot] = {}
    for who, leaf in leaves.items():
        if leaf.__class__ is Endorse:
            values[who] = UNKNOWN
            endorsing[who] = leaf
        else:
            vote = leaf.whom if isinstance(leaf, For) else None
            values[who] = vote if vote != who or own else None
    later += endorsing
    return {**ballots, **endorsing} if endorsing else ballots


def _says(values: Values, later: list[str], ballots: Mapping[str, Ballot]) -> dict[str, str]:
    """Whom each endorses whose endorsement leads to a vote that some condition decides."""
    return {who: ballots[who].whom for who in later if values[who] is LOOSE}  # type: ignore[union-attr]


def _follow(values: Values, later: list[str], ballots: Mapping[str, Ballot], own: bool) -> None:
    """Follow each endorsement that is left to its end; on the way there the votes are null, so a ring's remain so."""
    for who in later:
        if values[who] is UNKNOWN:
            vote = values.get(ballots[who].whom)  # type: ignore[union-attr]
            if vote is not UNKNOWN:
                values[who] = vote if vote != who or own else None
                continue
            path, one = [], who
            while vote is UNKNOWN:
                path.append(one)
                values[one] = None
                one = ballots[one].whom  # type: ignore[union-attr]
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
    return counts  # type: ignore[return-value]
