"""Each module has one duty and says what it is; nothing is left for later, nothing is swallowed."""

from __future__ import annotations

import ast
import re

import pytest

from tests.architecture.source import MODULES, ROOT, tree

LATER = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|NotImplementedError")  # what is not there is not announced
SOMEONES = re.compile(r"(?<![\w.:/-])/(?:root|home|Users)/\w")  # a folder that only its owner has


@pytest.mark.parametrize("module", MODULES)
def test_a_module_fits_on_a_few_screens(module: str) -> None:
    """No module is longer than 300 lines: beyond, it has two duties."""
    assert len((ROOT / module).read_text().splitlines()) <= 300


@pytest.mark.parametrize("module", MODULES)
def test_a_function_fits_on_a_screen(module: str) -> None:
    """No function is longer than 50 lines, its docstring counted."""
    functions = [n for n in ast.walk(tree(module)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]

    assert [f.name for f in functions if (f.end_lineno or f.lineno) - f.lineno >= 50] == []


@pytest.mark.parametrize("module", MODULES)
def test_no_error_is_swallowed(module: str) -> None:
    """A handler does something: ``except X: pass`` hides what someone needs to know."""
    handlers = [n for n in ast.walk(tree(module)) if isinstance(n, ast.ExceptHandler)]

    assert [h.lineno for h in handlers if len(h.body) == 1 and isinstance(h.body[0], ast.Pass)] == []


@pytest.mark.parametrize("module", MODULES)
def test_nothing_is_left_for_later(module: str) -> None:
    """What is not built yet is not there, and says nothing."""
    lines = (ROOT / module).read_text().splitlines()

    assert [line for line in lines if LATER.search(line)] == []


@pytest.mark.parametrize("folder", ["nomicwolf", "grammar", "contract", "examples", "docs", "tests", "benchmarks"])
def test_no_file_names_someones_folder(folder: str) -> None:
    """Whatever is in the tree works on any machine."""
    texts = [p for p in (ROOT / folder).rglob("*") if p.suffix in {".py", ".md", ".toml", ".lark", ".yaml", ".j2"}]

    assert [str(p) for p in texts if SOMEONES.search(p.read_text(encoding="utf-8"))] == []
