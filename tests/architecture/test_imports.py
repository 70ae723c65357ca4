"""Imports point inwards, and the pure folders know no clock, no dice, no files and no network."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.architecture.source import MODULES, ROOT, imports, layer, tree

# Each layer with the layers of ours that it may import, as docs/architecture.md has them.
TABLE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
ROOMS = re.findall(r"(?m)^\| `nomicwolf/(\w+)(?:/|\.py)` \|.*\| ([^|]+) \|$", TABLE)
MAY: dict[str, set[str]] = {room: set(re.findall(r"`(\w+)`", may)) for room, may in ROOMS if may != "all"}
# The pure folders, with the packages of others that they may import.
PURE: dict[str, set[str]] = {
    "village": set(),
    "nomic": set(),
    "letters": {"authres", "selectolax"},
    "reading": {"lark", "rapidfuzz"},
    "language": {"lark", "rapidfuzz"},
    "reports": {"drawsvg", "jinja2", "markupsafe", "openskill", "rapidfuzz"},
    "contest": set(),
}
WORLD = {
    "asyncio", "glob", "http", "imaplib", "io", "logging", "multiprocessing", "os", "pathlib", "random", "secrets",
    "shutil", "smtplib", "socket", "sqlite3", "ssl", "subprocess", "sys", "tempfile", "threading", "time",
    "urllib.request",
}  # fmt: skip
ASKS_THE_WORLD = {"open", "print", "input", "datetime.now", "datetime.utcnow", "datetime.today", "date.today"}
INNER = [m for m in MODULES if layer(m) in MAY]
PURE_MODULES = [m for m in MODULES if layer(m) in PURE]
HEAR = "nomicwolf/contest/__init__.py"


def test_imports_point_inwards() -> None:
    """A module imports its own room and those that the table names for it, never one further out."""
    ours = {module: {name.split(".")[1] for name in imports(module) if name.startswith("nomicwolf.")}
            for module in INNER}
    outwards = {module: rooms - {layer(module), "__version__"} - MAY[layer(module)] for module, rooms in ours.items()}

    assert len(INNER) > 100
    assert {module: rooms for module, rooms in outwards.items() if rooms} == {}


def test_every_layer_has_its_row() -> None:
    """The table names each folder and each lone module, and what may import all is a row."""
    assert {room for room, _ in ROOMS} == {layer(module) for module in MODULES} - {"__init__"}
    assert [room for room, may in ROOMS if may == "all"] == ["cli"]


def test_a_step_of_a_contest_knows_neither_letters_nor_commands() -> None:
    """Within a contest the step is innermost, then what becomes of letters, then commands, some of which come by mail.

    `hear` alone knows all three.
    """
    farther_out = {"contest": ("mail", "commands"), "mail": ("commands",), "commands": ()}
    outwards = {}
    for module in MODULES:
        if layer(module) == "contest" and module != HEAR:
            froms = [n for n in ast.walk(tree(module)) if isinstance(n, ast.ImportFrom)]
            named = {f"{n.module}.{alias.name}" for n in froms for alias in n.names}
            barred = tuple(f"nomicwolf.contest.{other}." for other in farther_out[Path(module).parent.name])
            outwards[module] = sorted(name for name in named if f"{name}.".startswith(barred))

    assert len(outwards) > 10
    assert {module: names for module, names in outwards.items() if names} == {}


def test_only_commands_know_commands() -> None:
    """What a command line needs (typer, the commands themselves) stays in ``cli/``; ``__main__`` opens its door."""
    known = {module: {n for n in imports(module) if n.startswith("nomicwolf.cli") or n.split(".")[0] == "typer"}
             for module in MODULES if layer(module) != "cli"}

    assert {module: names for module, names in known.items() if names} == {
        "nomicwolf/__main__.py": {"nomicwolf.cli.main"}}


def test_pure_folders_import_little() -> None:
    """A pure module imports the standard library without its doors to the world, and the few packages named above."""
    doors = {}
    for module in PURE_MODULES:
        roots = {n.split(".")[0] for n in imports(module)} - {"nomicwolf"}
        packages = roots - sys.stdlib_module_names - PURE[layer(module)]
        doors[module] = packages | (imports(module) | roots) & WORLD

    assert len(doors) > 100
    assert {module: names for module, names in doors.items() if names} == {}


def test_pure_folders_ask_nothing_of_the_world() -> None:
    """The time comes in as a value, and nothing is opened or printed."""
    calls = {module: {ast.unparse(n.func) for n in ast.walk(tree(module)) if isinstance(n, ast.Call)} & ASKS_THE_WORLD
             for module in PURE_MODULES}

    assert {module: names for module, names in calls.items() if names} == {}


@pytest.mark.parametrize(("packages", "rooms"), [
    ({"sqlmodel", "sqlalchemy", "alembic", "sqlite3"}, {"ledger"}),
    ({"psycopg"}, {"ledger", "host"}),
    ({"imapclient", "aiosmtplib", "imaplib", "smtplib"}, {"post", "demo"}),
], ids=["SQL", "PostgreSQL", "mail"])
def test_a_protocol_stays_in_its_rooms(packages: set[str], rooms: set[str]) -> None:
    """The ledger knows SQL, and a host that of its own tables; ``post`` alone speaks IMAP, or SMTP but in the demo."""
    speaking = {layer(module) for module in MODULES if {n.split(".")[0] for n in imports(module)} & packages}

    assert speaking <= rooms


FILES = {name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): name for name in MODULES}
"""Each module's file by its dotted name."""


def dependencies(module: str) -> set[str]:
    """Return the modules of ours that *module* imports anywhere: at its top, in a function, or for its types alone.

    Imports for types count, since whoever reads a module has to read what it names.
    """
    found: set[str] = set()
    for node in ast.walk(tree(FILES[module])):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner & FILES.keys() or {node.module or ""}
    return (found & FILES.keys()) - {module}


def components(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Return the strongly connected components of *graph* that have more than one node.

    Each circle that the standard library's sorter meets is made one node, until it meets none.

    >>> [sorted(found) for found in components({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}})]
    [['a', 'b', 'c'], ['d', 'e']]
    >>> components({"a": {"b", "c"}, "b": {"c"}, "c": set()})
    []
    """
    members = {node: {node} for node in graph}
    edges = {node: set(others) for node, others in graph.items()}
    while circle := _circle(edges):
        first, *rest = sorted(circle)
        for node in rest:
            members[first] |= members.pop(node)
            edges[first] |= edges.pop(node)
        merged = set(rest)
        edges = {node: {first if other in merged else other for other in others} - {node}
                 for node, others in edges.items()}
    return sorted((found for found in members.values() if len(found) > 1), key=min)


def _circle(edges: Mapping[str, set[str]]) -> set[str]:
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return set(error.args[1])
    return set()


def test_imports_form_no_circle() -> None:
    """Whichever way one walks along imports, one never comes back to where one was."""
    graph = {module: dependencies(module) for module in FILES}

    assert [sorted(found) for found in components(graph)] == []
    assert sum(map(len, graph.values())) > 1000
