"""From settings to what a contest is."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.run.contest_setup import setup_of
from nomicwolf.settings import load

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
