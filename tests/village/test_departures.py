"""Who leaves in mid-session: what is no longer owed, asked or undone (D-N11, D-A2, NC 7c, NC 7d, NM 3g)."""

from __future__ import annotations

import pytest

from nomicwolf.village.events import Agreed, Killed, Removed, Told
from nomicwolf.village.game import FALLEN
from nomicwolf.village.rules import Refusal
from tests.village.games import HOUR, S5, S7, S8, Play, Staged

KILL = {"departure": "kill"}


def leave(play: Play, *names: str) -> None:
    """Let *names* leave the contest."""
    play.game, play.news = play.rules.settle(
        play.game, play.game.clock + HOUR, [Removed(name, "left") for name in names], (), "command")


def test_a_hunter_who_leaves_takes_nobody_along() -> None:
    """NC 7c: e is asked for nobody, and nothing waits for em; one who is killed is asked, and chooses once.

    Nor does it matter to em that others have been killed.
    """
    play = Play(S7, switches=KILL)
    leave(play, "Eli")
    assert "Eli" not in play.alive
    assert (play.owed, play.told("Eli")) == ([], [])
    with pytest.raises(Refusal):
        play.do("Eli shoot Ash")

    play = Play(S7, switches=KILL)
    leave(play, "Fay")
    assert play.owed == []
    play.lynch("Eli", "Ash", "Bex", "Cam", "Dov")
    assert play.owed == [("Eli", "shoot")]
    assert play.told("Eli")[-1] == "You have been killed. Choose one to take along."
    play.do("Eli shoot Gus")
    assert [k.who for k in play.game.ever(Killed)] == ["Fay", "Eli", "Gus"]
    assert ("Eli", "shoot") not in play.owed


def test_of_two_hunters_each_has_a_choice() -> None:
    """NC 7c: what one has chosen is not the other's choice, nor is another deed of eirs."""
    play = Play(S7.replace("Fay:villager", "Fay:hunter"), switches=KILL).lynch("Eli", "Ash", "Bex", "Cam", "Dov")
    play.do("Eli shoot Fay")

    assert play.owed == [("Fay", "shoot")]
    play.do("Fay shoot Gus")
    assert play.alive == {"Ash", "Bex", "Cam", "Dov"}


def test_a_cupid_who_leaves_is_not_waited_for() -> None:
    """NC 7d, D-N28: the session begins without Lovers."""
    play = Play(S5, switches=KILL)
    assert (play.game.phase, play.owed) == ("setup", [("Eli", "match")])

    leave(play, "Eli")
    assert (play.game.phase, play.owed) == ("day", [])


def test_lovers_die_together_but_do_not_leave_together() -> None:
    """NC 7d, D-N33, D-N11: when one leaves the other stays."""
    play = Play(S7.replace("Fay:villager", "Fay:cupid"), switches=KILL).do("Fay match Bex Gus")
    leave(play, "Bex")

    assert "Gus" in play.alive


def test_a_pack_does_not_agree_on_one_who_has_left() -> None:
    """D-N11, D-N13: whoever is left of the pack chooses anew, though eir last word was for em."""
    play = Play(S8, switches=KILL).lynch("Fay", "Ash", "Bex", "Cam", "Dov", "Gus").do("Ash attack Gus")
    leave(play, "Gus")
    leave(play, "Hal")

    assert not play.game.ever(Agreed)
    assert ("Ash", "attack") in play.owed
    play.do("Ash attack Bex")
    assert [agreed.whom for agreed in play.game.ever(Agreed)] == [("Bex",)]


def test_whoever_leaves_in_eir_trial_is_not_condemned() -> None:
    """D-A2, NM 2: that the verdicts are more than half of fewer now decides nothing; another's leaving does."""
    play = Staged("C11", switches=KILL).to("day").kill("C3").do("P1 accuse C1", "P2 second C1")
    play.at_once("P1 guilty", "P2 guilty", "D guilty", "S1 guilty", "S2 guilty")
    leave(play, "C1")
    assert (play.lynched(), play.game.phase) == ([], "day")

    play = Staged("C11", switches=KILL).to("day").kill("C3").do("P1 accuse C1", "P2 second C1")
    play.at_once("P1 guilty", "P2 guilty", "D guilty", "S1 guilty", "S2 guilty")
    leave(play, "C2")
    assert (play.lynched(), play.game.phase) == (["C1"], "night")


def test_the_doctor_raises_whom_all_know_to_be_dead() -> None:
    """NM 3g, D-C6, D-A2: who was killed, not who has left, whatever became of others; by night, one a night."""
    play = Staged("C11", switches=KILL).to("day").kill("C1")
    leave(play, "C2")
    assert not any(d.verb == "revive" for d in play.rules.duties(play.game, "D"))
    play.to("night")

    duty = next(d for d in play.rules.duties(play.game, "D") if d.verb == "revive")
    assert play.rules.options(play.game, "D", duty) == ("C1",)
    for who, why in (("C2", "C2 has left, and does not come back."), ("C3", "C3 is not dead.")):
        with pytest.raises(Refusal, match=why):
            play.do(f"D revive {who}")
    play.do("D revive C1")
    assert ("D", "revive") not in play.owed
    assert "C1" in play.to("day").alive


def test_the_doctor_has_nothing_to_do_where_all_who_are_dead_have_left() -> None:
    """NM 3g, D-A2: nobody could come back."""
    play = Staged("C11", switches=KILL).to("day")
    leave(play, "C2")
    play.to("night")

    assert not any(d.verb == "revive" for d in play.rules.duties(play.game, "D"))


def test_whoever_was_killed_and_has_left_since_does_not_come_back() -> None:
    """D-A2, D-C16: neither before the Doctor has named em, nor afterwards in that night."""
    play = Staged("C11", switches=KILL).to("day").kill("C1", "C2", "C3")
    leave(play, "C2")
    play.to("night")
    with pytest.raises(Refusal, match="C2 has left, and does not come back"):
        play.do("D revive C2")
    play.do("D revive C1")
    leave(play, "C1")
    assert not {"C1", "C2"} & play.to("day").alive


def test_the_doctor_may_think_better_of_it() -> None:
    """NM 3g, D-C16: until the night ends the last word counts, also that it be nobody; then nothing is changed."""
    dead = Staged("C11").to("day").kill("C1", "C2").to("night")

    assert dead.do("D revive C1", "D revive C2").to("day").game.shown_dead == ("C1",)
    dead = Staged("C11").to("day").kill("C1", "C2").to("night")
    assert dead.do("D revive C1", "D revive nobody").to("day").game.shown_dead == ("C1", "C2")
    with pytest.raises(Refusal):
        dead.do("D revive C1")


def fallen(play: Play) -> dict[str, str]:
    """Who has been told that eir ballot names somebody who is dead, and how."""
    return {t.to: t.text for t in play.game.ever(Told, topic=FALLEN)}


COUNTS = "it counts for nobody now. You can cast another while the vote is open."


def test_whose_sealed_nomination_names_one_who_leaves_is_told_so() -> None:
    """D-A2, D-M1: those whose last ballot it is, and they alone; in the trial no ballot names anybody."""
    play = Staged("M8").to("nominations").at_once("A nominate H", "B nominate G", "C nominate H", "C nominate G")
    play.at_once("D nominate H", "H nominate H")
    leave(play, "H")

    assert fallen(play) == dict.fromkeys("AD", f"Your ballot names H, who is dead: {COUNTS}")
    play.to("verdict").at_once("A guilty", "D innocent")
    leave(play, "G")
    assert set(fallen(play)) == set("AD")


def test_nobody_is_told_of_ballots_of_an_earlier_stage_or_where_who_leaves_plays_on() -> None:
    """D-A2: only the present vote can be changed; with stay, ballots stand."""
    play = Staged("M8").to("nominations").at_once("A nominate H", "B nominate G").to("ballot").at_once("A nominate H")
    leave(play, "G")
    assert fallen(play) == {}
    leave(play, "H")
    assert set(fallen(play)) == {"A"}

    play = Staged("M8", switches={"departure": "stay"}).to("nominations").at_once("A nominate H")
    leave(play, "H")
    assert fallen(play) == {}


def test_where_votes_are_open_it_is_told_as_well() -> None:
    """D-A2, D-N11: of a plain vote, of one that follows another's, and of a branch; not of a condition."""
    play = Play(S7, switches=KILL).do(
        "Ash vote Gus", "Bex vote endorse Gus", "Cam vote Gus if Ash votes for Gus, otherwise Fay",
        "Dov vote Fay if Gus votes for Fay", "Eli vote Gus", "Eli unvote")
    leave(play, "Gus")

    plain = f"Your ballot names Gus, who is dead: {COUNTS}"
    assert fallen(play) == {"Ash": plain, "Bex": plain, "Cam": (
        "Your ballot names Gus, who is dead: where it comes to em, it counts for nobody. "
        "You can cast another while the vote is open.")}

    play = Staged("T8").to("nominations").at_once("V1 vote W1", "V2 vote W2")
    leave(play, "W1")
    assert set(fallen(play)) == {"V1"}


def test_no_ballot_falls_away_when_the_vote_is_over() -> None:
    """NC 7c, D-N12: whom a lynched Hunter takes along was voted for in vain, and nobody need vote again."""
    play = Play(S7).do("Fay vote Gus").lynch("Eli", "Ash", "Bex", "Cam", "Dov").do("Eli shoot Gus")

    assert "Gus" not in play.alive
    assert fallen(play) == {}


def test_a_night_that_ends_with_its_last_deed_waits_for_another_victim() -> None:
    """D-A3: whoever has named one who leaves has named nobody yet, and can name another."""
    play = Staged("G12", switches={"dawn": "at once"}).at_once("G1 attack N1", "G2 attack N1", "G3 attack nobody")
    leave(play, "N1")
    play.at_once("P1 see G1")

    assert (play.game.phase, play.owed) == ("night", [("G1", "attack"), ("G2", "attack")])
    play.at_once("G1 attack N2", "G2 attack N2")
    assert (play.game.phase, play.game.shown_dead) == ("day", ("N1", "N2"))
