"""Contests to run, and what tests that stop a run in the middle share."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import World, copied, running_world


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Return a contest with seven players and a session in progress, to be copied."""
    with running_world(tmp_path_factory.mktemp("template") / "contest") as made:
        return made


@pytest.fixture
def world(template: World, tmp_path: Path, ledger_url: str) -> Iterator[World]:
    """Return a copy of the module's template, in each kind of database."""
    script = SmtpScript()
    with smtp_server(script) as port:
        yield copied(template, tmp_path / "contest", port, script, ledger_url)


@pytest.fixture
def file_world(template: World, tmp_path: Path) -> Iterator[World]:
    """Return a copy of the module's template whose ledger is a file."""
    script = SmtpScript()
    with smtp_server(script) as port:
        yield copied(template, tmp_path / "contest", port, script)


@pytest.fixture
def swept() -> Iterator[None]:
    """Close what a stopped run left open, while that is forgiven; else a later test would be blamed for it."""
    yield
    gc.collect()
