"""Every clause and every ruling has a rehearsal that rests on it, and none is cited that there isn't."""

import re
from functools import cache
from pathlib import Path

import pytest

from nomicwolf.data import clauses
from nomicwolf.plainyaml import load
from tests.contract.rulings import rulings
from tests.tables import each

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
FAMILIES = {
    "nomic-crossing": ("NC", "D-N", "D-V"),
    "gadianton": ("GA", "D-G"),
    "tabula": ("LT", "D-T"),
    "six-phases": ("SP", "D-M"),
    "narrated-mafia": ("NM", "D-C"),
}


@cache
def labels() -> frozenset[str]:
    """Return every label of a clause and every number of a ruling."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "contract").glob("*.md")}
    found = [clauses(text) for text in texts.values()]
    return frozenset(label for words in found for label in words) | frozenset(rulings(texts["rulings"]))


def of_family(family: str) -> frozenset[str]:
    """Return the labels and numbers that belong to a rule set."""
    return frozenset(label for label in labels() if label.split()[0].rstrip("0123456789") in FAMILIES[family])


@cache
def cited_by_rehearsals() -> dict[str, frozenset[str]]:
    """Return what the rehearsals of each rule set cite."""
    found: dict[str, frozenset[str]] = {}
    for path in sorted((ROOT / "tests" / "scenarios").glob("*/*.yaml")):
        doc = load(path.read_text(encoding="utf-8"))
        assert isinstance(doc, dict)
        found[path.parent.name] = found.get(path.parent.name, frozenset()) | frozenset(doc["cites"])
    return found


@cache
def code() -> str:
    """Return the text of everything that nomicwolf is made of, the grammar and the roles included."""
    paths = [*(ROOT / "nomicwolf").rglob("*.py"), *(ROOT / "grammar").glob("*.lark"), *(ROOT / "roles").rglob("*.toml")]
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(paths))


@each("family", FAMILIES)
def test_every_clause_and_ruling_has_a_rehearsal(family: str) -> None:
    """What a contract says or a ruling holds is shown in at least one rehearsal."""
    missing = of_family(family) - cited_by_rehearsals()[family]

    assert sorted(missing) == []


def test_every_ruling_on_all_rule_sets_has_a_rehearsal() -> None:
    """Those rulings are shown in one rule set at least."""
    cited = {cite for cites in cited_by_rehearsals().values() for cite in cites}

    assert sorted(label for label in labels() if label.startswith("D-A") and label not in cited) == []


def test_rehearsals_cite_what_there_is() -> None:
    """A citation names a clause or a ruling that can be looked up; X numbers are cases of every rule set."""
    cited = {cite for cites in cited_by_rehearsals().values() for cite in cites if not cite.startswith("X-")}

    assert sorted(cited - labels()) == []


@each("family", FAMILIES)
def test_every_clause_and_ruling_is_cited_by_code(family: str) -> None:
    """What a contract says or a ruling holds is named beside what makes it so; parts go with their clause."""
    wanted = {" ".join(label.split()[:2]) for label in of_family(family)}
    missing = {label for label in wanted if not re.search(rf"\b{label}\b", code())}

    assert sorted(missing) == []


def test_code_cites_what_there_is() -> None:
    """A citation in the code names a clause or a ruling that can be looked up."""
    known = {label.split(" ")[0] + " " + label.split(" ")[1] if " " in label else label for label in labels()}
    prefixes = {label.split()[0].rstrip("0123456789") for label in known}
    cited = set(re.findall(r"\b(?:NC|GA|LT|SP|NM) \d+[a-z]*\b|\bD-[A-Z]\d+\b", code()))

    assert sorted(cite for cite in cited - known if cite.split()[0].rstrip("0123456789") in prefixes) == []
