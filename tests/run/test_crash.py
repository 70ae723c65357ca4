"""Nothing lost, nothing twice: a poll is killed between any two steps, and the next one ends where it would have.

After the manner of isync's tests: at every point, the first time it is passed and the next times; then a poll that
lives, then one that must find nothing to do.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.post.scripted import SmtpScript
from tests.run.crash import PLACES
from tests.run.world import BEGIN, World, letter, running_copy, running_world
from tests.servers.here import wait_until
from tests.servers.postgres import Postgres, plain

pytestmark = pytest.mark.slow

HOUR = 3600
AT = BEGIN + 2 * HOUR
FULL = int(os.environ.get("NOMICWOLF_EXAMPLES", "50")) > 50
TIMES = (1, 2, 3, 5, 8) if FULL else (1, 3)
KINDS = ("sqlite", "postgresql")


def both(usual: Sequence[int], fewer: Sequence[int]) -> list[tuple[str, int]]:
    """Return the cases for each kind of database: *fewer* on PostgreSQL, which take longer, unless all are wanted."""
    return [(kind, n) for kind in KINDS for n in (usual if FULL or kind == "sqlite" else fewer)]


class Crasher:
    """The program that runs polls which die."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.run.crash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, world: World, point: str, count: int, how: str = "kill") -> tuple[str, int, int, list[str]]:
        """Run one poll and return how it ended, how often the point was passed, its status and what it said."""
        assert self.process.stdin
        assert self.process.stdout
        case = {"folder": str(world.folder), "at": AT, "point": point, "count": count, "how": how}
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        ended: tuple[Any, ...] = tuple(json.loads(self.process.stdout.readline()))
        return ended

    def stop(self) -> None:
        """End the program."""
        self.process.communicate()


@pytest.fixture(scope="module")
def crasher() -> Iterator[Crasher]:
    """Return the program that runs polls which die."""
    made = Crasher()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Return a session in progress, with letters of all sorts in the mailbox."""
    with running_world(tmp_path_factory.mktemp("template") / "contest") as world:
        world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
        world.post("v2", "Bex", "I endorse Ash.", BEGIN + HOUR + 5, ("agora",))
        world.deliver("q", letter("q", "Cam", "help", BEGIN + HOUR + 9, "wolf@contest.test"), BEGIN + HOUR + 9)
        stranger = letter("s", "Zed", "I vote for Ash.", BEGIN + HOUR + 10, "wolf@contest.test")
        world.deliver("s", stranger, BEGIN + HOUR + 10)
        world.deliver("bad", b"\x00\xff" * 99, BEGIN + HOUR + 11)
        world.smtp.taken.clear()
        return world


@pytest.fixture(scope="module")
def unhurt(template: World, crasher: Crasher, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], set[str]]:
    """Return the record and the Message-IDs of an uninterrupted poll."""
    with running_copy(template, tmp_path_factory.mktemp("unhurt") / "contest") as world:
        ended, _, status, said = crasher.run(world, "here", 0)
        assert (ended, status, said) == ("done", 0, [])
    return world.record(), set(sent(world.smtp))


@pytest.fixture
def fresh(request: pytest.FixtureRequest) -> Iterator[Callable[[], str]]:
    """Return what makes a new database for a ledger, once for each kind: its URL, or '' for the contest's own file."""
    if request.param == "sqlite":
        yield str
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    made: list[str] = []

    def make() -> str:
        made.append(postgres.ledger())
        return made[-1]

    yield make
    for url in made:
        postgres.drop(url)


def settle(world: World) -> None:
    """Wait until the database's server has noticed that a killed poll is gone, as it does within moments."""
    url = world.settings.ledger.url
    if url.startswith("postgresql"):
        with psycopg.connect(plain(url), autocommit=True) as connection:
            wait_until("the killed poll's sessions to end", lambda: connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()").fetchall() == [(1,)])


def sent(script: SmtpScript) -> Counter[str]:
    """Return how often each Message-ID was taken."""
    lines = [line for _, data in script.taken for line in data.decode().splitlines()]
    return Counter(line for line in lines if line.startswith("Message-ID"))


def survive(world: World, crasher: Crasher, unhurt: tuple[list[str], set[str]], *, told: bool = False) -> None:
    """Poll again: the same record, each letter sent, none twice without a word, and then nothing to do."""
    settle(world)
    ended, _, status, said = crasher.run(world, "", 0)
    assert ended == "done"
    record, ids = unhurt
    assert world.record() == record
    with world.store() as store:
        counts = store.check()
        outbox = store.outbox()
        doubtful = {f"Message-ID: {owed.message_id}" for owed in outbox.in_state("sent", "unknown") if owed.doubtful}
        unknown = {f"Message-ID: {owed.message_id}" for owed in outbox.in_state("unknown")}
    assert counts.received == 6
    assert set(counts.states) <= {"sent", "unknown"}
    assert (status == 1) == bool(said)
    assert not doubtful or told or status == 1
    assert doubtful or status == 0
    times = sent(world.smtp)
    assert {key for key, count in times.items() if count > 1} <= doubtful
    assert ids - unknown <= set(times) <= ids
    before = len(world.smtp.taken)
    assert crasher.run(world, "", 0)[:3] == ("done", 0, 0)
    assert len(world.smtp.taken) == before
    with world.store() as store:
        assert store.last() == len(record)


@pytest.mark.parametrize(("fresh", "count"), both(TIMES, (1,)), indirect=["fresh"])
@pytest.mark.parametrize("point", PLACES)
def test_a_poll_is_killed_between_two_steps(
    template: World, crasher: Crasher, unhurt: tuple[list[str], set[str]], tmp_path: Path, fresh: Callable[[], str],
    point: str, count: int,
) -> None:
    """Kill -9 between fetch, hear, commit and send: the next poll ends in the same ledger."""
    with running_copy(template, tmp_path / "contest", fresh()) as world:
        ended, passed, *_ = crasher.run(world, point, count)
        assert ended == "killed" or passed < count
        survive(world, crasher, unhurt)


@pytest.mark.parametrize(("fresh", "count"), both(TIMES if FULL else (2,), (2,)), indirect=["fresh"])
@pytest.mark.parametrize("point", PLACES)
def test_a_poll_meets_an_error_between_two_steps(
    template: World, crasher: Crasher, unhurt: tuple[list[str], set[str]], tmp_path: Path, fresh: Callable[[], str],
    point: str, count: int,
) -> None:
    """The same by exception, as a disk or a network gives it."""
    with running_copy(template, tmp_path / "contest", fresh()) as world:
        ended, passed, status, said = crasher.run(world, point, count, "raise")
        assert ended == "done"
        assert bool(said) == (status != 0) == (passed >= count)
        survive(world, crasher, unhurt, told=status == 1)


@pytest.mark.parametrize(("fresh", "first"), both(range(1, 8), (1, 4, 7)), indirect=["fresh"])
def test_a_poll_is_killed_at_any_statement(
    template: World, crasher: Crasher, unhurt: tuple[list[str], set[str]], tmp_path: Path, fresh: Callable[[], str],
    first: int,
) -> None:
    """Kill -9 before statements to the database: every 7th from each start on if all are wanted, else one."""
    for count in range(first, 10_000, 7) if FULL else (first * 6,):
        with running_copy(template, tmp_path / str(count), fresh()) as world:
            ended, *_ = crasher.run(world, "statement", count)
            survive(world, crasher, unhurt)
        if ended != "killed":
            assert FULL
            break


@pytest.mark.parametrize("fresh", KINDS, indirect=True)
def test_killed_again_and_again(
    template: World, crasher: Crasher, unhurt: tuple[list[str], set[str]], tmp_path: Path, fresh: Callable[[], str],
) -> None:
    """A machine that dies at each poll, always a little later, still gets there."""
    with running_copy(template, tmp_path / "contest", fresh()) as world:
        deaths = 0
        for point in ("fetched", "heard", "written", "kept", "kept", "marking", "marking"):
            settle(world)
            ended, *_ = crasher.run(world, point, 1)
            deaths += ended == "killed"
        assert deaths > 4
        survive(world, crasher, unhurt)
