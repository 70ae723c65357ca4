"""``ledger copy``, and a contest's key that is gone, unreadable or another's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from tests.run.world import BEGIN, World, letter, running_world

pytestmark = pytest.mark.slow


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


HOUR = 3600


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A session in progress, and a backup of it."""
    with running_world(tmp_path / "contest") as made:
        made.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
        assert made.poll(BEGIN + HOUR).status == 0
        assert run(["-C", str(made.folder), "backup", str(tmp_path / "backup.db")]) == 0
        yield made


def gone(key: Path) -> None:
    """Take the key away."""
    key.unlink()


def empty(key: Path) -> None:
    """Leave nothing in its file, as a full disk does."""
    key.write_text("")


def garbage(key: Path) -> None:
    """Put bytes there that are no text."""
    key.write_bytes(b"\xff\xfe\n")


def folder(key: Path) -> None:
    """Put something there that can't be read at all."""
    key.unlink()
    key.mkdir()


@pytest.mark.parametrize("spoil", [gone, empty, garbage, folder])
def test_a_key_that_can_not_be_read(world: World, spoil: object, capsys: pytest.CaptureFixture[str]) -> None:
    """No new one is made in secret; all three say what the key is for, and where it comes from."""
    key, backup = world.folder / "contest.key", str(world.folder.parent / "backup.db")
    assert callable(spoil)
    spoil(key)
    for words, status in ((["check"], 1), (["ledger", "verify"], 1), (["poll"], 1), (["restore", "--over", backup], 0)):
        capsys.readouterr()
        assert run(["-C", str(world.folder), *words]) == status, words
        told = capsys.readouterr().err
        assert f"put back {key} as it was, from a backup" in told, words
        assert "openssl rand -hex 32" in told, words
        assert not key.is_file() or key.read_bytes() in (b"", b"\xff\xfe\n")


def test_the_key_of_another_contest(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """It is named, and the ledger isn't blamed."""
    (world.folder / "contest.key").write_text("a" * 64 + "\n")
    backup = str(world.folder.parent / "backup.db")
    for words, status in ((["check"], 1), (["ledger", "verify"], 1), (["restore", "--over", backup], 0)):
        capsys.readouterr()
        assert run(["-C", str(world.folder), *words]) == status, words
        told = capsys.readouterr().err
        assert "contest.key is not the key by which letters 1 to" in told, words
        assert "restore the last backup" not in told, words


def test_the_right_key_is_no_news(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is said of it; verify finds the ledger whole."""
    for words in (["check"], ["ledger", "verify"], ["restore", str(world.folder.parent / "backup.db")]):
        run(["-C", str(world.folder), *words])
    told = capsys.readouterr()

    assert "key: good" in told.out
    assert "The ledger is whole" in told.out
    assert "contest.key" not in told.err.replace(f"{world.folder / 'contest.key'}: others can read it", "")


def test_the_game_goes_on_by_a_new_key(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """As the advice says: known votes are known, what is new counts, and our own announcements are no one's votes."""
    (world.folder / "contest.key").write_text("b" * 64 + "\n")
    before = len(world.record())
    (world.folder / "mail" / "cur").mkdir(exist_ok=True)
    world.post("again", "Ash", "I vote for Gus.", BEGIN + 2 * HOUR)
    for number, who in enumerate(("Bex", "Cam", "Dov")):
        world.post(f"v2{number}", who, "I vote for Gus.", BEGIN + 2 * HOUR)
    ours = next(data for recipient, data in world.smtp.taken if "lists" in recipient)
    world.deliver("ours", ours, BEGIN + 2 * HOUR)
    copy = letter("v1", "Ash", "I vote for Gus.", BEGIN + HOUR, "agora-business@lists.agora.test")
    world.deliver("copy", copy, BEGIN + 2 * HOUR)
    report = world.poll(BEGIN + 2 * HOUR)

    assert (report.status, report.heard) == (0, 10)
    assert len(world.record()) > before
    assert any("lynched" in line for line in world.record())
    with world.store() as store:
        assert store.counts().buckets["duplicate"] >= 5
        assert store.verify() == []
    capsys.readouterr()
    run(["-C", str(world.folder), "check"])
    assert "key: good" in capsys.readouterr().out
