"""Rule sets by name, other packages' too, and setups of them.

The entry point ``nomicwolf.rulesets`` gives a `Ruleset` by its name (``quiet-village = "extras:quiet_village"``),
``nomicwolf.roles`` a `Role` by the name of the rule set that it is for and its own, with a dot between
(``"nomic-crossing.gravedigger" = "extras:gravedigger"``). A contest's own roles are files (`role_file`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from math import prod
from typing import Any

from nomicwolf.data import role_texts, setup_texts
from nomicwolf.village.forms import number, prose, word
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset, with_role, with_switches
from nomicwolf.village.laws.phases import AS_MANY, DEADLINES, EVIL_WINS, STAGES, SURRENDER, USUAL
from nomicwolf.village.lots import MOST_CASES, NOTHING, cases, item_of, rows_of
from nomicwolf.village.role_file import NAME, Faults, Key, RoleError, parsed, role_of, table, terms_of
from nomicwolf.village.rules import HUNT_NIGHTS, NEVER, Refusal, Role
from nomicwolf.village.rulesets.gadianton import gadianton
from nomicwolf.village.rulesets.narrated_mafia import narrated_mafia
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from nomicwolf.village.rulesets.six_phases import six_phases
from nomicwolf.village.rulesets.tabula import tabula

MOST_PLAYERS = 60
"""The most players of a setup."""
MOST_CHOICES, MOST_ROWS, MOST_IN_ROW = 6, 20, 20
MOST_HOURS = 99_999
PARTS = ("roles", "hours", "switches")
"""The tables of a setup's file, beside its choices of rows."""
ROLE_NAME = re.compile(r"[a-z]+([ -][a-z]+)*")


@dataclass(frozen=True)
class SetupFile:
    """A setup: *roles* are the names of those that are asked for, each as often as it is dealt, and choices of rows.

    *players* is for how many it is, 0 for any number that its rule set deals to.
    """

    title: str
    ruleset: str
    about: str = ""
    players: int = 0
    roles: tuple[str, ...] = ()
    switches: Mapping[str, str] = field(default_factory=dict)


def setup_of(text: str, place: str) -> SetupFile:
    """Return the setup in the file *place*; raise `RoleError` with everything that is wrong, by its key and line."""
    setup, faults = setup_with_faults(text, place)
    faults.demand_none()
    return setup


def setup_with_faults(text: str, place: str) -> tuple[SetupFile, Faults]:
    """Return what of a setup's file can be used, and all that is wrong; raise `RoleError` for one that is no TOML."""
    raw = parsed(text, place)
    faults = Faults(place, text)
    parts = {name: _part(raw, name, faults) for name in PARTS}
    choices = _choices(raw.pop("choice", []), faults)
    given = table(raw, SETUP, faults.add, ("[[choice]]", *(f"[{name}]" for name in PARTS)))
    counts = _numbers(parts["roles"], faults, "roles", 1, MOST_PLAYERS)
    hours = _numbers(parts["hours"], faults, "hours", 0, MOST_HOURS)
    for stage in [stage for stage in hours if stage not in STAGES]:
        faults.add(stage, f"no such stage; under [hours] there are {', '.join(STAGES)}")
    switches = {name: str(value) for name, value in parts["switches"].items()}
    if hours and DEADLINES.name in switches:
        faults.add(DEADLINES.name, "the hours are given twice; write them under [hours] alone")
    if hours:
        usual = dict(zip(STAGES, USUAL.split(", "), strict=True))
        switches[DEADLINES.name] = ", ".join(str(hours.get(stage, usual[stage])) for stage in STAGES)
    roles = (*(name for name, count in counts.items() for _ in range(count)), *choices)
    return SetupFile(given["title"], given["ruleset"], given["about"], given["players"], roles, switches), faults


def dealt(setup: SetupFile, rules: Ruleset, place: str) -> tuple[SetupFile, tuple[int, ...]]:
    """Return *setup* with its roles as *rules* call them, without plain ones, and how many can play it.

    *rules* has the roles from files, too. Raises `RoleError` if nobody can, with the reason, and `Refusal` for
    switches that can't be.
    """
    asked = tuple(map(rules.listed, setup.roles))
    special = tuple(role for role in asked if role != rules.plain)
    plain = len(asked) - len(special)
    fits, why = list[int](), ""
    switches = dict(with_switches(rules, setup.switches))
    least = max(rules.smallest, min(map(len, cases(special))))
    for players in (setup.players,) if setup.players else range(least, MOST_PLAYERS + 1):
        try:
            decks = rules.decks([f"p{n}" for n in range(players)], special, switches)
        except Refusal as refused:
            why = why or _too_many(rules, players, special, switches) or refused.why
        else:
            wrong = _unfit(rules, decks, players, plain, switches)
            why = why or wrong
            fits += [players] * (not wrong)
    if not fits:
        why = why or f"there are {least} roles; a setup is for {MOST_PLAYERS} players at most"
        raise RoleError((f"{place}: roles: {why}",))
    return SetupFile(setup.title, setup.ruleset, setup.about, setup.players, special, setup.switches), tuple(fits)


def _unfit(
    rules: Ruleset, decks: Sequence[Counter[str]], players: int, plain: int, switches: Mapping[str, str]
) -> str:
    """Return why nobody should play with these *decks*, '' if they can; *plain* are as many as are asked for, or 0."""
    left = [deck[rules.plain] for deck in decks]
    packs = [rules.opponents(deck.elements()) for deck in decks]
    most, side = max(((number, side) for pack in packs for side, number in pack.items()), default=(0, rules.evil))
    least = min(pack[rules.evil] for pack in packs)
    if plain and not min(left) <= plain <= max(left):
        title, free = rules.plain, max(left)
        mend = f"write {title} = {free}, or leave it out" if free else "leave it out"
        return f"{players} players less {players - free} others are {free} of {title}, not {plain}: {mend}"
    parity = switches.get(EVIL_WINS.name) == AS_MANY or switches.get(HUNT_NIGHTS) == NEVER
    ended = (parity or (rules.course is not None and rules.course.parity)) and 2 * most == players
    if 0 < least <= int(switches.get(SURRENDER.name, SURRENDER.usual)):
        return f"{least} of the {rules.evil} give up before anything begins; write a smaller number for surrender"
    if ended or 2 * most > players:
        return f"{most} of {players} are on the side of the {side}; the others have to be more, or they have lost"
    return ""


def _too_many(rules: Ruleset, players: int, special: Sequence[str], switches: Mapping[str, str]) -> str:
    """Return that there are more cards than *players*, '' if there aren't."""
    try:
        fixed = players - rules.decks([f"p{n}" for n in range(players)], (), switches)[0][rules.plain]
    except Refusal:
        fixed = 0  # which deal what is asked for alone
    others = max(map(len, cases(special)))
    more = fixed + others - players
    own = f" ({fixed} by the rules, and {others} that are asked for)" if fixed else ""
    return f"there are {fixed + others} roles for {players} players{own}: leave out {more}" if more > 0 else ""


def _choices(given: object, faults: Faults) -> list[str]:
    """Return the choices of rows that the tables ``[[choice]]`` are, as items of a list of roles."""
    shape = 'write up to 6 tables under lines [[choice]], each with rows = [["cop", "doctor"], ["mason", "mason"]]'
    if not isinstance(given, list) or len(given) > MOST_CHOICES or not all(isinstance(one, dict) for one in given):
        faults.add("choice", shape)
        return []
    found = list[str]()
    for one in given:
        rows = one.get("rows")
        if {*one} != {"rows"} or not isinstance(rows, list) or not 2 <= len(rows) <= MOST_ROWS:
            faults.add("rows", f"a choice has rows, from 2 to {MOST_ROWS}, and nothing else; {shape}")
        elif wrong := [row for row in rows if not _is_row(row)]:
            faults.add("rows", f"{wrong[0]!r} is no row; write a list of up to {MOST_IN_ROW} names of roles, "
                       "or [] for nothing")
        else:
            found.append(item_of([tuple(row) for row in rows]))
    if prod(len(rows_of(item)) for item in found) > MOST_CASES:
        faults.add("rows", f"the rows can fall in more than {MOST_CASES} ways; leave some out")
    return found


def _is_row(row: object) -> bool:
    return isinstance(row, list) and len(row) <= MOST_IN_ROW and all(
        isinstance(role, str) and len(role) <= 40 and ROLE_NAME.fullmatch(role) and role != NOTHING for role in row)


def _part(raw: dict[str, Any], name: str, faults: Faults) -> Mapping[str, Any]:
    """Take the table *name* out of *raw*."""
    found = raw.pop(name, {})
    if not isinstance(found, dict):
        faults.add(name, f"write a table, under a line [{name}]")
        return {}
    return found


def _numbers(given: Mapping[str, Any], faults: Faults, name: str, least: int, most: int) -> dict[str, int]:
    """Return those of *given* that are whole numbers, the nearest from *least* to *most*; what is none is a fault."""
    for key, value in given.items():
        if type(value) is not int or not least <= value <= most:
            faults.add(key, f"{value!r} isn't allowed there; under [{name}] write a whole number from {least} to "
                            f"{most}")
    return {key: min(max(value, least), most) for key, value in given.items() if type(value) is int}


BUILT_IN = {r.name: r for r in (nomic_crossing, gadianton, tabula, six_phases, narrated_mafia)}


SETUP: Mapping[str, Key] = {
    "title": Key(prose(60), "what the setup is called, up to 60 characters", needed=True),
    "ruleset": Key(word(NAME, 40), f"the rule set by which it is played: {', '.join(BUILT_IN)}", needed=True),
    "about": Key(prose(1000), "what players should know of it, up to 1000 characters"),
    "players": Key(number(MOST_PLAYERS), f"for how many it is, 1 to {MOST_PLAYERS}; leave it out for any number", 0),
}


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
