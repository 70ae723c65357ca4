"""The rule sets by name, other packages' too.

The entry point ``nomicwolf.rulesets`` gives a `Ruleset` by its name (``quiet-village = "extras:quiet_village"``),
``nomicwolf.roles`` a `Role` by the name of the rule set that it is for and its own, with a dot between
(``"nomic-crossing.gravedigger" = "extras:gravedigger"``). A contest's own roles are files (`role_file`).
"""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points

from nomicwolf.data import role_texts, setup_texts
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset, with_role
from nomicwolf.village.role_file import role_of, terms_of
from nomicwolf.village.rules import Refusal, Role
from nomicwolf.village.rulesets.gadianton import gadianton
from nomicwolf.village.rulesets.narrated_mafia import narrated_mafia
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from nomicwolf.village.rulesets.six_phases import six_phases
from nomicwolf.village.rulesets.tabula import tabula

BUILT_IN = {r.name: r for r in (nomic_crossing, gadianton, tabula, six_phases, narrated_mafia)}


@lru_cache(maxsize=64)
def ruleset(name: str, brought: tuple[str, ...] = ()) -> Ruleset:
    """Return the rule set called *name* with all roles that packages bring for it, and those in the texts *brought*.

    `Refusal` if there is none, if two packages bring a role of one name: the message names both, or for a role that
    can't be read (`RoleError`).
    """
    if brought:
        return with_role(rules_with(name, brought[:-1]), role_of(brought[-1], terms_of(ruleset(name))))
    points = entry_points()
    brought_sets = points.select(group="nomicwolf.rulesets")
    found = _without_more_roles(name, brought_sets)
    sources = dict.fromkeys(found.roles, source_of(name, brought_sets))
    for point in sorted(points.select(group="nomicwolf.roles"), key=lambda p: p.name):
        if point.name.partition(".")[0] != name:
            continue
        role: Role = point.load()
        package = package_of(point)
        if role.name in sources:
            raise Refusal(
                f"Both {sources[role.name]} and {package} bring a role called {role.name} for {name}: remove one of "
                "the packages, or ask its keeper to rename the role.", options=(sources[role.name], package))
        found, sources[role.name] = with_role(found, role), package
    return found


def rules_with(name: str, brought: tuple[str, ...]) -> Ruleset:
    """Return the rule set called *name* with the roles in the texts *brought*, if there are any."""
    return ruleset(name, brought) if brought else ruleset(name)


def rules_in(game: Game) -> Ruleset:
    """Return the rule set of a session that has begun, with the roles that were brought to it."""
    assert game.opened is not None
    return rules_with(game.opened.ruleset, game.brought)


def library() -> dict[str, str]:
    """Return the text of each role that comes with the program for any rule set, by its name."""
    return role_texts()


def setups() -> dict[str, str]:
    """Return the text of each setup that comes with the program, by its name."""
    return setup_texts()


def switches_of_all() -> frozenset[str]:
    """Return the names of all switches of all rule sets, those that packages bring too."""
    brought = entry_points(group="nomicwolf.rulesets")
    every = [*BUILT_IN.values(), *(_without_more_roles(p.name, brought) for p in brought if p.name not in BUILT_IN)]
    return frozenset(switch.name for found in every for switch in found.switches)


def package_of(point: EntryPoint) -> str:
    """Return the name of the package that declares *point*, or else of its module."""
    return point.dist.name if point.dist is not None else point.module


def source_of(name: str, brought: EntryPoints | None = None) -> str:
    """Return the package that brings the rule set called *name*; *brought* are all that packages bring, if known."""
    points = entry_points(group="nomicwolf.rulesets") if brought is None else brought
    return "nomicwolf" if name in BUILT_IN else next((package_of(p) for p in points if p.name == name), name)


def _without_more_roles(name: str, brought: EntryPoints) -> Ruleset:
    """Return the rule set called *name* as its package brings it; `Refusal` if there is none, or more than one."""
    points = [p for p in brought if p.name == name]
    packages = ["nomicwolf"] * (name in BUILT_IN) + [package_of(p) for p in points]
    if len(packages) > 1:
        raise Refusal(f"{' and '.join(packages)} bring a rule set called {name} each: remove one of the packages.")
    if name in BUILT_IN:
        return BUILT_IN[name]
    for point in points:
        found: Ruleset = point.load()
        return found
    known = sorted({*BUILT_IN, *(p.name for p in brought)})
    raise Refusal(f"There is no rule set {name!r}; there are {', '.join(known)}.", options=tuple(known))
