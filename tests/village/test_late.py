"""Ballots and verdicts that come in late: the vote is weighed again from their own instant on (D-A8)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from nomicwolf.village.ballots import After, Ballot, Before, Copy, Dead, Fact, For, If, Nobody, Was
from nomicwolf.village.events import (
    Counted,
    Disclosed,
    Event,
    Killed,
    Lynched,
    PhaseBegan,
    Published,
    Recounted,
    Removed,
    Voided,
)
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import town_of
from tests.village.games import HOUR, S7, S7L, S8, Play

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
    play.do("Eli vote Ash", at=began + HOUR).do("Eli vote nobody", at=began + 3 * HOUR)
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


def test_a_second_lynching_by_a_late_vote_comes_when_it_could() -> None:
    """D-A8, D-N12: while the lynched Hunter chooses the vote goes on, and is counted again from that lynching on."""
    play = Play(S7, switches={"hunter_pause": "open"})
    play.do("Ash vote Eli", "Cam vote Eli", "Dov vote Eli", "Gus vote Eli", at=8 * HOUR)
    play.do("Bex vote Gus", "Fay vote Gus", at=9 * HOUR).do("Ash vote Gus", at=10 * HOUR)
    play.do("Ash vote nobody", at=12 * HOUR)
    assert lynchings(play) == [(8 * HOUR, "Eli")]

    play.do("Dov vote Gus", at=9 * HOUR)

    assert lynchings(play) == [(8 * HOUR, "Eli"), (10 * HOUR, "Gus")]
    assert play.game.ever(Voided) == [Voided("Ash", 12 * HOUR, 10 * HOUR)]
    assert play.game.ever(Recounted) == [Recounted("Dov", 9 * HOUR)]


def test_a_late_vote_of_before_the_first_lynching_brings_the_second_about_right_after_it() -> None:
    """D-A8, D-N12: at that second, not before; what was announced stands."""
    play = Play(S8, switches={"hunter_pause": "open"})
    play.do("Bex vote Gus", "Fay vote Gus", "Hal vote Gus", at=7 * HOUR)
    play.do("Ash vote Eli", "Cam vote Eli", "Gus vote Eli", "Fay vote Eli", "Hal vote Eli", at=8 * HOUR)
    play.do("Fay vote Gus", at=9 * HOUR).do("Hal vote Gus", at=10 * HOUR)
    assert lynchings(play) == [(8 * HOUR, "Eli")]
    play.do("Hal vote nobody", at=11 * HOUR)

    play.do("Dov vote Gus", at=6 * HOUR)

    assert lynchings(play) == [(8 * HOUR, "Eli"), (10 * HOUR, "Gus")]


def test_a_late_vote_that_lynches_the_hunter_brings_about_what_follows_from_eir_death() -> None:
    """D-A8, D-N12: of seven, four are a majority from then on, whatever they voted for since."""
    play = Play(S8, switches={"hunter_pause": "open"})
    play.do("Ash vote Eli", "Cam vote Eli", "Dov vote Eli", "Hal vote Eli", at=8 * HOUR)
    play.do("Bex vote Gus", "Fay vote Gus", at=10 * HOUR).do("Ash vote Gus", at=11 * HOUR)
    play.do("Cam vote Gus", at=12 * HOUR).do("Cam vote nobody", at=13 * HOUR)
    assert lynchings(play) == []

    play.do("Gus vote Eli", at=9 * HOUR)

    assert lynchings(play) == [(9 * HOUR, "Eli"), (12 * HOUR, "Gus")]
    assert play.game.ever(Voided) == [Voided("Cam", 13 * HOUR, 12 * HOUR)]


def test_a_late_copy_is_of_the_vote_at_its_own_time() -> None:
    """D-N6: of what Bex was voting for just before the copy's instant, not of what e votes for when it is heard."""
    play = Play(S7).do("Bex vote Gus", at=8 * HOUR).do("Bex vote Fay", at=10 * HOUR).do("Eli vote Dov", at=12 * HOUR)

    play.do("Cam vote copy Bex", at=9 * HOUR)
    assert play.game.table["Cam"] == "Gus"
    play.do("Dov vote copy Bex", at=10 * HOUR)
    assert play.game.table["Dov"] == "Gus"
    play.do("Dov vote copy Bex", at=12 * HOUR)
    assert play.game.table["Dov"] == "Fay"


def test_a_copy_knows_of_what_came_in_the_same_second() -> None:
    """D-N6, D-N30: of two letters of one second, the one heard first is there for the other."""
    play = Play(S7).do("Bex vote Gus", "Cam vote copy Bex", at=8 * HOUR)

    assert play.game.table["Cam"] == "Gus"


def test_what_is_pinned_is_what_is_public() -> None:
    """D-N6, NC 6: a condition as of now goes by the record and by the voter's own vote of that instant."""
    play = Play(S7).do("Bex vote Gus", at=8 * HOUR)
    play.do("Bex vote Fay if Dov is alive as of now", "Cam vote Fay if it is after 1970-01-01T09:00Z as of now",
            "Dov vote Fay if I am voting for Fay as of now", at=9 * HOUR)

    assert (play.game.table["Bex"], play.game.table["Cam"]) == ("Fay", "Fay")
    assert play.game.table.get("Dov") is None


def test_at_night_the_public_record_has_those_whose_death_is_not_told() -> None:
    """NC 4c, NC 6: nobody can tell by a vote that somebody has been killed before the dawn says so."""
    play = Play(S7).lynch("Gus", "Ash", "Bex", "Cam", "Dov").do(
        "Ash attack Eli", "Cam see Ash", "Dov heal nobody", "Dov poison nobody", "dawn")
    assert "Eli" not in play.alive
    official(play, Published("it rains", value=True), play.game.clock + 60)
    town = town_of(play.game, 99 * HOUR)

    assert (town.living, town.dead) == (("Ash", "Bex", "Cam", "Dov", "Eli", "Fay"), ("Gus",))
    assert (town.phase, town.day, town.now, town.facts) == ("night", 1, 99 * HOUR, {"it rains": True})
    assert town.disclosed == {"Gus": "not a werewolf"}


def test_the_day_is_numbered_from_one() -> None:
    """NC 3: a condition on the number of the day counts the first day as one, and the second as two."""
    play = Play(V8).do("Bex vote Gus if it is day 1", "Cam vote Gus if it is day 2 or later")
    assert (play.game.table["Bex"], play.game.table.get("Cam")) == ("Gus", None)

    assert town_of(play.game, 0).day == 1
    assert town_of(play.lynch("Hal", "Ash", "Bex", "Cam", "Dov", "Eli").do("Ash attack Gus", "dawn").game, 0).day == 2
    assert town_of(Game(), 0).day == 1


def test_lovers_are_spared_one_after_the_other() -> None:
    """D-N16: with ``spared`` the vote of a Lover for eir Lover is null, also where it comes by endorsement."""
    play = Play(S7L, switches={"lovers_vote": "spared"}).do("Fay match Bex Gus")
    play.do("Bex vote Gus", "Gus vote endorse Cam", "Cam vote Bex", "Dov vote endorse Bex")

    assert (play.game.table.get("Bex"), play.game.table.get("Gus"), play.game.table["Cam"]) == (None, None, "Bex")
    assert play.game.table.get("Dov") is None
    assert play.do("Bex vote Ash").game.table["Bex"] == "Ash"
    assert play.game.table["Dov"] == "Ash"


def test_as_of_now_does_not_count_the_own_vote_among_others() -> None:
    """D-N6: who else votes for Gus just before is what counts, not the voter's own vote of that instant."""
    play = Play(S7).do("Dov vote Gus").do(
        "Dov vote Fay if at least 1 others are voting for Gus as of now, otherwise Bex")
    assert play.game.table["Dov"] == "Bex"

    play = Play(S7).do("Dov vote Gus", "Cam vote Gus").do(
        "Dov vote Fay if at least 1 others are voting for Gus as of now, otherwise Bex")
    assert play.game.table["Dov"] == "Fay"


def test_a_closed_vote_waits_for_no_condition() -> None:
    """D-N12: while a lynched Hunter chooses, no instant that a ballot names is waited for."""
    play = Play(S7).do("Fay vote Gus if it is after 1970-01-02T18:00Z, otherwise Eli", at=8 * HOUR)
    assert play.rules.alarm(play.game) == (42 * HOUR, "a condition")

    play.do("Ash vote Eli", "Bex vote Eli", "Cam vote Eli", at=9 * HOUR)
    assert (play.game.phase, play.owed) == ("day", [("Eli", "shoot")])
    assert play.rules.alarm(play.game) is None


def test_a_late_ballot_knows_what_was_disclosed_in_between() -> None:
    """NC 6: from the instant of the disclosure on, and not before, a condition on it holds."""
    play = Play(V8).lynch("Hal", "Bex", "Cam", "Dov", "Eli", "Fay").do("Ash attack Gus", "dawn")
    began = play.game.began
    play.do("Bex vote Ash if Gus was a villager", "Cam vote Ash", "Eli vote Ash", at=began + HOUR)
    official(play, Disclosed("Gus", "villager"), began + 4 * HOUR)
    play.do("Eli vote nobody", at=began + 5 * HOUR)

    play.do("Fay vote Ash", at=began + 2 * HOUR)

    assert lynchings(play)[1:] == [(began + 4 * HOUR, "Ash")]


def test_a_late_ballot_meets_an_instant_that_has_passed_since() -> None:
    """D-V9: a condition's instant after all ballots, and before now, is looked at too."""
    play = Play(S7).do("Bex vote Gus", "Cam vote Gus", at=9 * HOUR)
    play.do("Fay vote Gus if it is after 1970-01-01T14:00Z and it is before 1970-01-01T15:00Z", at=10 * HOUR)
    play.do("dawn", "dawn")
    assert (play.game.clock, lynchings(play)) == (15 * HOUR, [])

    play.do("Dov vote Gus", at=11 * HOUR)

    assert lynchings(play) == [(14 * HOUR, "Gus")]


def test_a_late_ballot_does_not_know_of_a_later_death() -> None:
    """D-V9, NC 6: on the day that is counted again Hal is dead from the instant on at which e was."""
    play = Play(V8).do("Bex vote Gus", "Cam vote Gus", "Dov vote Gus", "Eli vote Gus if Hal is dead", at=8 * HOUR)
    play.do("Dov vote nobody", at=10 * HOUR)
    official(play, Killed("Hal", "departure"), 11 * HOUR)
    assert lynchings(play) == []

    play.do("Fay vote Gus", at=9 * HOUR)

    assert lynchings(play) == [(11 * HOUR, "Gus")]


CAST = "Ash:nephite Bex:gadianton Cam:gadianton Dov:prophet Eli:nephite Fay:nephite Gus:nephite Hal:nephite"
TOWN = "Ash:civilian Bex:mafioso Cam:mafioso Dov:policeman Eli:civilian Fay:civilian Gus:civilian Hal:civilian"
GUILTY, INNOCENT = For("guilty"), For("innocent")


class Trial(Play):
    """A vote on Bex among eight; instants are hours from its beginning."""

    def __init__(self, name: str = "gadianton", switches: Mapping[str, str] | None = None) -> None:
        super().__init__(CAST if name == "gadianton" else TOWN, name, switches)
        self.do("dawn", "Ash accuse Bex", "Cam second Bex", *(["dawn"] if name == "gadianton" else []))
        assert self.game.stage == "ballot"
        self.began = self.game.clock

    def says(self, hours: float, ballot: Ballot, *voters: str) -> None:
        """Let *voters* cast *ballot* after so many *hours*."""
        for who in voters:
            at = self.began + int(hours * HOUR)
            self.game, self.news = self.rules.cast(self.game, at, who, "vote", ballot)

    def with_more(self, hours: float, ballot: Ballot, who: str) -> None:
        """Let *who* cast *ballot* after so many *hours*, which comes in with others that are late."""
        at = self.began + int(hours * HOUR)
        self.game, self.news = self.rules.cast(self.game, at, who, "vote", ballot, more=True)

    def after(self, hours: int) -> int:
        """Return the instant that is so many *hours* after the beginning."""
        return self.began + hours * HOUR

    def passes(self, hours: int) -> None:
        """Let that much time have passed."""
        while (alarm := self.rules.alarm(self.game)) and alarm[0] <= self.after(hours):
            self.game, self.news = self.rules.strike(self.game, *alarm)

    def convicted(self) -> list[tuple[float, str]]:
        """Return after how many hours who was convicted."""
        return [((at - self.began) / HOUR, who) for at, who in lynchings(self)]


@pytest.mark.parametrize("name", ["gadianton", "narrated-mafia"])
def test_it_meets_an_instant_that_a_condition_names_and_that_has_passed(name: str) -> None:
    """D-V9: with it there were five of eight from noon on, until the first of them changed eir verdict."""
    trial = Trial(name)
    trial.says(1, GUILTY, "Ash", "Cam", "Dov")
    trial.says(2, If(After(trial.after(12)), GUILTY, Nobody()), "Eli")
    trial.passes(13)
    trial.says(13, INNOCENT, "Ash")

    trial.says(11, GUILTY, "Fay")

    assert trial.convicted() == [(12, "Bex")]
    assert trial.game.ever(Recounted) == [Recounted("Fay", trial.after(11))]
    assert trial.game.ever(Voided) == [Voided("Ash", trial.after(13), trial.after(12))]


def test_what_was_so_only_for_some_hours_is_looked_at_as_it_was() -> None:
    """D-V9: four before the twelfth hour, and four from the thirteenth on, are never five."""
    trial = Trial()
    trial.says(1, GUILTY, "Ash", "Cam")
    trial.says(2, If(Before(trial.after(12)), GUILTY, Nobody()), "Eli")
    trial.passes(13)
    trial.says(14, Nobody(), "Gus")

    trial.says(13, GUILTY, "Fay")
    assert trial.convicted() == []
    trial.says(11, GUILTY, "Hal")

    assert trial.convicted() == []
    assert trial.game.table["Hal"] == "guilty"


def test_a_majority_that_comes_by_leaving_comes_then() -> None:
    """D-A2: four of eight are none, and four of seven are one."""
    trial = Trial()
    trial.says(1, GUILTY, "Ash", "Cam", "Dov")
    official(trial, Removed("Hal", "left"), trial.after(12))
    trial.says(13, INNOCENT, "Ash")

    trial.says(11, GUILTY, "Fay")

    assert trial.convicted() == [(12, "Bex")]


def test_who_has_left_since_was_there() -> None:
    """D-A8: the verdict of one who has left counts until then, and nobody knew of it before."""
    trial = Trial()
    trial.says(1, GUILTY, "Ash", "Cam", "Hal")
    trial.says(2, If(Dead("Hal"), INNOCENT, GUILTY), "Dov")
    official(trial, Removed("Hal", "left"), trial.after(12))
    assert trial.game.table["Dov"] == "innocent"

    trial.says(10, GUILTY, "Fay")

    assert trial.convicted() == [(10, "Bex")]


@pytest.mark.parametrize(("fact", "news"), [
    (Fact("it rains"), Published("it rains", value=True)), (Was("Gus", "villager"), Disclosed("Gus", "villager"))])
def test_what_is_published_counts_from_then_on(fact: Fact | Was, news: Published | Disclosed) -> None:
    """D-N8: a majority that hangs on it comes with it, and not at all if a verdict was changed before."""
    for changed, convicted in ((13, [(12, "Bex")]), (11.5, [])):
        trial = Trial()
        trial.says(1, GUILTY, "Ash", "Cam", "Dov")
        trial.says(1, If(fact, GUILTY, Nobody()), "Eli")
        if changed < 12:
            trial.says(changed, INNOCENT, "Ash")
        official(trial, news, trial.after(12))
        if changed > 12:
            trial.says(changed, INNOCENT, "Ash")

        trial.says(11, GUILTY, "Fay")

        assert trial.convicted() == convicted


def test_a_late_copy_is_of_the_verdict_of_its_own_time() -> None:
    """D-N6: of what Ash had said just before the copy's instant, at that hour."""
    trial = Trial()
    trial.says(1, If(After(trial.after(6)), GUILTY, INNOCENT), "Ash")
    trial.says(9, INNOCENT, "Ash")
    trial.says(12, Nobody(), "Hal")

    for hours, who in ((5, "Dov"), (8, "Eli"), (9, "Fay"), (10, "Gus")):
        trial.says(hours, Copy("Ash"), who)

    said = {who: trial.game.table[who] for who in ("Dov", "Eli", "Fay", "Gus")}
    assert said == {"Dov": "innocent", "Eli": "guilty", "Fay": "guilty", "Gus": "innocent"}


def test_those_that_come_in_together_are_weighed_together() -> None:
    """D-A8: what the second of them prevents doesn't come about, and what both bring about does at its time."""
    trial = Trial()
    trial.says(1, GUILTY, "Ash", "Cam", "Dov")
    trial.says(8, GUILTY, "Gus")
    trial.with_more(5, GUILTY, "Fay")
    trial.says(6, INNOCENT, "Fay")
    assert (trial.convicted(), trial.game.table["Fay"]) == ([], "innocent")

    trial = Trial()
    trial.says(1, GUILTY, "Ash", "Cam", "Dov")
    trial.says(7, INNOCENT, "Ash")
    trial.says(8, GUILTY, "Hal")
    trial.with_more(5, GUILTY, "Fay")
    assert trial.convicted() == []
    trial.with_more(5.5, GUILTY, "Eli")
    trial.says(6, INNOCENT, "Gus")
    assert trial.convicted() == [(5.5, "Bex")]


def test_of_one_players_two_the_earlier_may_convict() -> None:
    """D-A8: though the later of both, which is known by then, says innocent."""
    trial = Trial()
    trial.says(1, GUILTY, "Ash", "Cam", "Dov", "Gus")
    trial.passes(9)
    trial.says(9, Nobody(), "Hal")
    trial.with_more(5, GUILTY, "Fay")
    trial.says(6, INNOCENT, "Fay")

    assert trial.convicted() == [(5, "Bex")]
    assert trial.game.ever(Voided)[0] == Voided("Fay", trial.after(6), trial.after(5))


def test_all_that_came_in_together_are_weighed_though_somebody_left_between_them() -> None:
    """D-A8, D-A2: who leaves and plays on (`departure: stay`) doesn't part them."""
    trial = Trial(switches={"departure": "stay"})
    trial.says(1, GUILTY, "Ash", "Cam", "Dov", "Gus")
    trial.says(9, INNOCENT, "Hal")
    trial.with_more(5, GUILTY, "Fay")
    trial.game, trial.news = trial.rules.settle(trial.game, trial.after(9), (Removed("Eli", "word"),), (), "deed 1")
    trial.says(6, INNOCENT, "Fay")

    assert trial.convicted() == [(5, "Bex")]
