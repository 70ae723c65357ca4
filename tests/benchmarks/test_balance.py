"""The page of balance is of the setups that are shipped, and of the engine that there is."""

from __future__ import annotations

from itertools import cycle

from benchmarks.balance import Case, balances, cases, made, played
from nomicwolf.odds import POLICIES
from nomicwolf.village.rulesets import setups


def test_the_page_and_its_pictures_are_made_from_what_is_kept() -> None:
    """``python -m benchmarks.balance`` makes them anew."""
    for path, text in made().items():
        assert path.read_text(encoding="utf-8") == text, path.name


def test_each_setup_is_told_of_by_each_policy_and_without_each_role() -> None:
    """``python -m benchmarks.balance --play 50`` plays them anew; each is played as often as the others."""
    found = balances()

    assert [balance.name for balance in found] == sorted(setups())
    games = {len(digits) for balance in found for group in ("policies", "without")
             for kept in balance.kept[group].values() for digits in kept}
    assert len(games) == 1
    assert games.pop() >= 50
    for balance in found:
        kept = [*(Case(balance.name, policy) for policy in balance.kept["policies"]),
                *(Case(balance.name, "believing", role) for role in balance.kept["without"])]
        assert sorted(kept) == sorted(cases(balance.name))


def test_a_few_sessions_that_are_played_again_end_as_they_are_kept() -> None:
    """Of each setup two, by the policies in turn; what the engine plays otherwise is to be played anew."""
    for balance, policy in zip(balances(), cycle(POLICIES), strict=False):
        won, days = balance.kept["policies"][policy]
        assert played(Case(balance.name, policy), range(2)) == (won[:2], days[:2]), balance.name
