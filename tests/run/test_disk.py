"""A disk that is full, that breaks, or that can't be written: the run says so, nothing is lost, the next one goes on.

The full disk is a small tmpfs where one can be mounted, and always the system's limit on a file's size.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.run.world import BEGIN, World, demand_once, running_copy

pytestmark = pytest.mark.slow

HOUR = 3600
LETTERS = 12
PROGRAM = Path(sys.executable).with_name("nomicwolf")
AS_ANYONE: tuple[str, ...] = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
"""Lets root, too, be stopped by a file's mode (capabilities(7))."""


@pytest.fixture
def world(template: World, tmp_path: Path) -> Iterator[World]:
    """A contest with long letters in its mailbox, which lies elsewhere."""
    with running_copy(template, tmp_path / "contest") as made:
        for number in range(LETTERS):
            made.post(f"t{number}", "Ash", "What a day! " * 3000 + str(number), BEGIN + HOUR + number, ("agora",))
        made.post("v1", "Bex", "I vote for Gus.", BEGIN + HOUR + 60, ("agora",))
        (made.folder / "mail").rename(tmp_path / "mail")
        made.change('path = "mail"', f'path = "{tmp_path / "mail"}"')
        made.smtp.taken.clear()
        yield made


def polled(folder: Path, *before: str | Path) -> tuple[int, str]:
    """Poll as cron does, by way of a command that limits it; return the status and what was said."""
    done = subprocess.run(
        [*before, PROGRAM, "-C", folder, "poll", "--at", "2026-12-01T03:00Z"], check=False, capture_output=True,
        text=True)
    assert done.stdout == ""
    return done.returncode, done.stderr


def test_files_that_can_not_grow(world: World) -> None:
    """The system refuses to let the ledger grow (setrlimit(2)): an error of the disk, in the middle of a letter."""
    room = (world.folder / "contest.db").stat().st_size // 1024 + 40
    status, said = polled(world.folder, "sh", "-c", f'ulimit -f {room * 1024 // 512}; exec "$@"', "sh")

    assert status == 1
    assert "ledger" in said
    assert "defect" not in said
    with world.store() as store:
        assert store.verify() == []
        assert store.check().received < LETTERS + 1
    assert world.poll(BEGIN + 3 * HOUR).status == 0
    demand_once(world, LETTERS + 1)


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """Mount a tmpfs on *folder* with room for little more than what lies in it; tell whether that is allowed."""
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) + 150_000
    aside = folder.with_name("aside")
    shutil.copytree(folder, aside)
    mounted = not subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=False, capture_output=True).returncode
    try:
        if mounted:
            shutil.copytree(aside, folder, dirs_exist_ok=True)
        yield mounted
        if mounted:
            shutil.rmtree(aside)
            shutil.copytree(folder, aside)
    finally:
        if mounted:
            subprocess.run(["umount", folder], check=True)
            shutil.copytree(aside, folder, dirs_exist_ok=True)


def test_a_small_disk(world: World) -> None:
    """No space left, for the ledger and for what lies beside it; with room again every letter is heard."""
    with small_disk(world.folder) as mounted:
        if mounted:
            said = polled(world.folder)
            assert said[0] == 1
            assert "room" in said[1]
            assert "defect" not in said[1]
            (world.folder / "filler").write_bytes(b"x" * (shutil.disk_usage(world.folder).free // 4096 * 4096))
            assert polled(world.folder)[0] == 1
            (world.folder / "filler").unlink()
            with world.store() as store:
                assert store.verify() == []
                assert store.check().received < LETTERS + 1
    assert world.poll(BEGIN + 3 * HOUR).status == 0
    demand_once(world, LETTERS + 1)


@pytest.mark.parametrize(("mode", "name"), [(0o400, "contest.db"), (0o500, ""), (0o400, "w1.lock")])
def test_what_can_not_be_written(world: World, mode: int, name: str) -> None:
    """The ledger, the folder, the lock: told with the file's name or what to do; nothing heard or sent."""
    before = world.record()
    place = world.folder / name
    was = place.stat().st_mode
    place.chmod(mode)
    try:
        status, said = polled(world.folder, *AS_ANYONE)
    finally:
        place.chmod(was)

    assert status == 1
    assert "defect" not in said
    assert "let this user write" in said
    assert world.record() == before
    assert world.smtp.taken == []
    assert world.poll(BEGIN + 3 * HOUR).status == 0
    demand_once(world, LETTERS + 1)
