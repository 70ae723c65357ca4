"""Mafia in six phases: what no rehearsal of it holds. Numbers are those of the rehearsals."""

from __future__ import annotations

from collections import Counter

import pytest

from nomicwolf.village import ballots as b
from nomicwolf.village.events import (
    Acquitted,
    Announced,
    BallotsOpened,
    Disclosed,
    Drawn,
    Killed,
    Lynched,
    Nominated,
    Removed,
    StageBegan,
    Told,
    Tried,
)
from nomicwolf.village.laws.actions import blocked
from nomicwolf.village.lots import draw
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets.six_phases import deal, six_phases
from tests.tables import each
from tests.village.games import HOUR, Staged

TOWN = "A:mafioso B:mafioso C:cop D:doctor R:roleblocker T:tracker W:watcher V:vigilante E:townie F:townie"


def day(cast: str = "", **switches: str) -> Staged:
    """Day 1, with its discussion."""
    return Staged("M8", cast, switches).to("night").to("day")


def nominations(cast: str = "", **switches: str) -> Staged:
    """Day 1, with its nominations."""
    return day(cast, **switches).to("nominations")


def test_a_list_of_roles_is_required() -> None:
    """SP 0a, D-M15 (M-02): the text names no counts; the others are townies."""
    for chosen, why in (((), "name no counts"), (("cop", "doctor"), "name no counts"),
                        (("mafioso", "jester"), "no role jester")):
        with pytest.raises(Refusal, match=why):
            six_phases.dealt([f"p{i}" for i in range(8)], chosen, "7", {})
    with pytest.raises(Refusal, match="9 roles and 8 players"):
        deal([f"p{i}" for i in range(8)], ["mafioso"] * 9, "7", {})

    dealt = deal([f"p{i}" for i in range(8)], ("mafioso", "mafioso", "medium"), "7", {})[0]
    assert Counter(role for _, role in dealt) == {"mafioso": 2, "medium": 1, "townie": 5}


def test_roles_have_other_names() -> None:
    """A contestmaster may say what eir community says."""
    assert [six_phases.called(n) for n in ("mafia", "Townsperson", "police", "cop", "bard")] == [
        "mafioso", "townie", "cop", "cop", "bard"]


def test_nominations_are_sealed() -> None:
    """SP 2a, D-M1 (M-03): nothing public before the deadline, then all with their names; changes are free."""
    play = nominations()
    before = play.public()
    play.at_once("C nominate A", "C nominate B", "D nominate B")
    assert play.public() == before

    play.do("dawn")
    opened = play.game.last(BallotsOpened)
    assert opened is not None
    assert dict(opened.votes) == dict.fromkeys("ABEFGH") | {"C": "B", "D": "B"}
    assert play.has(Tried, who="B")


@pytest.mark.parametrize(("votes", "who"), [("CA DA EA FD GD", "A"), ("CD", "D"), ("EE FE", "E")])
def test_who_is_picked_most_often_is_tried(votes: str, who: str) -> None:
    """SP 2b, D-M18 (M-04, M-05): one nomination is enough, one's own too."""
    play = nominations().at_once(*(f"{v[0]} nominate {v[1]}" for v in votes.split())).do("dawn")

    assert [t.who for t in play.game.ever(Tried)] == [who]
    assert play.game.stage == "defence"


def test_nobody_is_nominated() -> None:
    """SP 2b, D-M2: the day goes on to its end, without a second round."""
    play = nominations().do("dawn")
    assert play.game.stage == "closing"

    assert "Nobody was killed today." in play.do("dawn").said()
    assert play.game.phase == "night"


def test_a_tie_is_voted_on_alone_and_then_drawn() -> None:
    """SP 2c, D-M3 (M-07, M-08): the same voters, only the tied; the lot is among those still tied."""
    play = nominations().at_once("A nominate D", "B nominate D", "C nominate E", "D nominate E", "F nominate G")
    play.do("dawn")
    assert (play.game.stage, play.game.last(Nominated)) == ("ballot", Nominated(("D", "E")))
    with pytest.raises(Refusal):
        play.do("F nominate G")

    play.at_once("A nominate D", "C nominate E").do("dawn")
    assert play.has(Tried, who=draw("seed", "trial 1, day 1", ["D", "E"])[0])
    assert play.game.ever(Drawn)[-1].options == ("D", "E")


def trial(votes: str, **switches: str) -> Staged:
    """The verdict on D closed: *votes* are ``C+`` for guilty and ``C-`` for innocent."""
    play = nominations(**switches).at_once("A nominate D").to("verdict")
    words = {"+": "guilty", "-": "innocent"}
    return play.at_once(*(f"{v[0]} {words[v[1]]}" for v in votes.split())).do("dawn")


@each(("votes", "condemned"), [
    ("A+ B+ C+ E+ F- G- H-", True), ("A+ B+ C+ E- F- G-", False), ("A+", True), ("", False), ("D+ A- B+", True),
])
def test_more_for_guilty_than_for_innocent(votes: str, condemned: bool) -> None:
    """SP 3b, 3c, D-M4 (M-09 to M-12): silence isn't counted; the accused has a vote."""
    play = trial(votes, last_words="0")

    assert play.has(Lynched, who="D") is condemned
    assert play.has(Acquitted, who="D") is not condemned
    assert play.has(Disclosed, who="D", what="a townie") is condemned


def test_a_card_that_only_one_held_is_told_so() -> None:
    """SP 3c, D-M14: the cop, but a townie; and that somebody is found guilty stands before eir last words."""
    cast = "A:mafioso B:mafioso C:cop D:townie E:townie F:townie"
    play = nominations(cast).at_once("A nominate C").to("verdict").at_once("A guilty").do("dawn")

    assert play.said()[-1] == "C is found guilty."
    assert play.do("dawn").has(Disclosed, who="C", what="the cop")

    play = nominations(cast).at_once("C nominate A").to("verdict").at_once("C guilty").do("dawn", "dawn")
    assert play.has(Disclosed, who="A", what="a mafioso")


def test_a_mayor_has_two_votes_in_a_trial() -> None:
    """SP 3b: a role of the community's."""
    play = nominations("A:mafioso B:mafioso C:mayor D:townie E:townie F:townie", last_words="0").at_once("A nominate D")

    play.to("verdict").at_once("C guilty", "A innocent").do("dawn")

    assert play.lynched() == ["D"]


def test_last_words_are_published_with_the_execution() -> None:
    """SP 3c, D-M14: one letter; without it the execution comes when the time is over; nobody else may use it."""
    play = trial("A+")
    assert (play.game.stage, "D" in play.alive, play.lynched()) == ("last words", True, [])
    with pytest.raises(Refusal):
        play.do("E say I protest")

    silent = trial("A+").do("dawn")
    assert (silent.lynched(), silent.game.stage) == (["D"], "closing")
    play.do("D say I was framed.")
    assert play.said()[-1] == "The last words of D: I was framed."
    assert (play.lynched(), play.game.stage) == (["D"], "closing")


def test_players_are_told_when_to_be_silent() -> None:
    """SP 2d, 3a, D-M17: in the nominations, and while the accused speaks; the vote comes after it."""
    play = nominations().at_once("A nominate D").do("dawn")

    assert [a for a in play.said() if "discussed" in a or "only the accused" in a] == play.said()
    with pytest.raises(Refusal):
        play.do("A guilty")


def test_a_defendant_who_leaves_ends_the_trial() -> None:
    """D-A2: a trial of nobody goes on to what comes after it."""
    for stage in ("defence", "verdict"):
        play = nominations().at_once("A nominate D").to(stage)
        game, _ = play.rules.settle(play.game, play.game.clock + 1, (Removed("D", "left"),), (), "command")
        assert game.stage == "discussion"
    play = trial("A+")
    game, _ = play.rules.settle(play.game, play.game.clock + 1, (Removed("D", "left"),), (), "command")
    assert (game.stage, bool(game.ever(Lynched))) == ("closing", False)


def test_a_dead_mafioso_has_no_pick_and_gets_no_mail() -> None:
    """SP 4, D-M12 (M-20): they know each other, and talk at night."""
    play = Staged("M8").to("night")
    assert play.told("A")[0] == play.told("B")[0] == "The mafia are: A and B."
    play.kill("A").do("B attack C")

    assert len(play.told("A")) == 1
    with pytest.raises(Refusal):
        play.do("A attack D")


def test_blocks_by_the_community_s_usage() -> None:
    """D-M8: a blocked blocker blocks nobody; those who block one another in a ring are all blocked."""
    assert blocked({"a": "b", "b": "c"}) == {"b"}
    assert blocked({"a": "b", "b": "a"}) == {"a", "b"}
    assert blocked({"a": "b", "b": "c", "c": "d"}) == {"b", "d"}
    assert blocked({}) == frozenset()


def test_trackers_watchers_and_vigilantes() -> None:
    """SP 5, D-M8: who went where, who came; a shot is stopped by protection and by a block."""
    play = Staged("M8", TOWN).to("night").do("A attack E", "T track A", "W watch E", "V shoot B").to("day")
    assert play.told("T")[-1] == "A went to E."
    assert play.told("W")[-1] == "A came to E."
    assert {"B", "E"} & play.alive == set()

    assert "B" in Staged("M8", TOWN).to("night").do("V shoot B", "R block V").to("day").alive


def test_a_ring_of_blocks_leaves_the_others_as_they_are() -> None:
    """D-M8: those who block one another are blocked, and so is whom somebody else blocks; a chain is cut in turn."""
    assert blocked({"x": "y", "a": "b", "b": "a"}) == {"a", "b", "y"}
    assert blocked({"a": "b", "b": "c", "c": "a", "x": "a"}) == {"a", "c"}


def test_several_visits_are_all_told() -> None:
    """D-M8: all whom one went to, and all who came; nobody, where that is so; oneself is no visitor."""
    play = Staged("M8", TOWN).to("night").do(
        "A attack E", "A attack F", "B attack E", "D protect E", "T track B", "W watch E").to("day")
    assert play.told("T")[-1] == "B went to E."
    assert play.told("W")[-1] == "B and D came to E."

    quiet = Staged("M8", TOWN).to("night").do("T track E", "W watch F").to("day")
    assert quiet.told("T")[-1] == "E went to nobody."
    assert quiet.told("W")[-1] == "Nobody came to F."

    both = Staged("M8", TOWN.replace("E:townie", "E:townie T2:tracker")).to("night").do(
        "V shoot F", "C see A", "T track V", "T2 track T").to("day")
    assert both.told("T")[-1] == "V went to F."
    assert both.told("T2")[-1] == "T went to V."


def test_only_who_tried_is_told_of_being_kept() -> None:
    """D-M8, SP 6: a block that stopped nothing is not learned of."""
    play = Staged("M8", TOWN).to("night").do("R block E", "D protect F").to("day")
    assert play.told("E")[-1] == "Nothing to report."

    kept = Staged("M8", TOWN).to("night").do("R block D", "D protect F").to("day")
    assert kept.told("D")[-1] == "You were kept from acting."


def test_the_accused_s_last_words_name_em() -> None:
    """SP 3c: everyone can tell whose last words these are, and had the hours of the switch for."""
    play = trial("A+")
    began = play.game.lines(StageBegan)[-1]
    assert play.game.deadline - began.at == HOUR * int(play.game.switch("last_words"))

    play.do("D say I was framed.")
    last = play.game.last(Announced)
    assert last is not None
    assert (last.text, last.about) == ("The last words of D: I was framed.", ("D",))


def test_the_cop_is_deceived_by_godfather_and_miller() -> None:
    """D-M8: roles of the community's."""
    cast = "A:mafioso B:godfather C:cop D:miller E:townie F:townie G:cop"
    play = Staged("M8", cast).to("night").do("C see B", "G see D").to("day")

    assert play.told("C")[-1] == "B is not one of the mafia."
    assert play.told("G")[-1] == "D is one of the mafia."
    assert play.told("B")[0] == "The mafia are: A and B."


def test_all_get_feedback_at_one_instant() -> None:
    """SP 6, D-M9 (M-22): everyone alive at nightfall, the killed too, also if there is nothing to report."""
    play = Staged("M8").to("night").do("A attack D", "B attack D").to("day")
    lines = [e for e in play.game.entries if isinstance(e.event, Told) and e.event.topic == "feedback"]

    assert [e.event.to for e in lines if isinstance(e.event, Told)] == list("ABCDEFGH")
    assert len({e.at for e in lines}) == 1
    assert {e.event.text for e in lines if isinstance(e.event, Told)} == {"Nothing to report."}


def test_the_medium_talks_with_the_dead_at_night() -> None:
    """SP 0e, D-M13 (M-26): both ways, without names; by day it is refused, and the living hear nothing."""
    play = Staged("M8").to("night").do("A attack D", "B attack D").to("day")
    for who in ("C", "D"):
        with pytest.raises(Refusal):
            play.do(f"{who} say spirits: hello")

    play.to("night").do("C say spirits: Who killed you?", "D say I think it was A.")
    assert play.told("D")[-1] == "The medium says: Who killed you?"
    assert play.told("C")[-1] == "A spirit says: I think it was A."
    with pytest.raises(Refusal):
        play.do("E say spirits: hello")


def test_questions_are_for_free_discussion() -> None:
    """SP 0f, D-M16."""
    play = day().do("E ask May the dead write?")
    assert play.game.entries[-1].event.readers() == ("E",)

    with pytest.raises(Refusal):
        play.to("nominations").do("E ask And now?")
    play.to("closing").do("E ask And now?")
    assert play.game.entries[-1].event.readers() == ("E",)


def test_stages_have_their_times() -> None:
    """D-A1: hours for each stage, by the switch ``deadlines``."""
    play = Staged("M8", switches={"deadlines": "1, 2, 3, 4, 5"})
    for _ in range(7):
        play.do("dawn")

    lengths = [(e.event.stage, (e.event.until - e.at) // 3600) for e in play.game.lines(StageBegan)
               if isinstance(e.event, StageBegan)]
    assert lengths[:5] == [("discussion", 3), ("night", 5), ("discussion", 1), ("nominations", 2), ("closing", 3)]


def test_what_is_public_does_not_tell_which_roles_are_dead() -> None:
    """D-M8, D-M9: the second night has the same letters at the same times, with a cop and without."""
    worlds = []
    for cop, other in (("C", "E"), ("E", "C")):
        cast = TOWN.replace("C:cop", "C:townie").replace(f"{cop}:townie", f"{cop}:cop")
        play = Staged("M8", cast).to("night").do("A attack C", "B attack C").to("day").to("night")
        start = len(play.public())
        play.do("A attack F", *([f"{cop} see A"] if cop == other or cop in play.alive else [])).to("day").to("night")
        worlds.append(play.public()[start:])

    assert worlds[0] == worlds[1]
    assert not any(isinstance(e, Killed) for _, e in worlds[0])


def test_a_condition_can_lead_to_nobody_who_is_in_question() -> None:
    """D-M1, D-M3: where a branch names somebody who is not in question, the ballot is opened as one for nobody.

    The same holds of a verdict, of which the options are guilty and innocent.
    """
    play = nominations().at_once("A nominate C", "B nominate D").to("ballot")
    for who, condition in (("E", b.Alive("C")), ("F", b.Dead("C"))):
        ballot = b.If(condition, b.For("H"), b.For("D"))
        play.game, _ = play.rules.cast(play.game, play.game.clock + 60, who, "vote", ballot)
    play.to("defence")

    opened = play.game.last(BallotsOpened)
    assert opened is not None
    assert {who: it for who, it in opened.votes if it} == {"F": "D"}
    assert (set(dict(opened.votes)), [e.who for e in play.game.ever(Tried)]) == (set("ABCDEFGH"), ["D"])

    play.to("verdict")
    for who, otherwise in (("E", "H"), ("F", "guilty")):
        ballot = b.If(b.Dead("C"), b.For("innocent"), b.For(otherwise))
        play.game, _ = play.rules.cast(play.game, play.game.clock + 60, who, "vote", ballot)
    play.to("last words")
    opened = play.game.last(BallotsOpened)
    assert opened is not None
    assert {who: it for who, it in opened.votes if it} == {"F": "guilty"}
