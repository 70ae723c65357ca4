"""What examples/host gives to copy is good: every key, a unit that systemd takes, a compose file that is YAML."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from nomicwolf.cli.app import run
from nomicwolf.host.settings import TABLES, load_host
from nomicwolf.ledger.encryption import make_key
from tests.architecture.source import ROOT
from tests.servers.postgres import own_postgres

EXAMPLES = ROOT / "examples" / "host"


def test_the_settings_load_and_show_every_usual_value(tmp_path: Path) -> None:
    """The file can be used as it is, and what it shows is what holds without it, the folder apart."""
    shutil.copy(EXAMPLES / "host.toml", tmp_path)
    (tmp_path / "host.key").write_text(make_key())
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
    for limit in ("MemoryMax=", "MemorySwapMax=0", "TasksMax=", "RuntimeMaxSec="):
        assert f"\n{limit}" in text, "a worker that a tenant's letters swell ends before the machine does"
    if analyze := shutil.which("systemd-analyze"):
        unit = tmp_path / "nomicwolf-worker@1.service"
        unit.write_text(text.replace("/opt/nomicwolf/bin/nomicwolf", "/bin/true").replace(" postgresql.service", ""))
        done = subprocess.run([analyze, "verify", unit], capture_output=True, text=True, check=False)
        assert "nomicwolf" not in done.stderr, done.stderr


@pytest.mark.parametrize("service", ["database", "setup", "worker"])
def test_the_compose_file_has_its_services(service: str) -> None:
    """Workers wait for the setup, and the setup for the database; no password stands in the file."""
    tree = yaml.load((EXAMPLES / "compose.yaml").read_text(), yaml.CSafeLoader)
    assert service in tree["services"]
    assert tree["services"]["worker"]["depends_on"] == {"setup": {"condition": "service_completed_successfully"}}
    assert "POSTGRES_PASSWORD" not in tree["services"]["database"]["environment"]
    assert tree["services"]["database"]["environment"]["POSTGRES_USER"] != "nomicwolf", "that one is a superuser"
    assert {"mem_limit", "memswap_limit", "pids_limit"} <= tree["services"]["worker"].keys()


def test_the_containers_database_is_owned_by_no_superuser(tmp_path: Path) -> None:
    """What the database's image runs at its first start makes what `host setup` takes, as docs/host.md has it."""
    (tmp_path / "password").write_text("it's secret\n")
    with own_postgres() as server:
        done = subprocess.run(
            ["sh", EXAMPLES / "database.sh"], capture_output=True, text=True, check=False,
            env={**os.environ, "PGHOST": "127.0.0.1", "PGPORT": str(server.port), "POSTGRES_USER": "postgres",
                 "HOST_PASSWORD_FILE": str(tmp_path / "password")})
        assert done.returncode == 0, done.stderr
        url = f"postgresql+psycopg://nomicwolf@127.0.0.1:{server.port}/nomicwolf"
        (tmp_path / "host.toml").write_text(f'[database]\nurl = "{url}"\nkey = "{make_key()}"\n')
        assert run(["-C", str(tmp_path), "host", "setup"]) == 0


def test_the_image_gets_the_program_alone(tmp_path: Path) -> None:
    """What the image is built of suffices to build it, and keys and passwords beside it never reach a layer."""
    lines = (EXAMPLES / "Dockerfile").read_text().splitlines()
    copied = [source for line in lines if line.startswith("COPY") for source in line.split()[1:-1]]
    let_through = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    assert (ROOT / ".dockerignore").read_text().splitlines()[1] == "*", "what isn't named doesn't go along"
    assert sorted(copied) == sorted(let_through)
    for name in copied:
        there = tmp_path / "source" / name
        there.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, there, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, there)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    done = subprocess.run(build, cwd=tmp_path / "source", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "dist").glob("*.whl"))) == 1
