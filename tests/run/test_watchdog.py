"""A run that is stuck ends by itself, with 75, and the next one loses and doubles nothing.

That its time is up is said by the signal that the clock would send, once the run is surely stuck; and again, as the
clock does: the first one is lost if it comes while asyncio calls somebody back.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from nomicwolf.run.run_report import GRACE
from tests.post.scripted import ImapScript, SmtpScript, imap_server, smtp_server
from tests.run.world import BEGIN, make_world, running_world, started
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
        settings = world.folder / "contest.toml"
        settings.write_text(settings.read_text().replace("timeout = 5", "timeout = 60"))
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
