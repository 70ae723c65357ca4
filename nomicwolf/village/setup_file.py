"""A setup written as data: which roles are dealt, how many of each, by which rule set, and how long its stages last."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

from nomicwolf.village.kernel import Ruleset, with_switches
from nomicwolf.village.laws.phases import DEADLINES, STAGES, USUAL
from nomicwolf.village.lots import MOST_CASES, NOTHING, cases, item_of, rows_of
from nomicwolf.village.role_file import NAME, Faults, Key, RoleError, number, parsed, prose, table, word
from nomicwolf.village.rules import Refusal

MOST_PLAYERS = 60
"""The most players of a setup."""
MOST_CHOICES, MOST_ROWS, MOST_IN_ROW = 6, 20, 20
MOST_HOURS = 99_999
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
    raw = parsed(text, place)
    faults = Faults(place, text)
    parts = {name: _part(raw, name, faults) for name in ("roles", "hours", "switches")}
    choices = _choices(raw.pop("choice", []), faults)
    given = table(raw, SETUP, faults.add)
    counts = _numbers(parts["roles"], faults, "roles", 1, MOST_PLAYERS)
    hours = _numbers(parts["hours"], faults, "hours", 0, MOST_HOURS)
    for stage in [stage for stage in hours if stage not in STAGES]:
        faults.add(stage, f"no such stage; under [hours] there are {', '.join(STAGES)}")
    switches = {name: str(value) for name, value in parts["switches"].items()}
    if hours and DEADLINES.name in switches:
        faults.add(DEADLINES.name, "the hours are given twice; write them under [hours] alone")
    faults.demand_none()
    if hours:
        usual = dict(zip(STAGES, USUAL.split(", "), strict=True))
        switches[DEADLINES.name] = ", ".join(str(hours.get(stage, usual[stage])) for stage in STAGES)
    roles = (*(name for name, count in counts.items() for _ in range(count)), *choices)
    return SetupFile(given["title"], given["ruleset"], given["about"], given["players"], roles, switches)


def dealt(setup: SetupFile, rules: Ruleset, place: str) -> tuple[SetupFile, tuple[int, ...]]:
    """Return *setup* with its roles as *rules* call them, without plain ones, and how many can play it.

    *rules* has the roles from files, too. Raises `RoleError` if nobody can, with the reason.
    """
    asked = tuple(map(rules.listed, setup.roles))
    special = tuple(role for role in asked if role != rules.plain)
    plain = len(asked) - len(special)
    fits, why = list[int](), ""
    try:
        switches = dict(with_switches(rules, setup.switches))
    except Refusal as refused:
        raise RoleError((f"{place}: switches: {refused.why}",)) from refused
    least = max(rules.smallest, min(map(len, cases(special))))
    for players in (setup.players,) if setup.players else range(least, MOST_PLAYERS + 1):
        try:
            left = [deck[rules.plain] for deck in rules.decks([f"p{n}" for n in range(players)], special, switches)]
        except Refusal as refused:
            why = why or refused.why
        else:
            fits += [players] * (not plain or (min(left) <= plain <= max(left)))
    if not fits:
        why = why or f"with these roles there are never {plain} of {rules.plain}; leave that role out"
        raise RoleError((f"{place}: roles: {why}",))
    return SetupFile(setup.title, setup.ruleset, setup.about, setup.players, special, setup.switches), tuple(fits)


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
    """Return those of *given* that are whole numbers from *least* to *most*; the others are faults."""
    for key, value in given.items():
        if type(value) is not int or not least <= value <= most:
            faults.add(key, f"{value!r} can't stand there; under [{name}] write a whole number from {least} to {most}")
    return {key: value for key, value in given.items() if type(value) is int}


SETUP: Mapping[str, Key] = {
    "title": Key(prose(60), "what the setup is called, up to 60 characters", needed=True),
    "ruleset": Key(word(NAME, 40), "the rule set by which it is played: six-phases", needed=True),
    "about": Key(prose(1000), "what players should know of it, up to 1000 characters"),
    "players": Key(number(MOST_PLAYERS), f"for how many it is, 1 to {MOST_PLAYERS}; leave it out for any number", 0),
}
