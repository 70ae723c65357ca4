"""Switches whose value is free text: what they may be, and what is refused before anything is dealt."""

import pytest

from nomicwolf.village.events import Removed, Tried
from nomicwolf.village.kernel import with_switches
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import BUILT_IN, ruleset
from tests.tables import each
from tests.village.staged import CASTS, Staged

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
