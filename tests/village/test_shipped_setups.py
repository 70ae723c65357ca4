"""The setups that come with the program: each can be played, is, and says what it is."""

from __future__ import annotations

from collections import Counter

import pytest

from nomicwolf.odds import POLICIES, played_session
from nomicwolf.reports.setups import checked_setup, setup_page
from nomicwolf.village.events import Ended
from nomicwolf.village.role_rows import cases, possible
from nomicwolf.village.rulesets import BUILT_IN, setups
from tests.tables import each

SETUPS = setups()


def test_there_are_a_dozen_of_all_rule_sets() -> None:
    """Each rule set has one that is its own: none but its own roles."""
    found = [checked_setup(text, name, {}) for name, text in SETUPS.items()]

    assert len(found) >= 12
    own = {rules.name for setup, rules, _ in found if {*possible(setup.roles)} <= {*BUILT_IN[rules.name].roles}}
    assert own == {*BUILT_IN}
    assert all(setup.about and setup.players for setup, _, _ in found)


@each("name", sorted(SETUPS))
def test_its_page_has_every_role_once(name: str) -> None:
    """With how many hold it; roles that seem the same are told as one."""
    setup, rules, players = checked_setup(SETUPS[name], name, {})
    told = setup_page(setup, rules, players)

    assert told.startswith(setup.title)
    for title in {rules.roles[role].title for role in possible(setup.roles)}:
        assert told.count(f"\n{title} (") == 1


@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize("name", sorted(SETUPS))
def test_it_is_played_to_its_end(name: str, policy: str) -> None:
    """By every policy; somebody wins, and who was dealt what is what it says."""
    setup, rules, players = checked_setup(SETUPS[name], name, {})
    for seed in "12":
        game = played_session(rules, players[0], setup.roles, seed, policy, setup.switches)

        assert game.over
        assert game.last(Ended) is not None
        assert game.opened is not None
        dealt = Counter(role for _, role, _ in game.opened.deal)
        asked = [Counter(role for role in case if role != rules.plain) for case in cases(setup.roles)]
        assert any(all(dealt[role] == count for role, count in case.items()) for case in asked)


def test_the_evil_side_is_no_minority_of_none() -> None:
    """In each setup both sides are dealt, and the evil side is smaller."""
    for name, text in SETUPS.items():
        setup, rules, players = checked_setup(text, name, {})
        for deck in rules.decks([f"p{n}" for n in range(players[0])], setup.roles, dict(setup.switches)):
            evil = sum(rules.roles[role].side == rules.evil for role in deck.elements())
            assert 0 < evil < players[0] - evil, name
