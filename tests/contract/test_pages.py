"""Pages and docstrings say what the contracts and rulings hold, and quote them right."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from nomicwolf.data import clauses
from nomicwolf.language.reader import read
from nomicwolf.reading.deeds import People
from tests.contract.rulings import rulings
from tests.tables import each

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "rulesets").glob("*.md"))
RULINGS = rulings((ROOT / "contract" / "rulings.md").read_text(encoding="utf-8"))
TOWN = People(living=("Ash", "Bex", "Eli", "Fay", "Gus"), dead=("Cam",), others=("Murphy",), author="Eli")
FAMILIES = {"nomic-crossing": "N", "gadianton": "G", "tabula": "T", "six-phases": "M", "narrated-mafia": "C"}


def rows(path: Path, first: str) -> list[list[str]]:
    """Return the cells of each row of the table whose head begins with *first*."""
    found: list[list[str]] = []
    inside = False
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if inside and line.startswith("|") and not line.startswith("|--"):
            found.append(cells)
        inside = line.startswith("|") and (inside or cells[0] == first)
    return found


PHRASES = [(path.stem, *row[:3]) for path in PAGES for row in rows(path, "write")]


@each(("page", "phrase", "verb", "where"), PHRASES)
def test_what_a_page_says_to_write_is_read(page: str, phrase: str, verb: str, where: str) -> None:
    """Each example is one deed, of the verb beside it."""
    reading = read([(1, phrase.strip("`"))], TOWN, to="forum" if where == "forum" else "contestmaster")

    assert [deed.verb for deed in reading.deeds] == [verb]
    assert reading.problems == ()


@each("family", FAMILIES)
def test_a_page_lists_the_switches_of_its_rulings(family: str) -> None:
    """All switches of the family's rulings, with their values and the default first; those of all families apart."""
    page = ROOT / "docs" / "rulesets" / f"{family}.md"
    listed = {row[0].strip("`"): tuple(re.findall(r"`([^`]+)`", row[1])) for row in rows(page, "switch")}
    ruled = {
        switch.name: switch.values
        for number, ruling in RULINGS.items()
        if number.startswith(f"D-{FAMILIES[family]}")
        for switch in ruling.switches
    }

    shared = {"deadlines", *(switch.name for number, ruling in RULINGS.items() if number.startswith("D-A")
                             for switch in ruling.switches)}
    assert {name: values for name, values in listed.items() if name in ruled or name not in shared} == ruled


@each("path", PAGES)
def test_a_page_cites_rulings_that_there_are(path: Path) -> None:
    """A number on a page can be looked up."""
    cited = set(re.findall(r"D-[A-Z]\d+", path.read_text(encoding="utf-8")))

    assert sorted(cited - set(RULINGS)) == []


CONTRACT = ROOT / "contract"
QUOTED = re.compile(r"\b((?:NC|GA|LT|SP|NM) \d+[a-z]*(?: [a-z]+)?|D-[A-Z]\d+): “([^”]*)”")
LONGEST = 8
"""From how many words on, in one run, what a docstring has of a clause is a quotation, and has to be marked as one."""


@cache
def law() -> dict[str, str]:
    """Return what each label says, and what each ruling holds."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in CONTRACT.glob("*.md")}
    held = {number: each.held for number, each in rulings(texts.pop("rulings")).items()}
    return held | {label: words for text in texts.values() for label, words in clauses(text).items()}


@cache
def docstrings() -> tuple[tuple[str, str], ...]:
    """Return (file, docstring with single spaces) of every module, class and function."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = []
    for path in sorted((ROOT / "nomicwolf").rglob("*.py")):
        nodes = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, kinds)]
        found += [(path.relative_to(ROOT).as_posix(), " ".join((ast.get_docstring(n) or "").split())) for n in nodes]
    return tuple(found)


def quotations() -> list[tuple[str, str, str]]:
    """Return (file, label, words) of each quotation."""
    return [(path, label, words) for path, text in docstrings() for label, words in QUOTED.findall(text)]


@each(("path", "label", "words"), quotations())
def test_a_quotation_is_right(path: str, label: str, words: str) -> None:
    """The words stand in what the label says, one after the other; … is for what is left out."""
    said, at = law()[label], 0
    for piece in words.split("…"):
        assert piece.strip() in said[at:], path
        at = said.index(piece.strip(), at) + len(piece.strip())


def test_the_heart_of_the_contract_is_quoted() -> None:
    """Each part of the game has a module that quotes the clause it carries out."""
    quoted = {label for _, label, _ in quotations()}

    assert {"NC 1c", "NC 1e", "NC 1j", "NC 2", "NC 3", "NC 4a", "NC 5", "NC 5i", "NC 6",
            "NC 7a", "NC 7b", "NC 7c", "NC 7d"} <= quoted


def test_nothing_is_quoted_without_its_label() -> None:
    """No docstring has so long a run of a clause's words that isn't marked as its words."""
    runs = {run: label for label, said in law().items() if not label.startswith("D-") for run in runs_of(said)}
    bare = [(path, runs[run], run) for path, text in docstrings() for run in runs_of(QUOTED.sub(" ", text))
            if run in runs]

    assert bare == []


def runs_of(text: str) -> list[str]:
    """Return every run of so many words of *text*."""
    words = re.findall(r"[\w']+", text.casefold())
    return [" ".join(words[at:at + LONGEST]) for at in range(len(words) - LONGEST + 1)]
