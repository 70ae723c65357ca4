"""What `host add` takes of a tenant's folder: plain files that lie there, and nothing to which they may lead."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.host.admission import FILE_BYTES, read, take_folder
from nomicwolf.post.source import folder_at
from nomicwolf.settings.keys import SettingsError
from tests.host.hosted import Host

SECRET = "the host's own key"


@pytest.fixture
def folder(host: Host) -> Path:
    """Return the folder of a contest that the host has, beside a file that is none of its tenant's."""
    (host.folder / "secret").write_text(SECRET)
    (host.folder / "elsewhere").mkdir()
    (host.folder / "elsewhere" / "answer-help.txt").write_text(SECRET)
    return host.contest("c1", player=False)


def link(folder: Path, name: str, to: str) -> None:
    """Put a link in a file's place."""
    place = folder / name
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(folder.parent.parent / to)


def key_in(folder: Path) -> None:
    """Name a password's file that is a link."""
    link(folder, "password", "secret")
    toml = (folder / "contest.toml").read_text()
    (folder / "contest.toml").write_text(toml.replace("[smtp]", '[smtp]\nuser = "u"\npassword_file = "password"'))


def outside(table: str) -> Callable[[Path], None]:
    """Return what adds settings that name something outside the folder."""
    def change(folder: Path) -> None:
        toml = (folder / "contest.toml").read_text()
        (folder / "contest.toml").write_text(toml + table.format(folder.parent.parent))
    return change


def large(folder: Path, files: int, size: int) -> None:
    """Put so many files of a size into the folder, which are taken by their names."""
    for number in range(files):
        (folder / f"{number}.toml").write_bytes(bytes(size))


TRICKS: dict[str, Callable[[Path], None]] = {
    "a template": lambda folder: link(folder, "templates/answer-help.txt", "secret"),
    "the templates": lambda folder: link(folder, "templates", "elsewhere"),
    "the settings": lambda folder: link(folder, "contest.toml", "elsewhere/answer-help.txt"),
    "the key": lambda folder: link(folder, "contest.key", "secret"),
    "a password": key_in,
    "another name of the same file": lambda folder: os.link(folder.parent.parent / "secret", folder / "a.toml"),
    "a pipe": lambda folder: os.mkfifo(folder / "a.toml"),
    "a large file": lambda folder: large(folder, 1, FILE_BYTES + 1),
    "many files": lambda folder: large(folder, 17, FILE_BYTES),
    "a profile elsewhere": outside('profile = "../../secret.toml"\n'),
    "a profile by its whole path": outside('profile = "{}/secret.toml"\n'),
    "an archive elsewhere": outside('[archive]\npath = "{}/elsewhere"\n'),
    "a ledger elsewhere": outside('[ledger]\nurl = "sqlite:///{}/elsewhere/contest.db"\n'),
    "a ledger above": outside('[ledger]\nurl = "sqlite:///../c2/contest.db"\n'),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_nothing_is_taken_from_outside(
    host: Host, folder: Path, capsys: pytest.CaptureFixture[str], trick: str
) -> None:
    """Links, other names, pipes and what is too large are refused by name, and nothing was changed at the host."""
    before = host.ask("SELECT revision FROM host.contests")
    TRICKS[trick](folder)
    capsys.readouterr()
    assert host.host("add", str(folder), "--tenant", "murphy") == 1
    said = capsys.readouterr()
    assert "defect" not in said.err
    assert SECRET not in said.out + said.err
    assert host.ask("SELECT revision FROM host.contests") == before


def test_many_contests_are_taken_at_once(
    host: Host, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One command takes them one by one; at one that can't be taken it ends, and those before stay."""
    folders = []
    for number in range(4):
        folders.append(folder.parent / f"many{number}")
        folders[-1].mkdir()
        (folders[-1] / "contest.toml").write_text(
            (folder / "contest.toml").read_text().replace('"c1"', f'"many{number}"'))
    (folders[2] / "contest.toml").unlink()
    capsys.readouterr()
    assert host.host("add", *map(str, folders), "--tenant", "murphy") == 1
    assert f"{folders[2] / 'contest.toml'}: not there" in capsys.readouterr().err
    assert host.ask("SELECT contest FROM host.contests ORDER BY 1") == [("c1",), ("many0",), ("many1",)]


def test_a_link_in_the_folders_place_is_refused(
    host: Host, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The operator named a tenant's folder; where it has become a link to another's, that one isn't taken for it."""
    (folder.parent / "other").symlink_to(folder)
    assert host.host("add", str(folder.parent / "other"), "--tenant", "ann") == 1
    assert "is a link or a file" in capsys.readouterr().err


@pytest.mark.parametrize("part", ["contest.db", "contest.db-wal"])
def test_no_ledger_is_copied_from_outside(
    host: Host, folder: Path, capsys: pytest.CaptureFixture[str], part: str
) -> None:
    """Nor what SQLite lays beside one: another contest's letters would come along."""
    toml = (folder / "contest.toml").read_text()
    for name in ("victim", "thief"):
        (folder.parent / name).mkdir()
        (folder.parent / name / "contest.toml").write_text(toml.replace('"c1"', f'"{name}"'))
        assert run(["-C", str(folder.parent / name), "party", "add", "Ash", "ash@players.test"]) == 0
    thief = folder.parent / "thief" / part
    thief.unlink(missing_ok=True)
    thief.symlink_to(folder.parent / "victim" / "contest.db")
    capsys.readouterr()
    assert host.host("add", str(folder.parent / "thief"), "--tenant", "murphy") == 1
    assert "is a link" in capsys.readouterr().err
    assert host.ask("SELECT contest FROM host.contests") == [("c1",)]


def test_no_lock_is_made_outside(host: Host, folder: Path) -> None:
    """A link in the lock's place makes no file and empties none."""
    toml = (folder / "contest.toml").read_text()
    own = folder.parent / "own"
    own.mkdir()
    (own / "contest.toml").write_text(toml.replace('"c1"', '"own"'))
    assert run(["-C", str(own), "party", "add", "Ash", "ash@players.test"]) == 0
    link(own, "own.lock", "secret")
    assert host.host("add", str(own), "--tenant", "murphy") == 1
    assert (host.folder / "secret").read_text() == SECRET


def test_a_ledger_that_is_no_tables_is_refused(
    host: Host, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A view in a table's place could go on for ever: it is no ledger of ours."""
    own = folder.parent / "own"
    own.mkdir()
    (own / "contest.toml").write_text((folder / "contest.toml").read_text().replace('"c1"', '"own"'))
    assert run(["-C", str(own), "party", "add", "Ash", "ash@players.test"]) == 0
    with sqlite3.connect(own / "contest.db") as ledger:
        ledger.execute("ALTER TABLE marks RENAME TO there")
        ledger.execute("CREATE VIEW marks AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
                       "SELECT 'own' AS contest, 'm' || x AS source, 0 AS validity, x AS last FROM n")
    ledger.close()
    capsys.readouterr()
    assert host.host("add", str(own), "--tenant", "murphy") == 1
    assert "marks is no table" in capsys.readouterr().err


def test_a_file_is_read_that_lies_there(tmp_path: Path) -> None:
    """What is plain is read, also in a folder within; a device is not opened at all."""
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "count.txt").write_text("x")
    with folder_at(tmp_path) as at:
        assert read(at, "templates/count.txt") == b"x"
        with pytest.raises(FileNotFoundError):
            read(at, "templates/none.txt")
    with folder_at(Path("/dev")) as at, pytest.raises(SettingsError, match="is a link, a folder or a device"):
        read(at, "null")


def test_a_key_that_the_folder_lost_stays_the_contests(host: Host, folder: Path) -> None:
    """Given again from a folder without its key, a contest keeps the one that the host has."""
    key = (folder / "contest.key").read_text()
    (folder / "contest.key").unlink()
    assert host.host("add", str(folder), "--tenant", "murphy") == 0
    assert not (folder / "contest.key").exists()
    assert host.host("do", "c1", "status") == 0
    (laid_out,) = (host.folder / "laid-out" / "c1").iterdir()
    assert (laid_out / "contest.key").read_text().strip() == key.strip()


def test_the_names_of_ours_stay_ours(folder: Path) -> None:
    """No message tells where the copy lay, and no copy is left."""
    (folder / "contest.toml").write_text((folder / "contest.toml").read_text().replace("limit = 35", "limit = 'x'"))
    with pytest.raises(SettingsError) as told, take_folder(folder):
        pass
    assert "nomicwolf-" not in str(told.value)


def test_the_key_that_signs_letters_comes_along(folder: Path) -> None:
    """Also where no setting names its file: else a contest's letters would wait on the host for it."""
    assert run(["-C", str(folder), "dkim"]) == 0
    with take_folder(folder) as found:
        assert found.files["dkim.key"] == (folder / "dkim.key").read_bytes()
