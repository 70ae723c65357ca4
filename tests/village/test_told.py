"""What players are told of a rule set, and the clauses that its duties and rules are kept under (`nomicwolf rules`)."""

from __future__ import annotations

from nomicwolf.village.rulesets import BUILT_IN, ruleset
from tests.tables import each
from tests.village.told import PAGES, page


@each("name", sorted(BUILT_IN))
def test_a_rule_set_says_of_itself_what_its_page_says(name: str) -> None:
    """Each duty says how it is written, when it is owed and where it is done; each rule cites its clause."""
    assert page(ruleset(name)) == (PAGES / f"{name}.txt").read_text(encoding="utf-8")


@each("name", sorted(BUILT_IN))
def test_every_duty_and_every_rule_cites(name: str) -> None:
    """No deed and no consequence is without a clause or a ruling; talk has the clause that lets one talk."""
    rules = ruleset(name)
    duties = [d for law in rules.laws for d in law.duties] + [d for role in rules.roles.values() for d in role.duties]
    kept = [r for law in rules.laws for r in law.rules] + [r for role in rules.roles.values() for r in role.rules]

    assert [d.verb for d in duties if not d.cites] == []
    assert [r.on.__name__ for r in kept if not r.cites] == []
