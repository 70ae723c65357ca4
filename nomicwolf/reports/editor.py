"""The editor's page: a role or a setup made by choosing, checked by the program's own forms.

The page is one file without a server or anything from elsewhere. What it checks by is data, printed from what the
program checks by: the forms of all keys, the conditions on whole files, and the words of each rule set.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

from nomicwolf.reports.setups import fitting_rulesets
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.phases import DEADLINES, STAGES
from nomicwolf.village.lots import MOST_CASES, NOTHING
from nomicwolf.village.role_file import DUTY, LARGEST, MISFITS, MOST_DUTIES, ROLE, Key, terms_of, words_of
from nomicwolf.village.rulesets import BUILT_IN, library
from nomicwolf.village.setup_file import (
    MOST_CHOICES,
    MOST_HOURS,
    MOST_IN_ROW,
    MOST_PLAYERS,
    MOST_ROWS,
    ROLE_NAME,
    SETUP,
)

MARK = "/* rules */ {}"
"""What stands in the page where the rules go."""


def rules_as_data() -> dict[str, Any]:
    """Return everything by which the page checks, for JSON."""
    fitting = {name: fitting_rulesets(text, f"{name}.toml")[0] for name, text in library().items()}
    sets = {}
    for rules in BUILT_IN.values():
        more = [name for name, fits in fitting.items() if rules.name in fits]
        sets[rules.name] = _ruleset(rules, more)
    return {
        "schema": 1, "role": _keys(ROLE), "duty": _keys(DUTY), "setup": _keys(SETUP), "rulesets": sets,
        "misfits": [{"key": m.key, "when": m.when, "why": m.why, "duty": m.duty} for m in MISFITS],
        "stages": list(STAGES), "deadlines": DEADLINES.name, "limits": {
            "bytes": LARGEST, "duties": MOST_DUTIES, "players": MOST_PLAYERS, "hours": MOST_HOURS, "rows": MOST_ROWS,
            "choices": MOST_CHOICES, "in_row": MOST_IN_ROW, "cases": MOST_CASES, "nothing": NOTHING,
            "role_name": ROLE_NAME.pattern}}


def _keys(keys: Mapping[str, Key]) -> dict[str, Any]:
    return {name: {"form": key.form.as_json(), "can": key.can, "usual": key.usual, "needed": key.needed}
            for name, key in keys.items()}


def _ruleset(rules: Ruleset, more: list[str]) -> dict[str, Any]:
    """Return the words of *rules* with what a setup by it may name; *more* are the fitting roles of the library."""
    switches = [{"name": s.name, "values": list(s.values), "form": s.form, "like": s.like, "usual": s.usual,
                 "says": s.says} for s in rules.switches]
    return {"title": rules.title, "plain": rules.plain, "roles": [*rules.roles, *more], "aliases": dict(rules.aliases),
            "stages": any(s.name == DEADLINES.name for s in rules.switches), "switches": switches,
            "words": {name: list(words) for name, words in words_of(terms_of(rules)).items()}}


def page() -> str:
    """Return the whole page."""
    frame = (resources.files("nomicwolf.reports") / "editor.html").read_text(encoding="utf-8")
    assert frame.count(MARK) == 1
    return frame.replace(MARK, json.dumps(rules_as_data(), ensure_ascii=True).replace("<", "\\u003c"))
