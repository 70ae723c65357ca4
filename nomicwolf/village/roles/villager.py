"""Those with nothing but a vote."""

from nomicwolf.village.rules import Role

villager = Role(
    "villager", "villagers", title="villager", cites=("NC 2b",),
    story="You are a villager. You have no power but your vote, and your voice.",
)
