"""The rule sets by name; a package can bring more by the entry point ``nomicwolf.rulesets``."""

from __future__ import annotations

from importlib.metadata import entry_points

from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Refused
from nomicwolf.village.rulesets.gadianton import gadianton
from nomicwolf.village.rulesets.narrated_mafia import narrated_mafia
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from nomicwolf.village.rulesets.six_phases import six_phases
from nomicwolf.village.rulesets.tabula import tabula

BUILT_IN = {r.name: r for r in (nomic_crossing, gadianton, tabula, six_phases, narrated_mafia)}


def ruleset(name: str) -> Ruleset:
    """Return the rule set called *name*, built in or brought by a package; raise `Refused` if there is none."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    for point in entry_points(group="nomicwolf.rulesets"):
        if point.name == name:
            found: Ruleset = point.load()
            return found
    known = sorted({*BUILT_IN, *(p.name for p in entry_points(group="nomicwolf.rulesets"))})
    raise Refused(f"There is no rule set {name!r}; there are {', '.join(known)}.", options=tuple(known))
