"""When a night ends: at slots, at once, and not before what it waits for (NC 4c, D-N22, D-N24)."""

from __future__ import annotations

import pytest

from nomicwolf.village.events import DeathsAnnounced, Lynched, PhaseBegan, next_slot, slots
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
