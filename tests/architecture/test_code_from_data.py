"""No code is made of data: what a file, a letter or a database holds is parsed, and never run or unpickled."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.source import ROOT

pytestmark = pytest.mark.slow

FOLDERS = ("nomicwolf", "tests", "benchmarks", "scripts", "examples")
SOURCES = sorted(path.relative_to(ROOT).as_posix() for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
UNPICKLING = {"pickle", "_pickle", "pickletools", "copyreg", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
RUNNING = {"eval", "exec", "compile", "execfile"}
UNSAFE = {
    "PickleType", "UnsafeLoader", "FullLoader", "unsafe_load", "full_load", "enable_load_extension", "allow_pickle"}
"""What other libraries call reading of values that may run code."""
OWN_TEXT = {
    "tests/architecture/test_documents.py", "tests/docs/test_security.py", "tests/docs/test_snippets.py",
}
"""Modules that run a text of our own: a snippet of the handbook, or a document's."""


def named(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node uses: a name, an attribute, an argument, an imported name."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)) | ast.alias(name=name):
            yield name


def ways_to_run(text: str) -> list[str]:
    r"""Return each way in which a source could run or unpickle what it reads, with its line.

    >>> ways_to_run("import re\nre.compile(x); session.exec(y); yaml.load(z, SafeLoader)")
    []
    >>> ways_to_run("import pickle\nexec(x)\nLark(g, cache=True)\nbuiltins.eval(x)")
    ['1: pickle', '2: exec', '3: Lark cache', '4: eval']
    """
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(text)):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            found += [(line, name) for name in modules if name.partition(".")[0] in UNPICKLING]
        if isinstance(node, ast.Name) and node.id in RUNNING:
            found.append((line, node.id))
        if isinstance(node, ast.Attribute) and node.attr in RUNNING and isinstance(node.value, ast.Name) \
                and node.value.id in ("builtins", "__builtins__"):
            found.append((line, node.attr))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Lark":
            found += [(line, "Lark cache") for given in node.keywords if given.arg in ("cache", None)]
        if isinstance(node, ast.Attribute) and node.attr in ("save", "load") and isinstance(node.value, ast.Name) \
                and "lark" in node.value.id.casefold():
            found.append((line, f"Lark {node.attr}"))
        found += [(line, name) for name in named(node) if name in UNSAFE]
    return [f"{line}: {what}" for line, what in sorted(found)]


def test_no_source_runs_or_unpickles_what_it_reads() -> None:
    """In all sources: the program, its tests and their helpers, benchmarks, scripts, examples."""
    found = {source: ways for source in SOURCES if (ways := ways_to_run((ROOT / source).read_text(encoding="utf-8")))}

    assert {source: ways for source, ways in found.items() if source not in OWN_TEXT} == {}
    assert set(found) == OWN_TEXT, "a module that runs nothing any more isn't listed"
