"""The roles of the game in six phases.

They have the terms of the community: cop, doctor, roleblocker, tracker, watcher ...
"""

from __future__ import annotations

from nomicwolf.village.events import Announced, Opened
from nomicwolf.village.game import Game
from nomicwolf.village.laws.actions import stopped
from nomicwolf.village.laws.groups import PACK, among, attack
from nomicwolf.village.role_blocks import open_nights
from nomicwolf.village.role_file import Terms
from nomicwolf.village.roles import from_files
from nomicwolf.village.rules import Events, Role, Switch, acquainted, each_night, whenever

HUNT_NIGHTS = Switch(
    "hunt_nights", (), "D-M22", "on which nights the mafia kill", "each night",
    form=r"each night|odd nights|even nights|from night [1-9]\d?|never",
    like="each night, odd nights, even nights, from night N, or never")
NEVER = "never"


def never_hunted(game: Game) -> bool:
    """D-M22: whether the mafia kill on no night at all, so that they win by being as many as the others."""
    return game.switches.get(HUNT_NIGHTS.name) == NEVER


def mafia_hunt(game: Game, me: str) -> bool:
    """D-M22: on the nights that the switch names."""
    nights = open_nights(game.switches.get(HUNT_NIGHTS.name, HUNT_NIGHTS.usual))
    return each_night(game, me) and nights is not None and nights(game.number)


@whenever(Opened, "SP 4", "D-M22")
def tell_nights(game: Game, event: Opened) -> Events:
    """D-M22: all are told at the start if the mafia don't kill on each night."""
    nights = game.switches.get(HUNT_NIGHTS.name, HUNT_NIGHTS.usual)
    if nights == HUNT_NIGHTS.usual:
        return None
    if never_hunted(game):
        return [Announced("hunt nights", "The mafia kill on no night. They have their votes alone, and win as soon as "
                          "they are as many as the townies.")]
    return [Announced("hunt nights", f"The mafia kill on some nights only: {nights}.")]


kill, kill_rules = attack(
    "mafioso", "godfather", opens=mafia_hunt, each="mafia_picks", stopped=stopped,
    cites=("SP 4", "D-M7", "D-M12", "D-M21"))
knows = acquainted(
    "mafioso", "godfather", topic="pack", text="The mafia are: {}.", alone="You are the only one of the mafia.",
    cites=("SP 4", "D-M12"))
talk = among(PACK, "mafioso", "godfather", cites=("SP 4",))
MAFIA = {"night": "the mafia"}
mafioso = Role(
    "mafioso", "mafia", (kill, talk), (*kill_rules, *knows, tell_nights), title="mafioso", cites=("SP 4",),
    story="You are one of the mafia. Each night each of you picks a target, or nobody.",
    kills=MAFIA,
)
godfather = Role(
    "godfather", "mafia", (kill, talk), (*kill_rules, *knows, tell_nights), title="Godfather", cites=("SP 4", "D-M8"),
    story="You are the Godfather, one of the mafia, and pick a target with them each night. The cop is told that you "
    "are not of the mafia.",
    seems="good", kills=MAFIA,
)
FILES = from_files("six-phases", Terms("mafia", "town", ("neutral",), law=True, trials=True))
