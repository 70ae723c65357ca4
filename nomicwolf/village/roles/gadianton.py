"""Gadianton's roles: robbers who kill by night, Prophets who ask, and the Nephites."""

from nomicwolf.village.events import Announced, Seen
from nomicwolf.village.game import Game
from nomicwolf.village.laws.plurality import ask_together, attack
from nomicwolf.village.rules import Events, Role, whenever
from nomicwolf.village.words import acquainted


@whenever(Seen, "GA 3ii aloud", "D-G14")
def aloud(game: Game, event: Seen) -> Events:
    """GA 3ii aloud: all hear yes or no, and nothing of who was meant."""
    if game.switches.get("answer_aloud") != "on":
        return None
    return [Announced("answer aloud", f"The answer was {'yes' if event.evil else 'no'}.")]


kill, kill_rules = attack("gadianton", must="must_kill", cites=("GA 3i", "D-G4", "D-G5"))
ask, ask_rules = ask_together(
    "prophet", "gadiantons", answer="{who} is {negation}a Gadianton.", cites=("GA 3ii", "D-G3", "D-G6"))
gadianton = Role(
    "gadianton", "gadiantons", (kill,),
    (*kill_rules, *acquainted("gadianton", topic="pack", text="The Gadiantons are: {}.", cites=("GA 3i",))),
    title="Gadianton", cites=("GA 1b", "GA 3i"),
    story="You are a Gadianton. By night you and your fellows choose one person to kill, or nobody.",
)
prophet = Role(
    "prophet", "nephites", (ask,),
    (*ask_rules, aloud, *acquainted("prophet", topic="prophets", text="The Prophets are: {}.", cites=("D-G3",))),
    title="Prophet", cites=("GA 1d", "GA 3ii"),
    story="You are a Prophet, on the Nephites' side. By night you ask about one person, and learn whether e is a "
    "Gadianton.",
)
nephite = Role(
    "nephite", "nephites", title="Nephite", cites=("GA 1c",),
    story="You are a Nephite. You have no power but your voice and your vote.",
)
