"""Lupus in Tabula: what no rehearsal of it holds. Numbers are those of the rehearsals."""

from __future__ import annotations

from collections import Counter

import pytest

from nomicwolf.village.events import Announced, BallotsOpened, DeathsAnnounced, Drawn, Killed, Nominated, Told, Turned
from nomicwolf.village.lots import draw
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets.tabula import SUGGESTED, deal, tabula
from tests.tables import each
from tests.village.games import CASTS, Staged

ALL = ("medium", "possessed", "bodyguard", "owl", "freemason", "freemason", "werehamster", "mythomaniac")


def shares(n: int, *chosen: str) -> Counter[str]:
    """How many of each card *n* players are dealt."""
    return Counter(role for _, role in deal([f"p{i}" for i in range(n)], chosen, "7", {})[0])


def test_the_deck_by_number_of_players() -> None:
    """LT 2b, 2c, 2d (T-01): two Werewolves, three from sixteen on; the whole deck with 24."""
    assert shares(8) == {"werewolf": 2, "seer": 1, "villager": 5}
    assert (shares(15, "owl")["werewolf"], shares(16, "owl")["werewolf"]) == (2, 3)
    assert shares(24, *ALL) == {"werewolf": 3, "seer": 1, "villager": 12, "freemason": 2} | dict.fromkeys(
        set(ALL) - {"freemason"}, 1)
    for n in (7, 25):
        with pytest.raises(Refusal, match="8 to 24"):
            shares(n)


def test_a_special_character_too_early_is_a_warning() -> None:
    """D-T2 (T-02)."""
    assert shares(10, "owl")["owl"] == 1
    assert tabula.warnings is not None
    assert tabula.warnings(10, ("owl",)) == ("owl is suggested from 12 players on",)
    assert not tabula.warnings(24, tuple(SUGGESTED))


def test_freemasons_come_as_two() -> None:
    """LT 8e, D-T3 (T-03): and each is told of the other."""
    with pytest.raises(Refusal, match="two or not at all"):
        shares(13, "freemason")
    assert shares(13, "freemason", "freemason")["freemason"] == 2

    play = Staged("T16")
    assert "F1 and F2" in play.told("F1")[0]
    assert play.do("F1 say masons: hello").told("F2")[-1] == "F1 says: hello"


def night_two(name: str = "T12", cast: str = "") -> Staged:
    """The second night, somebody having been lynched by lot."""
    play = Staged(name, cast).to("day")
    return lynch(play, "V5")


def lynch(play: Staged, whom: str) -> Staged:
    """Let everyone nominate *whom*, who is then lynched without a ballot."""
    play.at_once(*(f"{p} nominate {whom}" for p in play.game.living()))
    return play.to("night")


def test_werewolves_choose_an_outsider_together() -> None:
    """LT 3c, D-T19, D-T20 (T-08, T-09): most of them decide, a tie is drawn and recorded, silence is no voice."""
    with pytest.raises(Refusal, match="one of you"):
        night_two().do("W1 attack W2")

    play = night_two().do("W1 attack V1", "W2 attack V2").to("day")
    (lot,) = [d for d in play.game.ever(Drawn) if d.purpose.startswith("attack")]
    assert lot.result == draw("seed", "attack, night 2", ["V1", "V2"])
    assert "V1" not in night_two().do("W1 attack V1").to("day").alive


def test_the_bodyguard_guards_another() -> None:
    """LT 8c, D-T12 (T-12, T-13): not emself, the same as often as e likes, from the second night on."""
    with pytest.raises(Refusal):
        Staged("T12").do("Bo guard V1")
    with pytest.raises(Refusal, match="not yourself"):
        night_two().do("Bo guard Bo")

    play = night_two().do("Bo guard V1", "W1 attack V1").to("day")
    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(())
    assert "V1" in lynch(play, "V2").do("Bo guard V1", "W1 attack V1").to("day").alive
    assert "Bo" not in night_two().do("Bo guard V1", "W1 attack Bo").to("day").alive


def nominate(play: Staged, votes: str) -> Staged:
    """Let the living vote in seat order for the first letters of *votes*: ``A5 B3`` gives A five and B three."""
    names = [name for part in votes.split() for name in [part[:2]] * int(part[2:])]
    play.at_once(*(f"{p} nominate {n}" for p, n in zip(play.game.living(), names, strict=False)))
    return play.do("dawn")


@pytest.mark.parametrize(("votes", "names"), [
    ("V15 V23 V32", ("V1", "V2")),
    ("V14 V24 V34", ("V1", "V2", "V3")),
    ("V13 V23 V33 V41", ("V1", "V2", "V3")),
    ("V15 V23 V33", ("V1", "V2", "V3")),
])
def test_who_is_nominated(votes: str, names: tuple[str, ...]) -> None:
    """LT 5b, D-T5 (T-19, T-21): the two with most votes, or more if votes are equal."""
    assert nominate(Staged("T12").to("day"), votes).game.last(Nominated) == Nominated(names)


def test_a_sole_nominee_is_lynched() -> None:
    """D-T7 (T-22): without a ballot."""
    assert nominate(Staged("T12").to("day"), "V112").lynched() == ["V1"]


@each(("votes", "owl", "names", "how"), [
    ("V15 V23 V33", "V4", ("V1", "V4"), "by that"),
    ("V15 V23 V33", "V2", ("V1", "V2"), "by that"),
    ("V15 V24 V33", "V2", ("V1", "V2"), "anyway"),
    ("V15 V23 V33", "V1", ("V1", "V2", "V3"), "anyway"),
    ("V112", "V4", ("V1", "V4"), "by that"),
    ("V15 V23 V33", "Ow", ("Ow", "V1"), "by that"),
])
def test_the_owls_nominee(votes: str, owl: str, names: tuple[str, ...], how: str) -> None:
    """LT 8d, D-T6, D-T11, D-T27 (T-23, T-25, T-27, T-29b): ahead of those who came second; emself if e likes; told."""
    play = nominate(Staged("T12").do(f"Ow point {owl}").to("day"), votes)

    assert play.game.last(Nominated) == Nominated(names)
    assert f"The Owl chose {owl}, who is nominated {how}." in play.said()


def test_a_dead_owls_choice_stands_and_a_dead_choice_does_not() -> None:
    """D-T10, D-T11 (T-29, T-29b)."""
    play = night_two()
    with pytest.raises(Refusal, match="dead"):
        play.do("Ow point V5")

    stands = night_two().do("Ow point V4", "W1 attack Ow").to("day")
    assert "V4" in nominate(stands, "V15 V23").game.now(Nominated)[0].names
    gone = night_two().do("Ow point V4", "W1 attack V4").to("day")
    assert nominate(gone, "V15 V23").game.now(Nominated)[0].names == ("V1", "V2")
    assert not any("Owl" in said for said in gone.said())


def test_the_nominated_are_heard_and_do_not_vote() -> None:
    """LT 5c, 5d, D-T23, D-T25 (T-30, T-33, T-50b): one may nominate oneself."""
    play = Staged("T12").to("day").at_once("V1 nominate V1")
    nominate(play, "V15 V24")
    assert play.game.stage == "defence"
    with pytest.raises(Refusal):
        play.do("S vote V1")

    play.to("ballot")
    with pytest.raises(Refusal):
        play.do("V2 vote V1")
    with pytest.raises(Refusal, match="can't be voted for"):
        play.do("S vote V3")
    play.do("S vote V1")


def test_a_self_vote_counts_in_the_first_round() -> None:
    """D-T23 (T-50b)."""
    play = Staged("T8").to("day").at_once("V1 nominate V1", "V2 vote endorse V1")

    assert play.do("dawn").lynched() == ["V1"]


def test_a_tie_is_repeated_and_then_drawn() -> None:
    """LT 5e, D-T8, D-T9, D-T25 (T-31): the same voters, speeches again, then the seed."""
    play = Staged("T8").to("day")
    nominate(play, "V14 V24").to("ballot").at_once(
        "W1 vote V1", "W2 vote V1", "S vote V1", "V3 vote V2", "V4 vote V2", "V5 vote V2")

    play.do("dawn")
    assert (play.game.stage, play.game.last(Nominated)) == ("defence", Nominated(("V1", "V2"), 2))
    play.to("ballot").at_once("W1 vote V1", "V3 vote V2").do("dawn")
    assert play.lynched() == list(draw("seed", "lynching, day 1", ["V1", "V2"]))
    assert play.game.last(Drawn) == Drawn("lynching, day 1", ("V1", "V2"), tuple(play.lynched()))


def test_the_report_is_in_speaking_order() -> None:
    """LT 5a, D-T22, D-T26 (T-35): from the right of the last slaughtered; the last vote counts."""
    play = night_two().do("W1 attack S").to("day").at_once("V1 nominate V2", "V1 nominate V3").do("dawn")

    opened = play.game.last(BallotsOpened)
    assert opened is not None
    assert [who for who, _ in opened.votes] == ["Me", "Po", "Bo", "Ow", "V1", "V2", "V3", "V4", "W1", "W2"]
    assert dict(opened.votes)["V1"] == "V3"


def test_votes_may_come_in_turn() -> None:
    """D-T22, D-T26, D-T28: with ``sequential`` each is asked after the talk, in turn, and may be passed over."""
    play = Staged("T8", switches={"ballot_order": "sequential"}).to("day")
    with pytest.raises(Refusal):
        play.do("W1 nominate V1")
    play.to("nominations")
    with pytest.raises(Refusal):
        play.do("V5 nominate W1")

    play.at_once("W1 nominate V1", "W2 nominate V1").do("dawn", "dawn", "dawn")
    play.at_once("V1 nominate W1")
    with pytest.raises(Refusal):
        play.do("S nominate W1")


def test_the_mythomaniac_becomes_the_seer() -> None:
    """LT 8g, D-T17 (T-37): one joint question from then on, both hear; alone if the other is dead."""
    play = lynch(Staged("T16").to("day"), "V4").do("My point S").to("day")
    assert play.told("My")[-2:] == ["You have become the Seer.", "Those who see are: S and My."]

    lynch(play, "V3").do("S see W1", "My see V1")
    assert not any("W1 is" in line for line in play.told("My"))
    play.do("My see W1")
    assert play.told("My")[-1] == play.told("S")[-1] == "W1 is a Werewolf."
    lynch(play.to("day"), "S").do("My see W2")
    assert play.told("My")[-1] == "W2 is a Werewolf."


@pytest.mark.parametrize("whom", ["V1", "Po", "Ha"])
def test_the_mythomaniac_stays_human(whom: str) -> None:
    """LT 8g (T-39): e is told so."""
    play = lynch(Staged("T16").to("day"), "V4").do(f"My point {whom}").to("day")

    assert (play.game.roles["My"], play.told("My")) == ("mythomaniac", ["You stay a Human until the game ends."])
    assert play.has(Told, to="My", topic="mythomaniac")


def test_the_mythomaniac_has_one_chance() -> None:
    """D-T15, D-T18 (T-40, T-41, T-43): in the second night, at tonight's victim too; not when killed or silent."""
    with pytest.raises(Refusal):
        Staged("T16").do("My point W1")
    play = lynch(Staged("T16").to("day"), "V4")
    for wrong in ("My point My", "My point V4"):
        with pytest.raises(Refusal):
            play.do(wrong)

    killed = lynch(Staged("T16").to("day"), "V4").do("My point W1", "W1 attack My").to("day")
    assert not killed.has(Turned)
    assert not any("My" in line for line in killed.told("W2")[1:] if "Werewolves are" in line)
    silent = lynch(play.to("day"), "V3")
    with pytest.raises(Refusal):
        silent.do("My point W1")


def test_a_mythomaniac_who_has_become_a_werewolf() -> None:
    """LT 8g, D-T16, D-T20 (T-38, T-42): of the pack at once, and the game goes on for em."""
    play = lynch(Staged("T16").to("day"), "V4").do("My point W1").to("day")
    assert "W1, W2, W3 and My" in play.told("W2")[-1]
    assert play.game.sides["My"] == "werewolves"

    for wolf in ("W1", "W2", "W3"):
        play.kill(wolf)
    assert not play.game.over
    assert play.kill("Ha", "My").end() == "humans"


def test_what_is_public_does_not_tell_which_roles_are_dead() -> None:
    """LT 3b, D-T21 (T-06): the third night with and without the Seer has the same letters at the same times."""
    worlds = []
    for cast in (CASTS["T12"], CASTS["T12"].replace("S:seer", "S:villager").replace("V1:villager", "V1:seer")):
        play = night_two(cast=cast).do("W1 attack V1").to("day")
        lynch(play, "V2")
        start = len(play.public())
        play.do("W1 attack V3", *(["S see W1"] if play.game.roles["S"] == "seer" else [])).to("day").to("night")
        worlds.append([e for e in play.public()[start:] if not isinstance(e[1], BallotsOpened)])

    assert worlds[0] == worlds[1]
    assert {e.topic for _, e in worlds[0] if isinstance(e, Announced)} == {"a lot"}
    assert not any(isinstance(e, Killed) for _, e in worlds[0])
