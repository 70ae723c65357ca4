"""The rule sets by name; a package can bring more.

The entry point ``nomicwolf.rulesets`` gives a `Ruleset` by its name (``quiet-village = "extras:quiet_village"``),
``nomicwolf.roles`` a `Role` by the name of the rule set that it is for and its own, with a dot between
(``"nomic-crossing.gravedigger" = "extras:gravedigger"``).
"""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import entry_points

from nomicwolf.village.extending import with_role
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Refused
from nomicwolf.village.rulesets.gadianton import gadianton
from nomicwolf.village.rulesets.narrated_mafia import narrated_mafia
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from nomicwolf.village.rulesets.six_phases import six_phases
from nomicwolf.village.rulesets.tabula import tabula

BUILT_IN = {r.name: r for r in (nomic_crossing, gadianton, tabula, six_phases, narrated_mafia)}


@lru_cache(maxsize=64)
def ruleset(name: str) -> Ruleset:
    """Return the rule set called *name* with all roles that packages bring for it; `Refused` if there is none."""
    found = _without_more_roles(name)
    for point in sorted(entry_points(group="nomicwolf.roles"), key=lambda p: p.name):
        if point.name.partition(".")[0] == name:
            found = with_role(found, point.load())
    return found


def _without_more_roles(name: str) -> Ruleset:
    if name in BUILT_IN:
        return BUILT_IN[name]
    for point in entry_points(group="nomicwolf.rulesets"):
        if point.name == name:
            found: Ruleset = point.load()
            return found
    known = sorted({*BUILT_IN, *(p.name for p in entry_points(group="nomicwolf.rulesets"))})
    raise Refused(f"There is no rule set {name!r}; there are {', '.join(known)}.", options=tuple(known))
