"""Trials by day, and votes in turn (GA 5, NM 7, SP 2, SP 3, LT 5a)."""

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
    Told,
    Tried,
)
from nomicwolf.village.lots import draw, public_lot
from nomicwolf.village.rules import Refusal
from tests.village.games import HOUR, Staged


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


IN_TURN = {"ballot_order": "sequential"}
SEATS = ("W1", "W2", "S", "V1", "V2", "V3", "V4", "V5")


def turn(play: Staged) -> list[str]:
    """Return who may vote now."""
    return [p for p in play.game.living() if any(d.verb == "vote" for d in play.rules.duties(play.game, p))]


def alarms(play: Staged, what: str) -> list[int]:
    """Return after how many hours of the stage something called *what* is due."""
    began = play.game.deadline - 48 * HOUR
    return sorted({(at - began) // HOUR for at, name in play.rules.alarms(play.game) if name == what})


def test_all_living_have_the_same_time_in_the_first_round() -> None:
    """D-T22: 48 hours are eight turns of six; who has voted hands on at once, who lets eir time pass is passed over."""
    play = Staged("T8", switches=IN_TURN).to("nominations")
    began = play.game.clock
    assert (turn(play), alarms(play, "turn"), alarms(play, "stage")) == (
        ["W1"], [6, 12, 18, 24, 30, 36, 42, 48], [48])

    play.do("W1 nominate V1", at=began + HOUR)
    assert turn(play) == ["W2"]
    play.do("dawn")
    assert (play.game.clock, turn(play), alarms(play, "turn")[0]) == (began + 6 * HOUR, ["W2"], 12)
    play.do("dawn")
    assert (play.game.clock, turn(play)) == (began + 12 * HOUR, ["S"])
    play.do("S nominate V1", "V1 nominate W1", "V2 nominate V1", "V3 nominate W1", "V4 nominate W1", "V5 nominate W1")
    assert turn(play) == []


def test_each_is_asked_once_when_eir_turn_comes() -> None:
    """D-T22: the order is announced with the stage; the next is told when the one before has voted or let it pass."""
    play = Staged("T8", switches=IN_TURN).to("nominations")
    began = play.game.clock
    assert [a.about for a in play.game.now(Announced, topic="the order")] == [SEATS]

    play.do("W1 nominate V1", at=began + HOUR).do("dawn").do("dawn")
    told = play.game.now(Told, topic="turn")
    assert [t.to for t in told] == ["W1", "W2", "S"]
    assert "until " in told[0].text


def test_each_has_one_turn() -> None:
    """D-T22: the last vote that counts is the only one; another is refused until the next round."""
    play = Staged("T8", switches=IN_TURN).to("nominations").at_once("W1 nominate V1", "W2 nominate V1")

    assert turn(play) == ["S"]
    assert {who for who, _ in play.rules.owed(play.game)} == set()


def test_the_nominated_have_no_turn_in_the_ballot() -> None:
    """LT 5d: six of eight share the ballot's 48 hours, and are asked in the order of their seats."""
    play = Staged("T8", switches=IN_TURN).to("nominations").at_once(
        "W1 nominate W1", "W2 nominate V1", "S nominate V1", "V1 nominate W1")
    play.to("defence")
    assert alarms(play, "turn") == []
    assert turn(play) == []
    play.to("ballot")

    assert (turn(play), alarms(play, "turn")) == (["W2"], [8, 16, 24, 32, 40, 48])
    play.at_once("W2 vote V1", "S vote W1")
    assert turn(play) == ["V2"]


def test_a_repeated_ballot_has_the_same_voters_in_turn() -> None:
    """D-T8: those who were nominated first stay out, also those of them who are no longer in question."""
    play = Staged("T12", switches=IN_TURN).to("nominations").at_once(
        "W1 nominate W1", "W2 nominate V1", "S nominate V2", "Me nominate W1", "Po nominate V1", "Bo nominate V2")
    play.to("ballot")
    assert play.game.last(Nominated) == Nominated(("W1", "V1", "V2"))
    play.at_once("W2 vote V1", "S vote W1").to("defence").to("ballot")

    assert play.game.last(Nominated) == Nominated(("W1", "V1"), 2)
    assert turn(play) == ["W2"]
    began = play.game.deadline - 48 * HOUR
    assert [at - began for at, what in play.rules.alarms(play.game) if what == "turn"] == [
        48 * HOUR * n // 9 for n in range(1, 10)]


@pytest.mark.parametrize(("victim", "first"), [("S", "V1"), ("V4", "V5"), ("W2", "Wo")])
def test_the_turns_go_round_from_the_last_slaughtered(victim: str, first: str) -> None:
    """LT 5a, D-T26: the one to the right of the last slaughtered begins, and the round closes at the first seat."""
    cast = " ".join(f"{p}:{'seer' if p == 'S' else 'villager'}" for p in SEATS if p not in ("W1", "W2"))
    cast = f"W1:werewolf W2:villager Wo:werewolf {cast}"
    play = Staged("T8", cast, IN_TURN).to("nominations")
    everyone = [p for p in play.game.living() if p != "V5"]
    for _ in everyone:
        play.at_once(f"{turn(play)[0]} nominate V5")
    play.to("night").do(f"Wo attack {victim}").to("nominations")

    assert turn(play) == [first if first != "V5" else "W1"]


def test_a_lot_between_the_tied_is_told_to_all() -> None:
    """LT 5e, D-N23: the draw under its purpose, and who was tied, in words; nothing is told where one leads."""
    game = Staged("T8").game
    who, news = public_lot(game, "lynching, day 1", ("V1", "V2"))
    draws = draw("seed", "lynching, day 1", ("V1", "V2"))

    assert (who,) == draws
    assert news == (Drawn("lynching, day 1", ("V1", "V2"), draws),
                    Announced("a lot", f"It is a tie between V1 and V2; the lot falls on {who}.", (who,)))
    assert public_lot(game, "lynching, day 1", ("V1",)) == ("V1", ())


def test_without_the_switch_all_vote_at_any_time() -> None:
    """D-T22: that is how it is by default."""
    play = Staged("T8").to("day")

    assert turn(play) == list(SEATS)
    assert alarms(play, "turn") == []
    assert not play.has(BallotsOpened)


@pytest.mark.parametrize("stage", ["defence", "ballot"])
def test_nominations_begin_anew_when_all_nominees_have_gone(stage: str) -> None:
    """LT 5, D-T22: nobody is lynched, all who live have a turn again, and only the new nominees stay out of the ballot.

    The new ballot may be tied once more, as if it were the first.
    """
    play = Staged("T12", switches=IN_TURN).to("nominations").at_once(
        "W1 nominate W1", "W2 nominate V1", "S nominate V1", "Me nominate W1").to(stage)
    play.kill("W1", "V1")

    assert (play.game.stage, play.lynched()) == ("nominations", [])
    assert (turn(play), len(alarms(play, "turn"))) == (["W2"], 10)
    play.at_once("W2 nominate V2", "S nominate V3", "Me nominate V2", "Po nominate V3").to("ballot")
    assert play.game.last(Nominated) == Nominated(("V2", "V3"))
    assert (turn(play), len(alarms(play, "turn"))) == (["W2"], 8)
    play.at_once("W2 vote V2", "S vote V3").to("defence")
    assert play.game.last(Nominated) == Nominated(("V2", "V3"), 2)


@pytest.mark.parametrize("stage", ["defence", "ballot"])
def test_the_nominee_who_is_left_alone_is_lynched_at_once(stage: str) -> None:
    """D-T7, D-A2: between one there is nothing to vote on, whatever has been voted."""
    play = Staged("T12").to("day").at_once("W1 nominate W1", "W2 nominate V1", "S nominate V1", "Me nominate W1")
    play.to(stage)
    at = play.game.clock + HOUR
    play.kill("W1")

    assert (play.lynched(), play.game.phase, play.game.clock) == (["V1"], "night", at)
