"""The players' pages of the rule sets say what the rulings hold and what the grammar reads."""

import re
from pathlib import Path

from nomicwolf.data import rulings
from nomicwolf.language.reader import read
from nomicwolf.reading.deeds import People
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
