"""Who stops an execution, and what isn't shown of the dead: in each rule set, alone and against late votes."""

from __future__ import annotations

import pytest

from nomicwolf.odds import played_session
from nomicwolf.village.ballots import For
from nomicwolf.village.events import Announced, Disclosed, Lynched, Told
from nomicwolf.village.role_file import RoleError, role_of, terms_of
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import BUILT_IN, library, rules_with
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from tests.tables import each
from tests.village.test_library_blocks import Evening

GOVERNOR, SOLDIER = library()["governor"], library()["unknown-soldier"]
SEVEN = "Ash:werewolf Bex:governor Cam:villager Dov:villager Eli:villager Fay:villager Gus:villager"


def test_a_pardon_ends_the_day_and_nobody_dies() -> None:
    """All are told that it happened, and the Governor alone whose it was."""
    play = Evening(SEVEN, GOVERNOR).do("Bex reprieve Cam").lynch("Cam", "Ash", "Dov", "Eli", "Fay")

    assert (play.game.phase, "Cam" in play.game.alive, play.game.shown_dead) == ("night", True, ())
    assert [told.text for told in play.game.ever(Announced, topic="pardon")] == [
        "Cam was to be put to death, and is pardoned. The day is over."]
    assert play.told("Bex") == ["It is you who has pardoned Cam."]
    assert not play.has(Lynched)
    assert not play.has(Disclosed)


def test_it_is_for_once_and_the_last_word_counts() -> None:
    """Whom e named before doesn't live by it; on the next day nothing is open."""
    play = Evening(SEVEN, GOVERNOR).do("Bex reprieve Dov", "Bex reprieve Cam").lynch("Dov", "Ash", "Cam", "Eli", "Fay")
    assert "Dov" not in play.game.alive
    play.do("Ash attack Eli", "dawn").lynch("Cam", "Ash", "Fay", "Gus")
    assert "Cam" in play.game.alive
    play.do("Ash attack Fay", "dawn")
    with pytest.raises(Refusal):
        play.do("Bex reprieve Gus")


def test_a_dead_governor_pardons_nobody() -> None:
    """Eir letter dies with em."""
    play = Evening(SEVEN, GOVERNOR).do("Bex reprieve Cam").lynch("Dov", "Ash", "Cam", "Eli", "Fay")
    play.do("Ash attack Bex", "dawn").lynch("Cam", "Ash", "Eli", "Fay")

    assert "Cam" not in play.game.alive


def test_a_late_vote_is_pardoned_too() -> None:
    """D-V9: the lynching that it brings about at its own instant is one that is stopped."""
    play = Evening(SEVEN, GOVERNOR).do("Bex reprieve Cam").lynch("Cam", "Ash", "Dov", "Eli")
    early = play.game.clock - 1
    play.do("Fay vote Gus")
    play.game, _ = play.rules.cast(play.game, early, "Gus", "vote", For("Cam"))

    assert (play.game.phase, "Cam" in play.game.alive) == ("night", True)


def test_it_can_be_no_part_of_another_deed() -> None:
    """What counts at any time is a duty of its own."""
    for change in ('does = ["pardon", "protect"]', 'does = ["pardon"]\nwhen = "each night"'):
        text = GOVERNOR.replace('when = "any time"\n', "").replace('does = ["pardon"]', change)
        with pytest.raises(RoleError, match="any time"):
            role_of(text, terms_of(nomic_crossing))


@each(("name", "cast", "switches", "shown"), [
    ("nomic-crossing", "werewolf", {}, 1), ("nomic-crossing", "werewolf", {"cards": "hidden"}, 0),
    ("nomic-crossing", "unknown-soldier", {}, 0)])
def test_a_hidden_card_tells_nothing(name: str, cast: str, switches: dict[str, str], shown: int) -> None:
    """D-A24: who was lynched is known to be dead, and no more."""
    cast = f"Ash:{cast} Bex:werewolf Cam:villager Dov:villager Eli:villager Fay:villager Gus:villager Hal:villager"
    play = Evening(cast, SOLDIER, rules=name, switches=switches).lynch("Ash", "Cam", "Dov", "Eli", "Fay", "Gus")

    assert play.game.shown_dead == ("Ash",)
    assert len(play.game.ever(Disclosed)) == shown


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_sessions_with_hidden_cards_show_none(name: str) -> None:
    """By every rule set, in whole sessions; where cards aren't shown anyway, there is no such switch."""
    rules = rules_with(name, (GOVERNOR, SOLDIER))
    evil = next(role.name for role in rules.roles.values() if role.side == rules.evil)
    roles = () if name in ("nomic-crossing", "tabula", "gadianton") else (evil,)
    for seed in range(12):
        game = played_session(rules, 9, (*roles, "governor", "unknown-soldier"), str(seed),
                              switches={"cards": "hidden"})
        assert game.over
        assert game.shown_dead
        assert not game.ever(Disclosed)
        pardons = game.ever(Announced, topic="pardon")
        assert len(pardons) == len(game.ever(Told, topic="pardon")) <= 1
