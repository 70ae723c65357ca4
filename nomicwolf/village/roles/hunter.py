"""The Hunter, when killed, takes another along; the phase does not end before e has chosen.

NC 7c: “Until e has picked, the phase in progress doesn't end.”
"""

from nomicwolf.village.events import Chose, Killed, Removed, Told
from nomicwolf.village.game import Game
from nomicwolf.village.rules import Duty, Events, Owed, Role, always
from nomicwolf.village.words import anyone, listed

LAST_SHOT = "last shot"
"""The topic of what a killed Hunter is asked."""


def unavenged(game: Game, me: str) -> bool:
    """NC 7c: whoever is killed as the Hunter owes a choice, if anyone is left to choose.

    Where leaving kills nothing is owed after it, though e had been killed before (D-N11).
    """
    if me in game.alive or not game.alive or game.phase == "over":
        return False
    if game.switch("departure") == "kill" and game.ever(Removed, who=me):
        return False
    return bool(game.ever(Killed, who=me)) and not game.ever(Chose, who=me, verb="shoot")


@always("NC 7c", "D-N15")
def ask(game: Game, owed: Owed) -> Events:
    """Ask the dead Hunter, once all who die of that death have died, with the list of those who can be named."""
    left = game.living()
    words = f"You have been killed. Choose one to take along: {listed(left)}."
    return [Told(who, LAST_SHOT, words, left) for who, verb in owed
            if verb == "shoot" and not game.ever(Told, to=who, topic=LAST_SHOT)]


shoot = Duty(
    "shoot", unavenged, anyone, lambda game, me, what: [Killed(it, "shot") for it in what],
    cites=("NC 7c", "D-N15"), says="shoot NAME: take another townsperson along",
)
hunter = Role(
    "hunter", "villagers", (shoot,), (ask,), title="Hunter", cites=("NC 7c",),
    story="You are the Hunter, and on the villagers' side. When you are killed you choose another townsperson, who is "
    "killed too; the phase waits for your choice.",
)
