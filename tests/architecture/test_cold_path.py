"""Polls stay cheap: what they import brings none of the heavy packages along that they don't need."""

from __future__ import annotations

import smtplib
import subprocess
import sys
from pathlib import Path

import pytest

from nomicwolf.mailworld import MailWorld
from tests.run.world import BEGIN, running_world

pytestmark = pytest.mark.slow

HEAVY = {"aiosmtplib", "alembic", "asyncio", "jinja2", "lark", "pydantic", "rich", "selectolax", "sqlmodel"}
FIRST = ["nomicwolf.run", "nomicwolf.settings.load", "nomicwolf.post.imap", "nomicwolf.run.resources"]


@pytest.mark.parametrize("module", FIRST)
def test_what_each_poll_needs_is_light(module: str) -> None:
    """Most polls find no mail: settings, the lock and the mailbox are looked at without a database or a grammar."""
    code = f"import sys, {module}; print(*sorted({HEAVY!r} & sys.modules.keys()))"
    brought = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert brought == []

POLL = """
import sys
from nomicwolf.run import poll
from pathlib import Path
from nomicwolf.settings.load import load
report = poll(load(Path(sys.argv[1]), {{}}), lambda: 1_796_126_460)
print("idle" if report.idle else "worked", report.status, *report.said, *sorted({heavy!r} & sys.modules.keys()))
"""
SETTINGS = """
[contest]
id = "s3"
contestmaster = {{name = "Murphy", addresses = ["murphy@example.org"]}}
[imap]
host = "127.0.0.1"
port = {world.imap_port}
security = "none"
user = "wolf@contest.example"
password = "{world.password}"
[smtp]
host = "127.0.0.1"
port = {world.smtp_port}
security = "none"
from = "wolf@contest.example"
[nomic.agora]
forum = "agora-business@lists.agora.example"
"""


def polled(folder: Path) -> str:
    """Poll in a process of its own, as cron does; return what it says and the heavy packages that it has imported."""
    code = POLL.format(heavy=HEAVY)
    run = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_a_poll_without_mail_imports_nothing_heavy(tmp_path: Path) -> None:
    """The poll after one that had a letter finds none: it asks the mailbox one question, and leaves."""
    with MailWorld((), lambda: 1_796_126_400, mailboxes=("wolf@contest.example",)) as world:
        (tmp_path / "contest.toml").write_text(SETTINGS.format(world=world))
        with smtplib.SMTP("127.0.0.1", world.smtp_port) as smtp:
            smtp.sendmail("zoe@else.example", ["wolf@contest.example"], b"From: zoe@else.example\r\n\r\nHello.\r\n")

        assert polled(tmp_path).startswith("worked 0")
        assert polled(tmp_path) == "idle 0"


NOT_FOR_A_VOTE = {
    "aiosmtplib", "alembic", "cryptography", "jinja2", "psycopg", "rich", "typer",
}
VOTED = """
import sys
from nomicwolf.run import poll
from pathlib import Path
from nomicwolf.settings.load import load
report = poll(load(Path(sys.argv[1]), {{}}), lambda: {now})
print(report.heard, report.sent, *report.said, *sorted({heavy!r} & {{name.split(".")[0] for name in sys.modules}}))
"""


def test_a_poll_with_a_vote_imports_what_it_needs(tmp_path: Path) -> None:
    """A vote is read without the grammar; nothing is sent, so no way out is laid."""
    with running_world(tmp_path / "contest") as world:
        world.post("v1", "Ash", "I vote for Gus.", BEGIN + 3600, ("agora",))
        code = VOTED.format(now=BEGIN + 7200, heavy=NOT_FOR_A_VOTE)
        done = subprocess.run(
            [sys.executable, "-c", code, world.folder], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["1", "0"]


MOST = 110
"""Modules through which a poll with one vote runs, at most; lower it as they become fewer, to 100."""
COUNTED = """
import inspect, sys
from nomicwolf.run import poll
from pathlib import Path
from nomicwolf.settings.load import load
ran, importing = set(), 0
def seen(frame, event, _arg):
    global importing
    code = frame.f_code
    if code.co_name == "<module>" and event in ("call", "return"):
        importing += 1 if event == "call" else -1
    elif event == "call" and not importing and code.co_flags & inspect.CO_OPTIMIZED:
        ran.add(frame.f_globals.get("__name__", ""))
sys.setprofile(seen)
report = poll(load(Path(sys.argv[1]), {{}}), lambda: {now})
sys.setprofile(None)
print(report.heard, *sorted(name for name in ran if name.startswith("nomicwolf.")))
"""


def test_a_vote_runs_through_few_modules(tmp_path: Path) -> None:
    """Whoever follows one vote from the mailbox to the ledger reads functions of so many modules.

    What is only imported, or runs while something is, is not counted.
    """
    with running_world(tmp_path / "contest") as world:
        world.post("v1", "Ash", "I vote for Gus.", BEGIN + 3600, ("agora",))
        code = COUNTED.format(now=BEGIN + 7200)
        done = subprocess.run(
            [sys.executable, "-c", code, world.folder], capture_output=True, text=True, check=True)

    heard, *modules = done.stdout.split()
    assert heard == "1"
    assert {"nomicwolf.language.reader", "nomicwolf.village.resolution", "nomicwolf.ledger.transaction"} <= {*modules}
    assert len(modules) <= MOST, modules


def test_what_is_imported_is_no_rubbish() -> None:
    """The collector rests while a poll's modules are imported, once a process, and is on again for the work."""
    code = (
        "import gc\n"
        "from nomicwolf.run.polling import _work\n"
        "_work(); before = gc.get_freeze_count(); more = [[] for _ in range(1000)]; _work()\n"
        "print(gc.isenabled(), before > 10_000, gc.get_freeze_count() <= before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["True"] * 3
