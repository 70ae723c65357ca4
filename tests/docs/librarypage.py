"""`docs/library.md`, made from the files: ``python -m tests.docs.librarypage > docs/library.md`` writes it anew."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from textwrap import fill
from typing import Any

from nomicwolf.reports.setups import fitting_rulesets
from nomicwolf.village.laws.actions import ORDER
from nomicwolf.village.role_file import role_of, table_of, terms_of
from nomicwolf.village.rules import ANY_TIME, Role
from nomicwolf.village.rulesets import BUILT_IN, library
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing

WIDTH = 120

HEAD = """\
# The library of roles

Files in `roles/` that come with the program ([their keys](roles.md)). `nomicwolf start --roles NAME,NAME` deals them.
After what a player writes are its effects, with their steps in [the night](roles.md#the-effects-of-a-night).
"""

PLAIN = re.compile(r"^You are [^.]*, (?:and (?=hunt))?(?:and )?(?:on the (?:good|evil) side|hunt with the pack)\. ")
"""The first sentence of a story that says no more than the role's name and its side, or that it hunts."""
HUNTING = "All but the Cultist and the Traitor hunt with the pack."
SIDES = {"good": "On the good side", "evil": "On the evil side", "own": "On a side of its own"}
STEP = {effect: number for number, step in enumerate(ORDER, 1) for effect in step}


def page() -> str:
    """Return the whole page."""
    return "\n".join((HEAD, *(line for side, title in SIDES.items() for line in _part(side, title)))).rstrip() + "\n"


def _part(side: str, title: str) -> Iterator[str]:
    yield f"## {title}\n"
    if side == "evil":
        yield f"{HUNTING}\n"
    for name, text in library().items():
        if table_of(text)["side"] == side:
            yield from _entry(name, text)


def _entry(name: str, text: str) -> Iterator[str]:
    """Yield the entry of a role: what its holder is told, what e writes and does, who lacks it."""
    role = role_of(text, terms_of(nomic_crossing))
    yield f"### {name}\n"
    yield f"{fill(PLAIN.sub('', role.story), WIDTH)}\n"
    facts = list(_deeds(role, table_of(text)["duty"]))
    if answers := table_of(text)["answers"]:
        facts.append(f"Answered: {answers}.")
    if lacking := [rules for rules in BUILT_IN if rules not in fitting_rulesets(text, f"{name}.toml")[0]]:
        facts.append(f"Not in {', '.join(lacking)}.")
    if facts:
        yield f"{fill(' '.join(facts), WIDTH)}\n"


def _deeds(role: Role, rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what the holder of a role writes to act, and what that does by night."""
    deeds = (duty.says.partition(":")[0] for duty in role.duties if duty.does or duty.words)
    for deed, row in zip(deeds, rows, strict=True):
        nightly = row["when"] not in ("day", ANY_TIME)
        steps = ", ".join(f"`{effect}` ({STEP[effect]})" for effect in row["does"]) if nightly else ""
        yield f"`{deed}`: {steps}." if steps else f"`{deed}`."


if __name__ == "__main__":
    sys.stdout.write(page())
