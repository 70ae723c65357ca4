"""The roles of the game in six phases.

They have the terms of the community: cop, doctor, roleblocker, tracker, watcher ...
"""

from __future__ import annotations

from nomicwolf.village.game import Game
from nomicwolf.village.laws.actions import stopped
from nomicwolf.village.laws.groups import PACK, among, attack
from nomicwolf.village.role_blocks import open_nights
from nomicwolf.village.role_file import Terms
from nomicwolf.village.roles import from_files
from nomicwolf.village.rules import Role, Switch, acquainted, each_night

HUNT_NIGHTS = Switch(
    "hunt_nights", (), "D-M22", "on which nights the mafia kill", "each night",
    form=r"each night|odd nights|even nights|from night [1-9]\d?",
    like="each night, odd nights, even nights, or from night N")


def mafia_hunt(game: Game, me: str) -> bool:
    """D-M22: on the nights that the switch names."""
    nights = open_nights(game.switches.get(HUNT_NIGHTS.name, HUNT_NIGHTS.usual))
    return each_night(game, me) and nights is not None and nights(game.number)


kill, kill_rules = attack(
    "mafioso", "godfather", opens=mafia_hunt, each="mafia_picks", stopped=stopped,
    cites=("SP 4", "D-M7", "D-M12", "D-M21"))
knows = acquainted(
    "mafioso", "godfather", topic="pack", text="The mafia are: {}.", alone="You are the only one of the mafia.",
    cites=("SP 4", "D-M12"))
talk = among(PACK, "mafioso", "godfather", cites=("SP 4",))
MAFIA = {"night": "the mafia"}
mafioso = Role(
    "mafioso", "mafia", (kill, talk), (*kill_rules, *knows), title="mafioso", cites=("SP 4",),
    story="You are one of the mafia. Each night each of you picks a target, or nobody.",
    kills=MAFIA,
)
godfather = Role(
    "godfather", "mafia", (kill, talk), (*kill_rules, *knows), title="Godfather", cites=("SP 4", "D-M8"),
    story="You are the Godfather, one of the mafia, and pick a target with them each night. The cop is told that you "
    "are not of the mafia.",
    seems="good", kills=MAFIA,
)
FILES = from_files("six-phases", Terms("mafia", "town", ("neutral",), law=True, trials=True))
