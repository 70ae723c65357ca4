"""What is refused, by which clause, and what players are told of a rule set and of each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.data import clauses, contract_text
from nomicwolf.village.ballots import Endorse, For
from nomicwolf.village.events import (
    Acquitted,
    DeathsAnnounced,
    Event,
    Opened,
    PhaseBegan,
    Removed,
    StageBegan,
    Told,
    Tried,
)
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import with_switches
from nomicwolf.village.rules import Refusal, licence
from nomicwolf.village.rulesets import BUILT_IN, ruleset
from tests.tables import each
from tests.village.games import CASTS, HOUR, S5, S7, Play, Staged
from tests.village.told import PAGES, page


@each("name", sorted(BUILT_IN))
def test_a_rule_set_says_of_itself_what_its_page_says(name: str) -> None:
    """Each duty says how it is written, when it is owed and where it is done; each rule cites its clause."""
    assert page(ruleset(name)) == (PAGES / f"{name}.txt").read_text(encoding="utf-8")


@each("name", sorted(BUILT_IN))
def test_every_duty_and_every_rule_cites(name: str) -> None:
    """No deed and no consequence is without a clause or a ruling; talk has the clause that lets one talk."""
    rules = ruleset(name)
    duties = [d for law in rules.laws for d in law.duties] + [d for role in rules.roles.values() for d in role.duties]
    kept = [r for law in rules.laws for r in law.rules] + [r for role in rules.roles.values() for r in role.rules]

    assert [d.verb for d in duties if not d.cites] == []
    assert [r.on.__name__ for r in kept if not r.cites] == []


RULINGS = Path(__file__).parents[2] / "contract" / "rulings.md"
STAGED = tuple(name for name in BUILT_IN if ruleset(name).licences)


@pytest.mark.parametrize("name", STAGED)
def test_a_table_names_events_and_clauses_that_there_are(name: str) -> None:
    """A slip in a key or a label would go unseen: the rule's own clauses would stand in its place."""
    rules = ruleset(name)
    labels = {*clauses(contract_text(name)), *clauses(contract_text("nomic-crossing"))}
    rulings = {line.removeprefix("### ") for line in RULINGS.read_text(encoding="utf-8").splitlines()}

    assert len(STAGED) == 4
    assert {key.split(" ", 1)[0] for key in rules.licences} <= set(Event.kinds)
    assert {cite for cites in rules.licences.values() for cite in cites} <= labels | rulings


@each(("name", "event", "cites"), [
    ("gadianton", StageBegan("defence", 0), ("GA 5d", "D-A1")),
    ("gadianton", Acquitted("Bex"), ("GA 5f", "D-G10")),
    ("six-phases", StageBegan("nominations", 0), ("SP 2a", "D-M1", "D-A1")),
    ("six-phases", Acquitted("Bex"), ("SP 3d", "D-M5")),
    ("tabula", StageBegan("defence", 0), ("LT 5c", "D-T25", "D-A1")),
    ("narrated-mafia", PhaseBegan("night", 2), ("NM 5",)),
    ("narrated-mafia", Opened("narrated-mafia", 1, "", ()), ("NM 4a",)),
])
def test_an_event_has_the_clauses_of_its_kind(name: str, event: Event, cites: tuple[str, ...]) -> None:
    """The kind of stage or phase is told apart; the end of a nomination isn't licensed by the clause on verdicts."""
    assert licence(ruleset(name).licences, Game(), event) == cites


def test_what_no_table_names_keeps_the_clauses_of_its_rule() -> None:
    """Nothing is said of it."""
    assert licence({"acquitted": ("GA 5f",)}, Game(), StageBegan("defence", 0)) == ()


def said(play: Staged, move: str) -> dict[str, tuple[str, str]]:
    """Return what *move* tells whom: the topic, and the words."""
    play.do(move)
    return {e.event.to: (e.event.topic, e.event.text) for e in play.news if isinstance(e.event, Told)}


def speaking(play: Staged) -> set[str]:
    """Return who may speak to somebody now."""
    return {p for p in play.game.seats if any(d.verb == "say" for d in play.rules.duties(play.game, p))}


@each(("name", "move", "hears"), [
    ("G12", "G1 say pack: N1?", ("G2", "G3")), ("T16", "W2 say pack: N1?", ("W1", "W3")),
    ("T16", "F1 say masons: N1?", ("F2",)), ("M8", "B say pack: N1?", ("A",)),
    ("C11", "GF say pack: N1?", ("M1", "M2")), ("C11", "S2 say masons: N1?", ("S1",)),
    ("C11", "P1 say policemen: N1?", ("P2",)),
])
def test_those_who_share_a_secret_speak_by_night(name: str, move: str, hears: tuple[str, ...]) -> None:
    """Each of the others who live is told the words and whose they are, and nobody else is."""
    play = Staged(name) if Staged(name).game.phase == "night" else Staged(name).to("night")

    assert said(play, move) == dict.fromkeys(hears, ("relay", f"{move.partition(' ')[0]} says: N1?"))


def test_whoever_is_alone_or_no_member_speaks_to_nobody() -> None:
    """By day none of them speaks; of two masons the one who is left has nobody to speak to, nor have others."""
    play = Staged("T16")
    assert speaking(play) == {"W1", "W2", "W3", "F1", "F2"}
    play.kill("F1", "W3")
    play.game, _ = play.rules.settle(play.game, play.game.clock, [DeathsAnnounced(("F1", "W3"))], (), "command")
    assert speaking(play) == {"W1", "W2"}
    assert said(play, "W1 say pack: now") == {"W2": ("relay", "W1 says: now")}
    with pytest.raises(Refusal, match="No such action"):
        play.do("F2 say masons: anyone?")

    assert speaking(play.to("day")) == set()


def test_the_dead_and_the_medium_speak_by_night_without_names() -> None:
    """D-M13: the dead are spirits to the Medium, and e the Medium to all of them; the living hear nothing."""
    play = Staged("M8").to("day").kill("D", "E").to("night")

    assert {"C", "D", "E"} <= speaking(play)
    assert said(play, "D say spirits: it was A") == {"C": ("seance", "A spirit says: it was A")}
    assert said(play, "C say spirits: who?") == dict.fromkeys("DE", ("seance", "The medium says: who?"))
    assert not {"C", "D", "E", "F"} & speaking(play.to("day"))

    play = Staged("M8").to("day").kill("C", "E").to("night")
    assert said(play, "E say spirits: hello") == {}
    assert said(play, "C say spirits: hello") == {}


def test_a_question_is_for_the_contestmaster_alone() -> None:
    """D-M16: no player is told of it."""
    play = Staged("M8").to("night").to("day")

    assert said(play, "E ask may I?") == {}
    assert play.game.entries[-1].event.readers() == ("E",)


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
     "departure, graveyard, hunt_nights, hunter_pause, lovers_vote, nobody_left, parity, reveal_after, surrender, "
     "wolves."), ()),
    ({"setling": "0"}, "nomic-crossing has no switch 'setling'; did you mean settling?", ()),
    ({"departures": "kill"}, "nomic-crossing has no switch 'departures'; did you mean departure?", ()),
    ({"departure": "fly"}, "The switch departure can be stay, kill; it can't be 'fly'.", ("D-N11",)),
    ({"wolves": "0"}, ("The switch wolves is 'formula', for as many as NC 2b has, or a number from 1 on; it can't be "
     "'0'."), ("D-N57",)),
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


WRONG = [
    ("nomic-crossing", "dawn", "8"), ("tabula", "dawn", "25:00"), ("gadianton", "dawn", "in the morning"),
    ("tabula", "dawn", ""), ("gadianton", "deadlines", "72"), ("six-phases", "deadlines", "1, 2, 3, 4"),
    ("tabula", "deadlines", "1, 2, 3, 4, soon"), ("narrated-mafia", "deadlines", "1, 2, 3, 4, -5"),
    ("six-phases", "last_words", "twelve"), ("narrated-mafia", "call_threshold", "0"),
    ("narrated-mafia", "call_threshold", "many"), ("narrated-mafia", "stalemate", "-1"),
]


@each(("name", "switch", "value"), WRONG)
def test_what_a_switch_cant_be_is_refused(name: str, switch: str, value: str) -> None:
    """Part of `start`: the switch is named, with what it is, and the value that was given."""
    with pytest.raises(Refusal, match=f"The switch {switch} is .*it can't be {value!r}"):
        with_switches(ruleset(name), {switch: value})


@each(
    ("name", "switch", "value"),
    [("tabula", "dawn", "8:00"), ("nomic-crossing", "dawn", "at once"), ("gadianton", "deadlines", "1,2,3,4,5"),
     ("six-phases", "last_words", "0"), ("narrated-mafia", "call_threshold", "3"), ("narrated-mafia", "stalemate", "0"),
     ],
)
def test_what_a_switch_can_be_is_taken(name: str, switch: str, value: str) -> None:
    """The value stands as it was given."""
    assert dict(with_switches(ruleset(name), {switch: value}))[switch] == value


@each("name", sorted(BUILT_IN))
def test_every_default_is_one_of_what_it_can_be(name: str) -> None:
    """A switch that takes any text says what it takes, and its default is of that kind."""
    rules = ruleset(name)

    assert dict(with_switches(rules, {s.name: s.usual for s in rules.switches})) == dict(with_switches(rules, {}))
    assert [s.name for s in rules.switches if not s.values and not s.like] == []


def test_a_stage_without_hours_passes_by_itself() -> None:
    """D-A1: no time for a defence, and the vote begins a second later."""
    play = Staged("G12", switches={"deadlines": "72, 48, 0, 48, 72"}).to("day").do("N1 accuse G1", "N2 second G1")
    assert play.game.stage == "defence"

    before = play.game.clock
    play.do("dawn")
    assert (play.game.stage, play.game.clock) == ("ballot", before + 1)


def leave(play: Staged, *names: str) -> None:
    """Let *names* leave in mid-session, each a minute after the one before."""
    for name in names:
        at = play.game.clock + 60
        play.game, play.news = play.rules.settle(play.game, at, [Removed(name, "left")], (), "command")


def test_a_run_off_whose_tied_have_left_is_passed_over() -> None:
    """SP 2c, D-A2: with neither of the tied there, nobody goes on trial, and the day goes on to its end."""
    play = Staged("M8").to("night").to("day").to("nominations").at_once(
        "C nominate D", "E nominate D", "F nominate G", "H nominate G")
    play.do("dawn")
    assert play.game.stage == "ballot"

    leave(play, "D", "G")
    assert play.do("dawn").game.stage == "closing"


def test_a_run_off_with_one_left_tries_em() -> None:
    """SP 2c, D-A2: the other of the tied has left."""
    play = Staged("M8").to("night").to("day").to("nominations").at_once("C nominate D", "F nominate G").do("dawn")

    leave(play, "D")
    assert play.do("dawn").game.stage == "defence"
    assert play.game.last(Tried) == Tried("G")


def test_new_nominations_bind_those_who_are_nominated_then() -> None:
    """LT 5d, LT 5e, D-T8: after both nominees have left there are others, who don't vote, and a tie is repeated."""
    play = Staged("T12").to("day")
    play.at_once("W1 nominate V1", "W2 nominate V1", "S nominate V2", "Me nominate V2").do("dawn")
    leave(play, "V1", "V2")
    assert play.do("dawn").game.stage == "nominations"

    play.at_once("W1 nominate V3", "W2 nominate V3", "S nominate V4", "Me nominate V4").to("ballot")
    with pytest.raises(Refusal):
        play.do("V3 vote V4")
    play.at_once("W1 vote V3", "S vote V4").do("dawn")
    assert play.game.stage == "defence"


def test_the_owls_choice_stands_alone_if_nobody_is_named() -> None:
    """D-T6, D-T7: the nominated are those with the most votes, here none, and the Owl's choice."""
    assert "Ow:owl" in CASTS["T12"]
    play = Staged("T12").do("Ow point V3").to("day")

    assert play.do("dawn").lynched() == ["V3"]
