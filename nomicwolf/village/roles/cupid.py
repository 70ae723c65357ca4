"""Cupid makes two Lovers before day 1: they die together, and of opposite sides they win only as the last two.

NC 7d: “When one Lover is killed, so is the other.”
"""

from dataclasses import replace

from nomicwolf.village.events import Ended, Joined, Killed, Told
from nomicwolf.village.game import Game
from nomicwolf.village.rules import Duty, Events, Role, instead, whenever
from nomicwolf.village.words import anyone


def before_the_start(game: Game, me: str) -> bool:
    """Open before the first day begins (NC 7d); with a Cupid who has left, and so is dead, it begins without Lovers."""
    return game.phase == "setup" and me in game.alive and not game.ever(Joined)


def lovers(game: Game) -> tuple[str, ...]:
    """Return the Lovers, or nobody."""
    joined = game.last(Joined)
    return joined.lovers if joined else ()


def join(game: Game, me: str, what: tuple[str, ...]) -> Events:
    """Make the two persons named Lovers."""
    return [Joined((what[0], what[1]))]


@whenever(Joined, "NC 7d")
def tell_lovers(game: Game, event: Joined) -> Events:
    """NC 7d: both Lovers are told who the Lovers are; neither side nor role."""
    text = f"The Lovers are {event.lovers[0]} and {event.lovers[1]}. If one of you is killed, both are."
    return [Told(p, "lovers", text, event.lovers) for p in event.lovers]


@whenever(Killed, "NC 7d", "D-N33")
def die_together(game: Game, event: Killed) -> Events:
    """NC 7d: if either Lover is killed, then both are (not when one leaves: D-N11)."""
    both = lovers(game)
    if event.who not in both or event.cause == "departure":
        return None
    return [Killed(p, "heartbreak") for p in both if p in game.alive]


@instead(Ended, "NC 7d", "D-N19")
def crossed(game: Game, event: Ended) -> Events:
    """NC 7d: Lovers of opposite sides win as the last two survivors, and otherwise not at all."""
    both = lovers(game)
    if not both or game.sides[both[0]] == game.sides[both[1]]:
        return None
    last_two = game.alive == frozenset(both)
    won = tuple(p for p in game.seats if (last_two if p in both else p in event.winners))
    return None if won == event.winners else [replace(event, winners=won, why=f"{event.why}; NC 7d")]


match_two = Duty(
    "match", before_the_start, anyone, join, arity=2, cites=("NC 7d", "D-N28"),
    says="match NAME and NAME: make two townspersons the Lovers",
)
LOVE = (tell_lovers, die_together, crossed)
"""What holds wherever there are Lovers, also where a rehearsal gives them without a Cupid."""
cupid = Role(
    "cupid", "villagers", (match_two,), title="Cupid", cites=("NC 7d",),
    story="You are Cupid, and on the villagers' side. Before the first day begins you choose two townspersons, who "
    "become the Lovers. You may choose yourself.",
)
