"""Imports point inwards, and the pure folders know no clock, no dice, no files and no network."""

from __future__ import annotations

import ast
import sys

import pytest

from tests.architecture.source import MODULES, imports, layer, tree

# Each layer, with the layers of ours that it may import (all may import `dataclass`); what is not named here may
# import all of these but no command.
MAY: dict[str, set[str]] = {
    "village": set(),
    "nomic": {"village"},
    "letters": {"village"},
    "reading": {"village", "data"},
    "reports": {"village", "nomic", "letters", "reading", "contracts"},
    "contest": {"village", "nomic", "letters", "reading", "reports", "contracts"},
    "ledger": {"village", "nomic", "letters"},
    "post": {"letters", "settings"},
    "proofs": {"letters"},
    "data": set(),
    "dataclass": set(),
    "expression": set(),
    "contracts": {"data"},
    "maillist": set(),
    "mailworld": {"maillist"},
}
# The pure folders, with the packages of others that they may import.
PURE: dict[str, set[str]] = {
    "village": set(),
    "nomic": set(),
    "letters": {"authres", "selectolax"},
    "reading": {"lark", "rapidfuzz"},
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


@pytest.mark.parametrize("module", INNER)
def test_imports_point_inwards(module: str) -> None:
    """An inner module imports its own layer and the layers within it, never one further out."""
    ours = {name.split(".")[1] for name in imports(module) if name.startswith("nomicwolf.")}

    assert ours - {layer(module), "dataclass", "expression"} <= MAY[layer(module)]


@pytest.mark.parametrize("module", [m for m in MODULES if layer(m) != "cli"])
def test_only_commands_know_commands(module: str) -> None:
    """What a command line needs (typer, the commands themselves) stays in ``cli/``."""
    assert not {n for n in imports(module) if n.startswith("nomicwolf.cli") or n.split(".")[0] == "typer"}


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
    """The ledger is the only place that knows SQL, and ``post`` the only one that speaks IMAP or SMTP."""
    roots = {n.split(".")[0] for n in imports(module)}

    assert layer(module) in {"ledger", "hosting"} or not roots & {"sqlmodel", "sqlalchemy", "alembic"}
    assert layer(module) in {"post", "demo"} or not roots & {"imapclient", "aiosmtplib", "imaplib", "smtplib"}
