"""What a player knows of the rule set that e plays: what is done by day, and whether ballots are sealed."""

from __future__ import annotations

from nomicwolf.dataclass import dataclass
from nomicwolf.village.rulesets import ruleset


@dataclass(frozen=True, slots=True)
class Ways:
    """The *verbs* that everyone has by day; *sealed* ballots go to the contest alone."""

    verbs: frozenset[str] = frozenset({"vote"})
    sealed: bool = False


def ways_of(name: str) -> Ways:
    """Return the ways of the rule set called *name*; raise `Refusal` if there is none."""
    duties = [duty for law in ruleset(name).laws for duty in law.duties]
    return Ways(frozenset(d.verb for d in duties), any(d.sealed for d in duties))
