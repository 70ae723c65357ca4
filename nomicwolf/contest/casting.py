"""The ballot that a deed casts: a vote, a verdict, a nomination."""

from __future__ import annotations

from nomicwolf.nomic.events import DeedHeard
from nomicwolf.village.ballots import Ballot, For, Nobody
from nomicwolf.village.laws.accusation import VERDICTS
from nomicwolf.village.rules import Refusal


def ballot_of(deed: DeedHeard, accused: tuple[str, ...]) -> Ballot:
    """Return the ballot that *deed* casts; a verdict may name only those whom the vote is about."""
    if deed.verb in VERDICTS:
        if deed.names and deed.names[0] not in accused:
            raise Refusal(f"{deed.names[0]} is not on trial.", (), accused)
        return For(deed.verb)
    if deed.verb == "nominate":
        return For(deed.names[0]) if deed.names else Nobody()
    return deed.ballot or Nobody()
