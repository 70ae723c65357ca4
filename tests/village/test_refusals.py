"""What is refused: the player is told why, by which clause, and whom e may name instead (NC 3, D-N27; `Refusal`)."""

from __future__ import annotations

import pytest

from nomicwolf.village.ballots import Endorse, For
from nomicwolf.village.kernel import with_switches
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import ruleset
from tests.tables import each
from tests.village.games import HOUR, S5, S7, Play
from tests.village.staged import Staged

LIVING = ("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus")
NC3 = ("NC 3", "D-N27")
NIGHT = ("Ash vote Gus", "Bex vote Gus", "Cam vote Gus", "Dov vote Gus")
"""Gus is lynched, and night falls."""
LEFT = LIVING[:-1]
DAWN = ("Ash attack Fay", "Cam see Bex", "Dov heal", "Dov poison nobody", "dawn")
SHOT = ("Ash vote Eli", "Bex vote Eli", "Cam vote Eli", "Dov vote Eli")
"""Eli, the Hunter, is lynched, and chooses."""


def refused(play: Play, move: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return what is said to *move*: why, the clauses, and what may be named."""
    before = len(play.game.entries)
    with pytest.raises(Refusal) as wrong:
        play.do(move)
    assert len(play.game.entries) == before
    assert str(wrong.value) == wrong.value.why
    return wrong.value.why, wrong.value.cites, wrong.value.options


@each(("moves", "move", "why", "cites", "options"), [
    ((), "Bex vote Bex", "Your vote is for another townsperson, not for yourself.", NC3, ()),
    ((), "Bex vote endorse Bex", "You can endorse another townsperson, not yourself.", NC3, ()),
    ((*NIGHT, "Ash attack Fay", "Cam see Bex", "Dov heal nobody", "Dov poison nobody", "dawn"), "Bex vote Gus",
     "Gus is dead.", NC3, ("Ash", "Bex", "Cam", "Dov", "Eli")),
    (NIGHT, "Bex vote Fay", "No such action is open to you now: vote.", (), ()),
    ((), "Cam see Ash", "No such action is open to you now: see.", (), ()),
    (NIGHT, "Ash attack nobody", "You can't decline to attack.", ("NC 4a", "D-N13"), LEFT[1:]),
    (NIGHT, "Ash attack Gus", "Gus is dead.", ("NC 4a", "D-N13"), LEFT[1:]),
    (NIGHT, "Ash attack Zed", "Zed is not in this session.", ("NC 4a", "D-N13"), LEFT[1:]),
    (NIGHT, "Ash attack Ash", "Ash is one of you; name somebody who is not.", ("NC 4a", "D-N13"), LEFT[1:]),
    (NIGHT, "Ash attack", "To attack you must name one person.", ("NC 4a", "D-N13"), LEFT[1:]),
    (NIGHT, "Cam see Ash Bex", "To see you must name one person.", ("NC 7a", "D-N31"),
     ("Ash", "Bex", "Dov", "Eli", "Fay")),
    (NIGHT, "Dov heal Fay", "No such action is open to you now: heal.", (), ()),
    ((*NIGHT, "Ash attack Fay"), "Dov heal Bex", "You can only heal the person who is attacked tonight.",
     ("NC 7b", "D-N33"), ("Fay",)),
    ((*NIGHT, "Ash attack Fay"), "Dov poison Fay", "The poison is for another than the person attacked.",
     ("NC 7b", "D-N14"), ("Ash", "Bex", "Cam", "Eli")),
    ((*NIGHT, "Ash attack Fay"), "Dov poison Dov", "Name another person, not yourself.",
     ("NC 7b", "D-N14"), ("Ash", "Bex", "Cam", "Eli")),
    (NIGHT, "Eli shoot Ash", "No such action is open to you now: shoot.", (), ()),
    ((*NIGHT, *DAWN, *SHOT), "Eli shoot Gus", "Gus is dead.", ("NC 7c", "D-N15"), ("Ash", "Bex", "Cam", "Dov", "Fay")),
    ((*NIGHT, *DAWN, *SHOT), "Eli shoot Zed", "Zed is not in this session.", ("NC 7c", "D-N15"),
     ("Ash", "Bex", "Cam", "Dov", "Fay")),
    ((*NIGHT, *DAWN, *SHOT, "Eli shoot Fay"), "Eli shoot Bex", "No such action is open to you now: shoot.", (), ()),
])
def test_a_refusal_says_why_by_which_clause_and_what_instead(
    moves: tuple[str, ...], move: str, why: str, cites: tuple[str, ...], options: tuple[str, ...]
) -> None:
    """Nothing happens, and the player learns what e can do."""
    assert refused(Play(S7).do(*moves), move) == (why, cites, options)


def test_a_vote_for_a_stranger_is_refused_with_the_living() -> None:
    """NC 3: the townspersons of this session can be voted for, and nobody else."""
    play = Play(S7)
    with pytest.raises(Refusal) as wrong:
        play.rules.cast(play.game, 2 * HOUR, "Bex", "vote", For("Zed"))

    assert wrong.value.why == "Zed is no townsperson of this session."
    assert (wrong.value.cites, wrong.value.options) == (NC3, LIVING)


@pytest.mark.parametrize(("move", "why"), [
    ("Eli match Ash", "To match you must name two persons."),
    ("Eli match Ash Ash", "Name different persons."),
    ("Eli match Ash Bex Cam", "To match you must name two persons."),
])
def test_cupid_names_two(move: str, why: str) -> None:
    """NC 7d: the Lovers are two persons, of all."""
    said = refused(Play(S5), move)

    assert said == (why, ("NC 7d", "D-N28"), ("Ash", "Bex", "Cam", "Dov", "Eli"))


def test_words_need_to_be_some_and_for_a_group_of_ones_own() -> None:
    """LT 3: only those who share a secret can speak in private; an empty message is none."""
    play = Staged("T8").to("night") if Staged("T8").game.phase != "night" else Staged("T8")

    assert refused(play, "W1 say pack:  ")[0] == "There are no words to say."
    assert refused(play, "W1 say spirits: hello")[0] == "No such action is open to you now: say."
    assert refused(play, "V1 say pack: hello")[0] == "No such action is open to you now: say."


@each(("given", "why", "cites"), [
    ({"weather": "on"}, ("nomic-crossing has no switch 'weather'; it has cards, copy_wording, dawn, day_limit, "
     "departure, graveyard, hunter_pause, lovers_vote, nobody_left, parity, reveal_after."), ()),
    ({"setling": "0"}, "nomic-crossing has no switch 'setling'; did you mean settling?", ()),
    ({"departures": "kill"}, "nomic-crossing has no switch 'departures'; did you mean departure?", ()),
    ({"departure": "fly"}, "The switch departure can be stay, kill; it can't be 'fly'.", ("D-N11",)),
    ({"dawn": "noon"}, ("The switch dawn is times of day in UTC, such as '08:00, 20:00', or 'at once'; "
     "it can't be 'noon'."), ("D-N24",)),
])
def test_a_switch_is_refused_with_what_it_can_be(given: dict[str, str], why: str, cites: tuple[str, ...]) -> None:
    """`start` names the ruling that the switch goes back to."""
    with pytest.raises(Refusal) as wrong:
        with_switches(ruleset("nomic-crossing"), given)

    assert (wrong.value.why, wrong.value.cites) == (why, cites)


@pytest.mark.parametrize(("name", "day", "who", "fellow", "dead"), [
    ("G12", (), "G1", "G2", "N1"), ("T12", ("W1 nominate V5",), "W1", "W2", "V1"), ("M8", (), "A", "B", "D"),
    ("C11", (), "M1", "GF", "C1"),
])
def test_a_pack_is_told_whom_it_can_t_attack(name: str, day: tuple[str, ...], who: str, fellow: str, dead: str) -> None:
    """GA 3, LT 3c, SP 4, NM 5b: somebody alive who is none of them."""
    play = Staged(name).to("day").do(*day).kill(dead).to("night")

    assert refused(play, f"{who} attack {fellow}")[0] == f"{fellow} is one of you; name somebody who is not."
    assert refused(play, f"{who} attack {dead}")[0] == f"{dead} is dead."
    assert refused(play, f"{who} attack Zed")[0] == "Zed is not in this session."


def test_a_rule_set_that_is_not_there_is_refused_with_those_that_are() -> None:
    """`start` offers what can be played, in the order of the alphabet."""
    names = ("gadianton", "narrated-mafia", "nomic-crossing", "six-phases", "tabula")
    with pytest.raises(Refusal) as wrong:
        ruleset("chess")

    assert (wrong.value.why, wrong.value.options) == (
        f"There is no rule set 'chess'; there are {', '.join(names)}.", names)


def test_a_ballot_for_nobody_who_can_be_voted_for_is_refused_with_those_who_can() -> None:
    """SP 2a, D-M2: a stranger or a verdict in the nominations, a player in the verdict; and nobody endorses emself."""
    play = Staged("M8").to("night").to("day").to("nominations")
    duty = next(d for d in play.rules.duties(play.game, "A") if d.verb == "vote")
    for whom in ("Zed", "guilty"):
        why = f"{whom} can't be voted for here."
        assert refused(play, f"A nominate {whom}") == (why, duty.cites, tuple("ABCDEFGH"))
    with pytest.raises(Refusal) as wrong:
        play.rules.cast(play.game, play.game.clock, "A", "vote", Endorse("A"))
    assert (wrong.value.why, wrong.value.cites, wrong.value.options) == (
        "Name another, not yourself.", duty.cites, tuple("BCDEFGH"))
    assert duty.cites

    play.at_once("A nominate C").to("verdict")
    assert refused(play, "A nominate C")[::2] == ("C can't be voted for here.", ("guilty", "innocent"))


@pytest.mark.parametrize(("name", "asks"), [
    ("T8", ("S see W1", "S see W2")), ("C11", ("P1 see M1", "P2 see M1", "P1 see GF")),
    ("G12", ("P1 see G1", "P1 see G2")),
])
def test_one_question_a_night_is_answered(name: str, asks: tuple[str, ...]) -> None:
    """LT 3a, NM 3d, GA 3: once those who ask together agree and are answered, none of them asks again that night."""
    play = Staged(name).do(*asks[:-1])

    assert refused(play, asks[-1])[0] == "No such action is open to you now: see."
