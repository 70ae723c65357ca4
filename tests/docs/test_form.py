"""The form of the handbook, and the lists of modules and rooms as a newcomer is shown them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

from scripts import pages
from tests.docs.pages import PAGES, ROOT, name_of, prose, text_of
from tests.tables import each

NAMES = [name_of(p) for p in PAGES]
TREE = re.compile(r"`((?:contract|docs|tests|grammar|nomicwolf|examples|benchmarks|scripts)/[^`*\s]*)`")


@each("page", NAMES)
def test_links_lead_somewhere(page: str) -> None:
    """Each link to a file of ours is there, with the heading that it names; so is each path in backquotes."""
    here = (ROOT / page).parent
    broken = []
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", prose(page)):
        path, _, anchor = target.partition("#")
        found = (here / path).resolve() if path else ROOT / page
        if not found.exists() or (anchor and anchor not in anchors(found.read_text(encoding="utf-8"))):
            broken.append(target)

    assert broken == []
    assert [path for path in TREE.findall(prose(page)) if not (ROOT / path).exists()] == []


@each("page", NAMES)
def test_lines_fit(page: str) -> None:
    """No line of prose is longer than 120 columns; tables and blocks are as wide as what they show."""
    lines = enumerate(prose(page).splitlines(), 1)
    assert [number for number, line in lines if len(line) > 120 and not line.startswith("|")] == []


@each("page", NAMES)
def test_rows_have_as_many_cells_as_their_table(page: str) -> None:
    """What begins another cell, even in backquotes, is escaped."""
    tables = re.findall(r"(?m)(?:^\|.*\n)+", prose(page))
    cells = [{len(re.split(r"(?<!\\)\|", row)) for row in table.splitlines()} for table in tables]

    assert [table.splitlines()[0] for table, widths in zip(tables, cells, strict=True) if len(widths) > 1] == []
    assert [table for table in tables if not re.match(r".*\n\|[-|: ]+\|\n", table)] == [], "rows without a head"


def test_every_page_is_linked() -> None:
    """Whoever begins at the README finds every page of the handbook."""
    seen, todo = set(), ["README.md"]
    while todo:
        page = todo.pop()
        seen.add(page)
        for target in re.findall(r"\]\((?!https?:)([^)#]+\.md)", prose(page)):
            found = ((ROOT / page).parent / target).resolve()
            name = found.relative_to(ROOT).as_posix()
            todo += [name] if name in NAMES and name not in seen else []
    assert {name for name in NAMES if name.startswith("docs/")} <= seen


@each("page", NAMES)
def test_a_page_has_one_title(page: str) -> None:
    """The first line is the title, and no other heading is of its rank."""
    assert text_of(page).startswith("# ")
    assert len(re.findall(r"(?m)^# ", prose(page))) == 1


def anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings, as forges make them."""
    headings = re.findall(r"(?m)^#+ (.+)$", text)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


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


TOOLS = {"tests.demo.reach", "tests.language.scoring", "tests.ledger.old", "tests.run.crash", "tests.run.matrix"}
"""What is run by hand, and writes nothing that is kept."""


def test_make_pages_makes_all_that_is_made() -> None:
    """Each module of the tests that can be run by itself is in `scripts/pages.py`, unless it is a tool."""
    files = (ROOT / "tests").rglob("*.py")
    runnable = {".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files
                if '\nif __name__ == "__main__":' in file.read_text(encoding="utf-8")}

    assert runnable - TOOLS == {*pages.PRINTED.values(), *(w for made in pages.WRITTEN for w in made if "tests." in w)}
    assert [page for page in pages.PRINTED if not (ROOT / page).exists()] == []


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
