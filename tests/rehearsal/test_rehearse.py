"""The form of rehearsals: what is checked, how failures read, and what a file may and may not say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nomicwolf.cli.app import order_of
from nomicwolf.rehearsal import Played, ScriptError, read_script, rehearse
from nomicwolf.rehearsal.outcome import outcome_json, outcome_text
from tests.tables import each

BEGIN = """
title: a strict majority of an even town
ruleset: nomic-crossing
given:
  roles: {Ash: werewolf, Hal: werewolf, Bex: villager, Cam: seer, Dov: witch, Eli: hunter, Fay: villager, Gus: villager}
  contestmaster: Murphy
  phase: day 1
  dead: []
  at: 2026-12-01T00:00Z
  votes: {Ash: Gus, Bex: Gus, Cam: Gus}
  limit: {agora: 50}
when:
  - {at: 2026-12-01T09:00Z, from: Dov, to: forum, says: "I vote for Gus.", then: {counts: {Gus: 4}}}
  - {at: 2026-12-01T10:00Z, from: Eli, to: forum, says: "I vote for Gus."}
  - {at: 2026-12-01T10:05Z, from: Bex, to: forum, says: "I retract my vote."}
  - {at: 2026-12-01T11:00Z, from: Ash, to: contestmaster, says: "attack Fay"}
  - {at: 2026-12-09T12:00Z, from: Murphy, command: "act-for Cam 'see Bex'"}
  - {at: 2026-12-09T12:30Z}
"""
GOOD = """
then:
  phase: night 1
  alive: [Ash, Hal, Bex, Cam, Dov, Eli, Fay]
  dead: [Gus]
  events: [{event: lynched, who: Gus, at: 2026-12-01T10:00Z}]
  refused: [{from: Bex, contains: "night"}]
  public: {contains: ["Gus was not a werewolf"], never: ["villager"]}
  letters: {Cam: {contains: ["Bex is not a werewolf"]}}
  awards: []
  owed: [{who: Hal, verb: attack}]
"""


def played(text: str, until: int | None = None) -> Played:
    """Play a rehearsal as the command line does."""
    return rehearse(read_script(text), order_of, until)


def failures(then: str) -> list[str]:
    """Return what a wrong expectation of the usual rehearsal fails with."""
    return played(f"{BEGIN}then: {{{then}}}\n").failures


def test_the_documented_example_passes() -> None:
    """The example of the documentation, in full: votes, a lynching, a refusal, a command, letters."""
    found = played(BEGIN + GOOD)

    assert found.failures == []
    assert found.passed is True


def test_a_letter_stands_behind_what_fell_due_before_it_came() -> None:
    """``--json``: events in the order of their instants, although the record has the letter first."""
    found = outcome_json(played("""
ruleset: gadianton
given:
  roles: {G1: gadianton, G2: gadianton, P: prophet, N1: nephite, N2: nephite, N3: nephite, N4: nephite, N5: nephite}
  phase: night 1
  at: 2026-12-01T00:00Z
when:
  - {at: 2026-12-05T12:00Z, from: N1, to: forum, says: I accuse G1.}
"""))["events"]

    assert [e["at"] for e in found] == sorted(e["at"] for e in found)
    names = [e["event"] for e in found]
    assert names.index("dawned") < names.index("letter-heard")


@pytest.mark.parametrize(("opens", "closes"), [('"', '"'), ("“", "”")])
def test_quotation_marks_are_the_same_whether_straight_or_curly(opens: str, closes: str) -> None:
    """``contains`` finds, and ``never`` forbids, words between either kind."""
    script = """
ruleset: six-phases
given:
  roles: {Ada: mafioso, Bob: townie, Cat: townie, Dan: townie}
  phase: day 1
  stage: nominations
  at: 2026-12-01T00:00Z
when:
  - {at: 2026-12-01T10:00Z, from: Ada, to: contestmaster, says: nominate Dan}
  - {at: 2026-12-01T10:01Z, from: Bob, to: contestmaster, says: nominate Dan}
  - {at: 2026-12-01T10:02Z, from: Cat, to: contestmaster, says: nominate Dan}
  - {at: 2026-12-01T10:03Z, from: Dan, to: contestmaster, says: nominate Dan}
  - {at: 2026-12-04T10:03Z, from: Bob, to: contestmaster, says: "guilty, innocent"}
then:
"""
    said = f"write {opens}guilty{closes} or {opens}innocent{closes}"

    assert played(f"{script}  letters: {{Bob: {{contains: ['{said}']}}}}\n").failures == []
    assert played(f"{script}  letters: {{Bob: {{never: ['{said}']}}}}\n").failures != []


def test_what_is_printed_has_the_promised_keys() -> None:
    """``--json``: every key of the promise, lists in the order in which things happened."""
    found = outcome_json(played(BEGIN + GOOD))

    assert set(found) == {
        "schema", "title", "passed", "failures", "phase", "alive", "dead", "votes", "counts", "winners", "awards",
        "events", "letters", "refused", "owed",
    }  # fmt: skip
    assert found["schema"] == 1
    assert [e["entry"] for e in found["events"]] == sorted(e["entry"] for e in found["events"])
    assert all({"event", "at", "audience", "cites"} <= set(e) for e in found["events"])
    assert {x["audience"] for x in found["letters"]} == {"public", "private"}
    assert all(set(x) == {"to", "audience", "at", "subject", "body"} for x in found["letters"])
    assert found["refused"][0]["from"] == "Bex"
    assert {"who": "Hal", "verb": "attack"} in found["owed"]


@each(
    ("then", "says"),
    [
        ("phase: day 2", "phase: expected day 2, but it is night 1"),
        ("alive: [Ash]", "alive: not expected Hal, Bex, Cam, Dov, Eli, Fay"),
        ("dead: [Gus, Fay]", "dead: missing Fay (there: Gus)"),
        ("winners: [Ash]", "winners: missing Ash (there: nobody)"),
        ("events: [{event: lynched, who: Fay}]", "events: no {event: lynched, who: Fay}; nearest: {event: lynched"),
        ("events: [{event: lynched}, {event: voted, who: Dov}]", "it is there, but earlier"),
        ("refused: [{from: Bex, contains: moon}]", "refused: no {from: Bex, contains: moon}; nearest: {from: Bex"),
        ("public: {contains: [Gus was a werewolf]}", "nearest lines: “Gus was not a werewolf.”"),
        ("public: {never: [Gus]}", "public: “Gus” stands in “[Werewolves] Day 1: Gus is lynched”"),
        ("letters: {Fay: {contains: [nothing like it]}}", "letters: Fay: nowhere “nothing like it”"),
        ("awards: [{who: Ash}]", "awards: no {who: Ash}; there are none"),
        ("counts: {Gus: 1}", "counts: expected {Gus: 1}, but there is {}"),
        ("votes: {Ash: Gus}", "votes: Ash: expected {'value': 'Gus'}, but it is None (no vote)"),
        ("votes: {Ahs: nobody}", "votes: there is no Ahs in the session"),
        ("letters: {Ahs: {never: [wolf]}}", "letters: Ahs is nobody here"),
    ],
)
def test_a_failure_says_what_there_was_instead(then: str, says: str) -> None:
    """Each kind of expectation can fail, and names what came nearest."""
    (failure,) = failures(then)

    assert says in failure


def test_a_steps_own_expectation_is_checked_right_after_it() -> None:
    """A step's `then` sees the contest as it stood at that step."""
    found = played(BEGIN.replace("counts: {Gus: 4}", "counts: {Gus: 5}"))

    assert found.failures == ["after step 1: counts: expected {Gus: 5}, but there is {Gus: 4}"]
    assert found.passed is False
    assert "FAILED" in outcome_text(found)


def test_a_rehearsal_can_stop_early() -> None:
    """Until a step: what is expected of the end is not checked."""
    found = played(BEGIN.replace(", then: {counts: {Gus: 4}}", "") + GOOD, until=1)

    assert (found.passed, found.contest.game and found.contest.game.phase) == (None, "day")


def test_a_stop_counts_as_an_end() -> None:
    """NC 1f: `ended` may also be the contestmaster's end."""
    found = played(BEGIN.replace("act-for Cam 'see Bex'", "end --why enough") + "then: {events: [{event: ended}]}\n")

    assert found.failures == []


def test_a_whole_message_can_be_a_step(tmp_path: Path) -> None:
    """A file of mail, beside the rehearsal or above it, is heard as it is."""
    letter = b"From: Dov <dov@players.example>\nTo: contest@werewolf.example\nMessage-ID: <1@x.example>\n\nhelp\n"
    (tmp_path / "letter.eml").write_bytes(letter)
    text = BEGIN.split("when:", maxsplit=1)[0] + "when: [{at: 2026-12-01T09:00Z, letter: letter.eml}]\n"

    found = rehearse(read_script(text, tmp_path), order_of)
    assert [x.person for x in found.letters] == ["Dov"]


def test_whoever_is_killed_again_is_the_last_of_the_dead() -> None:
    """Lists are in the order in which things happened; that e was dead before is over."""
    played = rehearse(read_script("""
ruleset: narrated-mafia
given:
  roles: {M1: mafioso, M2: mafioso, D: doctor, C1: civilian, C2: civilian, C3: civilian, C4: civilian, C5: civilian}
  phase: night 3
  at: 2026-12-01T00:00Z
  dead: [M1, C1]
when:
  - {at: 2026-12-01T01:00Z, from: D, to: contestmaster, says: revive M1}
  - {at: 2026-12-05T00:00Z, from: M1, to: forum, says: I leave the contract.}
"""), order_of)

    assert outcome_json(played)["dead"] == ["C1", "M1"]


def test_only_the_contestmaster_gives_commands() -> None:
    """A command by anyone else, and one that the command line refuses, is refused with its reason."""
    wrong = "12:30Z, from: Murphy, command: award --limt agora=50}"
    text = BEGIN.replace("from: Murphy, command", "from: Bex, command").replace("12:30Z}", wrong)
    found = outcome_json(played(text))

    whys = [refused["why"] for refused in found["refused"]]
    assert any("Only the contestmaster" in why for why in whys)
    assert any("No such option" in why for why in whys)


@each(
    ("before", "after", "says"),
    [
        ("ruleset:", "rulset:", "no such key as rulset; write ruleset"),
        ("phase: day 1", "phase: dusk", "“dusk” is none"),
        ("at: 2026-12-01T00:00Z", "at: yesterday", "“yesterday” is no time"),
        ("2026-12-01T09:00Z", "soon", "step 1: at: “soon” is no time"),
        ("2026-12-01T11:00Z", "2026-11-01T11:00Z", "times only go forward"),
        ("Hal: werewolf", "Hal: butcher", "has no role 'butcher'"),
        ("Bex: Gus, Cam", "Bex: Zed, Cam", "votes: Bex"),
        ("dead: []", "lovers: [Ash, Zed]", "Zed has no role here"),
        ("to: contestmaster", "to: moon", "“moon” is none"),
        ("limit: {agora: 50}", "limit: {agora: many}", "whole number"),
        ('says: "attack Fay"', "letter: missing.eml", "no file missing.eml"),
        ("ruleset: nomic-crossing", "ruleset: chess", "no rule set 'chess'"),
        ("title: a strict", "title: [", "line"),
        ("title: a strict majority of an even town", "title: [a, b]", "title: is a list or a mapping"),
        ('says: "attack Fay"', "says: [attack Fay]", "step 4: says: is a list or a mapping"),
        (', says: "attack Fay"', "", "step 4: from: nothing is done"),
        ("2026-12-09T12:30Z}", "2026-12-09T12:30Z, outage: 2026-12-10T00:00Z}", "step 6: outage: lies after the step"),
        ("2026-12-09T12:30Z}", "9999-12-31T12:30Z}", "step 6: at: “9999-12-31T12:30Z” is too late"),
        ("then: {counts: {Gus: 4}}", "then: [counts]", "step 1: then: is no mapping"),
        ("phase: day 1", "phase: day ١", "“day ١” is none"),
        ("phase: day 1\n  dead: []", "phase: night 0", "nomic-crossing has no night 0"),
        ("contestmaster: Murphy", "contestmaster: Ash", "contestmaster: Ash has a role"),
        ("Fay: villager", "nobody: villager", "“nobody” is no name"),
        ("dead: []", "lovers: [Ash]", "lovers: there are two, or none"),
        ("dead: []", "lovers: [Ash, Ash]", "lovers: there are two, or none"),
        ("dead: []", "stage: discussion", "stage: days of nomic-crossing have no stages; leave it out"),
        ("dead: []", "spent: {Dov: [heel]}", "spent: Dov, the witch, can't heel; write heal"),
        ("limit: {agora: 50}", "limit: {agorra: 50}", "limit: there is no nomic agorra; write agora"),
        ("given:", "switches: {assurance: {private: sure}}\ngiven:", "assurance.private: “sure” is no level"),
    ],
)
def test_a_wrong_file_is_told_with_its_place(before: str, after: str, says: str) -> None:
    """What can't be played is refused before or when it would be played, with what to write."""
    assert before in BEGIN
    with pytest.raises(ScriptError) as error:
        played(BEGIN.replace(before, after, 1))

    assert says in str(error.value)


@each("stage", ["verdict", "defence", "ballot", "balot"])
def test_what_is_about_somebody_on_trial_is_played_up_to(stage: str) -> None:
    """No rehearsal begins in a stage in which nobody could be on trial."""
    text = BEGIN.replace("nomic-crossing", "six-phases").replace("dead: []", f"stage: {stage}")
    with pytest.raises(ScriptError, match=f"can't begin in “{stage}”; write .*, and play on from there"):
        played(text)


@pytest.mark.parametrize("then", ["awards: some", "awards: [some]", "alive: [[Ash]]", "public: {contains: [{a: b}]}"])
def test_an_expectation_of_a_wrong_kind_is_told(then: str) -> None:
    """What can be no expectation of its kind is refused with its key, not taken for one that fails."""
    with pytest.raises(ScriptError, match=f"^then: {then.partition(':')[0]}: is "):
        failures(then)


@each("value", ["0x44", "No", "1e3", "null", "2026-12-01"])
def test_every_scalar_is_a_text(value: str) -> None:
    """Names that YAML would take for something else are names."""
    text = BEGIN.replace("Hal", value).replace("from: Dov", f"from: {value}")
    found: dict[str, Any] = outcome_json(played(text, until=1))

    assert value in found["alive"]
    assert found["counts"] == {"Gus": 4}
