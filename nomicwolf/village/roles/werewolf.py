"""The werewolf knows the pack, and attacks with it by agreement.

NC 4a: “The werewolves SHALL settle, all of them agreeing, on exactly one villager to attack”.
"""

from nomicwolf.village.laws.pack import attack
from nomicwolf.village.laws.talk import PACK, always_open, among
from nomicwolf.village.rules import Role
from nomicwolf.village.words import acquainted

duty, agreeing = attack("werewolf", cites=("NC 4a", "D-N13"))
werewolf = Role(
    "werewolf", "werewolves", (duty, among(PACK, "werewolf", opens=always_open, cites=("NC 4a",))),
    (*agreeing, *acquainted("werewolf", topic="pack", text="The werewolves are: {}.", cites=("NC 2b",))),
    title="werewolf", cites=("NC 2b", "NC 4a"),
    story="You are a werewolf. Each night the living werewolves agree on one villager to attack.",
)
