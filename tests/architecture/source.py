"""The program's own source, as the architecture's tests look at it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "nomicwolf"
MODULES = sorted(path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*.py"))
TESTS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py"))


@cache
def tree(module: str) -> ast.Module:
    """Return the syntax of *module*, a path from the root (``nomicwolf/village/kernel.py``)."""
    return ast.parse((ROOT / module).read_text(encoding="utf-8"))


def layer(module: str) -> str:
    """Return the folder of nomicwolf, or the lone module, that *module* belongs to (``village``, ``run``)."""
    return Path(module).with_suffix("").parts[1]


@cache
def imports(module: str) -> frozenset[str]:
    """Return every module that *module* imports, anywhere in it, dotted; names from our package keep two parts."""
    return frozenset(name for node in ast.walk(tree(module)) for name in named(node))


def named(node: ast.AST) -> Iterator[str]:
    """Yield what one import statement names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module == "nomicwolf":
        yield from (f"nomicwolf.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        yield node.module or ""
