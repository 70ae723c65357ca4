"""`docs/library.md`, made from the files: ``python -m tests.docs.librarypage > docs/library.md`` writes it anew."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from nomicwolf.reports.setups import fitting_rulesets
from nomicwolf.village.role_file import role_of, table_of, terms_of
from nomicwolf.village.rules import Role
from nomicwolf.village.rulesets import BUILT_IN, library
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing

HEAD = """\
# The library of roles

These roles come with the program, as files in `roles/` ([their keys](roles.md)). A rule set that has a role of the same
name, or another use for the verb, lacks them. `nomicwolf roles RULESET` lists them with what each deed does, and
`nomicwolf start --roles NAME,NAME` deals them. This page is made from the files by a test.
"""

PLAIN = re.compile(r"^You are [^.]*, (?:and )?on the (?:good|evil) side\. ")
"""The first sentence of a story that says no more than the role's name and its side."""


def page() -> str:
    """Return the whole page."""
    sides = {"good": "On the good side", "evil": "On the evil side", "own": "On a side of its own"}
    return "\n".join((HEAD, *(row for side, title in sides.items() for row in _rows(side, title)))).rstrip() + "\n"


def _rows(side: str, title: str) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| role | its holder is told | writes | not in |"
    yield "|---|---|---|---|"
    for name, text in library().items():
        if table_of(text)["side"] == side:
            role = role_of(text, terms_of(nomic_crossing))
            lacking = [rules for rules in BUILT_IN if rules not in fitting_rulesets(text, f"{name}.toml")[0]]
            yield f"| `{name}` | {PLAIN.sub('', role.story)} | {_deeds(role)} | {', '.join(lacking)} |"
    yield ""


def _deeds(role: Role) -> str:
    """Return what the holder of a role writes to act."""
    return "; ".join(f"`{duty.says.partition(':')[0]}`" for duty in role.duties if duty.does or duty.words)


if __name__ == "__main__":
    sys.stdout.write(page())
