"""A role that is a side of its own: how a session with it ends, in each rule set."""

from __future__ import annotations

import pytest

from nomicwolf.odds import played_session
from nomicwolf.reports.history import victory
from nomicwolf.village.events import Disclosed, Ended
from nomicwolf.village.role_file import RoleError, role_of, terms_of
from nomicwolf.village.rulesets import BUILT_IN, library, rules_with
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from tests.tables import each
from tests.village.test_library_blocks import Evening

KILLER = library()["serial-killer"]
SIX = "Ash:werewolf Bex:serial-killer Cam:villager Dov:villager Eli:villager Fay:villager"


def ended(play: Evening) -> tuple[str, set[str]]:
    """Which side has won, and who."""
    over = play.game.last(Ended)
    assert over is not None
    return over.side, set(over.winners)


def test_good_has_not_won_while_the_killer_lives() -> None:
    """The werewolf is lynched and the session goes on, until one villager is left beside the killer."""
    play = Evening(SIX, KILLER).lynch("Ash", "Bex", "Cam", "Dov", "Eli")
    assert not play.game.over
    play.do("Bex slay Cam", "dawn").lynch("Dov", "Bex", "Eli", "Fay")
    play.do("Bex slay Eli", "dawn")

    assert ended(play) == ("serial-killer", {"Bex"})
    assert victory("serial-killer") == "the serial killer wins"


def test_nor_has_evil_where_it_is_as_many() -> None:
    """One werewolf, one killer and one villager: it is not over; what the night brings decides."""
    play = Evening("Ash:werewolf Bex:serial-killer Cam:villager Dov:villager Eli:villager", KILLER)
    play.lynch("Eli", "Ash", "Bex", "Cam").do("Ash attack Dov", "Bex slay Dov", "dawn")
    assert not play.game.over
    assert play.alive == {"Ash", "Bex", "Cam"}


@each(("deeds", "side", "winners"), [
    (("Ash attack Bex", "Bex slay Ash"), "villagers", {"Cam", "Dov"}),
    (("Ash attack Cam", "Bex slay Ash"), "serial-killer", {"Bex"}),
    (("Ash attack Bex", "Bex slay Cam"), "werewolves", {"Ash"}),
    (("Ash attack Cam", "Bex slay Dov"), "draw", set()),
])
def test_who_wins_of_four(deeds: tuple[str, ...], side: str, winners: set[str]) -> None:
    """D-A25: of two killers who are left with nobody else neither has won, for no day could end."""
    play = Evening("Ash:werewolf Bex:serial-killer Cam:villager Dov:villager Eli:villager", KILLER)
    play.lynch("Eli", "Ash", "Bex", "Cam").do(*deeds, "dawn")

    assert ended(play) == (side, winners)


def test_the_larger_of_two_that_kill_wins() -> None:
    """Two werewolves and a killer, and nobody else: they are as good as alone."""
    play = Evening("Ash:werewolf Gus:werewolf Bex:serial-killer Cam:villager Dov:villager", KILLER)
    play.lynch("Dov", "Ash", "Bex", "Gus").do("Ash attack Cam", "Gus attack Cam", "dawn")

    assert ended(play) == ("werewolves", {"Ash", "Gus"})


def test_what_is_disclosed_of_a_killer_is_that_e_was_no_werewolf() -> None:
    """NC 3: what a lynching tells is whether one of them has gone."""
    play = Evening(SIX, KILLER).lynch("Bex", "Ash", "Cam", "Dov", "Eli")

    assert play.game.ever(Disclosed)[0].what == "not a werewolf"


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_each_rule_set_has_sessions_that_a_killer_wins(name: str) -> None:
    """And that every other side does; none is without an end."""
    rules = rules_with(name, (KILLER,))
    evil = next(role.name for role in rules.roles.values() if role.side == rules.evil)
    roles = ("serial-killer",) if name in ("nomic-crossing", "tabula", "gadianton") else (evil, evil, "serial-killer")
    games = [played_session(rules, 8, roles, str(seed)) for seed in range(60)]
    sides = {over.side for game in games if (over := game.last(Ended)) is not None}

    assert all(game.over for game in games)
    assert {rules.evil, "serial-killer", rules.roles[rules.plain].side} <= sides


@each("change", [('when = "first night"',), ("uses = 2",), ('when = "day"',)])
def test_who_cant_kill_on_each_night_is_on_no_side_of_eir_own(change: tuple[str]) -> None:
    """Or nothing would bring such a session to its end."""
    with pytest.raises(RoleError, match="who is on eir own side kills"):
        role_of(f"{KILLER}{change[0]}\n", terms_of(nomic_crossing))
