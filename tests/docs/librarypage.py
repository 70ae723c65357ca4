"""`docs/library.md`, made from the files: ``python -m tests.docs.librarypage > docs/library.md`` writes it anew."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from textwrap import fill

from nomicwolf.reports.setups import fitting_rulesets
from nomicwolf.village.laws.actions import ORDER
from nomicwolf.village.role_file import role_of, table_of, terms_of
from nomicwolf.village.rules import ANY_TIME, Role
from nomicwolf.village.rulesets import BUILT_IN, library
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing

WIDTH = 120

HEAD = """\
# The library of roles

These roles come with the program, as files in `roles/` ([their keys](roles.md)). A rule set that has a role of the same
name, or another use for the verb, lacks them. `nomicwolf roles RULESET` lists those that a rule set can have, and
`nomicwolf start --roles NAME,NAME` deals them. A step is that of [the night](roles.md#the-effects-of-a-night), in which
what comes earlier can undo what comes later. This page is made from the files by a test.
"""

PLAIN = re.compile(r"^You are [^.]*, (?:and )?on the (?:good|evil) side\. ")
"""The first sentence of a story that says no more than the role's name and its side."""
SIDES = {"good": "On the good side", "evil": "On the evil side", "own": "On a side of its own"}
STEP = {effect: number for number, step in enumerate(ORDER, 1) for effect in step}


def page() -> str:
    """Return the whole page."""
    return "\n".join((HEAD, *(line for side, title in SIDES.items() for line in _part(side, title)))).rstrip() + "\n"


def _part(side: str, title: str) -> Iterator[str]:
    yield f"## {title}\n"
    for name, text in library().items():
        if table_of(text)["side"] == side:
            yield from _entry(name, text)


def _entry(name: str, text: str) -> Iterator[str]:
    """Yield the entry of a role: what its holder is told, what e writes, the steps of the night, who lacks it."""
    role = role_of(text, terms_of(nomic_crossing))
    yield f"### {name}\n"
    yield f"{fill(PLAIN.sub('', role.story), WIDTH)}\n"
    facts = [f"`{how}`:{what}" for how, _, what in _deeds(role)]
    nightly = [row for row in table_of(text)["duty"] if row["when"] not in ("day", ANY_TIME)]
    if steps := dict.fromkeys(effect for row in nightly for effect in row["does"]):
        facts.append(f"By night: {', '.join(f'`{effect}` in step {STEP[effect]}' for effect in steps)}.")
    if lacking := [rules for rules in BUILT_IN if rules not in fitting_rulesets(text, f"{name}.toml")[0]]:
        facts.append(f"Not in {', '.join(lacking)}.")
    yield from (fill(fact, WIDTH, initial_indent="* ", subsequent_indent="  ") for fact in facts)
    yield from [""] * bool(facts)


def _deeds(role: Role) -> Iterator[tuple[str, str, str]]:
    """Yield what the holder of a role writes to act, and what that does."""
    return (duty.says.partition(":") for duty in role.duties if duty.does or duty.words)


if __name__ == "__main__":
    sys.stdout.write(page())
