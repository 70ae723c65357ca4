"""The ballot that a deed casts: a vote, a verdict, a nomination."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.nomic.events import DeedHeard
from nomicwolf.village.ballots import Ballot, For, Nobody
from nomicwolf.village.game import Game
from nomicwolf.village.laws.verdicts import VERDICTS
from nomicwolf.village.pinning import dated
from nomicwolf.village.rules import Refusal
from nomicwolf.village.wording import ballot_text


def ballot_of(deed: DeedHeard, accused: tuple[str, ...]) -> Ballot:
    """Return the ballot that *deed* casts; a verdict may name only those whom the vote is about."""
    if deed.verb in VERDICTS:
        if deed.names and deed.names[0] not in accused:
            raise Refusal(f"{deed.names[0]} is not on trial.", (), accused)
        return For(deed.verb)
    if deed.verb == "nominate":
        return For(deed.names[0]) if deed.names else Nobody()
    return deed.ballot or Nobody()


def in_its_day(deed: DeedHeard, game: Game | None) -> DeedHeard:
    """Return *deed* with its hours into the day as instants of the day in which it is done, if *game* is at one."""
    if deed.ballot is None or game is None or game.phase != "day" or "hours into the day" not in deed.says:
        return deed
    ballot = dated(deed.ballot, game.began)
    return replace(deed, ballot=ballot, says=f"vote {ballot_text(ballot)}")
