"""The tables of phrases: each row is well formed, and no text stands in two of them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from nomicwolf.village.rulesets import ruleset
from tests.language import scoring

PHRASES = Path(__file__).with_name("phrases")
TABLES = sorted(PHRASES.glob("*.yaml"))
KEYS = {"text", "verdict", "to", "ruleset", "role", "phase", "players"}
VERBS = {
    "vote", "unvote", "accuse", "second", "nominate", "guilty", "innocent", "attack", "see", "heal", "poison",
    "protect", "guard", "shoot", "match", "point", "block", "track", "watch", "revive", "pass", "join", "leave",
    "object", "support", "withdraw", "intend", "resolve", "claim", "holiday", "help", "status", "votes", "history",
    "who", "check", "confirm", "alias", "address", "say", "ask", "act-for",
}


def rows(table: Path) -> list[dict[str, Any]]:
    """The rows of a *table*; every scalar is a string."""
    found: list[dict[str, Any]] = yaml.load(table.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)
    return found


def faults(row: dict[str, Any]) -> list[str]:
    """What is wrong with a row."""
    found = [f"unknown key {key}" for key in sorted(row.keys() - KEYS)]
    if not row.get("text", "").strip():
        found.append("no text")
    if row.get("to", "forum") not in {"forum", "private"}:
        found.append(f"sent to {row['to']}")
    roles = ruleset(row.get("ruleset", "nomic-crossing")).roles
    if "role" in row and row["role"] not in roles:
        found.append(f"no such role: {row['role']}")
    verdicts = [each.strip() for each in row.get("verdict", "").split("|")]
    return found + [f"bad verdict: {each}" for each in verdicts if not _is_verdict(each)]


def _is_verdict(text: str) -> bool:
    if text in {"?", "-"}:
        return True
    deeds = [deed.strip() for deed in text[1:].split(";")]
    return text.startswith("=") and all(_is_deed(deed) for deed in deeds)


def _is_deed(text: str) -> bool:
    verb = re.match(r"~?([a-z-]+)(?=[ :]|$)", text)
    return verb is not None and verb[1] in VERBS and (not text.startswith("~") or text == f"~{verb[1]}")


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_rows_are_well_formed(table: Path) -> None:
    """Known keys, a text, a known role, and a verdict in the syntax of `sets/README.md`."""
    assert {row.get("text", "?"): wrong for row in rows(table) if (wrong := faults(row))} == {}


def test_no_text_stands_twice() -> None:
    """Each text is judged once, in one file."""
    count = Counter(row["text"] for table in TABLES for row in rows(table))
    assert [text for text, times in count.items() if times > 1] == []


WRONG = {"wrong-deeds": 32}
"""How many rows of a table come to a wrong deed at most, where that is more than `FEW`."""
FEW = 7


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_few_rows_come_to_a_wrong_deed(table: Path) -> None:
    """The reader doesn't fall back behind what it guards against."""
    wrong = [row["text"] for row in scoring.rows(table) if scoring.score(row)[0] == "wrong"]
    assert len(wrong) <= WRONG.get(table.stem, FEW)


@pytest.mark.parametrize("row", [
    {"text": "vote Gus", "verdict": "vote Gus"}, {"text": "vote Gus", "verdict": "=lynch Gus"},
    {"text": "see Gus", "verdict": "=~see Gus"}, {"text": "see Gus", "verdict": "=see Gus", "role": "prophet"},
    {"text": "see Gus", "verdict": "=see Gus", "to": "contestmaster"}, {"text": "see Gus"},
    {"text": "", "verdict": "-"}, {"text": "Hello.", "verdict": "-", "says": "nothing"},
])
def test_a_bad_row_is_found(row: dict[str, Any]) -> None:
    """A slip in a row doesn't go unnoticed."""
    assert faults(row)
