"""From settings to what a contest is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nomicwolf.run.contest_setup import setup_of
from nomicwolf.settings import SettingsError, load
from tests.village.test_role_files import NURSE
from tests.village.test_setup_files import FRIDAY

TOML = """
[contest]
id = "w1"
contestmaster = {name = "Murphy", addresses = ["Murphy@Masters.test"]}
[maildir]
path = "mail"
[smtp]
host = "localhost"
from = "wolf@contest.test"
[nomic.agora]
forum = "a@lists.test"
list_id = "<a.lists.test>"
limit = 35
[nomic.b]
forum = "b@lists.test"
instant = "forum"
[switches]
departure = "kill"
"""


@pytest.mark.parametrize(("change", "seconds"), [
    (("", ""), 600),
    (('instant = "forum"', 'instant = "clamped"'), 1800),
    (('departure = "kill"', 'departure = "kill"\nsettling = 3'), 180),
    (('departure = "kill"', 'departure = "kill"\nsettling = 0'), 0),
])
def test_settling(tmp_path: Path, change: tuple[str, str], seconds: int) -> None:
    """D-N9: 10 minutes, 30 where a forum's stamps are clamped, or as set."""
    (tmp_path / "contest.toml").write_text(TOML.replace(*change) if change[0] else TOML)
    assert setup_of(load(tmp_path, {}), b"k" * 32).settling == seconds


def test_a_contest_from_settings(tmp_path: Path) -> None:
    """Forums with their profiles, P where it is confirmed, addresses as they compare, switches without our own."""
    (tmp_path / "contest.toml").write_text(TOML)
    setup = setup_of(load(tmp_path, {}), b"k" * 32)
    assert setup.contestmaster_addresses == ("murphy@masters.test",)
    assert [(f.nomic, f.profile, f.list_id) for f in setup.forums] == [
        ("agora", "agora-2009", "a.lists.test"), ("b", "b-2009", "")]
    assert (setup.limit, setup.switches, setup.address) == ({"agora": 35}, {"departure": "kill"}, "wolf@contest.test")


def with_setup(folder: Path, text: str, ruleset: str = "six-phases") -> Path:
    """A contest whose settings name a setup, and whose folder has a role."""
    (folder / "roles").mkdir(exist_ok=True)
    (folder / "roles" / "nurse.toml").write_text(NURSE)
    (folder / "setup.toml").write_text(text)
    own = f'[contest]\nruleset = "{ruleset}"\nsetup = "setup.toml"'
    (folder / "contest.toml").write_text(TOML.replace("[contest]", own))
    return folder


def test_a_contest_with_a_setup_of_the_program(tmp_path: Path) -> None:
    """By its name; a role of the contest's own that is called the same is left aside."""
    with_setup(tmp_path, FRIDAY)
    (tmp_path / "roles" / "consort.toml").write_text("nonsense")
    settings = tmp_path / "contest.toml"
    settings.write_text(settings.read_text().replace("setup.toml", "two-of-four"))
    found = setup_of(load(tmp_path, {}), b"k" * 32)

    assert found.chosen is not None
    assert found.chosen.roles == ("mafioso", "consort", "cop", "jailkeeper")


def test_a_contest_with_a_setup_of_its_own(tmp_path: Path) -> None:
    """Its roles wait for the start; its switches hold where the settings say nothing else."""
    found = setup_of(load(with_setup(tmp_path, FRIDAY), {}), b"k" * 32)

    assert found.chosen is not None
    assert found.chosen.roles == ("mafioso", "mafioso", "cop", "jailkeeper", "nurse")
    assert found.switches == {
        "deadlines": "24, 48, 24, 48, 72", "mafia_picks": "each", "departure": "kill"}
    assert found.roles == {"nurse": NURSE}


def test_a_setup_that_cant_be_used_is_a_wrong_setting(tmp_path: Path) -> None:
    """Each with what to write: a wrong key in it, another rule set, no file."""
    for written, says in (
        ((FRIDAY.replace("nurse", "nures"),), "setup.toml, line 10: nures: no such role; did you"),
        ((FRIDAY, "tabula"), 'write ruleset = "six-phases"'),
        ((FRIDAY.replace("six-phases", "chess"),), "contest.setup: setup.toml: There is no rule"),
    ):
        with pytest.raises(SettingsError, match=re.escape(says)):
            setup_of(load(with_setup(tmp_path, *written), {}), b"k" * 32)
    (tmp_path / "setup.toml").unlink()
    with pytest.raises(SettingsError, match=r"contest\.setup: setup\.toml"):
        setup_of(load(tmp_path, {}), b"k" * 32)


def test_a_role_that_cant_be_read_stops_nothing_but_its_start(tmp_path: Path) -> None:
    """Too large, or no text: it is there without words, and a poll goes on."""
    (tmp_path / "contest.toml").write_text(TOML)
    (tmp_path / "roles").mkdir()
    (tmp_path / "roles" / "large.toml").write_text("#" * 10_000)
    (tmp_path / "roles" / "bytes.toml").write_bytes(b"\xff")

    assert setup_of(load(tmp_path, {}), b"k" * 32).roles == {"large": "", "bytes": ""}
