"""Two copies of a contest's folder on one mailbox, and a ledger that lost what it had: told before anything is sent."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.maillist import distributed
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, FORUMS, World, letter, make_settings, running_copy

HOUR = 3600


@pytest.fixture
def world(template: World, tmp_path: Path) -> Iterator[World]:
    """A contest in which seven play."""
    with running_copy(template, tmp_path / "contest") as made:
        yield made


def echo(world: World, name: str, at: int) -> None:
    """Let the last letter to Agora's forum come back through it."""
    data = next(data for to, data in reversed(world.smtp.taken) if to.startswith("agora-business"))
    world.deliver(name, distributed(data, FORUMS["agora"], at), at)


def test_a_copied_folder_sends_nothing_that_the_other_has_sent(world: World, tmp_path: Path) -> None:
    """Both read the same mailbox; what the other has posted comes back to the copy, which stops and says what to do."""
    other = SmtpScript()
    with smtp_server(other) as port:
        shutil.copytree(world.folder, tmp_path / "copy", ignore=shutil.ignore_patterns("mail"))
        make_settings(tmp_path / "copy", port)
        (tmp_path / "copy" / "mail").symlink_to(world.folder / "mail")
        for number, who in enumerate(("Ash", "Bex", "Cam", "Dov")):
            world.post(f"v{number}", who, "I vote for Gus.", BEGIN + HOUR + number)
        assert world.poll(BEGIN + HOUR + 60).status == 0
        echo(world, "echo", BEGIN + HOUR + 120)
        copy = World(tmp_path / "copy", other)
        before = copy.store().last()

        report = copy.poll(BEGIN + HOUR + 180)

        assert report.status == 1
        assert "another copy of the folder is at work" in report.said[0]
        assert other.taken == []
        assert copy.store().last() > before, "what was heard before it stays heard"
        assert world.poll(BEGIN + HOUR + 180).status == 0
        assert copy.poll(BEGIN + 2 * HOUR).status == 1
        assert other.taken == []


def test_a_ledger_behind_what_came_back_goes_on_after_a_restore(world: World) -> None:
    """An older ledger in the place of the newest sends nothing; marked as restored, it goes on without doubling."""
    folder = ["-C", str(world.folder)]
    shutil.copy(world.folder / "contest.db", world.folder / "older.db")
    for number, who in enumerate(("Ash", "Bex", "Cam", "Dov")):
        world.post(f"v{number}", who, "I vote for Gus.", BEGIN + HOUR + number)
    world.poll(BEGIN + HOUR + 60)
    echo(world, "echo", BEGIN + HOUR + 120)
    shutil.copy(world.folder / "older.db", world.folder / "contest.db")
    world.smtp.taken.clear()

    report = world.poll(BEGIN + HOUR + 180)
    assert report.status == 1
    assert "its -wal file is gone" in report.said[0]
    (world.folder / "w1.lock").unlink()
    assert "came back" in world.poll(BEGIN + HOUR + 180).said[0]
    assert world.smtp.taken == []
    assert run([*folder, "backup", str(world.folder / "now.db")]) == 0
    assert run([*folder, "restore", str(world.folder / "now.db"), "--over"]) == 0
    report = world.poll(BEGIN + HOUR + 240)
    assert all("to b was taken" in line or "restored" in line for line in report.said), report.said
    assert [to for to, _ in world.smtp.taken if "business" in to] == []


def test_a_lost_wal_is_told_before_anything_is_done(world: World) -> None:
    """What a killed run had written there is missed, and nothing is heard or sent a second time."""
    keeper = sqlite3.connect(world.folder / "contest.db")
    keeper.execute("SELECT count(*) FROM entries").fetchone()  # the last to leave would write the -wal file's part
    world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
    assert world.poll(BEGIN + HOUR + 60).status == 0
    wal = world.folder / "contest.db-wal"
    shutil.copy(world.folder / "contest.db", world.folder / "left.db")
    assert wal.stat().st_size
    keeper.close()
    shutil.copy(world.folder / "left.db", world.folder / "contest.db")
    before = len(world.smtp.taken)

    report = world.poll(BEGIN + HOUR + 120)

    assert report.status == 1
    assert "its -wal file is gone" in report.said[0]
    assert world.command("announce", BEGIN + HOUR + 120).status == 1
    assert len(world.smtp.taken) == before


def test_a_letter_that_looks_like_ours_stops_nothing(world: World) -> None:
    """A Message-ID that the contest's key didn't make is anybody's."""
    data = letter("m1", "Murphy", "The count is wrong.", BEGIN + HOUR).replace(
        b"<m1@players.test>", b"<ktzwricv3m5hjd2467yprarf.rs6uuouj4jbfapq2@contest.test>")
    world.deliver("m1", distributed(data, FORUMS["agora"], BEGIN + HOUR), BEGIN + HOUR)

    assert world.poll(BEGIN + 2 * HOUR).status == 0
