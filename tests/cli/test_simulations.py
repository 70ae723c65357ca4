"""Commands without a contest: `rehearse`, `odds`, `read --text` and `bench`."""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from pathlib import Path

import pytest

import nomicwolf
from nomicwolf.cli.app import run
from nomicwolf.data import folder
from tests.cli.terminal import CODES, beside_a_terminal, spawn
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import PLAYERS, World, new_world
from tests.tables import each

GIVEN = "given:\n  roles: {Ash: werewolf, Bex: villager, Cam: villager, Dov: villager, Eli: villager}\n"
VOTE = 'when:\n  - {at: 2026-12-01T09:00Z, from: Cam, to: forum, says: vote Ash if "it rained" is so}\n'
RAIN = '  - {at: 2026-12-01T10:00Z, from: Murphy, command: publish "it rained"}\n'


@pytest.mark.slow
def test_a_broken_rehearsal_does_not_stop_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told on standard error, and the status is 2."""
    good = f"ruleset: nomic-crossing\n{GIVEN}  phase: day 1\n{VOTE}"
    for name, text in (("1.yaml", good), ("2.yaml", good.replace("day 1", "dusk 1")), ("3.yaml", good)):
        (tmp_path / name).write_text(text, encoding="utf-8")

    assert run(["rehearse", "--json", str(tmp_path)]) == 2

    told = capsys.readouterr()
    assert [json.loads(line)["passed"] for line in told.out.splitlines()] == [None, None]
    assert "2.yaml: given: phase" in told.err


@pytest.mark.slow
def test_a_fact_is_published_as_so_unless_it_says_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``publish FACT`` alone is enough for what has come true (D-N8)."""
    (tmp_path / "rain.yaml").write_text(
        f"ruleset: nomic-crossing\n{GIVEN}  phase: day 1\n{VOTE}{RAIN}then: {{counts: {{Ash: 1}}}}\n", encoding="utf-8")

    assert run(["rehearse", str(tmp_path / "rain.yaml")]) == 0, capsys.readouterr().out


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    "a victim of another side by lot; whoever has another power uses it by lot, or not at all.")


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("words", [(*PLAYED, "--json"), ("odds", "nomic-crossing", "7")])
def test_no_bar_is_shown_to_programs_nor_where_nothing_is_played(words: tuple[str, ...]) -> None:
    """On a terminal, too: ``--json`` is for a program, and an exact rate is there at once."""
    out, shown = beside_a_terminal(*words)

    assert out
    assert "playing" not in CODES.sub("", shown)


@pytest.mark.slow
def test_a_pipe_gets_no_bar() -> None:
    """Standard error that is no terminal stays empty, so that cron sends no mail."""
    done = spawn(*PLAYED)
    out, err = done.communicate()

    assert (done.returncode, err) == (0, b"")
    assert out.startswith(b"nomic-crossing, 5 players")


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same_rates(capsys: pytest.CaptureFixture[str]) -> None:
    """One, two, three or as many as there are processors: the seed alone decides."""
    found = []
    for processes in ("1", "2", "3", "0"):
        assert run([*PLAYED, "--processes", processes, "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))

    assert all(each == found[0] for each in found)
    assert run([*PLAYED[:-1], "8", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["wins"] != found[0]["wins"]


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_cliff_is_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    """From seven to eight players the villagers' chance falls; eight are told so, seven not."""
    assert run(["odds", "nomic-crossing", "7"]) == 0
    seven = capsys.readouterr().out
    assert seven == f"nomic-crossing, 7 players (exact): villagers 54 % (19/35), werewolves 46 % (16/35).\n{ASSUMED}\n"
    assert run(["odds", "nomic-crossing", "8"]) == 0
    eight = capsys.readouterr().out
    assert "villagers 16 % (5/32)" in eight
    assert "Beware: with 8 players there are 2 of the evil side, with 7 only 1" in eight


@pytest.mark.slow
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
    with new_world(tmp_path / "contest") as made:
        for who in (*PLAYERS, "Zoe"):
            assert made.command("party-add", who=who, address=f"{who.lower()}@players.test").status == 0
    return made


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


KNOWN = ["--players", "Ash,Gus", "--author", "Ash", "--to", "forum"]


def read(words: list[str], capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    """What each letter's deeds say, one list for each line of the output."""
    assert run(["read", *KNOWN, *words]) == 0
    return [[deed["says"] for deed in json.loads(line)["deeds"]] for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("words", [["--text", "BODY", "--json"], ["--json", "--text", "BODY"],
                                   ["BODY", "--text", "--json"], ["--text", "--json", "BODY"]])
def test_a_body_is_read_from_a_file(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The value may name a file, or be left out before one; headers are not looked for in it."""
    body = tmp_path / "body.txt"
    body.write_text("I vote for Gus.\n", encoding="utf-8")
    named = [word.replace("BODY", str(body)) for word in words]

    assert read(named, capsys) == [["vote Gus"]]


@pytest.mark.parametrize("words", [["--text", "--json"], ["--json", "--text"], ["--text", "-", "--json"],
                                   ["--text=-", "--json"]])
def test_a_body_is_read_from_the_standard_input(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where ``--text`` has no value, or ``-``."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"I vote for Gus.\n")))

    assert read(words, capsys) == [["vote Gus"]]


@pytest.mark.parametrize("text", ["I vote for Gus.", "I vote for Gus.\n" + "talk " * 2000, "I vote for Gus. \x00"])
def test_a_value_that_names_no_file_is_the_body(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """However long it is."""
    assert read(["--json", "--text", text], capsys)[0] == ["vote Gus"]


def test_a_body_and_files_at_once_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A value that is a body leaves no place for files."""
    (tmp_path / "body.txt").write_text("I vote for Gus.\n", encoding="utf-8")

    assert run(["read", *KNOWN, "--text", "I vote for Gus.", str(tmp_path / "body.txt")]) == 2
    assert "leave out the files" in capsys.readouterr().err


def test_a_body_alone_is_nobodys_in_a_contests_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no headers to tell its author or its way by: it is read as a letter to the forum, not as a stranger's."""
    made = ["--yes", "--contestmaster", "Murphy", "--address", "m@x.example", "--contest-address", "c@x.example",
            "--imap", "x.example", "--smtp", "x.example", "--user", "c", "--forum", "agora=f@x.example"]
    monkeypatch.setenv("NOMICWOLF_IMAP_PASSWORD", "secret")
    monkeypatch.setenv("NOMICWOLF_SMTP_PASSWORD", "secret")
    assert run(["init", str(tmp_path / "crossing"), *made]) == 0
    assert run(["-C", str(tmp_path / "crossing"), "party", "add", "Gus", "gus@x.example"]) == 0
    capsys.readouterr()

    assert run(["-C", str(tmp_path / "crossing"), "read", "--json", "--text", "I vote for Gus."]) == 0

    found = json.loads(capsys.readouterr().out)
    assert (found["bucket"], found["letter"]["to"], found["letter"]["author"]) == ("deeds", "forum", None)
    assert [deed["says"] for deed in found["deeds"]] == ["vote Gus"]


def test_what_is_asked_is_told_in_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    """The words that were not understood, why, and what to write: each a sentence of its own."""
    assert run(["read", *KNOWN, "--text", "I will vote for Gus"]) == 0
    assert ("ambiguous: “I will vote for Gus”. It says what you will do or wish to, not what you do. Did you mean "
            "vote Gus?"
            in capsys.readouterr().out)


@each(("words", "says"), [
    ("before Friday 12:00 UTC", []), ("after tomorrow 9:00 UTC", []), ("3 hours from now", []),
    ("after 5 December 12:00 UTC", []),
    ("after 2026-12-04T12:00Z", ["vote Gus if it is after 2026-12-04T12:00Z, otherwise nobody"]),
    ("after 4 December 2026 12:00 UTC", ["vote Gus if it is after 2026-12-04T12:00Z, otherwise nobody"])])
def test_a_body_alone_has_no_date(words: str, says: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """So what hangs on the day it was written is asked about; a message has a date, and is understood by it."""
    assert read(["--json", "--text", f"I vote for Gus {words}."], capsys) == [says]

    assert run(["read", *KNOWN, "--text", f"I vote for Gus {words}."]) == 0
    assert ("Did you mean vote Gus?" in capsys.readouterr().out) is (says == [])


def test_a_message_is_dated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its own head, where no server has stamped it."""
    (tmp_path / "vote.eml").write_text(
        "From: ash@example.org\nDate: Tue, 01 Dec 2026 10:00:00 +0000\n\nI vote for Gus before Friday 12:00 UTC.\n",
        encoding="utf-8")

    assert read(["--json", str(tmp_path / "vote.eml")], capsys) == [
        ["vote Gus if it is before 2026-12-04T12:00Z, otherwise nobody"]]


@pytest.mark.parametrize(("head", "bucket"), [
    ("List-Id: <agora.lists.example>\nPrecedence: bulk\n", "deeds"),
    ("X-BeenThere: agora@lists.example\nPrecedence: bulk\n", "deeds"),
    ("List-Id: <agora.lists.example>\nX-Auto-Response-Suppress: All\n", "deeds"),
    ("List-Id: <agora.lists.example>\nAuto-Submitted: auto-replied\n", "machine"),
    ("Precedence: bulk\n", "machine"),
])
def test_a_persons_letter_on_an_unknown_list_is_no_machines(
    head: str, bucket: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without settings a list is known by its own headers; most people's letters there have such a ``Precedence``."""
    letter = tmp_path / "letter.eml"
    letter.write_text(f"From: ash@players.example\n{head}\nI vote for Gus.\n", encoding="utf-8")

    assert run(["read", *KNOWN, "--json", str(letter)]) == 0
    assert json.loads(capsys.readouterr().out)["bucket"] == bucket


def test_a_private_letter_is_read_by_its_author_s_role(capsys: pytest.CaptureFixture[str]) -> None:
    """As in a game, where the contest knows it; and a role that is not there is told with those that are."""
    told = ["--text", "I think it's Gus tonight", "--to", "contestmaster"]
    assert read(["--json", *told], capsys) == [[]]
    assert read(["--json", *told, "--role", "werewolf"], capsys) == [["attack Gus"]]
    assert read(["--json", *told, "--role", "prophet", "--ruleset", "gadianton"], capsys) == [["see Gus"]]

    assert run(["read", *KNOWN, *told, "--role", "wolf"]) == 2
    assert "in nomic-crossing there are villager, werewolf" in capsys.readouterr().err


def test_a_private_letter_is_read_by_what_is_open_in_its_phase(capsys: pytest.CaptureFixture[str]) -> None:
    """In tabula the wolves hunt from the second night on; a phase that there is not is refused."""
    told = ["--text", "Gus tonight", "--to", "contestmaster", "--role", "werewolf", "--ruleset", "tabula"]
    assert read(["--json", *told, "--phase", "night 1"], capsys) == [[]]
    assert read(["--json", *told, "--phase", "night 2"], capsys) == [["attack Gus"]]

    assert run(["read", *KNOWN, *told, "--phase", "noon"]) == 2
    assert "write such as 'night 1' or 'day 2'" in capsys.readouterr().err


def test_each_sentence_is_told_with_what_decides_on_it(capsys: pytest.CaptureFixture[str]) -> None:
    """``--why``: the row of the mood table, what stands beside a clause, or that it has no deed."""
    text = "I would vote for Gus. I voted for Gus. The moon is full.\n\nI vote for Gus, maybe."
    assert run(["read", *KNOWN, "--json", "--why", "--text", text]) == 0
    told = json.loads(capsys.readouterr().out)["sentences"]
    assert [(one["comes_to"], one["row"]) for one in told] == [
        ("talk", "possibility"), ("talk", "report"), ("talk", "no deed"), ("asked about", "hedged")]
    assert "modal: WOULD" in told[0]["features"]

    assert run(["read", *KNOWN, "--why", "--text", text]) == 0
    told_why = capsys.readouterr().out
    assert "why, line 1: “I would vote for Gus.” is talk: possibility. It says what could be." in told_why


SHORT = ("bench", "--quick", "--rows", "votes", "--minutes", "1e-9")


@pytest.mark.slow
def test_the_figures_are_one_object_on_standard_output() -> None:
    """The options are passed on, and the table stands on standard error."""
    done = spawn(*SHORT, "--json")
    out, err = done.communicate()

    assert done.returncode == 0
    figures = json.loads(out)
    assert (next(iter(figures)), figures["schema"], figures["rows"]) == ("schema", 1, [])
    assert [line.partition(":")[0] for line in figures["lacking"]] == ["votes"]
    assert b"figures are within reach" in err


@pytest.mark.slow
def test_people_get_the_table() -> None:
    """On standard output, and nothing beside it."""
    out, err = spawn(*SHORT).communicate()
    assert (b"figures are within reach" in out, err) == (True, b"")


@pytest.mark.slow
def test_a_long_run_says_beforehand_how_to_do_less() -> None:
    """Whoever calls it without ``--quick`` is told on standard error how long it takes at most."""
    out, err = spawn("bench", "--rows", "votes", "--minutes", "1e-9").communicate()
    assert b"figures are within reach" in out
    assert err == b"This takes up to 1e-09 minutes. Less is done with --quick, --rows votes,ledger or --minutes 3.\n"


@pytest.mark.slow
def test_a_row_that_there_is_not_is_wrong_use() -> None:
    """Those that there are are named."""
    done = spawn("bench", "--rows", "chess")
    _, err = done.communicate()
    assert done.returncode == 2
    assert b"no row chess; there are polls, " in err


@pytest.mark.slow
def test_a_package_without_its_sources_says_what_to_do(tmp_path: Path) -> None:
    """As an installed wheel is: status 1, and nothing on standard output that a program could take for figures."""
    installed = tmp_path / "nomicwolf"
    shutil.copytree(Path(nomicwolf.__file__).parent, installed, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("grammar", "contract", "roles", "setups"):
        shutil.copytree(folder(name), installed / "_data" / name)
    done = spawn("bench", "--json", env={"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}, cwd=tmp_path)
    out, err = done.communicate()
    assert (done.returncode, out) == (1, b"")
    assert b"checkout of the sources" in err
