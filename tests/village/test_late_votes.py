"""Ballots that come in after what they would have changed; instants that conditions name (NC 3, D-N9)."""

from __future__ import annotations

from nomicwolf.village.ballots import For
from nomicwolf.village.events import Counted, Lynched, PhaseBegan, Recounted, Voided
from tests.village.games import HOUR, S7, Play


def test_a_late_ballot_takes_its_place() -> None:
    """A copy with an earlier stamp is overtaken by what its author wrote since."""
    play = Play(S7).do("Bex vote Gus", at=10 * HOUR).do("Cam vote Gus", at=12 * HOUR)

    play.do("Bex vote Fay", at=9 * HOUR)

    assert play.game.table["Bex"] == "Gus"
    assert play.game.clock == 12 * HOUR


def test_a_late_ballot_can_end_the_day_in_the_past() -> None:
    """The instant of a majority is where it was; what was cast after it is void."""
    play = Play(S7).do("Bex vote Gus", at=9 * HOUR).do("Cam vote Gus", at=10 * HOUR)
    play.do("Fay vote Gus", at=11 * HOUR).do("Fay vote Dov", at=12 * HOUR)

    play.do("Ash vote Gus", at=11 * HOUR + 60)

    assert [(e.at, e.event) for e in play.game.lines(Lynched)] == [(11 * HOUR + 60, Lynched("Gus"))]
    assert play.game.ever(Recounted) == [Recounted("Ash", 11 * HOUR + 60)]
    assert play.game.ever(Voided) == [Voided("Fay", 12 * HOUR, 11 * HOUR + 60)]
    assert play.game.last(PhaseBegan) == PhaseBegan("night", 1)


def test_a_condition_on_the_clock_lynches_at_its_instant() -> None:
    """However late the poll, the day ends at the instant that the ballot names."""
    play = Play(S7).do("Bex vote Gus", "Cam vote Gus", "Fay vote Gus", at=9 * HOUR)
    play.do("Dov vote Gus if it is after 1970-01-01T12:00Z, otherwise nobody", at=10 * HOUR)

    assert play.rules.alarm(play.game) == (12 * HOUR, "a condition")
    play.do("dawn")
    assert [(e.at, e.event) for e in play.game.lines(Lynched)] == [(12 * HOUR, Lynched("Gus"))]


def test_a_ballot_replaced_before_its_instant_does_nothing() -> None:
    """T017: the alarm of a ballot that no longer stands is gone."""
    play = Play(S7).do("Dov vote Gus if it is after 1970-01-01T12:00Z", at=10 * HOUR).do("Dov vote Bex", at=11 * HOUR)

    assert play.rules.alarm(play.game) is None


def test_a_copy_is_pinned_where_it_is_cast() -> None:
    """D-N6 (N-37): what Bex does later does not matter."""
    play = Play(S7).do("Bex vote Gus", "Cam vote copy Bex", "Bex vote Fay")

    assert play.game.table["Cam"] == "Gus"


def test_only_changes_are_recorded() -> None:
    """A count lists the votes whose value changed, endorsers included, and nothing if none did."""
    play = Play(S7).do("Cam vote endorse Bex", "Bex vote Gus")

    counted = play.game.last(Counted)
    assert counted is not None
    assert set(counted.votes) == {("Bex", "Gus"), ("Cam", "Gus")}
    assert "counted" not in play.do("Bex vote Gus").names()


def test_votes_in_one_second_go_by_their_key() -> None:
    """D-N30 (N-115): the lower key first, whichever came in first."""
    for order in (("Bex", "Ash"), ("Ash", "Bex")):
        play = Play(S7).do("Bex vote Gus", "Cam vote Gus", "Fay vote Gus", at=9 * HOUR)
        keys = {"Ash": ((5,), "Gus"), "Bex": ((4,), "Fay")}
        for who in sorted(order, key=lambda w: keys[w][0]):
            key, whom = keys[who]
            play.game, _ = play.rules.cast(play.game, 10 * HOUR, who, "vote", For(whom), key=key)
        assert not play.has(Lynched)
