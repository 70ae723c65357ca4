"""What examples/host gives to copy is good: every key, a unit that systemd takes, a compose file that is YAML."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from nomicwolf.host.sealing import new_key
from nomicwolf.host.settings import TABLES, load_host
from tests.architecture.source import ROOT

EXAMPLES = ROOT / "examples" / "host"


def test_the_settings_load_and_show_every_usual_value(tmp_path: Path) -> None:
    """The file can be used as it is, and what it shows is what holds without it, the folder apart."""
    shutil.copy(EXAMPLES / "host.toml", tmp_path)
    (tmp_path / "host.key").write_text(new_key())
    found = load_host(tmp_path)
    assert found.database.url.startswith("postgresql+psycopg://")
    tree = tomllib.loads((EXAMPLES / "host.toml").read_text())
    for name in ("worker", "limits"):
        usual = {part.name: part.default for part in fields(TABLES[name]) if part.name != "folder"}
        assert {key: value for key, value in tree[name].items() if key != "folder"} == usual


def test_the_page_tells_of_every_key() -> None:
    """Each key of ``host.toml`` has its row in the handbook."""
    page = (ROOT / "docs" / "host.md").read_text()
    for name, shape in TABLES.items():
        for part in fields(shape):
            assert f"| `{name}.{part.name}`" in page, part.name


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    """An instance of the unit names the worker by its number, lets turns end, and systemd finds no fault."""
    text = (EXAMPLES / "systemd" / "nomicwolf-worker@.service").read_text()
    assert "TimeoutStopSec=5min\n" in text
    if analyze := shutil.which("systemd-analyze"):
        unit = tmp_path / "nomicwolf-worker@1.service"
        unit.write_text(text.replace("/opt/nomicwolf/bin/nomicwolf", "/bin/true").replace(" postgresql.service", ""))
        done = subprocess.run([analyze, "verify", unit], capture_output=True, text=True, check=False)
        assert "nomicwolf" not in done.stderr, done.stderr


@pytest.mark.parametrize("service", ["database", "setup", "worker"])
def test_the_compose_file_has_its_services(service: str) -> None:
    """Workers wait for the setup, and the setup for the database; no password stands in the file."""
    tree = yaml.safe_load((EXAMPLES / "compose.yaml").read_text())
    assert service in tree["services"]
    assert tree["services"]["worker"]["depends_on"] == {"setup": {"condition": "service_completed_successfully"}}
    assert "POSTGRES_PASSWORD" not in tree["services"]["database"]["environment"]
