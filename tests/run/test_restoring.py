"""A backup brought back: proved, put in place, and nothing told twice."""

from __future__ import annotations

import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.ledger.database import remove_file
from nomicwolf.run.resources import lock_file, only_run
from tests.ledger.old import cut_down
from tests.run.world import BEGIN, World, letter, running_copy

pytestmark = pytest.mark.slow

HOUR = 3600
VOTERS = ("Ash", "Bex", "Cam")


@pytest.fixture
def world(template: World, tmp_path: Path) -> Iterator[World]:
    """Return a contest in which three have voted, with a backup of it in ``backup.db``."""
    with running_copy(template, tmp_path / "contest") as made:
        for name in VOTERS:
            made.post(name, name, "I vote for Gus.", BEGIN + HOUR)
        made.poll(BEGIN + HOUR + 60)
        assert run(["-C", str(made.folder), "backup", str(tmp_path / "backup.db")]) == 0
        yield made


def restore(world: World, *words: str) -> int:
    """Restore the backup and return the exit status."""
    return run(["-C", str(world.folder), "restore", str(world.folder.parent / "backup.db"), *words])


def announcements(world: World) -> list[str]:
    """Return the Message-IDs of what was sent to the forums."""
    return [
        next(line for line in data.decode().splitlines() if line.startswith("Message-ID: "))
        for recipient, data in world.smtp.taken if "lists" in recipient
    ]


def echo(world: World, at: int) -> None:
    """Let each announcement that was sent come back through its list, once."""
    for number, (recipient, data) in enumerate(world.smtp.taken):
        if "lists" in recipient:
            name = f"echo.{number}"
            if not any((world.folder / "mail" / part / name).exists() for part in ("new", "cur")):
                world.deliver(name, data.replace(b"From: ", b"List-Id: <" + recipient.replace("@", ".").encode()
                                                 + b">\r\nFrom: ", 1), at)


def lynched(world: World) -> None:
    """Let the fourth vote come, and what follows be announced."""
    world.post("Dov", "Dov", "I vote for Gus.", BEGIN + 2 * HOUR)
    assert world.poll(BEGIN + 2 * HOUR + 60).status == 0


def test_a_lost_ledger_comes_back(world: World) -> None:
    """The backup stands where the ledger was, for its owner alone, and is whole; the game goes on from there."""
    before = world.record()
    for part in ("", "-wal", "-shm"):
        (world.folder / f"contest.db{part}").unlink(missing_ok=True)
    assert world.poll(BEGIN + HOUR + 120).status == 1
    assert restore(world) == 0
    assert world.record() == before
    assert world.poll(BEGIN + HOUR + 180).status == 0
    assert stat.S_IMODE((world.folder / "contest.db").stat().st_mode) == 0o600
    lynched(world)
    assert any("lynched" in line for line in world.record())


def test_what_was_announced_is_not_announced_again(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Letters since the backup are heard again; the announcement whose echo is there counts as sent."""
    lynched(world)
    echo(world, BEGIN + 2 * HOUR + 90)
    told = announcements(world)
    assert restore(world) == 1
    assert "something would be lost" in capsys.readouterr().err
    assert restore(world, "--over") == 0
    assert "The next poll hears again" in capsys.readouterr().out
    world.poll(BEGIN + 3 * HOUR)
    assert any("lynched" in line for line in world.record())
    assert announcements(world) == told
    with world.store() as store:
        assert not [o for o in store.outbox().in_state("queued", "unknown", "sending") if o.letter.kind == "public"]
        store.check()
    world.poll(BEGIN + 3 * HOUR + 60)
    assert announcements(world) == told


def test_what_may_be_out_waits_for_the_contestmaster(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no echo came, an announcement isn't made again by itself: it is listed, and sent when asked for."""
    before = len(announcements(world))
    lynched(world)
    told = announcements(world)
    assert restore(world, "--over") == 0
    report = world.poll(BEGIN + 3 * HOUR)
    assert report.status == 1
    assert any("look whether the forum has it" in line for line in report.said)
    assert announcements(world) == told
    capsys.readouterr()
    assert run(["-C", str(world.folder), "unsent"]) == 0
    listed = [line for line in capsys.readouterr().out.splitlines() if "unknown" in line]
    assert len(listed) == len(told) - before > 0
    assert run(["-C", str(world.folder), "unsent", "--again", listed[0].split()[0]]) == 0
    world.poll(BEGIN + 4 * HOUR)
    assert len(announcements(world)) == len(told) + 1


def test_new_announcements_go_out_once_all_was_read(world: World) -> None:
    """After the first poll everything is as ever: what follows later is announced at once."""
    assert restore(world) == 0
    world.poll(BEGIN + HOUR + 120)
    told = announcements(world)
    lynched(world)
    assert len(announcements(world)) > len(told)


def test_the_other_ledger_is_kept(world: World) -> None:
    """What stood there is found beside it, whole."""
    lynched(world)
    there = world.record()
    assert restore(world, "--over") == 0
    [aside] = [path for path in world.folder.glob("contest.db.before-*") if not path.name.endswith(("-wal", "-shm"))]
    aside.rename(world.folder.parent / "aside.db")
    assert run(["-C", str(world.folder), "restore", str(world.folder.parent / "aside.db")]) == 0
    assert world.record() == there


def test_a_longer_ledger_of_an_older_schema_is_not_replaced(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After an upgrade of the program nobody polled yet: what the backup hasn't would be lost all the same."""
    lynched(world)
    older, file = tmp_path / "older.db", world.folder / "contest.db"
    cut_down(file, older, "0004")
    remove_file(file)
    older.rename(file)
    before = file.read_bytes()

    assert restore(world) == 1
    assert "something would be lost" in capsys.readouterr().err
    assert file.read_bytes() == before
    assert restore(world, "--over") == 0


def test_a_garbled_backup_changes_nothing(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """A backup whose chain is broken, or that is no ledger, is refused."""
    backup = world.folder.parent / "backup.db"
    before = world.record()
    with closing(sqlite3.connect(backup)) as database:
        database.execute("DROP TRIGGER keep_entries_update")
        database.execute("UPDATE entries SET at = at + 1 WHERE number = 5")
        database.commit()
    assert restore(world, "--over") == 1
    assert "isn't whole" in capsys.readouterr().err
    backup.write_bytes(b"no database at all" * 100)
    assert restore(world, "--over") == 1
    backup.unlink()
    assert restore(world) == 2
    assert "there is no such file" in capsys.readouterr().err
    assert world.record() == before
    assert not list(world.folder.glob("*.restoring*"))


def test_a_run_in_progress_is_not_disturbed(world: World) -> None:
    """While a poll has its turn a restore ends with 75."""
    with only_run(lock_file(world.settings)):
        assert restore(world) == 75
    assert restore(world) == 0


def test_a_backup_is_whole_while_others_write(world: World) -> None:
    """A backup that is made in the middle of polls can be restored, each time."""
    stop = threading.Event()
    troubles: list[BaseException] = []

    def write() -> None:
        try:
            for number in range(12):
                name = f"busy{number}"
                world.deliver(name, letter(name, "Eli", f"Just talk, number {number}.", BEGIN + 3 * HOUR),
                              BEGIN + 3 * HOUR)
                world.poll(BEGIN + 3 * HOUR + number)
        except BaseException as error:  # noqa: BLE001 - told below
            troubles.append(error)
        finally:
            stop.set()

    writer = threading.Thread(target=write)
    writer.start()
    made = 0
    while not stop.is_set() or not made:
        made += 1
        assert run(["-C", str(world.folder), "backup", str(world.folder.parent / f"b{made}.db")]) == 0
    writer.join()
    assert not troubles
    for number in {1, (made + 1) // 2, made}:
        assert run(["-C", str(world.folder), "restore", "--over", str(world.folder.parent / f"b{number}.db")]) == 0
        with world.store() as store:
            assert store.verify() == []


def test_what_is_no_backup_is_told_as_what_it_is(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """The ledger itself, which a restore would but copy and put aside, and the folder of a whole export."""
    ledger = world.folder / "contest.db"
    assert run(["-C", str(world.folder), "export"]) == 0
    before = sorted(world.folder.iterdir())
    within = world.folder / "export"
    for given, told in ((ledger, "is the contest's own ledger"),
                        (within, f"is a folder; name the ledger in it: {within}/contest.db")):
        capsys.readouterr()
        assert run(["-C", str(world.folder), "restore", str(given)]) == 2
        assert told in " ".join(capsys.readouterr().err.split())
    assert sorted(world.folder.iterdir()) == before
