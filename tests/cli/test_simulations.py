"""``rehearse`` with several files, and ``odds`` by itself and before a start."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from tests.cli.terminal import CODES, beside_a_terminal, spawn
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import PLAYERS, World, make_world

pytestmark = pytest.mark.slow

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


PLAYED = ("odds", "nomic-crossing", "5", "--played", "--games", "120", "--seed", "7")
ASSUMED = (
    "Assumed: each day all but the chosen one vote for one of the living, chosen by lot; each night the pack agrees on "
    "a victim of another side by lot; who can do more does it by lot, or not at all.")


def test_a_terminal_sees_how_far_the_playing_has_come() -> None:
    """The bar moves from chunk to chunk to the end; it leaves nothing behind, and nothing of it is in the output."""
    out, shown = beside_a_terminal(*PLAYED, "--processes", "1")

    percents = [int(number) for number in re.findall(r"(\d+)%", CODES.sub("", shown))]
    assert "playing" in CODES.sub("", shown)
    assert percents == sorted(percents)
    assert percents[0] == 0
    assert percents[-1] == 100
    assert re.search(r"\x1b\[\d*K|\x1b\[2K", shown)
    assert out.startswith("nomic-crossing, 5 players (120 sessions played, policy random, 95 % sure): villagers ")
    assert re.fullmatch(r"A session has \d\.\d days in the mean\.", out.splitlines()[1])
    assert out.splitlines()[2:] == [ASSUMED]


@pytest.mark.parametrize("words", [(*PLAYED, "--json"), ("odds", "nomic-crossing", "7")])
def test_no_bar_is_shown_to_programs_nor_where_nothing_is_played(words: tuple[str, ...]) -> None:
    """On a terminal, too: ``--json`` is for a program, and an exact rate is there at once."""
    out, shown = beside_a_terminal(*words)

    assert out
    assert "playing" not in CODES.sub("", shown)


def test_a_pipe_gets_no_bar() -> None:
    """Standard error that is no terminal stays empty, so that cron sends no mail."""
    done = spawn(*PLAYED)
    out, err = done.communicate()

    assert (done.returncode, err) == (0, b"")
    assert out.startswith(b"nomic-crossing, 5 players")


def test_any_number_of_processes_gives_the_same_rates(capsys: pytest.CaptureFixture[str]) -> None:
    """One, two, three or as many as there are processors: the seed alone decides."""
    found = []
    for processes in ("1", "2", "3", "0"):
        assert run([*PLAYED, "--processes", processes, "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))

    assert all(each == found[0] for each in found)
    assert run([*PLAYED[:-1], "8", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["wins"] != found[0]["wins"]


def test_the_shape_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """``odds --json``: exact to the last digit where it can be, else so many games with a Wilson interval."""
    assert run(["odds", "nomic-crossing", "17", "--json"]) == 0
    exact = json.loads(capsys.readouterr().out)
    assert run([*PLAYED, "--json"]) == 0
    played = json.loads(capsys.readouterr().out)

    assert {"schema": 1, "players": 17, "method": "exact", "fraction": "1552/21879"}.items() <= exact.items()
    assert {"schema": 1, "players": 5, "method": "played", "games": 120, "policy": "random"}.items() <= played.items()
    assert "fraction" not in played
    for rate in played["wins"].values():
        assert 0 <= rate["low"] < rate["p"] < rate["high"] <= 1


def test_a_cliff_is_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    """From seven to eight players the villagers' chance falls; eight are told so, seven not."""
    assert run(["odds", "nomic-crossing", "7"]) == 0
    seven = capsys.readouterr().out
    assert seven == f"nomic-crossing, 7 players (exact): villagers 54 % (19/35), werewolves 46 % (16/35).\n{ASSUMED}\n"
    assert run(["odds", "nomic-crossing", "8"]) == 0
    eight = capsys.readouterr().out
    assert "villagers 16 % (5/32)" in eight
    assert "Beware: with 8 players there are 2 of the evil side, with 7 only 1" in eight


@pytest.mark.parametrize(("words", "says"), [
    (["odds", "chess", "7"], "nomic-crossing"), (["odds", "nomic-crossing", "4"], "five"),
    (["odds", "nomic-crossing", "7", "--policy", "clever"], "random, believing"),
    (["odds", "tabula", "9", "--roles", "owel"], "owl"),
])
def test_wrong_use_says_what_there_is(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2, with what can be asked for."""
    assert run(words) == 2
    assert says in capsys.readouterr().err


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A contest of eight players without a session."""
    with smtp_server(SmtpScript()) as port:
        made = make_world(tmp_path / "contest", port, SmtpScript())
        for who in (*PLAYERS, "Zoe"):
            assert made.command("party-add", who=who, address=f"{who.lower()}@players.test").status == 0
    return made


def test_a_start_tells_the_odds_before_any_letter(world: World) -> None:
    """Rates and cliff are on the screen when the first letter is handed to the server, which has not taken it yet."""
    script = SmtpScript()
    script.go.clear()
    with smtp_server(script) as port:
        settings = world.folder / "contest.toml"
        settings.write_text(re.sub(r"(?m)^port = \d+", f"port = {port}", settings.read_text()))
        done = spawn("-C", str(world.folder), "start")
        assert done.stdout is not None
        first, assumed, second = (done.stdout.readline().decode() for _ in range(3))
        assert script.whole.wait(60)
        assert script.taken == []
        script.go.set()
        _, err = done.communicate()

    assert first == "Odds with 8 players (exact): villagers 16 % (5/32), werewolves 84 % (27/32).\n"
    assert assumed == f"{ASSUMED}\n"
    assert second.startswith("Beware: with 8 players there are 2 of the evil side")
    assert (done.returncode, err) == (0, b"")
    assert script.taken


def test_a_start_that_is_only_tried_tells_the_odds_and_does_nothing(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    """``--dry-run``, with roles: sessions are played for the rates; no session, no letter."""
    assert run(["-C", str(world.folder), "start", "--roles", "seer", "--dry-run"]) == 0
    told = capsys.readouterr().out

    assert told.startswith("Odds with 8 players (200 sessions played at random): villagers ")
    assert "Nothing was done" in told
    assert run(["-C", str(world.folder), "status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["session"] == 0


@pytest.mark.parametrize(("wrong", "status", "says"), [
    (["--limit", "c=50"], 2, "not 'c=50'"), (["--limit", "agora"], 2, "NOMIC=POINTS"),
    (["--at", "noon"], 2, "--at noon: is no time"),
])
def test_a_start_that_can_not_be_tells_no_odds(
    world: World, capsys: pytest.CaptureFixture[str], wrong: list[str], status: int, says: str
) -> None:
    """What is wrong is told at once; no session is played for odds, and none begins."""
    assert run(["-C", str(world.folder), "start", *wrong]) == status
    told = capsys.readouterr()

    assert (told.out, says in told.err) == ("", True)
