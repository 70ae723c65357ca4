"""``rehearse`` with several files: each is played, whatever is wrong with the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nomicwolf.cli.app import run

GIVEN = "given:\n  roles: {Ash: werewolf, Bex: villager, Cam: villager, Dov: villager, Eli: villager}\n"
VOTE = 'when:\n  - {at: 2026-12-01T09:00Z, from: Cam, to: forum, says: vote Ash if "it rained" is so}\n'
RAIN = '  - {at: 2026-12-01T10:00Z, from: Murphy, command: publish "it rained"}\n'


def test_a_broken_rehearsal_does_not_stop_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told on standard error, and the status is 2."""
    good = f"ruleset: nomic-crossing\n{GIVEN}  phase: day 1\n{VOTE}"
    for name, text in (("1.yaml", good), ("2.yaml", good.replace("day 1", "dusk 1")), ("3.yaml", good)):
        (tmp_path / name).write_text(text, encoding="utf-8")

    assert run(["rehearse", "--json", str(tmp_path)]) == 2

    told = capsys.readouterr()
    assert [json.loads(line)["passed"] for line in told.out.splitlines()] == [None, None]
    assert "2.yaml: given: phase" in told.err


def test_a_fact_is_published_as_so_unless_it_says_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``publish FACT`` alone is enough for what has come true (D-N8)."""
    (tmp_path / "rain.yaml").write_text(
        f"ruleset: nomic-crossing\n{GIVEN}  phase: day 1\n{VOTE}{RAIN}then: {{counts: {{Ash: 1}}}}\n", encoding="utf-8")

    assert run(["rehearse", str(tmp_path / "rain.yaml")]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("line", ["rules nomic-crossing", "init other", "-C other poll", "poll", "status", "start -h"])
def test_a_rehearsal_runs_no_command_of_this_machine(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is no order is refused: nothing is printed between the lines of JSON, nothing is written."""
    monkeypatch.chdir(tmp_path)
    step = f'when:\n  - {{at: 2026-12-01T09:00Z, from: Murphy, command: "{line}"}}\n'
    Path("bad.yaml").write_text(f"ruleset: nomic-crossing\n{GIVEN}  phase: day 1\n{step}", encoding="utf-8")

    assert run(["rehearse", "--json", "bad.yaml"]) == 0

    told = json.loads(capsys.readouterr().out)
    assert [refused["text"] for refused in told["refused"]] == [line]
    assert [path.name for path in tmp_path.iterdir()] == ["bad.yaml"]


def test_an_order_that_can_not_be_given_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason stands with the refused step, not on another stream, and is not that there is no such order."""
    monkeypatch.chdir(tmp_path)
    step = "when:\n  - {at: 2026-12-01T09:00Z, from: Murphy, command: intend amend --text gone.md}\n"
    Path("gone.yaml").write_text(f"ruleset: nomic-crossing\n{GIVEN}  phase: day 1\n{step}", encoding="utf-8")

    assert run(["rehearse", "--json", "gone.yaml"]) == 0

    printed = capsys.readouterr()
    (refused,) = json.loads(printed.out)["refused"]
    assert "gone.md: No such file or directory; name a text file in UTF-8" in refused["why"]
    assert printed.err == ""


@pytest.mark.parametrize(("wrong", "says"), [
    ("ruleset: nomic-crosing", "nomic-crossing"),
    ("ruleset: nomic-crossing\nswitches: {huntr_pause: open}", "hunter_pause"),
    ("ruleset: nomic-crossing\nswitches: {hunter_pause: ajar}", "closed, open"),
    ("ruleset: nomic-crossing\nswitches: {first_night_victim: player}", "no first_night_victim"),
])
def test_a_wrong_rule_set_or_switch_is_named(
    wrong: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A switch that the rule set hasn't got is never passed over."""
    (tmp_path / "a.yaml").write_text(f"{wrong}\n{GIVEN}  phase: day 1\n{VOTE}", encoding="utf-8")

    assert run(["rehearse", str(tmp_path / "a.yaml")]) == 2
    assert says in capsys.readouterr().err


def test_persons_and_phases_are_the_same_in_any_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As a contest knows people: `from: bex` is Bex with eir address, and `Day 1` is day 1, as for `tally`."""
    steps = (
        "  - {at: 2026-12-01T09:00Z, from: bex, says: I vote for Ash.}\n"
        "  - {at: 2026-12-01T09:10Z, from: CAM, says: I vote for Ash.}\n"
        "  - {at: 2026-12-01T09:15Z, from: murphy, command: announce}\n"
        "  - {at: 2026-12-01T09:20Z, from: Zoe, says: I join.}\n"
        "  - {at: 2026-12-01T09:30Z, from: zoe, says: I leave.}\n")
    text = (f"ruleset: nomic-crossing\n{GIVEN}  phase: Day  1\n  votes: {{dov: Bex}}\n  disclosed: {{eli: villager}}\n"
            f"when:\n{steps}then: {{phase: Day 1, counts: {{Ash: 2, Bex: 1}}, refused: []}}\n")
    (tmp_path / "any.yaml").write_text(text, encoding="utf-8")

    assert run(["rehearse", "--json", str(tmp_path / "any.yaml")]) == 0, capsys.readouterr().out
    told = json.loads(capsys.readouterr().out)
    assert [e["who"] for e in told["events"] if e["event"] == "party-left"] == ["Zoe", "Zoe"]
    text = text.replace("Eli: villager}", "Eli: villager, ELI: villager}")
    (tmp_path / "any.yaml").write_text(text, encoding="utf-8")
    assert run(["rehearse", str(tmp_path / "any.yaml")]) == 2
    assert "given: disclosed: “eli” may be Eli or ELI; write which" in capsys.readouterr().err


@pytest.mark.parametrize(("more", "key"), [
    ("phase: day 1", "phase"), ("votes: {Ash: Bex}", "votes"), ("dead: [Bex]", "dead"), ("stage: ballot", "stage"),
    ("phase: setup\n  lovers: [Ash, Bex]", "lovers"),
])
def test_before_a_session_nothing_has_been_played(
    more: str, key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What contestants alone can't have is an error; it was passed over, and the file seemed to play what it says."""
    text = f"ruleset: nomic-crossing\ngiven:\n  contestants: [Ash, Bex]\n  at: 2026-12-01T00:00Z\n  {more}\n"
    (tmp_path / "early.yaml").write_text(text, encoding="utf-8")

    assert run(["rehearse", str(tmp_path / "early.yaml")]) == 2

    assert f"given: {key}: no session has begun where there are contestants" in capsys.readouterr().err
