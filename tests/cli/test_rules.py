"""``rules``: a rule set for players, with the switches that are in force where it is asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.village.rulesets import BUILT_IN
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import make_world, started
from tests.tables import each


def parity(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """What the switch *parity* is in *folder*, and what it usually is."""
    assert run(["-C", str(folder), "rules", "nomic-crossing", "--json"]) == 0
    switches = {s["name"]: s for s in json.loads(capsys.readouterr().out)["switches"]}
    return switches["parity"]["value"], switches["parity"]["default"]


def test_switches_are_those_in_force(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nowhere the usual ones, in a folder its settings', in a session those with which it began (D-N17)."""
    assert parity(tmp_path, capsys) == ("after-cascade", "after-cascade")
    script = SmtpScript()
    with smtp_server(script) as port:
        world = make_world(tmp_path / "w", port, script)
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
