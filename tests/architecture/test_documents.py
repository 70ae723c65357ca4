"""What README and CONTRIBUTING tell a newcomer to do can be done."""

from __future__ import annotations

import re

import pytest

from nomicwolf.village.events import Opened, PhaseBegan
from nomicwolf.village.extending import with_role
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import with_switches
from nomicwolf.village.rules import Role
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from tests.architecture.source import ROOT

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_is_to_be_made_can_be_made(document: str) -> None:
    """Each ``make TARGET`` that a document names is in the Makefile, with its explanation."""
    targets = set(re.findall(r"(?m)^([a-z-]+):.*## ", (ROOT / "Makefile").read_text()))

    named = re.findall(r"(?m)(?:^ {4}|`)make ([a-z-]+)", (ROOT / document).read_text())
    assert set(named) <= targets
    assert named or document == "CHANGELOG.md"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    """Each link into the tree, and each path in backquotes that looks like a folder of ours, is there."""
    text = (ROOT / document).read_text()
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    quoted = re.findall(r"`((?:contract|docs|tests|grammar)/[^`*]*)`", text)

    paths = links + quoted
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_role_in_contributing_works() -> None:
    """The ten lines are a role: whoever is guarded is alive in the morning, and nothing is owed any more."""
    (code,) = re.findall(r"(?s)```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text())
    names: dict[str, Role] = {}
    exec(code, names)
    rules = with_role(nomic_crossing, names["bodyguard"])
    deal = [("Ash", "werewolf", "werewolves"), ("Bex", "bodyguard", "villagers")]
    deal += [(name, "villager", "villagers") for name in ("Cam", "Dov", "Eli")]

    opened = Opened("nomic-crossing", 1, "7", tuple(deal), with_switches(rules, {}))
    game, _ = rules.settle(Game(), 0, (opened, PhaseBegan("night", 1)), (), "")
    assert rules.owed(game) == [("Ash", "attack"), ("Bex", "guard")]
    game, _ = rules.act(game, 1, "Bex", "guard", ("Cam",))
    game, _ = rules.act(game, 2, "Ash", "attack", ("Cam",))
    dawn = rules.alarm(game)
    assert dawn is not None
    game, _ = rules.strike(game, *dawn)
    assert game.phase == "day"
    assert "Cam" in game.alive
