"""The ballot that a deed casts: a vote, a verdict, a nomination."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.nomic.events import DeedHeard
from nomicwolf.reports.times import when
from nomicwolf.village.ballots import Ballot, For, Nobody
from nomicwolf.village.events import Entry, StageBegan
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.runoff import out_now
from nomicwolf.village.laws.stages import about
from nomicwolf.village.laws.turns import one_by_one, turn_began
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


def cast(
    rules: Ruleset, game: Game, deed: DeedHeard, *, by: str = "", cause: str = "", more: bool = False
) -> tuple[Game, tuple[Entry, ...]]:
    """Return *game* after the ballot *deed* has been cast, and the new entries; raise `Refusal` if it can't be.

    With *more* another one that is late as well follows it.
    """
    in_turn = one_by_one(game)
    opened = turn_began(game, deed.who, out_now(game)) if in_turn and deed.who in game.alive else max(
        [game.began, *(e.at for e in game.lines_now(StageBegan)[-1:])])
    if deed.instant < opened:
        what = "your turn" if in_turn else f"the {game.stage} of {game.place}" if game.stage else game.place
        took, began = when(deed.instant), when(opened)
        raise Refusal(f"Your vote took effect at {took}, and {what} began at {began}.", ("NC 3",))
    ballot = ballot_of(deed, about(game))
    return rules.cast(game, deed.instant, deed.who, "vote", ballot, key=deed.key, by=by, cause=cause, more=more)


def would_be_cast(rules: Ruleset, game: Game, deed: DeedHeard) -> bool:
    """Return whether the ballot *deed*, with others that come in late, is one that *game* takes."""
    try:
        cast(rules, game, deed, more=True)
    except Refusal:
        return False
    return deed.who in game.seats


def in_its_day(deed: DeedHeard, game: Game | None) -> DeedHeard:
    """Return *deed* with its hours into the day as instants of the day in which it is done, if *game* is at one."""
    if deed.ballot is None or game is None or game.phase != "day" or "hours into the day" not in deed.says:
        return deed
    ballot = dated(deed.ballot, game.began)
    return replace(deed, ballot=ballot, says=f"vote {ballot_text(ballot)}")
