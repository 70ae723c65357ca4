"""Trials by day: who waits, who is told what, when a verdict is there (GA 5, NM 7, SP 2, SP 3)."""

from __future__ import annotations

import pytest

from nomicwolf.village.ballots import For, If, Majority, Nobody
from nomicwolf.village.events import (
    Acquitted,
    Announced,
    BallotsOpened,
    Counted,
    Drawn,
    Ended,
    Lynched,
    Nominated,
    Tried,
)
from nomicwolf.village.lots import draw
from nomicwolf.village.rules import Refusal
from tests.village.games import HOUR
from tests.village.staged import Staged


def morning(name: str = "G12", **switches: str) -> Staged:
    """Day 1, nobody having been killed."""
    return Staged(name, switches=switches).to("day")


def tried(play: Staged) -> list[str]:
    """Return who has been tried, in order."""
    return [t.who for t in play.game.ever(Tried)]


def counts(play: Staged) -> list[Counted]:
    """Return all counts so far."""
    return play.game.ever(Counted)


def test_whoever_is_on_trial_is_not_accused_again() -> None:
    """GA 5c: neither while e is heard nor while the others vote."""
    play = morning().at_once("N1 accuse G1", "N2 second G1")
    for stage in ("defence", "ballot"):
        assert play.game.stage == stage
        with pytest.raises(Refusal, match="G1 is on trial already"):
            play.do("N3 accuse G1")
        if stage == "defence":
            play.to("ballot")


def test_an_accused_who_dies_while_heard_ends_the_trial() -> None:
    """D-G11: the day goes on with its discussion, and with whoever waits."""
    for stage in ("defence", "ballot"):
        play = morning().at_once("N1 accuse G1", "N2 second G1")
        play = play if stage == "defence" else play.to("ballot")
        assert play.kill("G1").game.stage == "discussion"
        waiting = morning().at_once("N1 accuse G1", "N2 second G1", "N3 accuse N4", "N5 second N4").kill("G1")
        assert (waiting.game.stage, tried(waiting)) == ("defence", ["G1", "N4"])


def test_those_who_wait_are_tried_in_the_order_of_the_accusations() -> None:
    """D-G11: not in that of the seconds, whoever accused first."""
    play = morning().at_once(
        "N1 accuse G1", "N2 second G1", "N1 accuse N7", "N1 accuse N8", "N2 second N8", "N2 second N7")
    for _ in range(3):
        play.to("ballot")

    assert tried(play) == ["G1", "N7", "N8"]


def test_a_second_counts_for_one_trial() -> None:
    """NM 7a, D-C3: after an acquittal one must be seconded anew, though another's trial takes no second away."""
    play = morning("C11").at_once("C1 accuse M1", "S1 second M1", "C1 accuse M2", "S1 second M2")
    assert tried(play) == ["M1"]
    play.do("dawn")
    assert tried(play) == ["M1", "M2"]
    play.do("dawn")

    assert (tried(play), play.game.stage) == (["M1", "M2"], "discussion")
    assert tried(play.at_once("S1 second M1")) == ["M1", "M2", "M1"]


def test_a_seconder_is_no_accuser() -> None:
    """D-C1: with a threshold of two the only accuser can't be the other second."""
    play = morning("C11", call_threshold="2").at_once("C1 accuse M1", "S1 second M1")
    with pytest.raises(Refusal, match=r"^An accusation is seconded by somebody else than its accuser\.$"):
        play.do("C1 second M1")

    assert tried(play) == []


def test_the_only_accusation_need_not_be_named() -> None:
    """GA 5c: a second without a name is of the one who can be seconded; of two, one must be named."""
    assert tried(morning().at_once("N1 accuse G1", "N2 second")) == ["G1"]
    assert tried(morning().at_once("N1 accuse G1", "N2 accuse N3", "N2 second")) == ["G1"]
    for moves in (("N1 accuse G1", "N1 accuse N3"), ()):
        with pytest.raises(Refusal, match="To second you must name one person"):
            morning().at_once(*moves, "N2 second")


def test_nobody_seconds_an_accusation_of_emself() -> None:
    """D-G9: nor one that nobody has made."""
    with pytest.raises(Refusal, match="not yourself"):
        morning().at_once("N1 accuse G1", "G1 second G1")
    with pytest.raises(Refusal, match=r"^Nobody has accused G2\.$"):
        morning().at_once("N1 accuse G1", "N2 second G2")


def test_a_verdict_is_there_once_all_have_voted() -> None:
    """GA 5e: five of twelve are too few, and nobody is left to say more."""
    play = morning().at_once("N1 accuse G1", "N2 second G1").to("ballot")
    play.at_once(*(f"N{i} guilty" for i in range(1, 6)), *(f"{p} innocent" for p in ("G1", "G2", "G3", "P1", "N6")))
    play.at_once("N7 innocent")
    assert not play.has(Acquitted)

    play.at_once("N8 innocent")
    assert (play.has(Acquitted, who="G1"), play.game.stage) == (True, "discussion")


def test_a_count_tells_what_changed_and_how_it_stands() -> None:
    """GA 5e: the new vote, all votes for either verdict, and how many convict; a vote repeated changes nothing."""
    play = morning().at_once("N1 accuse G1", "N2 second G1").to("ballot").at_once(
        "N1 guilty", "N2 innocent", "N2 innocent", "N3 guilty")

    assert counts(play) == [
        Counted((("N1", "guilty"),), (("guilty", 1),), 7),
        Counted((("N2", "innocent"),), (("guilty", 1), ("innocent", 1)), 7),
        Counted((("N3", "guilty"),), (("guilty", 2), ("innocent", 1)), 7),
    ]


def test_a_quiet_day_is_told_of() -> None:
    """GA 5g, D-C4: the day ends without a death, and that is said."""
    play = morning().to("night")

    assert play.game.last(Announced) == Announced("quiet day", "Nobody was killed today.")


def test_nominations_for_nobody_who_can_be_are_none() -> None:
    """SP 2a, D-M3: in a run-off only the tied can be named; what comes to somebody else is opened as no vote."""
    play = Staged("M8").to("night").to("day").to("nominations").at_once(
        "A nominate D", "B nominate D", "C nominate E", "D nominate E", "E vote endorse F").do("dawn")
    assert play.game.last(Nominated) == Nominated(("D", "E"))
    play.at_once("A nominate D", "F vote endorse A", "B vote endorse C").do("dawn")

    opened = play.game.last(BallotsOpened)
    assert opened is not None
    assert {who: whom for who, whom in opened.votes if whom} == {"A": "D", "F": "D"}
    assert tried(play) == ["D"]


def test_a_tie_of_the_run_off_is_drawn_for_its_trial() -> None:
    """D-M3: the lot has a place of its own for each trial of a day, so that two need not fall alike."""
    play = Staged("M8").to("night").to("day").to("nominations").at_once("A nominate D", "C nominate E").do("dawn")
    play.do("dawn")

    assert play.game.ever(Drawn)[-1] == Drawn("trial 1, day 1", ("D", "E"), draw("seed", "trial 1, day 1", ["D", "E"]))
    assert tried(play) == list(draw("seed", "trial 1, day 1", ["D", "E"]))


def test_a_mayor_outweighs_one_and_not_two() -> None:
    """SP 3b: two votes, no more."""
    cast = "A:mafioso B:mafioso C:mayor D:townie E:townie F:townie G:townie"
    play = Staged("M8", cast, {"last_words": "0"}).to("night").to("day").to("nominations").at_once("A nominate D")
    play.to("verdict").at_once("C guilty", "E innocent", "F innocent").do("dawn")

    assert (play.has(Acquitted, who="D"), play.has(Lynched)) == (True, False)


@pytest.mark.parametrize(("hours", "stage"), [("12", "last words"), ("1", "last words")])
def test_last_words_have_their_hours(hours: str, stage: str) -> None:
    """D-M14: so many hours as the switch says, to the second."""
    play = Staged("M8", switches={"last_words": hours}).to("night").to("day").to("nominations").at_once("A nominate D")
    play.to("verdict").at_once("A guilty").do("dawn")

    assert (play.game.stage, play.game.deadline - play.game.clock) == (stage, int(hours) * HOUR)
    assert play.game.last(Announced) == Announced("verdict", "D is found guilty.", ("D",))


def test_nothing_begins_after_the_end() -> None:
    """GA 6b: when the session ends while somebody is on trial, no stage follows."""
    play = morning().at_once("N1 accuse G1", "N2 second G1").kill("G1", "G2", "G3")

    assert play.end() == "nephites"
    assert isinstance(play.game.entries[-1].event, Ended)


def test_a_verdict_on_a_majority_counts_persons_only() -> None:
    """SP 3b: five of eight are more than half; guilty and innocent, which can be voted for, are nobody."""
    play = Staged("M8").to("nominations").at_once("A nominate D").to("verdict")
    play.at_once("A guilty", "B guilty", "C guilty", "E guilty", "F guilty")
    hangs = If(Majority("guilty"), For("guilty"), Nobody())
    play.game, _ = play.rules.cast(play.game, play.game.clock + 60, "G", "vote", hangs)

    play.do("dawn")

    assert dict(play.game.ever(BallotsOpened)[-1].votes)["G"] == "guilty"
