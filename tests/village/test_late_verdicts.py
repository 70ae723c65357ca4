"""Verdicts that come in late: the vote is weighed again from their own instant on (GA 5e, NM 7b, D-A8, D-V9)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from nomicwolf.village.ballots import After, Ballot, Before, Copy, Dead, Fact, For, If, Nobody, Was
from nomicwolf.village.events import Disclosed, Published, Recounted, Removed, Voided
from tests.village.games import HOUR, Play
from tests.village.test_late_votes import lynchings, official

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
