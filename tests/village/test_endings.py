"""How a session ends: what is announced with it, who wins, by which clause (NC 5, GA 6, LT 6, SP 6, NM 6)."""

from __future__ import annotations

import pytest

from nomicwolf.village.events import DeathsAnnounced, Ended, Killed, PhaseBegan, Removed, Revived
from tests.village.games import HOUR, Play
from tests.village.staged import Staged

V5 = "Ash:werewolf Bex:villager Cam:villager Dov:villager Eli:villager"


def after(play: Play) -> list[str]:
    """Return the names of the events of the last move."""
    return [type(e.event).__name__ for e in play.news]


def test_a_session_that_ends_by_day_has_nothing_left_to_announce() -> None:
    """NC 5a: the lynching was public; no deaths are announced with the end."""
    play = Play(V5).lynch("Ash", "Bex", "Cam", "Dov")

    assert play.winners() == {"Bex", "Cam", "Dov", "Eli"}
    assert not play.has(DeathsAnnounced)
    assert after(play)[-1] == "Ended"


def test_a_session_that_ends_at_night_announces_the_night() -> None:
    """NC 5b, NC 4c: whoever died since dusk is told of before the end, once."""
    play = Play(V5[: V5.rindex(" ")]).lynch("Bex", "Ash", "Cam", "Dov").do("Ash attack Cam", "dawn")

    assert play.game.ever(DeathsAnnounced) == [DeathsAnnounced(("Cam",))]
    assert after(play)[-2:] == ["DeathsAnnounced", "Ended"]
    assert play.winners() == {"Ash"}


def test_a_session_can_end_while_it_is_set_up() -> None:
    """NC 5, D-N51: of one werewolf and one villager it is over as soon as the cards are dealt, and no day begins."""
    play = Play("Ash:werewolf Bex:cupid")

    assert (play.game.phase, play.winners()) == ("over", {"Ash"})
    assert not play.has(PhaseBegan)


def test_a_departure_at_night_can_end_it() -> None:
    """D-N11, NC 5: with ``departure: kill`` the last werewolf who leaves has lost; the night's end is announced."""
    play = Play(V5, switches={"departure": "kill"}).lynch("Bex", "Ash", "Cam", "Dov")
    play.game, play.news = play.rules.settle(
        play.game, play.game.clock + HOUR, [Removed("Ash", "left")], (), "command")

    assert play.winners() == {"Cam", "Dov", "Eli"}
    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(("Ash",))


@pytest.mark.parametrize(("name", "gone", "side", "why"), [
    ("G12", ("G1", "G2", "G3"), "nephites", "GA 6b"),
    ("T8", ("W1", "W2"), "humans", "LT 6a; LT 6c"),
])
def test_an_end_names_its_clause(name: str, gone: tuple[str, ...], side: str, why: str) -> None:
    """Who wins, and by which clause, is part of the record."""
    ended = Staged(name).to("day").kill(*gone).game.last(Ended)

    assert ended is not None
    assert (ended.side, ended.why) == (side, why)


def test_an_end_by_night_may_have_no_dead_to_announce() -> None:
    """LT 8g, LT 6b: the Mythomaniac turns at dawn, and those who are left are as many werewolves as humans.

    That nobody died is announced all the same, before the end.
    """
    play = Staged("T8", "W1:werewolf My:mythomaniac Bo:bodyguard V1:villager V2:villager").to("day")
    play.do("W1 nominate V2").to("night").do("My point W1", "W1 attack V1", "Bo guard V1").to("over")

    assert play.end() == "werewolves"
    assert play.game.ever(DeathsAnnounced)[-1] == DeathsAnnounced(())
    assert after(play)[-2:] == ["DeathsAnnounced", "Ended"]


def test_an_end_by_night_tells_who_is_back() -> None:
    """NM 6, NM 8: whoever comes back in the night that ends a session is announced with its deaths, once."""
    play = Staged("C11", "M:mafioso D:doctor C1:civilian C2:civilian C3:civilian").to("day").to("night")
    play.do("M attack C1").to("day").to("night")
    play.game, play.news = play.rules.settle(
        play.game, play.game.clock + HOUR, [Revived("C1"), Killed("M", "ruling")], (), "command")

    assert play.end() == "civilians"
    assert play.game.ever(DeathsAnnounced)[-1] == DeathsAnnounced(("M",), ("C1",))
    assert after(play) == ["Revived", "Killed", "DeathsAnnounced", "Ended"]
