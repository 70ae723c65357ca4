"""Conservation, and promises about real letters: one forum's failure is its own, and nothing is lost."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from email import message_from_bytes
from pathlib import Path

import pytest

from tests.post.scripted import SmtpScript
from tests.run.world import BEGIN, World, letter, running_copy, running_world

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
    with running_copy(template, tmp_path / "contest") as made:
        yield made


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


OWN = ("letter", "deed", "entry")
"""What brings entries at instants of its own, when its letter was written: not the contest's clock."""


def ids(script: SmtpScript, forum: str) -> list[str]:
    """The Message-IDs of what the server took for *forum*, in order."""
    return [str(message_from_bytes(data)["Message-ID"]) for to, data in script.taken if to == forum]


@pytest.mark.parametrize("reply", ["450 try again later", "drop"])
def test_one_forums_failure_repeats_nothing_in_the_other(tmp_path_factory: pytest.TempPathFactory, reply: str) -> None:
    """N-114: while one forum's letters are put off, the other's go out; later the first gets them, each once."""
    with running_world(tmp_path_factory.mktemp("forums") / "contest") as world:
        good, bad = sorted({to for to, _ in world.smtp.taken if "lists" in to})
        before = {forum: ids(world.smtp, forum) for forum in (good, bad)}
        world.smtp.rcpt[bad] = reply
        world.command("announce", BEGIN + HOUR)
        world.poll(BEGIN + 2 * HOUR)
        world.poll(BEGIN + 3 * HOUR)
        meanwhile = {forum: ids(world.smtp, forum) for forum in (good, bad)}
        del world.smtp.rcpt[bad]
        for later in range(4, 60):
            world.poll(BEGIN + later * HOUR)

    after = {forum: ids(world.smtp, forum) for forum in (good, bad)}
    assert meanwhile[bad] == before[bad]
    assert len(meanwhile[good]) == len(before[good]) + 1
    assert len(after[bad]) >= len(before[bad]) + 1
    for sent in after.values():
        assert len(set(sent)) == len(sent)


def test_no_instant_in_the_record_goes_backwards(tmp_path_factory: pytest.TempPathFactory) -> None:
    """X-22: whatever the server's clock does, the contest's time only goes on; each letter keeps its three stamps."""
    with running_world(tmp_path_factory.mktemp("clock") / "contest") as world:
        for place, (hour, poll) in enumerate(((1, 30), (2, 3), (40, 41), (5, 20), (50, 60))):
            world.post(f"v{place}", ("Ash", "Bex", "Cam", "Dov", "Eli")[place], "I vote for Gus.", BEGIN + hour * HOUR)
            world.poll(BEGIN + poll * HOUR)

    record = list(world.store().record())
    instants = [e.at for e in record if not e.event.name.endswith("-heard") and not e.cause.startswith(OWN)]
    heard = [e.event for e in record if e.event.name == "letter-heard"]
    assert instants == sorted(instants)
    assert instants[-1] > instants[0]
    assert len(heard) >= 5
    assert all(getattr(letter, stamp) for letter in heard for stamp in ("sent", "stamped", "arrived"))
