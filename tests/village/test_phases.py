"""When a night ends, and when a session: what is announced with it, and who wins."""

from __future__ import annotations

import pytest

from nomicwolf.village.events import (
    DeathsAnnounced,
    Ended,
    Killed,
    Lynched,
    PhaseBegan,
    Removed,
    Revived,
    next_slot,
    slots,
)
from tests.tables import each
from tests.village.games import HOUR, S7, Play
from tests.village.staged import Staged

DAY = 24 * HOUR
NIGHT = ("Ash vote Gus", "Bex vote Gus", "Cam vote Gus", "Dov vote Gus")
WITCH_PASSES = ("Dov heal nobody", "Dov poison nobody")


@pytest.mark.parametrize(("text", "times"), [
    ("20:30, 8:15", (8 * HOUR + 15 * 60, 20 * HOUR + 30 * 60)),
    ("00:00", (0,)),
    ("23:59", (DAY - 60,)),
    ("at once", ()),
])
def test_slots_are_times_of_the_day(text: str, times: tuple[int, ...]) -> None:
    """D-N24: hours and minutes, in order."""
    assert slots(text) == times


@each(("after", "at"), [
    (7 * HOUR, 8 * HOUR + 900), (8 * HOUR + 899, 8 * HOUR + 900), (8 * HOUR + 900, 20 * HOUR),
    (20 * HOUR, DAY + 8 * HOUR + 900), (DAY - 1, DAY + 8 * HOUR + 900), (DAY, DAY + 8 * HOUR + 900),
])
def test_the_next_slot_is_later_than_what_it_waited_for(after: int, at: int) -> None:
    """D-N24: what is completed at the very instant of a slot is announced at the next."""
    assert next_slot(after, slots("8:15, 20:00")) == at
    assert next_slot(after, slots("at once")) == after


def test_dawn_at_once_comes_with_the_last_deed() -> None:
    """D-N24: nothing waits for a slot; with a deed owed nothing happens."""
    play = Play(S7, switches={"dawn": "at once"}).do(*NIGHT, "Ash attack Bex", "Cam see Ash", "Dov heal nobody")
    assert play.game.phase == "night"
    play.do("Dov poison nobody")

    assert (play.game.phase, play.game.number) == ("day", 2)
    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(("Bex",))


def test_dawn_waits_for_the_slot_after_the_last_deed() -> None:
    """D-N24: a deed done while dawn is due moves it on; there is no alarm while something is owed."""
    play = Play(S7).do(*NIGHT)
    assert play.rules.alarm(play.game) is None
    play.do("Ash attack Bex", "Cam see Ash", *WITCH_PASSES, at=9 * HOUR)

    assert play.rules.alarm(play.game) == (20 * HOUR, "dawn")
    play.do("dawn")
    assert (play.game.phase, play.game.clock) == ("day", 20 * HOUR)


def test_a_dead_hunter_holds_the_dawn_and_then_a_slot_comes() -> None:
    """NC 7c, D-N24: nothing is announced until e has chosen, and then not before the next slot."""
    play = Play(S7).do(*NIGHT).do("Ash attack Eli", "Cam see Ash", *WITCH_PASSES, at=9 * HOUR).do("dawn")
    assert (play.game.phase, play.owed) == ("night", [("Eli", "shoot")])
    assert play.rules.alarm(play.game) is None

    play.do("Eli shoot Bex", at=21 * HOUR)
    assert play.rules.alarm(play.game) == (DAY + 8 * HOUR, "dawn")
    play.do("dawn")
    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(("Bex", "Eli"))
    assert play.game.last(PhaseBegan) == PhaseBegan("day", 2)


@pytest.mark.parametrize("name", ["G12", "T8", "C11"])
def test_a_night_of_fixed_length_ends_at_its_deadline(name: str) -> None:
    """D-A1, D-T21: 72 hours to the second, whatever was done; a day's stages have eirs."""
    play = Staged(name)
    play = play if play.game.phase == "night" else play.to("night")
    began = play.game.lines(PhaseBegan)[-1].at
    assert play.game.deadline == began + 72 * HOUR

    play.do("dawn")
    assert (play.game.phase, play.game.clock) == ("day", began + 72 * HOUR)


def test_a_lynching_ends_the_day_at_its_instant() -> None:
    """NC 3: night begins with the lynching, if nobody owes a choice."""
    play = Play(S7).do(*NIGHT)

    assert play.game.lines(Lynched)[-1].at == play.game.lines(PhaseBegan)[-1].at


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
