"""Hosting: many contests on PostgreSQL, worked on by one process after another, and by several at once.

Run in the project's folder: ``python benchmarks/hosting.py [--contests N] [--each N] [--rounds N] [--workers 1,2,4]
[--latency MS] [--json FILE]``. Every contest has a player and one new letter of eirs, which is read from a Maildir,
heard, kept, and answered over SMTP by a server that lets each of its replies wait for *latency*. The floor is a bare
loop in one process that polls the same contests one after another, without queue or registry. All rows of a round
follow one another, over and over; a ratio is the median over the rounds, with the least and the greatest behind it.
Rates are by the workers' own logs, from the first turn's beginning to the last one's end; the same logs are searched
for two turns of one contest that overlap. ``--contests 10000 --each 3300`` is the full size: all are there, and each
measurement gives letters to so many of them, so that three rounds take as long as one of all would. The first contest
is made by the program's commands, the others have the same record by the ledger's own.

Beside the rates stands what a contest took of the processors, in CPU milliseconds of the workers, of the database (all
its processes, those that ended too) and of the mail server, which is this process: whoever shares a machine with others
can believe these more than rates. ``cores`` is how many cores all of them together kept busy.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks._harness import Effort, Row
from nomicwolf.host import registry
from nomicwolf.host.registry import settings_in
from nomicwolf.host.settings import WorkerSettings
from nomicwolf.ledger.postgres import SessionPool, using_pool
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.transaction import Step
from nomicwolf.run import poll
from nomicwolf.settings.load import FILE
from tests.host.hosted import CONTEST, Host, new_host, overlaps, until
from tests.servers.postgres import Postgres, running_postgres

LOOP, IDLE = "loop", "idle"


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


@dataclass(frozen=True)
class Taken:
    """One measurement: contests a second, and for each contest the CPU milliseconds of each group of processes."""

    rate: float
    workers: float
    database: float
    mail: float

    @property
    def cores(self) -> float:
        """Return how many cores were busy with it."""
        return self.rate * (self.workers + self.database + self.mail) / 1000


class Meter:
    """CPU seconds of the groups of processes: worker processes, the database, and this one, the mail server."""

    def __init__(self, host: Host, workers: list[subprocess.Popen[bytes]]) -> None:
        self._host = host
        self._workers = workers
        self._before = self._read()

    def _read(self) -> tuple[float, float, float]:
        workers = sum(cpu_of(process.pid) for process in self._workers)
        return workers, database_cpu(self._host.postgres), time.process_time()

    def taken(self, contests: int, rate: float) -> Taken:
        """Return what was taken since, for each of so many contests."""
        spent = [1000 * (now - before) / contests for now, before in zip(self._read(), self._before, strict=True)]
        return Taken(rate, *spent)


def cpu_of(pid: int) -> float:
    """Return the CPU seconds of a process, without its children (proc(5): utime, stime)."""
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def letters(host: Host, names: list[str], round_: str) -> None:
    """Put a new letter into every contest's mailbox."""
    for name in names:
        host.deliver(name, f"{round_}-{name}")


def looped(host: Host, names: list[str]) -> Taken:
    """Poll all contests in this process, one after another, over kept sessions; its CPU is the mail server's, too."""
    places = {name: settings_in(host.settings, host.folder / "contests" / name, "nomicwolf_t_murphy") for name in names}
    meter, began = Meter(host, []), time.perf_counter()
    with contextlib.closing(SessionPool()) as lines, using_pool(lines):
        for settings in places.values():
            report = poll(settings, lambda: int(time.time()))
            assert report.status == 0, report.said
    return meter.taken(len(names), len(names) / (time.perf_counter() - began))


@contextlib.contextmanager
def workers(host: Host, count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Run so many workers, each of which has imported what it needs, for as long as the block lasts."""
    host.ask("UPDATE host.contests SET paused = true")
    started = [host.start(f"w{number}-{time.monotonic_ns()}") for number in range(count)]
    until("the workers", lambda: host.ask("SELECT 1 FROM procrastinate_workers OFFSET " + str(count - 1)))
    try:
        yield started
    finally:
        for process in started:
            process.send_signal(signal.SIGTERM)
        for process in started:
            process.wait(60)


def worked(host: Host, names: list[str], count: int) -> tuple[Taken, list[str]]:
    """Let so many workers poll all contests; return what that took, and any overlaps."""
    with workers(host, count) as processes:
        since, meter = time.monotonic(), Meter(host, processes)
        wanted = ", ".join(f"'{name}'" for name in names)
        host.ask(f"UPDATE host.contests SET paused = false, due_at = 0, ended_at = 0 WHERE contest IN ({wanted})")
        with host.postgres_connection() as connection:
            while connection.execute("SELECT 1 FROM host.contests WHERE NOT paused AND ended_at = 0 LIMIT 1").rowcount:
                time.sleep(0.5)
        lines = [line for line in host.log() if line.get("monotonic", 0.0) > since]
        at = [line["monotonic"] for line in lines]
        return meter.taken(len(names), len(names) / (max(at) - min(at))), overlaps(lines)


Measured = dict[str, list[Taken]]


def measured(host: Host, every: list[str], rounds: int, counts: list[int], each: int = 0) -> Measured:
    """Return what the bare loop and so many workers took, round by round; turns with a letter, and idle ones.

    A round is of *each* contests, others than the round before, or of all; every second one begins with most workers.
    """
    found: Measured = {}
    size = each or len(every)
    for round_ in range(rounds):
        names = [every[(round_ * size + place) % len(every)] for place in range(size)]
        letters(host, names, f"l{round_}")
        found.setdefault(LOOP, []).append(told("loop", looped(host, names)))
        for count in counts[::-1] if round_ % 2 else counts:
            letters(host, names, f"r{round_}-{count}")
            taken, twice = worked(host, names, count)
            assert not twice, twice
            found.setdefault(str(count), []).append(told(f"{count} workers", taken))
        found.setdefault(IDLE, []).append(told("nothing new", worked(host, names, 1)[0]))
    return found


def told(what: str, taken: Taken) -> Taken:
    """Tell of a measurement as it is done, for whoever waits hours."""
    spent = f"{taken.workers:.1f} {taken.database:.1f} {taken.mail:.1f}"
    print(f"{what}: {taken.rate:.1f}/s, CPU ms of workers, database, mail {spent}", file=sys.stderr, flush=True)
    return taken


def ratios(found: Measured, name: str, counts: list[int]) -> tuple[float, float, float]:
    """Return how many times as fast as one worker that was, round by round: the middle, the least, the greatest."""
    each = sorted(a.rate / b.rate for a, b in zip(found[name], found[str(counts[0])], strict=True))
    return median(each), each[0], each[-1]


def table(found: Measured, counts: list[int]) -> list[dict[str, Any]]:
    """Return a row for each number of workers: medians, and the ratio to one worker, round by round."""
    rows = []
    for name, label in ((LOOP, "bare loop, one process"), *((str(c), f"{c} workers") for c in counts),
                        (IDLE, "1 worker, nothing new")):
        row: dict[str, Any] = {"what": label}
        for part in ("rate", "workers", "database", "mail", "cores"):
            row[part] = round(median(getattr(taken, part) for taken in found[name]), 2)
        rows.append(row | {"ratio": [round(ratio, 2) for ratio in ratios(found, name, counts)]})
    return rows


@contextlib.contextmanager
def ready(contests: int, latency: float) -> Iterator[tuple[Host, list[str]]]:
    """Give a host with so many contests, and their names; *latency* is in milliseconds."""
    with running_postgres() as postgres, tempfile.TemporaryDirectory() as folder, \
            contextlib.redirect_stdout(io.StringIO()), new_host(postgres, Path(folder) / "host") as host:
        usual = WorkerSettings()
        host.configure(every=10**6, tick=usual.tick, stale=usual.stale, sends=10**9)
        host.smtp.latency = latency / 1000
        names = [f"c{number}" for number in range(contests)]
        host.contest(names[0])
        alike(host, names)
        yield host, names


def alike(host: Host, names: list[str]) -> None:
    """Make the others of these contests like the first: the same files and the same record, each in its own chain."""
    settings, now = host.settings, int(time.time())
    with Store.open(host.url, names[0]) as store:
        record = tuple(store.record())
    with contextlib.closing(SessionPool()) as lines, using_pool(lines), registry.opened(settings) as connection:
        tenant, files = registry.one(connection, names[0]).tenant, registry.files_of(connection, settings, names[0])
        for name in names[1:]:
            folder, mail = host.folder / "contests" / name, host.folder / "mail" / name
            for part in (folder, mail / "new", mail / "cur", mail / "tmp"):
                part.mkdir(parents=True)
            files[FILE] = CONTEST.format(contest=name, mail=mail, port=host.port, more="").encode()
            for file, data in files.items():
                (folder / file).write_bytes(data)
            registry.enter(connection, settings, name, tenant, files)
            with Store.create(host.url, name) as store:
                store.append(Step(0, record, now=now))


def rows(effort: Effort) -> Iterator[Row]:
    """Yield the row of ``make bench``: seconds a contest with several workers, beside one worker in the same round."""
    contests, rounds, each = (10_000, 3, 3_300) if effort.full else (20 * effort.sizes, min(3, effort.turns), 0)
    with ready(contests, 0.0) as (host, names):
        found = measured(host, names, rounds, [1, 2, 4], each)
    for count, reach in ((2, 1.8), (4, 1.8)):
        yield Row("hosting", f"{count} workers", contests, "s/contest", 1 / median(t.rate for t in found[str(count)]),
                  "1 worker", ">=", reach, ratios(found, str(count), [1]))


def main() -> None:
    """Measure, and print a table or write JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--contests", type=int, default=200)
    parser.add_argument("--each", type=int, default=0, help="contests of each measurement; all, if none is told")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--latency", type=float, default=0.0, help="milliseconds")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    counts = [int(part) for part in given.workers.split(",")]
    with ready(given.contests, given.latency) as (host, names):
        found = table(measured(host, names, given.rounds, counts, given.each), counts)
    cores, peak = os.cpu_count(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    load = round(os.getloadavg()[0], 1)
    report = {"contests": given.contests, "latency_ms": given.latency, "cores": cores, "load": load,
              "worker_peak_mib": peak, "rows": found}
    if given.json:
        given.json.write_text(json.dumps(report, indent=1))
    print(f"{given.contests} contests, {given.latency:g} ms a reply of the mail server, {cores} cores, load {load}; "
          f"a worker's peak {peak} MiB; no two at one contest")
    print(f"{'':24} contests/s  times one worker      CPU ms a contest: workers, database, mail   cores busy")
    for row in found:
        middle, least, most = row["ratio"]
        print(f"{row['what']:24} {row['rate']:8.1f} {middle:8.2f} ({least:.2f}-{most:.2f}) {row['workers']:30.1f} "
              f"{row['database']:9.1f} {row['mail']:5.1f} {row['cores']:12.2f}")


if __name__ == "__main__":
    main()
