"""Robbers, Prophets and Nephites.

Robbers kill by night, Prophets ask.
"""

from nomicwolf.village.events import Announced, Seen, Told
from nomicwolf.village.game import Game
from nomicwolf.village.laws.actions import stopped
from nomicwolf.village.laws.groups import PACK, PROPHETS, among, attack
from nomicwolf.village.role_file import Terms
from nomicwolf.village.roles import from_files
from nomicwolf.village.rules import Duty, Events, Role, acquainted, anyone, looks_evil, whenever, while_night_is_open


@whenever(Seen, "GA 3ii aloud", "D-G14")
def aloud(game: Game, event: Seen) -> Events:
    """GA 3ii aloud: all hear yes or no, and nothing of who was meant."""
    if game.switches.get("answer_aloud") != "on":
        return None
    return [Announced("answer aloud", f"The answer was {'yes' if event.evil else 'no'}.")]


def look(game: Game, me: str, what: tuple[str, ...]) -> Events:
    """GA 3ii: let *me* see whether the one named is a Gadianton."""
    return [Seen(me, it, looks_evil(game, it, "gadiantons")) for it in what]


@whenever(Seen, "GA 3ii", "D-G3", "D-G6")
def answer(game: Game, event: Seen) -> Events:
    """D-G3: each Prophet asks one question, and all Prophets hear the answers, in that night still (D-G6)."""
    text = f"{event.who} is {'' if event.evil else 'not '}a Gadianton."
    return [Told(p, "seen", text, (event.who,)) for p in game.living("prophet")]


kill, kill_rules = attack("gadianton", must="must_kill", stopped=stopped, cites=("GA 3i", "D-G4", "D-G5", "D-G21"))
ask = Duty(
    "see", while_night_is_open, anyone, look, may_pass=True, cites=("GA 3ii", "D-G3", "D-G20"),
    says="see NAME: learn whether e is a Gadianton; all Prophets hear it",
)
gadianton = Role(
    "gadianton", "gadiantons", (kill, among(PACK, "gadianton", cites=("GA 3i",))),
    (*kill_rules, *acquainted("gadianton", topic="pack", text="The Gadiantons are: {}.", cites=("GA 3i",))),
    title="Gadianton", cites=("GA 1b", "GA 3i"),
    story="You are a Gadianton. By night you and your fellows choose one person to kill, or nobody.",
    kills={"night": "the Gadiantons"},
)
prophet = Role(
    "prophet", "nephites", (ask, among(PROPHETS, "prophet", cites=("D-G3",))),
    (answer, aloud, *acquainted(
        "prophet", topic="prophets", text="The Prophets are: {}.", alone="You are the only Prophet.", cites=("D-G3",))),
    title="Prophet", cites=("GA 1d", "GA 3ii"),
    story="You are a Prophet, on the Nephites' side. By night you ask about one person, and learn whether e is a "
    "Gadianton.",
)
nephite = from_files("gadianton", Terms("gadiantons", "nephites"))["nephite"]
