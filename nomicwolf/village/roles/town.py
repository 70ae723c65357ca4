"""The roles of the game in six phases.

They have the terms of the community: cop, doctor, roleblocker, tracker, watcher ...
"""

from __future__ import annotations

from nomicwolf.village.laws.actions import stopped
from nomicwolf.village.laws.group_choices import attack
from nomicwolf.village.laws.talk import PACK, among
from nomicwolf.village.role_file import Terms
from nomicwolf.village.roles import from_files
from nomicwolf.village.rule_helpers import acquainted
from nomicwolf.village.rules import Role

kill, kill_rules = attack(
    "mafioso", "godfather", each="mafia_picks", stopped=stopped, cites=("SP 4", "D-M7", "D-M12", "D-M21"))
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
