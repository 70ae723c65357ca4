"""Votes in turn, where the contest says so (LT 5a, D-T22, D-T26; the switch ``ballot_order``)."""

from __future__ import annotations

import pytest

from nomicwolf.village.events import Announced, BallotsOpened, Drawn, Nominated, Told
from nomicwolf.village.lots import draw, public_lot
from tests.village.games import HOUR
from tests.village.staged import Staged

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
