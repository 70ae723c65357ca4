"""Conservation: received = the sum of the buckets, owed = the sum of the states, after each run; else it fails."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, World, copied, letter, running_world

pytestmark = pytest.mark.slow

HOUR = 3600
PROGRAM = Path(sys.executable).with_name("nomicwolf")
LOSSES = {
    "a letter in": ("UPDATE contests SET received = received + 1", "received 4 = deeds 1"),
    "a letter out": ("UPDATE contests SET owed = owed + 1", " owed "),
}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A contest in which one has voted."""
    with running_world(tmp_path_factory.mktemp("template") / "contest") as world:
        world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
        assert world.poll(BEGIN + 2 * HOUR).status == 0
    return world


@pytest.fixture
def world(template: World, tmp_path: Path) -> Iterator[World]:
    """A copy of it."""
    script = SmtpScript()
    with smtp_server(script) as port:
        yield copied(template, tmp_path / "contest", port, script)


def lose(world: World, statement: str) -> None:
    """Let the ledger have counted one letter more than it has."""
    with closing(sqlite3.connect(world.folder / "contest.db")) as raw:
        raw.execute(statement)
        raw.commit()


@pytest.mark.parametrize("what", LOSSES)
def test_a_poll_that_finds_a_loss_fails(world: World, what: str) -> None:
    """Status 1, both sums in numbers, and what to do; `status` and `ledger verify` fail, too."""
    statement, sums = LOSSES[what]
    lose(world, statement)
    world.deliver("q", letter("q", "Bex", "Just talk.", BEGIN + 3 * HOUR, "wolf@contest.test"), BEGIN + 3 * HOUR)

    report = world.poll(BEGIN + 4 * HOUR)

    assert report.status == 1
    assert "the ledger doesn't balance" in report.said[0]
    assert "nomicwolf ledger verify" in report.said[0]
    assert sums in report.said[0]
    for words in (("status",), ("ledger", "verify")):
        done = subprocess.run([PROGRAM, "-C", world.folder, *words], check=False, capture_output=True, text=True)
        assert done.returncode == 1, words


@pytest.mark.parametrize("what", LOSSES)
def test_an_order_that_finds_a_loss_fails(world: World, what: str) -> None:
    """Commands are runs, too."""
    lose(world, LOSSES[what][0])

    done = world.command("announce", BEGIN + 4 * HOUR)

    assert done.status == 1
    assert "the ledger doesn't balance" in done.said


def test_the_sums_are_shown(world: World) -> None:
    """Each run's own report, and `status`, tell where every letter is."""
    world.deliver("q", letter("q", "Bex", "Just talk.", BEGIN + 3 * HOUR, "wolf@contest.test"), BEGIN + 3 * HOUR)
    balance = world.poll(BEGIN + 4 * HOUR).balance
    assert balance.startswith("received 3 = deeds 1, no-deed 1, duplicate 1; owed ")

    shown = subprocess.run([PROGRAM, "-C", world.folder, "status"], check=True, capture_output=True, text=True).stdout

    assert "Letters heard: 3 (1 with deeds, 1 repeated, 1 without a deed)." in shown
    assert f"Letters owed: {balance.partition('owed ')[2].split()[0]} (" in shown
