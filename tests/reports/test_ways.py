"""What letters say of how one votes is what the laws of the rule set say."""

import pytest

from nomicwolf.reports.ways import open_to_all, voting, where
from nomicwolf.village.rulesets import ruleset
from tests.village.staged import Staged

ADDRESS = "wolf@contest.test"


@pytest.mark.parametrize("name", ["gadianton", "narrated-mafia"])
def test_accusations_go_to_a_forum(name: str) -> None:
    """GA 5b, NM 7a: accuse, second and verdict, each with its words."""
    lines = voting(ruleset(name), ADDRESS)
    forum = lines[lines.index("By day, in a forum, on a line of its own:") + 1:]

    assert [line.split()[1] for line in forum if line.startswith("- ")] == ["accuse", "second", "guilty"]
    assert where(ruleset(name), ADDRESS) == f"Votes go to a forum, private actions to {ADDRESS}."


def test_sealed_ballots_go_to_the_contest_alone() -> None:
    """D-M1: nobody is told to nominate in a forum."""
    lines = voting(ruleset("six-phases"), ADDRESS)

    assert "By day, in a forum, on a line of its own:" not in lines
    assert f"By day, by private mail to {ADDRESS} alone:" in lines
    assert where(ruleset("six-phases"), ADDRESS) == f"Ballots and private actions go to {ADDRESS}."


def test_votes_that_stand_are_told_of_by_example() -> None:
    """NC 3."""
    assert '- "I endorse Cam."' in voting(ruleset("nomic-crossing"), ADDRESS)


HEAD = "Open in a forum, on a line of its own:"


def test_a_stage_says_what_is_open_in_it() -> None:
    """LT 5a, LT 5d, SP 3b: to nominate, to choose among nominees, to judge; nothing in a defence."""
    play = Staged("T8").to("day")
    rules = play.rules
    assert open_to_all(rules, play.game) == [HEAD, "- vote NAME: nominate somebody"]

    play.at_once("W1 nominate V1", "W2 nominate V2").do("dawn")
    assert (play.game.stage, open_to_all(rules, play.game)) == ("defence", [])
    assert open_to_all(rules, play.do("dawn").game) == [
        HEAD, "- vote NAME: lynch one of the nominees, who have no vote"]
