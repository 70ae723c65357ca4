"""What is given away: the wheel, the locks, the version."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import nomicwolf
from tests.architecture.source import MODULES, ROOT, TESTS, imports

pytestmark = pytest.mark.slow

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
RUNTIME = [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["demo"]]
EXTRAS = [r for extra in PROJECT["project"]["optional-dependencies"].values() for r in extra]
GROUPS = PROJECT["dependency-groups"]
PINNED = re.compile(r"(?m)^([a-z0-9-]+)==\S+(?: ;[^\\\n]*)? \\$")


def normalised(requirement: str) -> str:
    """Return the name in a requirement, as locks write it (PEP 503).

    >>> normalised("types-PyYAML>=6.0")
    'types-pyyaml'
    """
    found = re.match(r"[\w.-]+", requirement)
    assert found
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def test_the_wheel_carries_the_language_and_the_law(tmp_path: Path) -> None:
    """A wheel has the grammar, the contracts, the types' mark and the licence; a checkout is not needed."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())

    wanted = {f"nomicwolf/_data/{p.relative_to(ROOT)}" for d in ("grammar", "contract", "roles", "setups")
              for p in (ROOT / d).rglob("*.*")}
    assert len(wanted) > 2
    assert wanted <= inside
    assert "nomicwolf/py.typed" in inside
    assert any(name.endswith("licenses/LICENSE") for name in inside)


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock", "requirements-build.lock"])
def test_a_lock_names_hashes_and_no_place(lock: str) -> None:
    """What is installed is known to the byte; where it comes from is the machine's own business."""
    text = (ROOT / lock).read_text()

    assert not re.search(r"https?:|--(?:extra-)?index|--find-links|--trusted-host", text)
    assert len(PINNED.findall(text)) == len(re.findall(r"(?m)^\w", text))
    assert all("--hash=sha256:" in entry for entry in re.split(r"(?m)^(?=\w)", text) if entry)


def test_the_locks_hold_what_the_project_asks_for() -> None:
    """A dependency that was added is locked too."""
    running = set(PINNED.findall((ROOT / "requirements.lock").read_text()))
    developing = set(PINNED.findall((ROOT / "requirements-dev.lock").read_text()))
    assert {normalised(r) for r in RUNTIME} <= running <= developing
    assert {normalised(r) for r in GROUPS["build"] + GROUPS["dev"]} <= developing


@pytest.mark.parametrize(
    ("modules", "declared"),
    [(MODULES, RUNTIME + EXTRAS), (TESTS, RUNTIME + EXTRAS + GROUPS["dev"])],
    ids=["program", "tests"],
)
def test_what_is_imported_is_asked_for(modules: list[str], declared: list[str]) -> None:
    """A package that the code names is named in pyproject.toml, not just brought along by another."""
    roots = {name.split(".")[0] for module in modules for name in imports(module)}
    theirs = roots - sys.stdlib_module_names - {"nomicwolf", "tests", "benchmarks", "scripts"}

    providers = packages_distributions()
    known = {normalised(requirement) for requirement in declared}
    assert [root for root in sorted(theirs) if known.isdisjoint(map(normalised, providers.get(root, [root])))] == []


def test_the_changelog_knows_this_version() -> None:
    """The version stands in one place, and what it brings is written down."""
    assert f"## [{nomicwolf.__version__}]" in (ROOT / "CHANGELOG.md").read_text()
