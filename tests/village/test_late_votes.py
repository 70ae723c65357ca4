"""Ballots that come in after what they would have changed; instants that conditions name (NC 3, D-N9)."""

from __future__ import annotations

from nomicwolf.village.ballots import For
from nomicwolf.village.events import Counted, Event, Killed, Lynched, PhaseBegan, Published, Recounted, Voided
from tests.village.games import HOUR, S7, S8, Play

V8 = "Ash:werewolf " + " ".join(f"{name}:villager" for name in ("Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal"))


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


def official(play: Play, event: Event, at: int) -> None:
    """Let *event* become public at *at*, UTC seconds."""
    play.game, play.news = play.rules.settle(play.game, at, [event], (), "command")


def lynchings(play: Play) -> list[tuple[int, str]]:
    """Return when who was lynched."""
    return [(e.at, e.event.who) for e in play.game.lines(Lynched) if isinstance(e.event, Lynched)]


def test_a_late_ballot_is_counted_with_those_who_lived_then() -> None:
    """NC 3: four of eight are no majority; they are one from the instant on at which the eighth leaves."""
    for left_at in (11, 9):
        play = Play(S8).do("Bex vote Gus", "Cam vote Gus", "Fay vote Gus", at=8 * HOUR)
        official(play, Killed("Hal", "departure"), left_at * HOUR)
        assert lynchings(play) == []
        play.do("Ash vote Fay", at=12 * HOUR).do("Dov vote Gus", at=10 * HOUR)

        assert lynchings(play) == [(max(left_at, 10) * HOUR, "Gus")]


def test_a_late_ballot_of_one_who_has_died_since_counts_until_then() -> None:
    """NC 3: Hal was a townsperson when e voted, and so eir vote was the fifth of eight."""
    play = Play(S8).do("Bex vote Gus", "Cam vote Gus", "Fay vote Gus", "Hal vote Gus", at=8 * HOUR)
    official(play, Killed("Hal", "departure"), 10 * HOUR)
    assert lynchings(play) == []

    play.do("Dov vote Gus", at=9 * HOUR)

    assert lynchings(play) == [(9 * HOUR, "Gus")]


def test_a_late_ballot_does_not_know_what_was_published_after_it() -> None:
    """D-N8: a condition on a fact is open until the fact is published, and so the majority comes with that."""
    play = Play(S7).do("Bex vote Gus", "Cam vote Gus", 'Fay vote Gus if "it rains" is so', at=8 * HOUR)
    official(play, Published("it rains", value=True), 11 * HOUR)

    play.do("Ash vote Gus", at=9 * HOUR)

    assert lynchings(play) == [(11 * HOUR, "Gus")]


def test_a_late_ballot_knows_a_fact_as_it_was_said_at_the_time() -> None:
    """D-N8: a fact of yesterday holds until it is corrected, for a day that is counted again too."""
    play = Play(V8)
    official(play, Published("it rains", value=False), 8 * HOUR)
    play.lynch("Hal", "Bex", "Cam", "Dov", "Eli", "Fay").do("Ash attack Gus", "dawn")
    began = play.game.began
    play.do("Ash vote nobody", 'Bex vote Eli if "it rains" is so, otherwise Fay', at=began + HOUR)
    play.do("Cam vote Fay", at=began + HOUR)
    official(play, Published("it rains", value=True), began + 4 * HOUR)
    assert lynchings(play)[1:] == []

    play.do("Dov vote Fay", at=began + 2 * HOUR).do("Eli vote Fay", at=began + 3 * HOUR)

    assert lynchings(play)[1:] == [(began + 3 * HOUR, "Fay")]


def test_a_late_ballot_knows_what_was_disclosed_before_the_day() -> None:
    """NC 6: what a lynched person was is known on all the days that follow."""
    play = Play(V8).lynch("Hal", "Bex", "Cam", "Dov", "Eli", "Fay").do("Ash attack Gus", "dawn")
    began = play.game.began
    play.do("Bex vote Ash if Hal was a villager", "Cam vote Ash if Gus is dead and it is day", at=began + HOUR)
    play.do("Eli vote Ash", at=began + HOUR).do("Dov vote nobody", at=began + 3 * HOUR)
    assert lynchings(play)[1:] == []

    play.do("Fay vote Ash", at=began + 2 * HOUR)

    assert lynchings(play)[1:] == [(began + 2 * HOUR, "Ash")]


def test_a_late_ballot_does_not_bring_about_what_is_still_to_come() -> None:
    """D-V9: the day is counted up to now; a condition on a later instant waits for that."""
    play = Play(S7).do("Bex vote Gus", "Cam vote Gus", at=9 * HOUR)
    play.do("Fay vote Gus if it is after 1970-01-01T18:00Z", at=12 * HOUR)

    play.do("Dov vote Gus", at=10 * HOUR)

    assert lynchings(play) == []
    assert play.rules.alarm(play.game) == (18 * HOUR, "a condition")


def test_a_late_ballot_of_a_day_whose_lynching_stands_changes_nothing() -> None:
    """D-N12: with the vote left open for the Hunter's choice, a late ballot lynches nobody in eir place."""
    play = Play(S7, switches={"hunter_pause": "open"}).do("Ash vote Gus", "Bex vote Gus", "Cam vote Gus", at=8 * HOUR)
    play.do("Ash vote Eli", "Bex vote Eli", "Cam vote Eli", "Dov vote Eli", at=12 * HOUR)
    assert lynchings(play) == [(12 * HOUR, "Eli")]

    play.do("Fay vote Gus", at=10 * HOUR)

    assert lynchings(play) == [(12 * HOUR, "Eli")]
