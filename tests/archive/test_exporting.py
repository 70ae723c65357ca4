"""``nomicwolf export``: what is public has no secret in it and verifies; what is whole can be taken in again."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.archive.files import export
from nomicwolf.cli.app import run
from nomicwolf.ledger.database import copy_file
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.transaction import Step
from tests.archive.stories import finished, play, two_worlds
from tests.archive.test_command import TOML
from tests.contest.world import START, World


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Return the files of *folder*."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_two_worlds_export_the_same_bytes(tmp_path: Path) -> None:
    """While a session runs, who holds what and what was done by night change no byte."""
    for name, published in zip(("one", "other"), two_worlds(), strict=True):
        export(published, tmp_path / name)

    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "other")


def test_what_is_exported_verifies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``verify`` redoes a session from it, and finds and names a changed byte."""
    export(finished(), tmp_path)
    assert run(["verify", str(tmp_path)]) == 0

    record = tmp_path / "record.json"
    record.write_bytes(record.read_bytes().replace(b"Ash", b"Ask", 1))
    assert run(["verify", str(tmp_path)]) == 1
    assert "record.json" in capsys.readouterr().err


def test_a_whole_export_is_a_ledger(tmp_path: Path) -> None:
    """It has every entry, is for its owner alone, and is whole; the public one beside it has no address in it."""
    (tmp_path / "contest.toml").write_text(TOML)
    world = play(World())
    with Store.create(f"sqlite:///{tmp_path}/contest.db", "wolf") as store:
        store.append(Step(0, world.contest.entries, owed=world.sent, now=START))

    assert run(["-C", str(tmp_path), "export", str(tmp_path / "all")]) == 0
    assert run(["-C", str(tmp_path), "export", "--public", str(tmp_path / "shared")]) == 0

    made = tmp_path / "all" / "contest.db"
    assert made.stat().st_mode & 0o777 == 0o600
    with Store.open(f"sqlite:///{made}", "wolf") as copy:
        assert list(copy.record()) == list(world.contest.entries)
        assert copy.verify() == []
    assert b"@players.example" not in b"".join(bytes_of(tmp_path / "shared").values())


def test_an_export_without_a_name_stays_in_the_contests_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All secrets are not left where ``-C`` was typed."""
    (tmp_path / "home").mkdir()
    (tmp_path / "contest").mkdir()
    (tmp_path / "contest" / "contest.toml").write_text(TOML)
    Store.create(f"sqlite:///{tmp_path}/contest/contest.db", "wolf").close()
    monkeypatch.chdir(tmp_path / "home")

    assert run(["-C", "../contest", "export"]) == 0

    assert list((tmp_path / "home").iterdir()) == []
    assert (tmp_path / "contest" / "export" / "contest.db").is_file()


@pytest.mark.parametrize("first", [[], ["--public"]])
def test_nothing_secret_lies_beside_what_may_be_shared(
    first: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both go to the folder export where none is named: the second is refused, and so is the contest's own folder."""
    (tmp_path / "contest.toml").write_text(TOML)
    world = play(World())
    with Store.create(f"sqlite:///{tmp_path}/contest.db", "wolf") as store:
        store.append(Step(0, world.contest.entries, owed=world.sent, now=START))
    second = [] if first else ["--public"]
    assert run(["-C", str(tmp_path), "export", *first]) == 0
    before = sorted(path.name for path in (tmp_path / "export").iterdir())
    capsys.readouterr()

    assert run(["-C", str(tmp_path), "export", *second]) == 2
    assert "name another folder" in capsys.readouterr().err
    assert sorted(path.name for path in (tmp_path / "export").iterdir()) == before
    for words in (["export", "--public", str(tmp_path)], ["archive", str(tmp_path)]):
        assert run(["-C", str(tmp_path), *words]) == 2
        assert "which must not be shared; name another folder" in capsys.readouterr().err
    assert not (tmp_path / "record.json").exists()


@pytest.mark.parametrize("secret", ["wolf.sqlite", "smtp-password"])
def test_what_the_settings_say_is_secret_is_not_published_beside(
    secret: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A ledger of another name, a password's file: the folder in which it lies is no place for an archive."""
    told = '[ledger]\nurl = "sqlite:///wolf.sqlite"\n'
    toml = TOML.replace("[smtp]\n", '[smtp]\npassword_file = "smtp-password"\n') + told
    (tmp_path / "contest.toml").write_text(toml)
    (tmp_path / "smtp-password").write_text("secret")
    Store.create(f"sqlite:///{tmp_path}/wolf.sqlite", "wolf").close()
    (tmp_path / "www").mkdir()
    (tmp_path / "www" / secret).write_text("left here by mistake")

    for words in (["export", "--public"], ["archive"]):
        assert run(["-C", str(tmp_path), *words, str(tmp_path / "www")]) == 2
        assert f"has {secret} in it, which must not be shared" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "www").iterdir()] == [secret]


@pytest.mark.parametrize("words", [["backup", "new/deep/contest.db"], ["export", "new/deep"]])
def test_a_folder_that_is_missing_is_made_for_its_owner_alone(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy of the ledger goes where it is sent, and nobody else can look there."""
    (tmp_path / "contest.toml").write_text(TOML)
    Store.create(f"sqlite:///{tmp_path}/contest.db", "wolf").close()
    monkeypatch.chdir(tmp_path)

    assert run(words) == 0

    made = tmp_path / "new" / "deep" / "contest.db"
    assert made.parent.stat().st_mode & 0o777 == 0o700
    assert made.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cant_be_made_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither command leaves anything, and no name is told that nobody gave."""
    (tmp_path / "contest.toml").write_text(TOML)
    Store.create(f"sqlite:///{tmp_path}/contest.db", "wolf").close()
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)

    assert run(["backup", str(tmp_path)]) == 2
    assert f"is a folder; name the copy in it: {tmp_path}/contest.db" in capsys.readouterr().err
    for words in (["backup", "file/contest.db"], ["export", "file"]):
        assert run(words) == 1
        assert capsys.readouterr().err.startswith("nomicwolf: file: is no folder, and can't be made one: ")
    assert (tmp_path / "file").read_bytes() == b""


def test_a_copy_that_cant_be_written_is_called_by_its_own_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file beside it, under which it is made, is nobody's business."""
    source = tmp_path / "contest.db"
    Store.create(f"sqlite:///{source}", "wolf").close()
    monkeypatch.setattr("os.open", lambda *_: (_ for _ in ()).throw(PermissionError(13, "Permission denied")))

    with pytest.raises(LedgerError, match=r"copy\.db: can't be made: Permission denied"):
        copy_file(source, tmp_path / "copy.db")
