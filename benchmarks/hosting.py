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
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks._harness import Effort, Row
from nomicwolf.host import registry
from nomicwolf.host.folders import settings_in
from nomicwolf.ledger.store import Store
from nomicwolf.run import poll
from nomicwolf.settings.load import FILE
from tests.host.hosted import CONTEST, Host, new_host, overlaps, until
from tests.servers.postgres import running_postgres

LOOP, IDLE = "loop", "idle"


def log_of(host: Host, since: float) -> list[dict[str, Any]]:
    """Return the turns that were logged since a monotonic instant."""
    return [line for line in host.log() if line.get("monotonic", 0.0) > since]


def letters(host: Host, names: list[str], round_: str) -> None:
    """Put a new letter into every contest's mailbox."""
    for name in names:
        host.deliver(name, f"{round_}-{name}")


def looped(host: Host, names: list[str]) -> float:
    """Poll all contests in this process, one after another; return contests a second."""
    places = {name: settings_in(host.settings, host.folder / "contests" / name, "nomicwolf_t_murphy") for name in names}
    began = time.perf_counter()
    for settings in places.values():
        report = poll(settings, lambda: int(time.time()))
        assert report.status == 0, report.said
    return len(names) / (time.perf_counter() - began)


@contextlib.contextmanager
def workers(host: Host, count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Run so many workers, each of which has imported what it needs, for as long as the block lasts."""
    host.ask("UPDATE host.contests SET paused = true")
    started = [host.start(f"w{number}-{time.monotonic_ns()}") for number in range(count)]
    until("the workers", lambda: host.ask("SELECT 1 FROM procrastinate_workers OFFSET " + str(count - 1)))
    yield started
    for process in started:
        process.send_signal(signal.SIGTERM)
    for process in started:
        process.wait(60)


def worked(host: Host, names: list[str], count: int) -> tuple[float, list[str]]:
    """Let so many workers poll all contests; return contests a second, and any overlaps."""
    with workers(host, count):
        since = time.monotonic()
        wanted = ", ".join(f"'{name}'" for name in names)
        host.ask(f"UPDATE host.contests SET paused = false, due_at = 0, ended_at = 0 WHERE contest IN ({wanted})")
        while host.ask("SELECT 1 FROM host.contests WHERE NOT paused AND ended_at = 0 LIMIT 1"):
            time.sleep(0.5)
        lines = log_of(host, since)
    at = [line["monotonic"] for line in lines]
    return len(names) / (max(at) - min(at)), overlaps(lines)


def measured(host: Host, every: list[str], rounds: int, counts: list[int], each: int = 0) -> dict[str, list[float]]:
    """Return the rates of the bare loop and of so many workers, round by round; turns with a letter, and idle ones.

    A round is of *each* contests, others than the round before, or of all.
    """
    rates: dict[str, list[float]] = {}
    size = each or len(every)
    for round_ in range(rounds):
        names = [every[(round_ * size + place) % len(every)] for place in range(size)]
        letters(host, names, f"l{round_}")
        rates.setdefault(LOOP, []).append(looped(host, names))
        for count in counts:
            letters(host, names, f"r{round_}-{count}")
            rate, found = worked(host, names, count)
            assert not found, found
            rates.setdefault(str(count), []).append(rate)
        rates.setdefault(IDLE, []).append(worked(host, names, 1)[0])
    return rates


def table(rates: dict[str, list[float]], counts: list[int]) -> list[dict[str, Any]]:
    """Return a row for each number of workers: contests a second, and the ratio to one worker, round by round."""
    rows = []
    for name, label in ((LOOP, "bare loop, one process"), *((str(c), f"{c} workers") for c in counts),
                        (IDLE, "1 worker, nothing new")):
        ratios = sorted(a / b for a, b in zip(rates[name], rates[str(counts[0])], strict=True))
        rows.append({"what": label, "contests_a_second": round(median(rates[name]), 1),
                     "ratio": [round(r, 2) for r in (median(ratios), ratios[0], ratios[-1])]})
    return rows


@contextlib.contextmanager
def ready(contests: int, latency: float) -> Iterator[tuple[Host, list[str]]]:
    """Give a host with so many contests, and their names; *latency* is in milliseconds."""
    with running_postgres() as postgres, tempfile.TemporaryDirectory() as folder, \
            contextlib.redirect_stdout(io.StringIO()), new_host(postgres, Path(folder) / "host") as host:
        host.configure(every=10**6)
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
    with registry.opened(settings) as connection:
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
                store.keep(0, record, now=now)


def rows(effort: Effort) -> Iterator[Row]:
    """Yield the row of ``make bench``: seconds a contest with several workers, beside one worker in the same round."""
    contests, rounds, each = (10_000, 3, 3_300) if effort.full else (20 * effort.sizes, min(3, effort.turns), 0)
    with ready(contests, 0.0) as (host, names):
        rates = measured(host, names, rounds, [1, 2, 4], each)
    for count, reach in ((2, 1.8), (4, 1.8)):
        ratios = sorted(a / b for a, b in zip(rates[str(count)], rates["1"], strict=True))
        yield Row("hosting", f"{count} workers", contests, "s/contest", 1 / median(rates[str(count)]), "1 worker", ">=",
                  reach, (median(ratios), ratios[0], ratios[-1]))


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
    for row in found:
        middle, least, most = row["ratio"]
        print(f"{row['what']:24} {row['contests_a_second']:8.1f}/s  {middle:5.2f} times one worker "
              f"({least:.2f}-{most:.2f})")


if __name__ == "__main__":
    main()
