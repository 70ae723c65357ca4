"""What players are told of a rule set, and the clauses by which things happen."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.data import clauses, contract_text
from nomicwolf.village.events import Acquitted, Event, Opened, PhaseBegan, StageBegan
from nomicwolf.village.game import Game
from nomicwolf.village.rules import licence
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


RULINGS = Path(__file__).parents[2] / "contract" / "rulings.md"
STAGED = tuple(name for name in BUILT_IN if ruleset(name).licences)


@pytest.mark.parametrize("name", STAGED)
def test_a_table_names_events_and_clauses_that_there_are(name: str) -> None:
    """A slip in a key or a label would go unseen: the rule's own clauses would stand in its place."""
    rules = ruleset(name)
    labels = {*clauses(contract_text(name)), *clauses(contract_text("nomic-crossing"))}
    rulings = {line.removeprefix("### ") for line in RULINGS.read_text(encoding="utf-8").splitlines()}

    assert len(STAGED) == 4
    assert {key.split(" ", 1)[0] for key in rules.licences} <= set(Event.kinds)
    assert {cite for cites in rules.licences.values() for cite in cites} <= labels | rulings


@each(("name", "event", "cites"), [
    ("gadianton", StageBegan("defence", 0), ("GA 5d", "D-A1")),
    ("gadianton", Acquitted("Bex"), ("GA 5f", "D-G10")),
    ("six-phases", StageBegan("nominations", 0), ("SP 2a", "D-M1", "D-A1")),
    ("six-phases", Acquitted("Bex"), ("SP 3d", "D-M5")),
    ("tabula", StageBegan("defence", 0), ("LT 5c", "D-T25", "D-A1")),
    ("narrated-mafia", PhaseBegan("night", 2), ("NM 5",)),
    ("narrated-mafia", Opened("narrated-mafia", 1, "", ()), ("NM 4a",)),
])
def test_an_event_has_the_clauses_of_its_kind(name: str, event: Event, cites: tuple[str, ...]) -> None:
    """The kind of stage or phase is told apart; the end of a nomination isn't licensed by the clause on verdicts."""
    assert licence(ruleset(name).licences, Game(), event) == cites


def test_what_no_table_names_keeps_the_clauses_of_its_rule() -> None:
    """Nothing is said of it."""
    assert licence({"acquitted": ("GA 5f",)}, Game(), StageBegan("defence", 0)) == ()
