"""The roles of the game in six phases.

They have the terms of the community: cop, doctor, roleblocker, tracker, watcher ...
"""

from __future__ import annotations

from nomicwolf.village.events import Due, Killed, NightClosed
from nomicwolf.village.game import Game
from nomicwolf.village.laws.actions import done_tonight, stopped
from nomicwolf.village.laws.group_choices import attack
from nomicwolf.village.laws.talk import PACK, among
from nomicwolf.village.rule_helpers import acquainted, another, while_night_is_open
from nomicwolf.village.rules import Duty, Events, Role, whenever

CITES = ("SP 5", "D-M8")


def nightly(verb: str, says: str) -> Duty:
    """Return a duty that can be done each night, changed until the night closes, and left undone."""
    says = f"{verb} NAME: {says}"
    return Duty(
        verb, while_night_is_open, another, may_pass=True, again=True, changeable=True, cites=CITES, says=says)


@whenever(NightClosed, *CITES)
def shots(game: Game, event: NightClosed) -> Events:
    """SP 5: whoever the vigilantes choose dies at the end of the night."""
    return [Due(Killed(it, "shoot")) for it in dict.fromkeys(done_tonight(game, "shoot").values())]


kill, kill_rules = attack(
    "mafioso", "godfather", each="mafia_picks", stopped=stopped, cites=("SP 4", "D-M7", "D-M12", "D-M21"))
knows = acquainted(
    "mafioso", "godfather", topic="pack", text="The mafia are: {}.", alone="You are the only one of the mafia.",
    cites=("SP 4", "D-M12"))
talk = among(PACK, "mafioso", "godfather", cites=("SP 4",))
mafioso = Role(
    "mafioso", "mafia", (kill, talk), (*kill_rules, *knows), title="mafioso", cites=("SP 4",),
    story="You are one of the mafia. Each night each of you picks a target, or nobody.",
)
godfather = Role(
    "godfather", "mafia", (kill, talk), (*kill_rules, *knows), title="Godfather", cites=("SP 4", "D-M8"),
    story="You are the Godfather, one of the mafia, and pick a target with them each night. The cop is told that you "
    "are not of the mafia.",
)
miller = Role(
    "miller", "town", title="miller", cites=CITES,
    story="You are the miller, of the town. The cop is told that you are of the mafia.",
)
mayor = Role(
    "mayor", "town", title="mayor", cites=("SP 3b", "D-M8"),
    story="You are the mayor, of the town. Your verdict in a trial counts twice.",
)
townie = Role("townie", "town", title="townie", cites=("SP 0d",), story="You are of the town, with voice and vote.")
cop = Role(
    "cop", "town", (nightly("see", "learn in the morning whether e is of the mafia"),), title="cop", cites=CITES,
    story="You are the cop, of the town. Each night you may look into another person, and learn in the morning whether "
    "e is of the mafia.",
)
doctor = Role(
    "doctor", "town", (nightly("protect", "e does not die tonight"),), title="doctor", cites=CITES,
    story="You are the doctor, of the town. Each night you may protect another person from being killed.",
)
roleblocker = Role(
    "roleblocker", "town", (nightly("block", "e can do nothing tonight"),), title="roleblocker", cites=CITES,
    story="You are the roleblocker, of the town. Each night you may keep another person from acting.",
)
tracker = Role(
    "tracker", "town", (nightly("track", "learn to whom e goes tonight"),), title="tracker", cites=CITES,
    story="You are the tracker, of the town. Each night you may follow another person, and learn to whom e goes.",
)
watcher = Role(
    "watcher", "town", (nightly("watch", "learn who comes to em tonight"),), title="watcher", cites=CITES,
    story="You are the watcher, of the town. Each night you may watch another person's door, and learn who comes.",
)
vigilante = Role(
    "vigilante", "town", (nightly("shoot", "e dies tonight"),), (shots,), title="vigilante", cites=CITES,
    story="You are the vigilante, of the town. Each night you may shoot another person.",
)
medium = Role(
    "medium", "town", title="medium", cites=("SP 0e", "D-M13"),
    story="You are the medium, of the town. By night you can talk with the dead; your name and theirs are left out.",
)
neutral = Role(
    "neutral", "neutral", title="neutral", cites=("D-M11",),
    story="You are of no side; the contestmaster judges your own goal.",
)
