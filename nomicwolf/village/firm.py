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
        return firm(town, {who: ballot for who, ballot in ballots.items() if who in town.seats}, read)
    if len(ballots) < len(values):
        values.update(dict.fromkeys(values.keys() - ballots.keys()))
    if conditional:
        leaves = read(conditional)
        values.update(dict.fromkeys(conditional, LOOSE))
        _enter(leaves, values, later, own=own)
    _follow(later, values, own=own)
    return Firm(values, _counts(town, values), _says(values, later) if conditional else {})


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
    return counts  # type: ignore[return-value]
