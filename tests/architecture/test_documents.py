"""What README and CONTRIBUTING tell a newcomer to do can be done."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nomicwolf.village.events import Opened, PhaseBegan
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import with_role, with_switches
from nomicwolf.village.rules import Role
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from tests.architecture.source import ROOT
from tests.docs.pages import blocks, prose
from tests.run.world import PLAYERS, running_world

pytestmark = pytest.mark.slow

MAIN = "from nomicwolf.cli.main import main; main()"
NOMICWOLF = (sys.executable, "-c", MAIN)
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_is_to_be_made_can_be_made(document: str) -> None:
    """Each ``make TARGET`` that a document names is in the Makefile, with its explanation."""
    targets = set(re.findall(r"(?m)^([a-z-]+):.*## ", (ROOT / "Makefile").read_text()))

    named = re.findall(r"(?m)(?:^ {4}|`)make ([a-z-]+)", (ROOT / document).read_text())
    assert set(named) <= targets
    assert named or document == "CHANGELOG.md"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    """Each link into the tree, and each path in backquotes that looks like a folder of ours, is there."""
    text = (ROOT / document).read_text()
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    quoted = re.findall(r"`((?:contract|docs|tests|grammar)/[^`*]*)`", text)

    paths = links + quoted
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_role_in_contributing_works() -> None:
    """The ten lines are a role: whoever is guarded is alive in the morning, and nothing is owed any more."""
    code = written()["bodyguard.py"]
    names: dict[str, Role] = {}
    exec(code, names)
    rules = with_role(nomic_crossing, names["bodyguard"])
    deal = [("Ash", "werewolf", "werewolves"), ("Bex", "bodyguard", "villagers")]
    deal += [(name, "villager", "villagers") for name in ("Cam", "Dov", "Eli")]

    opened = Opened("nomic-crossing", 1, "7", tuple(deal), with_switches(rules, {}))
    game, _ = rules.settle(Game(), 0, (opened, PhaseBegan("night", 1)), (), "")
    assert rules.owed(game) == [("Ash", "attack"), ("Bex", "guard")]
    game, _ = rules.act(game, 1, "Bex", "guard", ("Cam",))
    game, _ = rules.act(game, 2, "Ash", "attack", ("Cam",))
    dawn = rules.alarm(game)
    assert dawn is not None
    game, _ = rules.strike(game, *dawn)
    assert game.phase == "day"
    assert "Cam" in game.alive


def written() -> dict[str, str]:
    """The files that CONTRIBUTING tells one to write, by name."""
    return {block.name: block.text for block in blocks("CONTRIBUTING.md") if block.name}


def test_a_newcomer_can_follow_the_guide(tmp_path: Path) -> None:
    """In an empty folder: write its files, install it as it says, then type each command that it names.

    The package goes where nothing else sees it, built by what is installed here.
    """
    folder, library = tmp_path / "night-shift", tmp_path / "library"
    folder.mkdir()
    for name, text in written().items():
        (folder / name).write_text(text)
    guide = prose("CONTRIBUTING.md").partition("### From a package of your own")[2].partition("\n## ")[0]
    install = next(b.text.split() for b in blocks("CONTRIBUTING.md") if b.kind == "shell" and "pip" in b.text)
    offline = ("--quiet", "--no-index", "--no-build-isolation", "--no-deps", "--target", str(library))
    commands = [" ".join(typed.split()).split() for typed in re.findall(r"`(nomicwolf [^`]+)`", guide)]

    told = [typed([sys.executable, "-m", *install, *offline], folder, library)]
    told += [typed([*NOMICWOLF, *command[1:]], folder, library) for command in commands]
    _, rules, night, odds = told
    assert "Night First" in rules
    assert "You are the Bodyguard" in " ".join(rules.split())
    assert "guard NAME" in rules
    assert night == "passed: the Bodyguard saves eir neighbour before the first day\n"
    assert odds.startswith("nomic-crossing, 7 players (50 sessions played")


def test_the_command_in_contributing_works(tmp_path: Path) -> None:
    """In a copy of the package, the lines are put where the guide says; the command runs and has its help."""
    copy = copied(tmp_path)
    put(copy / "nomicwolf/cli/queries.py", "def parties(", written()["seats.py"] + "\n\n")
    put(copy / "nomicwolf/cli/app.py", '        "history": queries.history,', written()["seats-row.py"])
    with running_world(tmp_path / "contest") as world:
        seats = typed([*NOMICWOLF, "-C", str(world.folder), "seats"], copy, copy).split()
    told = typed([*NOMICWOLF, "seats", "--help"], copy, copy)
    assert "seats" in typed([*NOMICWOLF, "--help"], copy, copy)

    assert sorted(seats) == sorted(PLAYERS)
    assert "Print the players of the latest session in seat order." in told


def test_the_verb_in_contributing_works(tmp_path: Path) -> None:
    """In a copy of the package, a frame and a duty are a deed: it is read, done, and helped with."""
    copy, files = copied(tmp_path), written()
    add(copy / "grammar/frames.toml", "\n" + files["frame-bless.toml"])
    rules = copy / "nomicwolf/village/rulesets/nomic_crossing.py"
    put(rules, "OPTIONAL = (", files["chaplain.py"])
    put(rules, ")},\n    deal=deal", ", chaplain")
    put(rules, ")\n\n\ndef werewolves(", ', "chaplain"')
    add(copy / "blessed.yaml", files["blessed.yaml"])

    assert typed([*NOMICWOLF, "rehearse", "blessed.yaml"], copy, copy) == "passed: the Chaplain saves eir neighbour\n"
    assert "bless NAME" in typed([*NOMICWOLF, "rules", "nomic-crossing"], copy, copy)
    dealt = [*NOMICWOLF, "odds", "nomic-crossing", "7", "--roles", "chaplain", "--games", "5"]
    assert "7 players" in typed(dealt, copy, copy)
    compared = "from nomicwolf.letters.parts import compare; print(compare('Hello.', 'Hello. I anoint or bless Cam.'))"
    assert "bless Cam" in typed([sys.executable, "-c", compared], copy, copy), "an HTML copy can't hide it"


def test_the_question_in_contributing_works(tmp_path: Path) -> None:
    """In a copy of the package, a row, its template and its words are a question: it is answered, and in the help."""
    copy, files = copied(tmp_path), written()
    put(copy / "nomicwolf/reports/answers.py", '    Question("history",', files["question.py"])
    add(copy / "nomicwolf/reports/templates/answer-deadline.txt", files["answer-deadline.txt"])
    add(copy / "grammar/frames.toml", "\n" + files["frame-deadline.toml"])
    add(copy / "asked.yaml", files["asked.yaml"])

    assert typed([*NOMICWOLF, "rehearse", "asked.yaml"], copy, copy) == "passed: the Seer asks when the night ends\n"
    for asked in ("deadline", "Deadline?", "the deadline, please"):
        read = [*NOMICWOLF, "read", "--to", "contestmaster", "--text", asked]
        assert "line 1: deadline" in typed(read, copy, copy)


def test_the_setting_in_contributing_works(tmp_path: Path) -> None:
    """In a copy of the package, a field is a setting: the file and the environment set it, within its bounds."""
    copy, files = copied(tmp_path), written()
    put(copy / "nomicwolf/settings/keys.py", "    uniform_subjects: bool", files["setting.py"])
    with running_world(tmp_path / "contest") as world:
        add(world.folder / "contest.toml", "[mail]\nwidth = 60\n")
        loaded = ("from pathlib import Path; from nomicwolf.settings.load import SettingsError, load\n"
                  "for width in ({}, {'NOMICWOLF_MAIL_WIDTH': '50'}, {'NOMICWOLF_MAIL_WIDTH': '500'}):\n"
                  f"    try: print(load(Path({str(world.folder)!r}), width).mail.width)\n"
                  "    except SettingsError as error: print(*error.problems)")
        told = typed([sys.executable, "-c", loaded], copy, copy)

    assert told.splitlines() == ["60", "50", "mail.width: must be 40 to 200"]
    key, usual, _ = re.findall(r"`([^`]+)`|\| ([^|`]+) \|", files["setting.md"])
    assert (key[0], usual[0]) == ("mail.width", "72")


def copied(folder: Path) -> Path:
    """Return a copy of the package and its data in *folder*, to be changed."""
    copy = folder / "copy"
    shutil.copytree(ROOT / "nomicwolf", copy / "nomicwolf", ignore=shutil.ignore_patterns("__pycache__"))
    for data in ("grammar", "contract", "roles", "setups"):
        shutil.copytree(ROOT / data, copy / data)
    return copy


def add(file: Path, text: str) -> None:
    """Put *text* at the end of *file*, which need not be there."""
    with file.open("a", encoding="utf-8") as end:
        end.write(text)


def put(file: Path, before: str, text: str) -> None:
    """Put *text* into *file* before the first place that has *before*."""
    head, found, tail = file.read_text(encoding="utf-8").partition(before)
    assert found, f"{file.name} has no {before!r}"
    file.write_text(head + text + found + tail, encoding="utf-8")


def typed(words: list[str], folder: Path, library: Path) -> str:
    """What a command of its own prints in *folder*, where *library* holds what was installed; it succeeds."""
    env = {**os.environ, "PYTHONPATH": f"{library}{os.pathsep}{ROOT}"}
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout
