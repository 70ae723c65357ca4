"""A module has one theme and says what it is; nothing is left for later, nothing is swallowed."""

from __future__ import annotations

import ast
import re

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
