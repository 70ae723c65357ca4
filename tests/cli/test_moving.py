"""``ledger copy`` from the command line, in a process that has loaded nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from tests.run.world import running_world


@pytest.mark.parametrize("where", ["new.db", "away/new.db"])
def test_a_contest_moves_to_another_file_and_goes_on_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str
) -> None:
    """A session with covered nights is copied beside its ledger, or elsewhere; the answer has the line to write."""
    with running_world(tmp_path / "c") as world:
        folder = world.folder
        (folder / "away").mkdir()
        words = ["-C", str(folder), "ledger", "copy", f"sqlite:///{where}"]
        copied = subprocess.run(
            [sys.executable, "-c", "from nomicwolf.cli.main import main; main()", *words], capture_output=True,
            text=True, timeout=60, check=False)
        assert (copied.returncode, copied.stderr) == (0, "")
        line = f'url = "sqlite:///{where}"'
        assert line in copied.stdout
        if "/" in where:
            assert "contest.key along" in copied.stdout
            (folder / "away" / "contest.key").write_bytes((folder / "contest.key").read_bytes())
        (folder / "contest.db").unlink()
        settings = (folder / "contest.toml").read_text()
        table = "[ledger]\n"
        (folder / "contest.toml").write_text(
            settings.replace(table, f"{table}{line}\n") if table in settings else f"{settings}\n{table}{line}\n")
        assert run(["-C", str(folder), "ledger", "verify"]) == 0
        assert "The ledger is whole." in capsys.readouterr().out


def test_a_password_in_a_wrong_url_is_not_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a command says may be copied into a letter that asks for help."""
    with running_world(tmp_path / "c") as world:
        assert run(["-C", str(world.folder), "ledger", "copy", "postgres://wolf:hush@db.example/x"]) == 2
        said = capsys.readouterr().err
        assert "postgres://wolf@db.example/x: must be like sqlite:///contest.db" in said


def test_an_option_of_a_url_that_nobody_knows_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No server was asked, so no backup helps: the URL is to be looked at, and its password isn't told."""
    with running_world(tmp_path / "c") as world:
        there = "postgresql+psycopg://wolf:hush@127.0.0.1/x?hst=3"
        assert run(["-C", str(world.folder), "ledger", "copy", there]) == 1
        said = capsys.readouterr().err
        assert '"hst"' in said
        assert "look at what stands behind its ?, in ledger.url" in said
        assert "hush" not in said
        assert "backup" not in said


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A copy of the ledger into a folder that nobody made: the folder is to be made, not the contest's."""
    with running_world(tmp_path / "c") as world:
        base = ["-C", str(world.folder)]
        assert run([*base, "ledger", "copy", "sqlite:///nowhere/new.db"]) == 1
        assert "make its folder first" in capsys.readouterr().err
