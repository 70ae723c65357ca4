"""Polls and orders at the same time, as processes of their own: one has the turn, the others end with 75."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.run.world import BEGIN, World, letter, running_world
from tests.servers.here import PATIENCE

pytestmark = pytest.mark.slow

HOUR = 3600
PROGRAM = Path(sys.executable).with_name("nomicwolf")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A contest with a session in progress, and a vote and a question in its mailbox."""
    with running_world(tmp_path / "contest") as made:
        settings = made.folder / "contest.toml"
        settings.write_text(settings.read_text().replace("timeout = 5", "timeout = 60"))
        made.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
        made.deliver("q", letter("q", "Bex", "help", BEGIN + HOUR, "wolf@contest.test"), BEGIN + HOUR)
        made.smtp.taken.clear()
        yield made


def begun(world: World, *words: str) -> subprocess.Popen[str]:
    """Begin a command in a process of its own."""
    return subprocess.Popen(
        [PROGRAM, "-C", world.folder, *words, "--at", "2026-12-01T02:00Z"], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)


def ended(run: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for a process; return its status and what it said."""
    said = run.communicate(timeout=PATIENCE)[1]
    return run.returncode, said


def once(world: World, heard: int) -> None:
    """All was heard once, and each letter was sent once."""
    with world.store() as store:
        assert store.verify() == []
        assert store.check().received == heard
        assert set(store.counts().states) == {"sent"}
    lines = [line for _, data in world.smtp.taken for line in data.decode().splitlines()]
    assert set(Counter(line for line in lines if line.startswith("Message-ID")).values()) == {1}


def test_who_comes_second_goes(world: World) -> None:
    """While a poll is sending, a second poll and an order do nothing, and say so; the first one ends well."""
    world.smtp.go.clear()
    world.smtp.whole.clear()
    first = begun(world, "poll")
    assert world.smtp.whole.wait(PATIENCE)

    for words in (("poll",), ("announce",)):
        status, said = ended(begun(world, *words))
        assert status == 75
        assert "another run holds the lock" in said
    world.smtp.go.set()

    assert ended(first) == (0, "")
    once(world, 3)


def test_many_at_the_same_moment(world: World) -> None:
    """Whoever of three gets the turn, all is heard and sent once."""
    runs = [begun(world, "poll") for _ in range(3)]
    statuses = [ended(run)[0] for run in runs]

    assert set(statuses) <= {0, 75}
    assert 0 in statuses
    once(world, 3)
