"""What the demo plays with, rule set by rule set: how many players where nobody says, and which roles."""

from __future__ import annotations

from nomicwolf.village.rulesets import ruleset
from nomicwolf.village.rulesets.tabula import SUGGESTED

USUAL = {"gadianton": 12, "tabula": 16, "six-phases": 9, "narrated-mafia": 11}
"""With how many players a rule set shows most of what it has; any other with seven."""
MORE = {
    "six-phases": (("cop", 4), ("doctor", 4), ("roleblocker", 9), ("medium", 10), ("watcher", 11), ("tracker", 12),
                   ("vigilante", 13), ("godfather", 14), ("mayor", 15), ("miller", 16)),
    "narrated-mafia": (("policeman", 5), ("doctor", 5), ("godfather", 9), ("policeman", 9), ("mason", 11),
                       ("mason", 11)),
}
"""Which roles the demo asks for besides mafiosi, each from so many players on."""


def usual(name: str) -> int:
    """Return how many play the rule set *name* in the demo where nobody says."""
    return USUAL.get(name, 7)


def deck(name: str, players: int) -> tuple[str, ...]:
    """Return the roles that the demo asks for, where a rule set has a choice."""
    match name:
        case "nomic-crossing":
            return ("seer", "witch", "hunter", "cupid") if players > 6 else ("seer", "witch")
        case "tabula":
            return tuple(role for role, least in SUGGESTED.items() if players >= least
                         for _ in range(2 if role == "freemason" else 1))
    if name not in MORE:
        return ()
    plain, wanted = ruleset(name).plain, [role for role, least in MORE[name] if players >= least]
    deck = ["mafioso"] * (max(1, players // 4) - wanted.count("godfather")) + wanted
    return (*deck, *[plain] * (players - len(deck)))
