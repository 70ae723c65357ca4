"""The Witch knows the victim; once each in a session, e may heal em, or poison another.

NC 7b: “which works once a session and keeps the attack from killing when the night ends”.
"""

from nomicwolf.village.events import Agreed, Killed, Told
from nomicwolf.village.game import Game
from nomicwolf.village.rules import Duty, Events, Role, whenever
from nomicwolf.village.words import another, at_phase_end, each_night, once, spared_by


def victim(game: Game) -> tuple[str, ...]:
    """Return whom the werewolves have agreed to attack tonight."""
    return tuple(v for a in game.now(Agreed, verb="attack") for v in a.whom)


def knows_victim(game: Game, me: str) -> bool:
    """Open once the werewolves have agreed: until then there is nothing to decide."""
    return each_night(game, me) and bool(victim(game))


def the_victim(game: Game, me: str, it: str) -> str:
    """Allow the person attacked tonight, the Witch emself included (N-81)."""
    return "" if it in victim(game) else "You can only heal the person who is attacked tonight."


def neither_self_nor_victim(game: Game, me: str, it: str) -> str:
    """D-N14: the poison is for another than the Witch and the person attacked."""
    return "The poison is for another than the person attacked." if it in victim(game) else another(game, me, it)


@whenever(Agreed, "NC 7b", "D-N26")
def learn_victim(game: Game, event: Agreed) -> Events:
    """NC 7b: the Witch is told whom the werewolves have agreed to attack, with potions left or without."""
    whom = ", ".join(event.whom)
    return [Told(w, "victim", f"The werewolves attack {whom} tonight.", event.whom) for w in game.living("witch")]


heal = Duty(
    "heal", once(knows_victim, "heal"), the_victim, optional=lambda game, me: victim(game), may_pass=True,
    cites=("NC 7b", "D-N33"), says="heal, or heal nobody: save the person attacked tonight (once in a session)",
)
poison = Duty(
    "poison", once(knows_victim, "poison"), neither_self_nor_victim, at_phase_end(lambda it: Killed(it, "poison")),
    may_pass=True, cites=("NC 7b", "D-N14"), says="poison NAME, or poison nobody: kill another (once in a session)",
)
witch = Role(
    "witch", "villagers", (heal, poison), (learn_victim, spared_by("heal", "attack", "NC 7b")), title="Witch",
    cites=("NC 7b",),
    story="You are the Witch, and on the villagers' side. Each night you are told whom the werewolves attack. Once in "
    "the session you can heal that person, and once you can poison another. Say each night whether you do either.",
)
