"""Gadianton: what no rehearsal of it holds. Numbers are those of the rehearsals."""

from __future__ import annotations

import pytest

from nomicwolf.village.events import Counted, Drawn, Ended, Told, Tried
from nomicwolf.village.lots import draw
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets.gadianton import deal
from tests.village.games import Staged


def test_cards_may_be_dealt_by_hand() -> None:
    """GA 2e, D-G14: each player one card of the deck, if the switch says so; then no lot is drawn."""
    names, on = [f"p{i}" for i in range(8)], {"dealt_by_moderator": "on"}
    cards = ["gadianton", "gadianton", "prophet", *["nephite"] * 5]
    given = [f"{p}={card}" for p, card in zip(names, cards, strict=True)]

    dealt, drawn = deal(names, given, "7", on)

    assert (dealt, drawn) == (tuple(zip(names, cards, strict=True)), ())
    for wrong, why in ((given[1:], "each player one role"), ([*given[:-1], "p7=seer"], "look at: p7"),
                       ([*given[:-1], "p7=prophet"], "2 gadianton, 1 prophet, 5 nephite"), ([], "moderator deals")):
        with pytest.raises(Refusal, match=why):
            deal(names, wrong, "7", on)
    with pytest.raises(Refusal, match="by lot unless"):
        deal(names, given, "7", {})


def test_the_gadiantons_know_each_other() -> None:
    """GA 3i (G-04): all their names, and nobody else is told any."""
    play = Staged("G12")

    assert all("G1, G2 and G3" in play.told(g)[0] for g in ("G1", "G2", "G3"))
    assert all(not play.told(n) for n in ("N1", "N8"))
    assert "Nobody may claim a role before the first day" in play.said()[0]  # D-G17


def test_the_choice_of_most_gadiantons() -> None:
    """GA 3i, D-G4 (G-06): the most named dies; nobody is a choice too; a tie is drawn from the seed and recorded."""
    assert "N1" not in Staged("G12").do("G1 attack N1", "G2 attack N1", "G3 attack N2").to("day").alive
    assert len(Staged("G12").do("G1 attack nobody", "G2 attack nobody", "G3 attack N2").to("day").alive) == 12

    tied = Staged("G12").do("G1 attack N1", "G2 attack N2").to("day")
    (lot,) = tied.game.ever(Drawn)
    assert lot.result == draw("seed", "attack, night 1", ["N1", "N2"])
    assert tied.alive == set(tied.game.seats) - set(lot.result)


def test_two_prophets_ask_one_question_each_and_hear_both_answers() -> None:
    """D-G3: they know each other, and see both nods."""
    play = Staged("G16")
    assert "P1 and P2" in play.told("P1")[0]

    play.do("P1 see G1", "P2 see N1")

    for prophet in ("P1", "P2"):
        assert play.told(prophet)[-2:] == ["G1 is a Gadianton.", "N1 is not a Gadianton."]
    with pytest.raises(Refusal):
        play.do("P1 see N2")


def test_what_is_public_does_not_tell_whether_a_prophet_lives() -> None:
    """D-G8 (G-12): the second night has the same letters at the same times, with a Prophet and without."""
    worlds = []
    for victim in ("P1", "N8"):
        play = Staged("G12").do(f"G1 attack {victim}").to("day").to("night")
        start = len(play.public())
        play.do("G1 attack N1", *(["P1 see N2"] if victim == "N8" else ["G2 attack N1"])).to("day")
        worlds.append(play.public()[start:])

    assert worlds[0] == worlds[1]


def quiet_morning(cast: str = "") -> Staged:
    """Day 1 of G12, nobody killed."""
    return Staged("G12", cast).to("day")


def test_an_accusation_needs_a_second() -> None:
    """GA 5c (G-15): without one there is no vote, and the day ends with nobody killed."""
    play = quiet_morning().do("N2 accuse G1", "N3 accuse G1")
    assert not play.has(Tried)

    assert "Nobody was killed today." in play.to("night").said()
    play.to("day").do("N2 accuse G1", "N3 second G1")
    assert play.has(Tried, who="G1")


def test_the_acquitted_are_safe_for_the_day() -> None:
    """GA 5f (G-19): in the next turn e may be accused again."""
    play = quiet_morning().at_once("N1 accuse G1", "N2 second G1").to("ballot").to("discussion")
    with pytest.raises(Refusal, match="acquitted today"):
        play.do("N1 accuse G1")

    play.to("night").to("day").do("N1 accuse G1")


@pytest.mark.parametrize(("switch", "told"), [("on", True), ("off", False)])
def test_the_dead_are_told_everything(switch: str, told: bool) -> None:
    """GA 4b, D-G16: the deal and the nights, in private; they do nothing any more."""
    play = Staged("G12", switches={"dead_see": switch}).do("G1 attack N1", "P1 see G1").to("day")

    story = " ".join(play.told("N1"))
    assert ("G1, G2 and G3" in story and "P1 chose to see G1" in story) is told
    assert not any("P1 chose" in line for p in play.alive for line in play.told(p))
    with pytest.raises(Refusal):
        play.do("N1 accuse G1")


def test_gadiantons_talk_by_night() -> None:
    """GA 3i: what one says the others are told; by day it is refused."""
    play = Staged("G12").do("G1 say pack: N1 or N2?")

    assert play.told("G2")[-1] == play.told("G3")[-1] == "G1 says: N1 or N2?"
    assert not any("N1 or N2" in line for line in play.told("P1"))
    with pytest.raises(Refusal):
        play.to("day").do("G1 say pack: well done")


def test_an_ending_cites_the_clause_that_holds() -> None:
    """GA 6b ends it when the last Gadianton is gone, and GA 6a is not named beside it."""
    play = Staged("G12").kill("G1", "G2", "G3")
    (ended,) = play.game.lines(Ended)

    assert play.end() == "nephites"
    assert ended.cites == ("GA 6b",)


def test_a_second_trial_is_counted_from_nothing() -> None:
    """Who says guilty in two trials of one day is told of in both counts."""
    play = Staged("G12").to("day").at_once("N1 accuse G1", "N2 second G1").to("ballot").at_once("N1 guilty")
    play.to("discussion").at_once("N1 accuse G2", "N2 second G2").to("ballot").at_once("N1 guilty")

    counts = [e.event for e in play.game.lines(Counted) if isinstance(e.event, Counted)]
    assert [c.votes for c in counts] == [(("N1", "guilty"),), (("N1", "guilty"),)]


def test_the_story_that_the_dead_are_told() -> None:
    """D-G16: the cards, and each night's deeds with its number; to all the dead again when the next one dies."""
    play = Staged("G12").do("G1 attack N1", "G2 attack N1", "G3 attack N1", "P1 see G1").to("day")
    cards = ("Gadiantons: G1, G2 and G3.\nProphet: P1.\nNephites: N1, N2, N3, N4, N5, N6, N7 and N8.\n"
             "Night 1: G1 chose to attack N1.\nNight 1: G2 chose to attack N1.\nNight 1: G3 chose to attack N1.\n"
             "Night 1: P1 chose to see G1.")
    assert play.game.ever(Told, topic="story") == [Told("N1", "story", cards, ())]

    play.to("night").do("P1 see G2", "G1 attack N2", "G2 attack N2", "G3 attack N2").to("day")
    more = "".join(f"\nNight 2: {deed}." for deed in (
        "P1 chose to see G2", "G1 chose to attack N2", "G2 chose to attack N2", "G3 chose to attack N2"))
    assert play.game.ever(Told, topic="story")[1:] == [Told(who, "story", cards + more, ()) for who in ("N1", "N2")]
