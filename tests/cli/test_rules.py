"""``rules``, ``roles`` and ``setup``: rule sets for players, and a moderator's files."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from nomicwolf.cli.app import run
from nomicwolf.village.rulesets import BUILT_IN
from tests.run.world import new_world, started
from tests.tables import each
from tests.village.test_role_files import JAILKEEPER, NURSE
from tests.village.test_setup_files import FRIDAY

pytestmark = pytest.mark.slow


def parity(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """What the switch *parity* is in *folder*, and what it usually is."""
    assert run(["-C", str(folder), "rules", "nomic-crossing", "--json"]) == 0
    switches = {s["name"]: s for s in json.loads(capsys.readouterr().out)["switches"]}
    return switches["parity"]["value"], switches["parity"]["default"]


def test_switches_are_those_in_force(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nowhere the usual ones, in a folder its settings', in a session those with which it began (D-N17)."""
    assert parity(tmp_path, capsys) == ("after-cascade", "after-cascade")
    with new_world(tmp_path / "w") as world:
        toml = world.folder / "contest.toml"
        usual = toml.read_text()
        toml.write_text(usual.replace("[switches]", '[switches]\nparity = "immediate"'))
        assert parity(world.folder, capsys) == ("immediate", "after-cascade")
        assert run(["-C", str(world.folder), "rules", "nomic-crossing", "--switches"]) == 0
        assert "parity = immediate (usually after-cascade; can be" in " ".join(capsys.readouterr().out.split())
        toml.write_text(usual)

        started(world)
        toml.write_text(usual.replace("[switches]", '[switches]\nparity = "immediate"'))
        assert parity(world.folder, capsys) == ("after-cascade", "after-cascade")


@pytest.mark.parametrize("command", ["rules", "odds"])
def test_the_help_names_every_rule_set(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """All that come with the program, and in their order."""
    assert run([command, "--help"]) == 0
    assert ", ".join(BUILT_IN) in " ".join(capsys.readouterr().out.split())


@each("name", BUILT_IN)
def test_programs_and_people_read_the_same_of_a_role(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """How a deed is written, and whether one may decline it, stands in both forms."""
    assert run(["rules", name]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert run(["rules", name, "--json"]) == 0
    for role in json.loads(capsys.readouterr().out)["roles"]:
        for deed in role["deeds"]:
            assert f"- {deed}" in told


def folder(tmp_path: Path, **texts: str) -> Path:
    """A folder with files of roles, and no contest."""
    (tmp_path / "roles").mkdir()
    for name, text in texts.items():
        (tmp_path / "roles" / f"{name}.toml").write_text(text)
    return tmp_path


def test_roles_lists_what_the_rule_set_has_and_what_files_bring(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the story and the deeds; a wrong file with what is wrong, and then the contestmaster is needed."""
    here = folder(tmp_path, jailkeeper=JAILKEEPER)
    assert run(["-C", str(here), "roles"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "seer (villagers): You are the Seer" in told
    assert "Roles of the contest's folder jailkeeper (villagers): You are the Jailkeeper. You are on the good" in told

    (here / "roles" / "warden.toml").write_text(JAILKEEPER)
    assert run(["-C", str(here), "roles"]) == 1
    assert "roles/warden.toml, line 2: name: the file is called" in capsys.readouterr().out


@each("name", sorted(BUILT_IN))
def test_roles_prints_for_programs(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each role of the rule set, then the files'."""
    assert run(["-C", str(tmp_path), "roles", name, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)

    assert (told["schema"], told["ruleset"]) == (1, name)
    assert [r["name"] for r in told["roles"] if r["from"] == "rule set"] == list(BUILT_IN[name].roles)
    assert all(r.keys() == {"name", "from", "title", "side", "story", "deeds", "clauses"} for r in told["roles"])


def test_setup_check_says_where_a_role_can_be_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In any rule set, in those that it fits, or in the one that is asked about."""
    file = str(folder(tmp_path, jailkeeper=JAILKEEPER) / "roles" / "jailkeeper.toml")
    assert run(["setup", "check", file]) == 0
    assert capsys.readouterr().out == f"{file}: a role that can be played in {', '.join(BUILT_IN)}\n"
    assert run(["setup", "check", "--ruleset", "tabula", file]) == 0
    assert capsys.readouterr().out == f"{file}: a role that can be played in tabula\n"
    assert run(["setup", "check", "--ruleset", "chess", file]) == 2
    assert "no rule set 'chess'" in capsys.readouterr().err


@each(("old", "new", "says"), [
    ('side = "good"', 'side = "neutral"', ""),
    ('side = "good"', 'side = "red"', "line 4: side: 'red' isn't allowed there; in nomic-crossing write one of good"),
    ('"detain"', '"not"', "words: 'not' can't be used, for it has another part in sentences"),
    ('"detain"', '"vote for"', "(vote for means something else in letters)"),
    ('verb = "jail"', 'verb = "the"', "verb: 'the' can't be used"),
    ('"detain"', '"lock up"', "words: ['lock up', 'lock up'] isn't allowed there"),
])
def test_setup_check_says_what_is_wrong(
    old: str, new: str, says: str, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also which words the reader would take for something else."""
    here = folder(tmp_path_factory.mktemp("roles"), jailkeeper=JAILKEEPER.replace(old, new))
    status = run(["setup", "check", str(here / "roles" / "jailkeeper.toml")])

    assert status == (1 if says else 0)
    assert says in capsys.readouterr().err


def test_setup_check_wants_a_file_of_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that isn't there, one that isn't UTF-8, one that is far too large."""
    assert run(["setup", "check", str(tmp_path / "none.toml")]) == 1
    (tmp_path / "bytes.toml").write_bytes(b'name = "\xff"')
    assert run(["setup", "check", str(tmp_path / "bytes.toml")]) == 1
    (tmp_path / "large.toml").write_text("#" * 9000)
    assert run(["setup", "check", str(tmp_path / "large.toml")]) == 1
    said = capsys.readouterr().err
    assert "save it as a UTF-8 file" in said
    assert "larger than 8192 bytes" in said


def test_setup_check_ends_with_what_never_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pipe that nobody writes to, a device, a folder."""
    os.mkfifo(tmp_path / "pipe.toml")
    for file in (str(tmp_path / "pipe.toml"), "/dev/zero", str(tmp_path)):
        assert run(["setup", "check", file]) == run(["setup", "show", file]) == 1
        assert f"{file}: it is no plain file" in capsys.readouterr().err


def test_a_fault_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Though it is one in every rule set, or in the role's file and in a setup that has the role."""
    here = folder(tmp_path, jailkeeper=JAILKEEPER.replace('side = "good"', 'side = "good"\nhunts = true'))
    assert run(["setup", "check", str(here / "roles" / "jailkeeper.toml")]) == 1
    assert capsys.readouterr().err.count("hunts: ") == 1


def test_a_folder_of_too_many_roles_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The role that would be left out is named, if it is to be played, and so is the number of files."""
    many = {f"warden-{'abcdefghijklmnop'[n // 10]}{'abcdefghij'[n % 10]}": JAILKEEPER for n in range(101)}
    file = folder(tmp_path, nurse=NURSE, **many) / "setup.toml"
    file.write_text(FRIDAY.replace("nurse = 1", "warden-ka = 1"))
    assert run(["setup", "check", str(file)]) == 1
    told = " ".join(capsys.readouterr().err.split())
    assert "roles: there are 102 files; 100 are the most" in told
    assert run(["setup", "show", str(file)]) == 1
    assert "roles/warden-ka.toml: nothing can be read of it" in " ".join(capsys.readouterr().err.split())


def test_odds_are_those_of_the_folder_s_roles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A Jailkeeper helps the villagers: e is played like any role."""
    here = folder(tmp_path, jailkeeper=JAILKEEPER)
    line = ["odds", "nomic-crossing", "6", "--roles", "jailkeeper", "--games", "20", "--json"]
    assert run(["-C", str(here), *line]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["roles"], told["method"]) == (["jailkeeper"], "played")


def test_setup_check_and_show_take_a_setup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the roles in the folder beside it; what is wrong is said by its line."""
    file = folder(tmp_path, nurse=NURSE) / "setup.toml"
    file.write_text(FRIDAY)
    assert run(["setup", "check", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}: a setup of six-phases that 5 to 60 can play\n"
    assert run(["setup", "show", str(file)]) == 0
    assert "nurse (town). You are the nurse." in " ".join(capsys.readouterr().out.split())

    file.write_text(FRIDAY.replace("mafioso = 2", "mafiosso = 2"))
    assert run(["setup", "check", str(file)]) == run(["setup", "show", str(file)]) == 1
    assert f"{file}, line 7: mafiosso: no such role; did you mean mafioso?" in capsys.readouterr().err
    file.write_text(FRIDAY.replace("six-phases", "chess"))
    assert run(["setup", "check", str(file)]) == run(["setup", "show", str(file)]) == 1
    assert "no rule set 'chess'" in capsys.readouterr().err


def test_setups_of_the_program_go_by_their_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are listed, shown and checked like files; a name that there isn't is told with those that there are."""
    assert run(["-C", str(tmp_path), "setup", "list"]) == 0
    assert "four-cops: Four Cops, nomic-crossing, for 5." in capsys.readouterr().out
    assert run(["-C", str(tmp_path), "setup", "show", "nine-open"]) == 0
    assert "Nine in the Open" in capsys.readouterr().out
    assert run(["-C", str(tmp_path), "setup", "check", "nine-open"]) == 0
    assert "nine-open: a setup of six-phases that 9 can play" in capsys.readouterr().out
    assert run(["-C", str(tmp_path), "setup", "show", "ten-open"]) == 1
    assert "setups that come with the program are classic, four-cops" in capsys.readouterr().err


def test_a_setup_is_written_from_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Once it can be played; what is missing or wrong is told, and no file is overwritten."""
    file = tmp_path / "friday.toml"
    words = ["setup", "new", str(file), "--title", 'The "Friday" 🐺', "--ruleset", "six-phases", "--players", "7"]
    assert run([*words, "--roles", "mafiosi=2,cop"]) == 1
    assert "no such role; did you mean mafioso?" in capsys.readouterr().err
    assert run([*words, "--roles", "mafioso=2,cop"]) == 0
    assert tomllib.loads(file.read_text()) == {
        "title": 'The "Friday" 🐺', "ruleset": "six-phases", "players": 7, "roles": {"mafioso": 2, "cop": 1}}
    assert run([*words, "--roles", "mafioso=2,cop"]) == 2
    words[2] = str(tmp_path / "rows.toml")
    for roles in ("mafioso=two", "cop;doctor", "cop="):
        assert run([*words, "--roles", roles]) == 1
        assert f"--roles: {roles!r}: write a role, a role and a number as in mafioso=2" in capsys.readouterr().err
    assert run([*words, "--roles", "mafioso,cop+doctor|mason+mason|nothing"]) == 0
    assert tomllib.loads((tmp_path / "rows.toml").read_text())["choice"] == [
        {"rows": [["cop", "doctor"], ["mason", "mason"], []]}]
    for option, wrong, says in (("--ruleset", "chess", "--ruleset: There is no rule set"),
                                ("--players", "3", "--players: Mafia in six phases needs 4")):
        line = [*words[:2], str(tmp_path / "new.toml"), *words[3:], "--roles", "mafioso", option, wrong]
        assert run(line) == 1
        assert says in capsys.readouterr().err


def test_a_setup_is_asked_for_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What isn't given; after what can't be played, once more."""
    ours, theirs = os.openpty()
    os.write(ours, b"chess\nmafioso\nsix-phases\nmafioso=2, jailkeeper\n")
    with Path(os.ttyname(theirs)).open(encoding="utf-8") as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        assert run(["setup", "new", str(tmp_path / "own.toml"), "--title", "Own", "--players", "7"]) == 0
    os.close(ours)
    os.close(theirs)
    assert tomllib.loads((tmp_path / "own.toml").read_text())["roles"] == {"mafioso": 2, "jailkeeper": 1}


def test_a_setup_that_is_suggested_can_be_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The best of three is printed as a file, the figures above it as comments."""
    assert run(["setup", "suggest", "nomic-crossing", "5", "--games", "10", "--processes", "1"]) == 0
    file = tmp_path / "even.toml"
    file.write_text(capsys.readouterr().out)
    assert file.read_text().startswith("# 1. ")
    assert run(["setup", "check", str(file)]) == 0
    assert run(["setup", "suggest", "gadianton", "5", "--games", "10"]) == 2


def test_odds_of_a_setup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its name or its file, with its roles and switches; a rule set needs a number of players."""
    (tmp_path / "friday.toml").write_text(FRIDAY.replace("nurse = 1\n", ""))
    for setup in ("four-cops", str(tmp_path / "friday.toml")):
        assert run(["odds", setup, "--games", "10", "--processes", "1", "--json"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["players"], first["roles"]) == (5, ["cop", "insane-cop", "naive-cop", "paranoid-cop"])
    assert (second["ruleset"], second["players"]) == ("six-phases", 4)
    assert run(["odds", "six-phases", "--games", "10"]) == 2
    assert "Say how many play" in capsys.readouterr().err
    assert run(["odds", "missing.toml"]) == 2
    assert "missing.toml: no such file, setup or rule set. Possible: classic, " in capsys.readouterr().err


HARBOUR = """
title: a keeper of one's own
ruleset: nomic-crossing
given:
  roles: {Ash: werewolf, Bex: jailkeeper, Cam: villager, Dov: villager, Eli: villager}
  phase: night 1
  at: 2026-12-01T09:00Z
when:
  - {at: 2026-12-01T10:00Z, from: Ash, to: contestmaster, says: "attack Cam"}
  - {at: 2026-12-01T11:00Z, from: Bex, to: contestmaster, says: "detain Cam"}
  - {at: 2026-12-01T21:00Z}
then: {alive: [Ash, Bex, Cam, Dov, Eli]}
"""


def test_a_rehearsal_plays_the_roles_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those of the folder `roles` where it lies, before those of the library."""
    (tmp_path / "roles").mkdir()
    (tmp_path / "roles" / "jailkeeper.toml").write_text(JAILKEEPER.replace("no one can kill em", "nobody kills em"))
    (tmp_path / "keeper.yaml").write_text(HARBOUR)

    assert run(["rehearse", str(tmp_path / "keeper.yaml")]) == 0
    assert "passed" in capsys.readouterr().out


def test_setup_unpack_takes_a_pack_into_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A setup with a role of the same pack; one that can't be played stops all."""
    setup = FRIDAY.replace("nurse = 1", "warden = 1")
    for text, status in ((JAILKEEPER.replace('"jailkeeper"', '"warden"'), 0), (JAILKEEPER, 1)):
        with ZipFile(tmp_path / "pack.zip", "w") as pack:
            pack.writestr("roles/warden.toml", text)
            pack.writestr("friday.toml", setup)
        folder = tmp_path / str(status)
        folder.mkdir()
        assert run(["-C", str(folder), "setup", "unpack", str(tmp_path / "pack.zip")]) == status
        assert (folder / "friday.toml").exists() is (status == 0)
    assert "call both the same" in " ".join(capsys.readouterr().err.split())


def test_setup_editor_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Or prints by what it checks."""
    assert run(["setup", "editor", str(tmp_path / "editor.html")]) == 0
    assert (tmp_path / "editor.html").read_text().startswith("<!DOCTYPE html>")
    capsys.readouterr()
    assert run(["setup", "editor", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == 1
    assert {*data["rulesets"]} == {*BUILT_IN}
    assert run(["setup", "editor"]) == 2
