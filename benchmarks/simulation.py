"""A million contests, at one in a thousand: a day of players' letters and deadlines, served at costs measured here.

Run in the project's folder: ``python benchmarks/simulation.py [--contests N] [--workers N] [--spread MINUTES]
[--every SECONDS] [--seed N] [--json FILE]``. First it measures, with real turns on a private PostgreSQL, what an idle
turn and one with a letter cost in CPU (the worker's and the database's) and in bytes; ``--costs FILE`` takes what an
earlier run wrote instead. Then it plays a day: players in time zones write when they are awake, most of all in the
last hour before their contest's deadline; every deadline brings a wave of letters out. Contests are due by the host's
own rule. ``docs/host.md`` carries the result to full size.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import heapq
import io
import json
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import quantiles
from typing import TypeAlias

from nomicwolf.host.health import Meters
from nomicwolf.host.worker import HostQueue, Worker
from tests.host.hosted import Host, new_host
from tests.servers.postgres import Postgres, running_postgres

DAY, HOUR = 86_400, 3_600
PLAYERS, VOTES, COPIES = 12, 1.5, 2
"""Players of a contest, letters of each in a day, copies of a public letter (one from each of two forums)."""
PRIVATE, PUBLIC = 3, 2
"""Letters out at a deadline: to each of so many players with something to know, and to each forum."""
ZONES = {-8: 0.14, -5: 0.26, 0: 0.15, 1: 0.20, 5: 0.08, 8: 0.10, 10: 0.07}
"""Where players live: hours east of UTC, and how many of them."""
Letter: TypeAlias = tuple[float, int]


@dataclass(frozen=True)
class Costs:
    """CPU seconds of a turn and of a queue's job, in the worker and in the database; bytes that a letter leaves."""

    idle_worker: float
    idle_database: float
    letter_worker: float
    letter_database: float
    queue_worker: float
    queue_database: float
    letter_bytes: float

    @property
    def idle(self) -> float:
        """Return what an idle turn takes of a worker."""
        return self.idle_worker + self.queue_worker

    @property
    def letter(self) -> float:
        """Return what a letter, heard and answered, takes of a worker beyond that."""
        return max(0.0, self.letter_worker - self.idle_worker)


def database_cpu(postgres: Postgres) -> float:
    """Return the CPU seconds of a server and its processes that have ended (proc(5): utime, stime, cutime, cstime)."""
    folder = Path(str(postgres.run("SHOW data_directory")[0][0]))
    pid = (folder / "postmaster.pid").read_text().split()[0]
    while True:
        pids = [pid, *Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        try:
            ticks = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[11:15] for one in pids]
        except (FileNotFoundError, ProcessLookupError):
            continue  # one has ended meanwhile, and now counts among those
        return sum(int(part) for parts in ticks for part in parts) / 100


def taken(host: Host, names: list[str]) -> tuple[float, float]:
    """Take contests' turns one after another; return the CPU seconds of a turn in this thread and in the database.

    The mail server of the measurement has threads of its own, which don't count.
    """
    hand = Worker(host.settings, "simulation", Meters())
    worker, database = time.thread_time(), database_cpu(host.postgres)
    for name in names:
        assert hand.take(name).status == 0
    return (time.thread_time() - worker) / len(names), (database_cpu(host.postgres) - database) / len(names)


def queued(host: Host, jobs: int) -> tuple[float, float]:
    """Let one worker run empty jobs; return the CPU seconds of one here and in the database."""
    hands = HostQueue(host.settings, "queue")
    empty = hands.app.task(name="empty", queue="empty")(int)

    async def run() -> None:
        async with hands.app.open_async():
            await empty.batch_defer_async(*[{} for _ in range(jobs)])
            await hands.app.run_worker_async(
                queues=["empty"], wait=False, concurrency=4, listen_notify=False, install_signal_handlers=False,
                delete_jobs="successful")

    worker, database = time.process_time(), database_cpu(host.postgres)
    asyncio.run(run())
    return (time.process_time() - worker) / jobs, (database_cpu(host.postgres) - database) / jobs


def measured(contests: int) -> Costs:
    """Measure real turns: three rounds of idle ones and of ones with a letter, of which the last counts."""
    with running_postgres() as postgres, tempfile.TemporaryDirectory() as folder, \
            new_host(postgres, Path(folder) / "host") as host:
        names = [f"c{number}" for number in range(contests)]
        with contextlib.redirect_stdout(io.StringIO()):
            for name in names:
                host.contest(name)
        taken(host, names)
        size = "SELECT pg_database_size(current_database())"
        idle = letter = (0.0, 0.0)
        grown = 0.0
        for round_ in range(3):
            idle = taken(host, names)
            before = host.ask(size)[0][0]
            for name in names:
                host.deliver(name, f"{name}-{round_}")
            letter = taken(host, names)
            grown = (host.ask(size)[0][0] - before) / contests
        return Costs(*idle, *letter, *queued(host, 1000), grown)


def letters_of(chance: random.Random, deadline: float) -> Iterator[Letter]:
    """Return a contest's letters of a day, by their instant: how many letters out each brings."""
    for _ in range(PLAYERS):
        zone = chance.choices(list(ZONES), list(ZONES.values()))[0]
        for _ in range(int(VOTES + chance.random())):
            if chance.random() < 0.4:
                at = deadline - chance.expovariate(1 / (HOUR / 2))
            else:
                at = (8 + 16 * chance.betavariate(3, 2) - zone) * HOUR + chance.uniform(0, HOUR)
            for copy in range(COPIES):
                yield (at + copy * chance.uniform(1, 120)) % DAY, 1 if chance.random() < 0.1 else 0


@dataclass
class Outcome:
    """What a day came to: turns, letters, CPU, and how long (seconds) what was due waited for its turn's end."""

    contests: int
    workers: int
    turns: int
    turns_with_letters: int
    letters_in: int
    letters_out: int
    worker_seconds: float
    database_seconds: float
    busiest_minute: float
    wait_middle: float
    wait_99: float
    wait_most: float
    after_deadline_99: float


def played(costs: Costs, contests: int, workers: int, spread: int, every: int, seed: int) -> Outcome:
    """Play a day: each contest is polled *every* so many seconds and at its deadline, by so many workers."""
    chance = random.Random(seed)
    deadlines = [(chance.uniform(-spread / 2, spread / 2) * 60) % DAY for _ in range(contests)]
    waiting = [sorted((*letters_of(chance, at), (at, PRIVATE * 2 + PUBLIC)), reverse=True) for at in deadlines]
    due = [(chance.uniform(0, every), contest, False) for contest in range(contests)]
    due += [(at, contest, True) for contest, at in enumerate(deadlines)]
    heapq.heapify(due)
    free = [0.0] * workers
    waits, after, minutes = [], [], [0.0] * (DAY // 60 + 60)
    totals = {"turns": 0, "with": 0, "in": 0, "out": 0}
    while due and due[0][0] < DAY:
        at, contest, is_deadline = heapq.heappop(due)
        began = max(at, heapq.heappop(free))
        new = out = 0
        while waiting[contest] and waiting[contest][-1][0] <= began:
            out += waiting[contest].pop()[1]
            new += 1
        cost = costs.idle + new * costs.letter + max(0, out - new) * costs.letter / 2
        heapq.heappush(free, began + cost)
        waits.append(began + cost - at)
        minutes[min(len(minutes) - 1, int(began // 60))] += cost
        if is_deadline:
            after.append(began + cost - at)
        else:
            heapq.heappush(due, (began + cost + every, contest, False))
        totals = {"turns": totals["turns"] + 1, "with": totals["with"] + bool(new), "in": totals["in"] + new,
                  "out": totals["out"] + out}
    database = totals["turns"] * costs.queue_database + (totals["turns"] - totals["with"]) * costs.idle_database
    database += totals["in"] * costs.letter_database
    cuts = quantiles(waits, n=100)
    return Outcome(
        contests, workers, totals["turns"], totals["with"], totals["in"], totals["out"], sum(minutes), database,
        max(minutes) / 60, cuts[49], cuts[98],
        max(waits), quantiles(after, n=100)[98])


def main() -> None:
    """Measure, play, print; write JSON if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--contests", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--spread", type=int, default=0, help="minutes over which deadlines are spread; 0: all at once")
    parser.add_argument("--every", type=int, default=300)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--costs", type=Path, help="costs that an earlier run wrote")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    costs = Costs(**json.loads(given.costs.read_text())["costs"]) if given.costs else measured(40)
    done = played(costs, given.contests, given.workers, given.spread, given.every, given.seed)
    if given.json:
        given.json.write_text(json.dumps({"costs": asdict(costs), "day": asdict(done)}, indent=1) + "\n")
    for name, value in (*asdict(costs).items(), *asdict(done).items()):
        print(f"{name:22} {value:14,.4f}" if isinstance(value, float) else f"{name:22} {value:14,}")
    share = done.worker_seconds / DAY / done.contests * 1e6
    stored = done.letters_in * costs.letter_bytes / done.contests * 30 / 1e6
    print(f"a million contests: {share:,.0f} cores for workers, "
          f"{done.database_seconds / DAY / done.contests * 1e6:,.0f} for databases, at a steady load; "
          f"{done.busiest_minute / done.contests * 1e6:,.0f} in the busiest minute; "
          f"{stored:,.1f} MB each a month")


if __name__ == "__main__":
    main()
