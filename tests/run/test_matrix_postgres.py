"""A poll with its ledger in PostgreSQL, stopped at its statements and words: resumed it ends as if nobody had stopped.

By default a few steps are tried; ``make crash-matrix`` tries all, each by an error, by the process's end, by SIGKILL.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest
from sqlalchemy import make_url

from tests.post.scripted import SmtpScript, smtp_server
from tests.run.matrix import POLL, do, killer
from tests.run.steps import SAMPLE, Died, Fuse, How, burning, sample
from tests.run.world import BEGIN, World, copied, letter, make_settings, make_world, started
from tests.servers.postgres import Postgres

HOUR = 3600
AT = BEGIN + 2 * HOUR
EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "2"))
FULL = EXAMPLES >= 1000
pytestmark = [
    pytest.mark.slow, pytest.mark.usefixtures("swept"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
"""A process that is gone closes nothing; where it only seems to be gone, Python complains of its sockets."""


@dataclass
class Case:
    """A contest before a poll: its *folder*, and the database that each trial gets a copy of."""

    folder: Path
    database: str
    postgres: Postgres
    script: SmtpScript
    port: int
    url: str = ""

    def stand(self, folder: Path) -> World:
        """Make a folder and a database as they were before the poll."""
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder, folder)
        self.clear()
        self.url = self.postgres.empty(self.database)
        self.script.taken.clear()
        return World(make_settings(folder, self.port, self.url), self.script)

    def clear(self) -> None:
        """Drop the last trial's database."""
        if self.url:
            self.postgres.drop(self.url)
            self.url = ""


@pytest.fixture(scope="module")
def case(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    """A session in progress, with a vote through two forums, a question, a stranger's letter and a broken one."""
    home, script = tmp_path_factory.mktemp("case"), SmtpScript()
    with smtp_server(script) as port:
        world = started(make_world(home / "sqlite", port, script))
        world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
        for number, (who, text) in enumerate((("Cam", "help"), ("Zed", "I vote for Ash."), ("Bex", "status"))):
            data = letter(f"q{number}", who, text, BEGIN + HOUR, "wolf@contest.test")
            world.deliver(f"q{number}", data, BEGIN + HOUR)
        world.deliver("bad", b"\x00\xff" * 99, BEGIN + HOUR)
        base = postgres.ledger()
        made = copied(world, home / "contest", port, script, base)
        yield (found := Case(made.folder, str(make_url(base).database), postgres, script, port))
        found.clear()
        postgres.drop(base)


@pytest.fixture(scope="module")
def kill(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path, int], str]]:
    """The program that runs polls which are killed at a step; it polls once itself, so that forks import little."""
    with killer() as run:

        def poll(folder: Path, step: int) -> str:
            return run({"folder": str(folder), "step": step, "act": POLL, "at": AT})

        world = case.stand(tmp_path_factory.mktemp("first") / "contest")
        assert poll(world.folder, 0) == "done"
        yield poll


def sent(script: SmtpScript) -> Counter[str]:
    """Return how often each Message-ID was taken."""
    lines = [line for _, data in script.taken for line in data.decode().splitlines()]
    return Counter(line.removeprefix("Message-ID: ") for line in lines if line.startswith("Message-ID: "))


def end(world: World) -> tuple[list[str], dict[str, int], list[str], frozenset[str], frozenset[str]]:
    """Return record, buckets, owed keys; what was ever in doubt, and what still is."""
    record = world.record()
    with world.store() as store:
        counts, owed = store.check(), tuple(store.outbox().each())
        assert set(counts.states) <= {"sent", "unknown"}
    doubtful = frozenset(o.message_id for o in owed if o.doubtful)
    unknown = frozenset(o.message_id for o in owed if o.state == "unknown")
    return record, dict(counts.buckets), [o.letter.key for o in owed], doubtful, unknown


def resumed(world: World) -> tuple[str, ...]:
    """Poll until the server has noticed that the dead run's connection is gone, and return what was said."""
    tries = (do(world.folder, POLL, AT) for _ in range(100))
    return next(said for status, said in tries if status != 75)


@pytest.mark.parametrize("how", get_args(How))
def test_a_poll_is_stopped_at_every_step(
    case: Case, kill: Callable[[Path, int], str], tmp_path: Path, how: How
) -> None:
    """Statements, commits, letters and files, in each of the three ways: the same end, each mail once or told."""
    world = case.stand(tmp_path / "unhurt")
    with burning(Fuse(folder=world.folder)) as fuse:
        assert do(world.folder, POLL, AT)[0] == 0
    wanted, mails = end(world), set(sent(case.script))
    assert {"sql", "commit", "commit after", "smtp send", "file"} <= set(fuse.passed)
    every = range(1, len(fuse.passed) + 1)
    for step in every if FULL else sample(f"postgres {how}").sample(every, EXAMPLES):
        told = (step, fuse.passed[step - 1], how, SAMPLE)
        world = case.stand(tmp_path / "trial")
        said: tuple[str, ...] = ()
        if how == "kill":
            assert kill(world.folder, step) == "killed", told
        else:
            with burning(Fuse(step, how, world.folder)):
                try:
                    said = do(world.folder, POLL, AT)[1]
                except Died:
                    said = ()
        said += resumed(world)
        now, times = end(world), sent(case.script)
        assert now[:3] == wanted[:3], told
        assert said or not now[3], told
        assert {key for key, count in times.items() if count > 1} <= now[3], told
        assert mails - set(times) <= now[4], told
        assert do(world.folder, POLL, AT) == (0, ()), told
        assert (end(world), sent(case.script)) == (now, times), told
