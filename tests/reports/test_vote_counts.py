"""What letters say of votes: how they are given, what they come to, what is not counted yet."""

from __future__ import annotations

import pytest

from nomicwolf.reports.json_reports import votes_json
from nomicwolf.reports.sections import verdicts_of
from nomicwolf.reports.terminal import votes_text
from nomicwolf.reports.vote_counts import final_count, how_to_vote, public_duties, where_to_write
from nomicwolf.village.ballots import For
from nomicwolf.village.events import Lynched, Voted
from nomicwolf.village.game import replay
from nomicwolf.village.rulesets import ruleset
from tests.contest.world import HOUR, START, World, setup
from tests.village.games import S7, Play, Staged
from tests.village.test_departures import KILL, leave

ADDRESS = "wolf@contest.test"


@pytest.mark.parametrize("name", ["gadianton", "narrated-mafia"])
def test_accusations_go_to_a_forum(name: str) -> None:
    """GA 5b, NM 7a: accuse, second and verdict, each with its words."""
    lines = how_to_vote(ruleset(name), ADDRESS)
    forum = lines[lines.index("By day, in a forum, on a line of its own:") + 1:]

    assert [line.split()[1] for line in forum if line.startswith("- ")] == ["accuse", "second", "guilty"]
    assert where_to_write(ruleset(name), ADDRESS) == f"Votes go to a forum, private actions to {ADDRESS}."


def test_sealed_ballots_go_to_the_contest_alone() -> None:
    """D-M1: nobody is told to nominate in a forum."""
    lines = how_to_vote(ruleset("six-phases"), ADDRESS)

    assert "By day, in a forum, on a line of its own:" not in lines
    assert f"By day, by private mail to {ADDRESS} alone:" in lines
    assert where_to_write(ruleset("six-phases"), ADDRESS) == f"Ballots and private actions go to {ADDRESS}."


def test_votes_that_stand_are_told_of_by_example() -> None:
    """NC 3."""
    assert '- "I endorse Cam."' in how_to_vote(ruleset("nomic-crossing"), ADDRESS)


HEAD = "Open in a forum, on a line of its own:"


def test_a_stage_says_what_is_open_in_it() -> None:
    """LT 5a, LT 5d, SP 3b: to nominate, to choose among nominees, to judge; nothing in a defence."""
    play = Staged("T8").to("day")
    rules = play.rules
    assert public_duties(rules, play.game) == [HEAD, "- vote NAME: nominate somebody"]

    play.at_once("W1 nominate V1", "W2 nominate V2").do("dawn")
    assert (play.game.stage, public_duties(rules, play.game)) == ("defence", [])
    assert public_duties(rules, play.do("dawn").game) == [
        HEAD, "- vote NAME: lynch one of the nominees, who have no vote"]


CAST = "G1:gadianton G2:gadianton P1:prophet N1:nephite N2:nephite N3:nephite N4:nephite N5:nephite"


def test_a_conviction_names_who_said_guilty() -> None:
    """GA 5e: the verdicts as they stood at the conviction."""
    play = Play(CAST, "gadianton").do("G1 attack N1", "G2 attack N1", "P1 see G1", "dawn")
    play.do("N2 accuse G1", "N3 second G1", "dawn")
    for who in ("N2", "N3", "N4", "P1"):
        verdict = For("guilty")
        play.game, play.news = play.rules.cast(play.game, play.game.clock + 60, who, "vote", verdict)

    lynching = next(e for e in play.news if e.event.name == "lynched")
    before = replay(e for e in play.game.entries if e.number < lynching.number)
    assert verdicts_of(before) == {"guilty": ["P1", "N2", "N3", "N4"], "innocent": []}
    assert verdicts_of(replay(e for e in play.game.entries if e.number < 5)) == {}


def made_by(play: Play) -> tuple[int, str]:
    """How many votes the last lynching had, and whose ballot made it ('': nobody's)."""
    lynching = play.game.lines(Lynched)[-1]
    counted, last = final_count(replay(e for e in play.game.entries if e.number <= lynching.number), lynching)
    return counted.counts["Gus"], last.event.who if last is not None and isinstance(last.event, Voted) else ""


def test_a_lynching_by_a_death_is_no_ballots_doing() -> None:
    """NC 3: the ballot of that instant made it; where there are fewer to be more than half of, none did."""
    voted = ("Ash vote Gus", "Bex vote Gus", "Cam vote Gus")

    assert made_by(Play(S7, switches=KILL).do(*voted, "Dov vote Gus")) == (4, "Dov")
    play = Play(S7, switches=KILL).do(*voted)
    leave(play, "Dov")
    leave(play, "Fay")
    assert made_by(play) == (3, "")


def asked(at: float) -> World:
    """A session in which Bex voted at hour 1 and Cam six minutes later, and Cam asks for the votes at hour *at*."""
    world = World(setup(settling=600)).start()
    world.tick(0.9)
    world.write("Bex", "I vote for Gus.", at=1)
    world.write("Cam", "I endorse Bex.", at=1.1)
    world.tick(at)
    world.write("Cam", "votes", "contestmaster", at=at)
    return world


def test_a_vote_that_still_settles_is_told_beside_the_count() -> None:
    """Cam finds eir vote in the answer, and why it isn't in the count; the contestmaster reads the same."""
    world = asked(1.18)
    answer = next(m.body for m in world.letters if m.person == "Cam")

    assert "1/4  [#...]  Gus  Bex" in answer
    for told in (answer, votes_text(world.contest)):
        rest = told.partition("not in this count yet")[2]
        assert "counts 10 minutes after" in rest.replace("\n", " ")
        assert "01:06 UTC  Cam  endorse Bex" in rest
        assert "Gus" not in rest.partition("Open to you")[0]


def test_a_count_is_of_when_all_was_heard() -> None:
    """And not of the last vote: nobody has to wonder whether later ones are in it; an earlier poll tells nothing."""
    contest = asked(1.5).contest
    for heard, told in ((START + 3 * HOUR, "03:00"), (START, "01:")):
        assert f"as of Tue 1 Dec 2026 {told}" in votes_text(contest, heard)
        assert votes_json(contest, heard)["at"].startswith(f"2026-12-01T{told}")


def test_nothing_is_said_where_all_is_counted() -> None:
    """A quarter of an hour later there is nothing to tell."""
    world = asked(1.5)
    answer = next(m.body for m in world.letters if m.person == "Cam")

    assert "not in this count yet" not in answer
    assert "not in this count yet" not in votes_text(world.contest)
    assert "2/4  [##..]  Gus  Bex, Cam (endorsing Bex)" in answer
