"""Contests to run, and what tests that stop a run in the middle share."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.run.world import World, running_copy, running_world


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Return a contest with seven players and a session in progress, to be copied."""
    with running_world(tmp_path_factory.mktemp("template") / "contest") as made:
        return made


@pytest.fixture
def world(template: World, tmp_path: Path, ledger_url: str) -> Iterator[World]:
    """Return a copy of the module's template, in each kind of database."""
    with running_copy(template, tmp_path / "contest", ledger_url) as made:
        yield made


@pytest.fixture
def file_world(template: World, tmp_path: Path) -> Iterator[World]:
    """Return a copy of the module's template whose ledger is a file."""
    with running_copy(template, tmp_path / "contest") as made:
        yield made


@pytest.fixture
def swept() -> Iterator[None]:
    """Close what a stopped run left open, while that is forgiven; else a later test would be blamed for it."""
    yield
    gc.collect()
