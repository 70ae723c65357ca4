"""A module has one theme and says what it is; nothing is left for later, nothing is swallowed."""

from __future__ import annotations

import ast
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import MODULES, ROOT, tree
from tests.tables import each

LATER = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|NotImplementedError")  # what is not there is not announced
SOMEONES = re.compile(r"(?<![\w.:/-])/(?:root|home|Users)/\w")  # a folder that only its owner has


def test_a_module_has_one_theme() -> None:
    """No module is longer than 600 lines: beyond, it has two themes."""
    lengths = {module: len((ROOT / module).read_text(encoding="utf-8").splitlines()) for module in MODULES}

    assert {module: length for module, length in lengths.items() if length > 600} == {}


def test_a_function_fits_on_a_screen() -> None:
    """No function is longer than 50 lines, its docstring counted."""
    functions = {f"{module}: {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1 for module in MODULES
                 for node in ast.walk(tree(module)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}

    assert {name: length for name, length in functions.items() if length > 50} == {}


def test_no_error_is_swallowed() -> None:
    """A handler does something: ``except X: pass`` hides what someone needs to know."""
    handlers = [(module, node) for module in MODULES
                for node in ast.walk(tree(module)) if isinstance(node, ast.ExceptHandler)]

    assert [f"{module}:{h.lineno}" for module, h in handlers if len(h.body) == 1 and isinstance(h.body[0], ast.Pass)
            ] == []


def test_nothing_is_left_for_later() -> None:
    """What is not built yet is not there, and is not announced."""
    lines = [f"{module}: {line}" for module in MODULES
             for line in (ROOT / module).read_text(encoding="utf-8").splitlines()]

    assert [line for line in lines if LATER.search(line)] == []


@each("folder", ["nomicwolf", "grammar", "contract", "examples", "docs", "tests", "benchmarks"])
def test_no_file_names_someones_folder(folder: str) -> None:
    """Whatever is in the tree works on any machine."""
    texts = [p for p in (ROOT / folder).rglob("*") if p.suffix in {".py", ".md", ".toml", ".lark", ".yaml", ".j2"}]

    assert [str(p) for p in texts if SOMEONES.search(p.read_text(encoding="utf-8"))] == []


SKIPPING = '"""A test that skips."""\nimport pytest\ndef test_skipping():\n    pytest.skip("no server here")\n'


def test_tests_stay_on_loopback() -> None:
    """A connection to anywhere else is refused before a packet leaves (192.0.2.0/24 is nowhere: RFC 5737)."""
    with pytest.raises(ConnectionRefusedError, match="tests stay on loopback"):
        socket.create_connection(("192.0.2.1", 25), 1)


@pytest.mark.parametrize(("forbidden", "status"), [("", pytest.ExitCode.OK), ("1", pytest.ExitCode.TESTS_FAILED)])
def test_a_skip_fails_the_run_in_ci(tmp_path: Path, forbidden: str, status: int) -> None:
    """NOMICWOLF_FORBID_SKIPS makes a run with skips fail, and says so; without it a skip is only told."""
    (tmp_path / "test_skipping.py").write_text(SKIPPING)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NOMICWOLF_FORBID_SKIPS": forbidden},
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == status, run.stdout
    assert ("Nothing may be skipped here, and 1 were" in run.stdout) is bool(forbidden)
