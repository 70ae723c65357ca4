"""Runs at the same time, and a run that is stuck: one has the turn, the others end with 75.

That its time is up is said by the signal that the clock would send, once the run is surely stuck; and again, as the
clock does: the first one is lost if it comes while asyncio calls somebody back.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from nomicwolf.run.resources import GRACE
from tests.post.scripted import ImapScript, SmtpScript, imap_server, smtp_server
from tests.run.world import BEGIN, World, demand_once, letter, make_world, running_world, started
from tests.servers.here import PATIENCE

pytestmark = pytest.mark.slow

PROGRAM = Path(sys.executable).with_name("nomicwolf")


def polled(folder: Path, stuck: threading.Event | None = None) -> tuple[int, str]:
    """Poll as cron does, ring from when the run is *stuck* until it ends; return the exit status and what was said."""
    with subprocess.Popen(
        [PROGRAM, "-C", folder, "poll", "--at", "2026-12-01T01:00Z"], stderr=subprocess.PIPE, text=True
    ) as run:
        if stuck is not None:
            assert stuck.wait(PATIENCE)
            run.send_signal(signal.SIGALRM)
            while not ended(run):
                run.send_signal(signal.SIGALRM)
        said = run.communicate()[1]
    return run.returncode, said


def ended(run: subprocess.Popen[str]) -> bool:
    """Give a run a while to leave in an orderly way, and tell whether it did."""
    try:
        run.wait(GRACE)
    except subprocess.TimeoutExpired:
        return False
    return True


def test_a_mailbox_that_never_answers_ends_the_run(tmp_path: Path) -> None:
    """Each answer has its own limit; here all of it has one, and it comes first."""
    script = ImapScript(hang_in="EXAMINE")
    with smtp_server(SmtpScript()) as port, imap_server(script) as imap:
        world = started(make_world(tmp_path / "contest", port, SmtpScript()))
        before = world.record()
        world.read_by_imap(imap)

        status, said = polled(world.folder, script.hung)

    assert status == 75
    assert "more than 1800 seconds" in said
    assert world.record() == before


def test_a_letter_that_was_being_sent_then_is_doubted(tmp_path: Path) -> None:
    """The server takes a letter and says nothing: the run ends, the next one says that nobody knows, and resends."""
    with running_world(tmp_path / "contest") as world:
        world.change("timeout = 5", "timeout = 60")
        world.post("v1", "Ash", "I vote for Nobodyatall.", BEGIN + 60)
        world.smtp.taken.clear()
        world.smtp.go.clear()
        world.smtp.whole.clear()
        status, said = polled(world.folder, world.smtp.whole)
        assert (status, "more than 1800 seconds" in said) == (75, True), said
        world.smtp.go.set()

        status, said = polled(world.folder)

        assert (status, "nobody knows" in said) == (1, True)
        assert polled(world.folder) == (0, "")
    with world.store() as store:
        assert set(store.check().states) == {"sent"}


HOUR = 3600


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A contest with a session in progress, and a vote and a question in its mailbox."""
    with running_world(tmp_path / "contest") as made:
        made.change("timeout = 5", "timeout = 60")
        made.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
        made.deliver("q", letter("q", "Bex", "help", BEGIN + HOUR, "wolf@contest.test"), BEGIN + HOUR)
        made.smtp.taken.clear()
        yield made


def begun(world: World, *words: str) -> subprocess.Popen[str]:
    """Begin a command in a process of its own."""
    return subprocess.Popen(
        [PROGRAM, "-C", world.folder, *words, "--at", "2026-12-01T02:00Z"], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)


def ended_all(run: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for a process; return its status and what it said."""
    said = run.communicate(timeout=PATIENCE)[1]
    return run.returncode, said


def test_who_comes_second_goes(world: World) -> None:
    """While a poll is sending, a second poll and an order do nothing, and say so; the first one ends well."""
    world.smtp.go.clear()
    world.smtp.whole.clear()
    first = begun(world, "poll")
    assert world.smtp.whole.wait(PATIENCE)

    for words in (("poll",), ("announce",)):
        status, said = ended_all(begun(world, *words))
        assert status == 75
        assert "another run holds the lock" in said
    world.smtp.go.set()

    assert ended_all(first) == (0, "")
    demand_once(world, 3)


def test_many_at_the_same_moment(world: World) -> None:
    """Whoever of three gets the turn, all is heard and sent once."""
    runs = [begun(world, "poll") for _ in range(3)]
    statuses = [ended_all(run)[0] for run in runs]

    assert set(statuses) <= {0, 75}
    assert 0 in statuses
    demand_once(world, 3)
