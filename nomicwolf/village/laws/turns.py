"""Votes one after the other, where the contest says so (D-T22): whose turn it is, and that e is asked.

LT 5a: “clockwise, beginning to the right of the last one slaughtered”.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nomicwolf.village.alarms import TURN
from nomicwolf.village.events import Announced, Killed, StageBegan, Told, Voted
from nomicwolf.village.game import Game
from nomicwolf.village.laws.verdicts import cast_in_stage
from nomicwolf.village.rules import Events, Owed, Rule, always, whenever
from nomicwolf.village.wording import instant_text
from nomicwolf.village.words import listed

VOTING = ("nominations", "ballot")
YOUR_TURN = "turn"
"""The topic of what one is told when eir turn comes."""


def in_turn(game: Game) -> tuple[str, ...]:
    """LT 5a, D-T26, D-T29: return the living in seat order, from the right of the last one slaughtered on."""
    slain = [k.who for k in game.ever(Killed, cause="attack")]
    start = game.seats.index(slain[-1]) + 1 if slain else 0
    turned = game.seats[start:] + game.seats[:start]
    return tuple(p for p in turned if p in game.alive)


def one_by_one(game: Game) -> bool:
    """Return whether there is a vote on in which votes are given one after the other."""
    return game.switches.get("ballot_order") == "sequential" and game.phase == "day" and game.stage in VOTING


def order(game: Game, out: tuple[str, ...]) -> list[str]:
    """Return who votes, in turn; those who are *out* have no vote."""
    return [p for p in in_turn(game) if p not in out]


def turns(game: Game, voters: int) -> list[int]:
    """D-T22: return when the turn of each of so many *voters* is over (UTC seconds); all have the same time."""
    began = game.lines(StageBegan)[-1].at
    return [began + (game.deadline - began) * (n + 1) // voters for n in range(voters)]


def whose(game: Game, out: tuple[str, ...]) -> tuple[str, int]:
    """Return whose turn it is and until when (UTC seconds), '' and 0 if all have had theirs.

    Who has voted hands on at once.
    """
    voted, voters = cast_in_stage(game), order(game, out)
    return next(((p, until) for p, until in zip(voters, turns(game, len(voters)), strict=True)
                 if p not in voted and game.clock < until), ("", 0))


def turn_began(game: Game, who: str, out: tuple[str, ...]) -> int:
    """Return when the turn of *who* began (UTC seconds): with the stage, or when the one before had voted or missed it.

    It ends where it would have, though it begins earlier.
    """
    began, before = game.lines_now(StageBegan)[-1].at, order(game, out)
    place = before.index(who)
    if not place:
        return began
    votes = [e.at for e in game.lines_now(Voted, who=before[place - 1]) if e.number > game.mark(StageBegan)]
    return votes[-1] if votes else turns(game, len(before))[place - 1]


def asked(game: Game, me: str, out: tuple[str, ...]) -> bool:
    """D-T22: whether *me* can vote now: always, or where votes come in turn if it is eirs."""
    return not one_by_one(game) or whose(game, out)[0] == me


def turn_alarms(game: Game, out: tuple[str, ...]) -> Iterable[tuple[int, str]]:
    """Return when the turns end, where votes come in turn."""
    if one_by_one(game):
        yield from ((at, TURN) for at in turns(game, len(order(game, out))) if at > game.clock)


def call_up(out: Callable[[Game], tuple[str, ...]], cites: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return the rules by which the order is announced with the stage, and each is asked when eir turn comes."""

    @whenever(StageBegan, *cites)
    def tell_the_order(game: Game, event: StageBegan) -> Events:
        if not one_by_one(game):
            return None
        names = tuple(order(game, out(game)))
        return [Announced("the order", f"All vote in turn, and have the same time each: {listed(names)}.", names)]

    @always(*cites)
    def ask(game: Game, owed: Owed) -> Events:
        who, until = whose(game, out(game)) if one_by_one(game) else ("", 0)
        if not who or game.since(game.mark(StageBegan), Told, to=who, topic=YOUR_TURN):
            return None
        said = f"It is your turn to vote, until {instant_text(until)}; then the next one is asked."
        return [Told(who, YOUR_TURN, said)]

    return tell_the_order, ask
