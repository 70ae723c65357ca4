"""A database that is away: whatever command is given ends with 75, as commands.md promises, and says so in a line."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from tests.run.world import TOML
from tests.servers.here import free_ports

COMMANDS = (
    "poll", "status", "status --json", "votes", "history", "explain Gus", "statistics", "held", "unsent",
    "unsent --again 3", "party alias Ash A", "award", "start", "announce", "act-for Ash 'vote Gus'", "release 3",
    "archive out", "export out", "export --public out", "backup copy.db", "replay", "ledger verify",
    "ledger copy sqlite:///copy.db", "watch",
)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_waits_for_its_database(words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody answers at the ledger's port: that passes, so a script may try again; nothing was done."""
    (port,) = free_ports(1)
    url = f"postgresql+psycopg://wolf@127.0.0.1:{port}/contests"
    (tmp_path / "contest.toml").write_text(TOML.format(port=port, ledger=f'[ledger]\nurl = "{url}"\n'))
    (tmp_path / "contest.key").write_text("5" * 64)
    (tmp_path / "contest.key").chmod(0o600)

    assert run(["-C", str(tmp_path), *shlex.split(words)]) == 75
    said = capsys.readouterr()
    assert said.out == ""
    assert "the ledger is not to be had now (connection" in said.err
    assert "a command has to be given again" in said.err
    assert said.err.count("\n") == 1
