"""The Seer asks each night about another, and is answered in that night.

NC 7a: “The Seer's duty each night is to name another townsperson.”
"""

from nomicwolf.village.events import Seen, Told
from nomicwolf.village.game import Game
from nomicwolf.village.rules import Duty, Events, Role, whenever
from nomicwolf.village.words import another, each_night


@whenever(Seen, "NC 7a")
def answer(game: Game, event: Seen) -> Events:
    """NC 7a: the Seer is told during the night whether that townsperson is a werewolf."""
    return [Told(event.by, "seen", f"{event.who} is {'' if event.evil else 'not '}a werewolf.", (event.who,))]


def look(game: Game, me: str, what: tuple[str, ...]) -> Events:
    """Let *me* see what side the person named is on."""
    return [Seen(me, it, game.sides[it] == "werewolves") for it in what]


see = Duty("see", each_night, another, look, cites=("NC 7a", "D-N31"), says="see NAME: learn whether e is a werewolf")
seer = Role(
    "seer", "villagers", (see,), (answer,), title="Seer", cites=("NC 7a",),
    story="You are the Seer, and on the villagers' side. Each night you choose another townsperson, and are told "
    "before dawn whether e is a werewolf.",
)
