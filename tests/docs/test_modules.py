"""The list of modules: what a newcomer is shown of each."""

from __future__ import annotations

import subprocess
import sys

from tests.docs.pages import ROOT


def test_every_module_is_told_in_a_line() -> None:
    """Of the folders that are named, and of those below them, each module stands below its folder with its purpose."""
    made = [sys.executable, str(ROOT / "scripts" / "modules.py"), "odds", "village"]
    lines = subprocess.run(made, capture_output=True, text=True, check=True).stdout.splitlines()

    assert lines[0].startswith("nomicwolf/odds/: Win rates")
    assert lines[1].split(maxsplit=1)[0] == "exact"
    told = [line.split(maxsplit=1) for line in lines if line.startswith("    ")]
    assert all(purpose for _, purpose in told)
    folders = [ROOT / "nomicwolf" / name for name in ("odds", "village")]
    here = [path.stem for folder in folders for path in folder.rglob("*.py") if path.stem != "__init__"]
    assert sorted(name for name, _ in told) == sorted(here)
