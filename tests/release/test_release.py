"""A release, made as `make dist` makes it, and installed from its files alone in a folder that is no checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

import nomicwolf
from scripts import release, sbom
from tests.docs.manpage import man

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
STEM = f"nomicwolf-{nomicwolf.__version__}"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a draft."""
    target = tmp_path_factory.mktemp("dist")
    done = subprocess.run([sys.executable, "scripts/release.py", "--draft", str(target)], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return target


@pytest.fixture(scope="module")
def program(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, installed from the wheel."""
    return release.install(made / f"{STEM}-py3-none-any.whl", tmp_path_factory.mktemp("installed") / "env")


def alone() -> dict[str, str]:
    """Return the environment without whatever leads to another nomicwolf."""
    paths = os.environ["PATH"].split(os.pathsep)
    own = os.pathsep.join(path for path in paths if not (Path(path) / "nomicwolf").exists())
    return {**{name: value for name, value in os.environ.items() if name != "PYTHONPATH"}, "PATH": own}


def ran(program: Path, folder: Path, *words: str) -> str:
    """Run the installed program in *folder* and return what it prints."""
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, check=False, env=alone())
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_runs_from_anywhere(program: Path, tmp_path: Path) -> None:
    """The installed program is its own, not the checkout's, and knows the language and the rules."""
    where = subprocess.run(
        [program.parent / "python", "-c", "import nomicwolf; print(nomicwolf.__file__)"],
        cwd=tmp_path, capture_output=True, text=True, check=True, env=alone()).stdout

    assert Path(where.strip()).is_relative_to(program.parents[1])
    assert ran(program, tmp_path, "--version") == f"nomicwolf {nomicwolf.__version__}\n"
    assert "The Werewolves of Nomic Crossing" in ran(program, tmp_path, "rules", "nomic-crossing")
    read = json.loads(ran(program, tmp_path, "read", "--json", "--text", "I vote for Gus.", "--players", "Ash,Gus"))
    assert read["deeds"][0]["verb"] == "vote"


def test_it_plays_the_demo(program: Path, tmp_path: Path) -> None:
    """A whole contest over mail on loopback, with archive and all, from the wheel alone."""
    said = ran(program, tmp_path, "demo", "--seed", "7", "--out", str(tmp_path / "out"))

    assert "Session 1 is over" in said
    assert (tmp_path / "out" / "archive" / "index.html").is_file()
    assert f"{program} -C {tmp_path / 'out' / 'contest'} history" in said


def test_the_sdist_installs_too(made: Path, tmp_path: Path) -> None:
    """From source, without the checkout; it holds the pages, the tests and the law."""
    program = release.install(made / f"{STEM}.tar.gz", tmp_path / "env")
    with tarfile.open(made / f"{STEM}.tar.gz") as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}

    assert "Nomic Crossing" in ran(program, tmp_path, "rules", "nomic-crossing")
    assert {"README.md", "LICENSE", "docs/players.md", "contract/rulings.md", "grammar/written.lark",
            "tests/conftest.py", "requirements.lock"} <= inside
    assert not [name for name in inside if name.startswith((".venv", ".cache", ".ci", ".git/", "build/", "dist/"))]


def test_the_wheel_is_the_trees(made: Path, tmp_path: Path) -> None:
    """The wheel, which is built from the sdist, has the same files as one that is built here."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(made / f"{STEM}-py3-none-any.whl") as one, zipfile.ZipFile(next(tmp_path.iterdir())) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())
        assert f"{STEM}.data/data/share/man/man1/nomicwolf.1" in one.namelist()


def test_the_sums_are_right(made: Path) -> None:
    """Every file of the release is named with its hash."""
    lines = dict(line.split("  ")[::-1] for line in (made / "SHA256SUMS").read_text().splitlines())

    assert set(lines) == {f"{STEM}.tar.gz", f"{STEM}-py3-none-any.whl", f"{STEM}.cdx.json", f"{STEM}-licences.txt"}
    assert all(sha256((made / name).read_bytes()).hexdigest() == digest for name, digest in lines.items())


def test_the_sbom_names_what_ships(made: Path) -> None:
    """CycloneDX: this version, each locked package with version, licence and purl, and who needs whom."""
    told = json.loads((made / f"{STEM}.cdx.json").read_text())
    parts = {sbom.normal(part["name"]): part for part in told["components"]}
    wanted = sbom.locked((ROOT / "requirements.lock").read_text())

    assert (told["bomFormat"], told["metadata"]["component"]["version"]) == ("CycloneDX", nomicwolf.__version__)
    assert {name: part["version"] for name, part in parts.items()} == wanted
    assert all(part["licenses"][0]["expression"] in sbom.KNOWN for part in parts.values())
    assert {"lark", "sqlmodel", "imapclient"} <= set(parts)
    refs = {part["bom-ref"] for part in parts.values()}
    assert all(set(entry.get("dependsOn", ())) <= refs for entry in told["dependencies"])


def test_licences_come_with_their_texts(made: Path) -> None:
    """Each package that brings a licence text has it there."""
    told = (made / f"{STEM}-licences.txt").read_text()

    assert "Apache License" in told
    assert "Copyright (c) 2008 Greg Hewgill" in told


def test_an_unknown_licence_is_a_fault() -> None:
    """What nobody has looked at is named, and so is what is not installed as it is locked."""
    _, wrong = sbom.sbom("hypothesis==6.170.15 \\\n    --hash=sha256:x\nlark==0.0.1 \\\n    --hash=sha256:x\n")

    assert any("hypothesis" in line and "MPL-2.0" in line for line in wrong)
    assert any("lark 0.0.1 is locked" in line for line in wrong)


@pytest.mark.parametrize(("changelog", "status", "said"), [
    (f"## [{nomicwolf.__version__}] - Unreleased\n", "", "no date"),
    (f"## [{nomicwolf.__version__}] - 2026-12-01\n", " M README.md\n", "not committed"),
])
def test_a_release_is_of_a_dated_version_and_a_clean_tree(changelog: str, status: str, said: str) -> None:
    """Otherwise it says what to do first."""
    with pytest.raises(release.Unready, match=said):
        release.demand_ready(changelog, status)
    release.demand_ready(f"## [{nomicwolf.__version__}] - 2026-12-01\n", "")


def test_the_man_page_is_what_the_program_says() -> None:
    """``python -m tests.docs.manpage > docs/nomicwolf.1`` writes it anew."""
    assert (ROOT / "docs" / "nomicwolf.1").read_text(encoding="utf-8") == man()


def test_the_version_stands_in_one_place() -> None:
    """No page, lock or setting of the project names it beside the package itself, but for the changelog's heading."""
    places = [ROOT / "pyproject.toml", ROOT / "Makefile", *(ROOT / "nomicwolf").rglob("*.py")]
    found = [p.relative_to(ROOT).as_posix() for p in places if f'"{nomicwolf.__version__}"' in p.read_text()]

    assert found == ["nomicwolf/__init__.py"]
