"""Imports point inwards, and the pure folders know no clock, no dice, no files and no network."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

from tests.architecture.source import MODULES, ROOT, imports, layer, tree

# Each layer with the layers of ours that it may import, as docs/architecture.md has them; all may import these.
ALL_MAY = {"dataclass", "expression"}
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
    "reports": {"drawsvg", "jinja2", "markupsafe", "rapidfuzz"},
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


@pytest.mark.parametrize("module", INNER)
def test_imports_point_inwards(module: str) -> None:
    """A module imports its own layer and those that the table names for it, never one further out."""
    ours = {name.split(".")[1] for name in imports(module) if name.startswith("nomicwolf.")}

    assert ours - {layer(module), "__version__", *ALL_MAY} <= MAY[layer(module)]


def test_every_layer_has_its_row() -> None:
    """Nothing stands beside the table: it names each folder and each lone module, and what may import all is a row."""
    assert {room for room, _ in ROOMS} == {layer(module) for module in MODULES} - {"__init__", *ALL_MAY}
    assert [room for room, may in ROOMS if may == "all"] == ["cli"]


@pytest.mark.parametrize("module", [m for m in MODULES if layer(m) == "contest" and m != HEAR])
def test_a_step_of_a_contest_knows_neither_letters_nor_commands(module: str) -> None:
    """Within a contest the step is innermost, then what becomes of letters, then commands, some of which come by mail.

    `hear` alone knows all three.
    """
    farther_out = {"contest": ("mail", "commands"), "mail": ("commands",), "commands": ()}[Path(module).parent.name]
    froms = [n for n in ast.walk(tree(module)) if isinstance(n, ast.ImportFrom)]
    named = {f"{n.module}.{alias.name}" for n in froms for alias in n.names}

    assert not {name for name in named for other in farther_out if f"{name}.".startswith(f"nomicwolf.contest.{other}.")}


@pytest.mark.parametrize("module", [m for m in MODULES if layer(m) != "cli"])
def test_only_commands_know_commands(module: str) -> None:
    """What a command line needs (typer, the commands themselves) stays in ``cli/``; ``__main__`` opens its door."""
    door = {"nomicwolf.cli.main"} if layer(module) == "__main__" else set()

    assert {n for n in imports(module) if n.startswith("nomicwolf.cli") or n.split(".")[0] == "typer"} == door


@pytest.mark.parametrize("module", PURE_MODULES)
def test_pure_folders_import_little(module: str) -> None:
    """A pure module imports the standard library without its doors to the world, and the few packages named above."""
    roots = {n.split(".")[0] for n in imports(module)} - {"nomicwolf"}

    assert roots - sys.stdlib_module_names <= PURE[layer(module)]
    assert not imports(module) & WORLD
    assert not roots & WORLD


@pytest.mark.parametrize("module", PURE_MODULES)
def test_pure_folders_ask_nothing_of_the_world(module: str) -> None:
    """The time comes in as a value, and nothing is opened or printed."""
    calls = {ast.unparse(n.func) for n in ast.walk(tree(module)) if isinstance(n, ast.Call)}

    assert not calls & ASKS_THE_WORLD


@pytest.mark.parametrize("module", MODULES)
def test_sql_stays_in_the_ledger(module: str) -> None:
    """The ledger knows SQL, and a host that of its own tables; ``post`` alone speaks IMAP, or SMTP but in the demo."""
    roots = {n.split(".")[0] for n in imports(module)}

    assert layer(module) == "ledger" or not roots & {"sqlmodel", "sqlalchemy", "alembic", "sqlite3"}
    assert layer(module) in {"ledger", "host"} or "psycopg" not in roots
    assert layer(module) in {"post", "demo"} or not roots & {"imapclient", "aiosmtplib", "imaplib", "smtplib"}
