"""The list of modules and the table of rooms, as a newcomer is shown them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

from tests.docs.pages import ROOT, text_of


def test_every_module_is_told_in_a_line() -> None:
    """Of the folders that are named, and of those below them, each module stands below its folder with its purpose."""
    made = [sys.executable, str(ROOT / "scripts" / "modules.py"), "demo", "village"]
    lines = subprocess.run(made, capture_output=True, text=True, check=True).stdout.splitlines()

    assert lines[0].startswith("nomicwolf/demo/: A contest")
    assert lines[1].split(maxsplit=1)[0] == "play"
    told = [line.split(maxsplit=1) for line in lines if line.startswith("    ")]
    assert all(purpose for _, purpose in told)
    folders = [ROOT / "nomicwolf" / name for name in ("demo", "village")]
    here = [path.stem for folder in folders for path in folder.rglob("*.py") if path.stem != "__init__"]
    assert sorted(name for name, _ in told) == sorted(here)


def test_the_table_of_rooms_is_printed_from_the_code() -> None:
    """``python scripts/modules.py --rooms`` prints what ``docs/architecture.md`` has."""
    made = [sys.executable, str(ROOT / "scripts" / "modules.py"), "--rooms"]
    table = subprocess.run(made, capture_output=True, text=True, check=True).stdout

    page = text_of("docs/architecture.md")
    assert [line for line in page.splitlines() if line.startswith(("| room |", "| `nomicwolf/"))] == [
        line for line in table.splitlines() if line != "|---|---|---|"]


def test_what_is_decided_somewhere_is_decided_there() -> None:
    """Each function or table that the page names behind a module is defined in it."""
    named = re.findall(r"`(nomicwolf/[\w/]+\.py)`, `(\w+)`", text_of("docs/architecture.md"))

    missing = [f"{file}: {name}" for file, name in named if name not in defined(file)]
    assert len(named) > 10
    assert missing == []


def defined(file: str) -> set[str]:
    """Return what a module defines at its top."""
    found = set()
    for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found
