"""Whole processes in contests with longer and longer records behind them: polls, an order, and questions."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import time

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink

from benchmarks._contests import PROGRAM, letter
from benchmarks._decades import DAY, past
from benchmarks._harness import Against, Costs, Effort, Row, compare, process
from benchmarks.reading import PLAYERS
from nomicwolf.run import command
from nomicwolf.settings.load import load
from tests.run.world import TOML
from tests.servers.here import free_ports

SIZES = {100: 1.0, 400: 1.3, 4_000: 1.3, 20_000: 2.0}
"""Numbers of entries, and what a command may cost at most, as a multiple of its cost at the first."""
UNITS = ("s", "MiB", "s CPU")
TOWN = PLAYERS[:12]
CASES: Mapping[str, Callable[[Path, int], Costs]] = {
    "idle poll": lambda folder, _: process([PROGRAM, "-C", folder, "poll"]),
    "a vote": lambda folder, number: polled(folder, number, "I vote for Gus."),
    "an answer": lambda folder, number: polled(folder, number, "help"),
    "an announcement": lambda folder, _: process([PROGRAM, "-C", folder, "announce"]),
    "status": lambda folder, _: process([PROGRAM, "-C", folder, "status"]),
    "votes": lambda folder, _: process([PROGRAM, "-C", folder, "votes"]),
}


def rows(effort: Effort) -> Iterator[Row]:
    """Make contests with so many entries before their session, and run each command beside the same in the first."""
    numbers, (smallest, *larger) = count(10 * max(SIZES)), SIZES
    with tempfile.TemporaryDirectory() as folder, sink() as port:
        first = founded(Path(folder) / "first", port, smallest)
        for size in larger if effort.full else larger[:effort.sizes]:
            old = founded(Path(folder) / str(size), port, size)
            for case, run in CASES.items():
                yield from compare(
                    "old contest", case, size,
                    {"ours": lambda run=run, old=old: run(old, next(numbers)),  # type: ignore[misc]
                     "at 100": lambda run=run: run(first, next(numbers))},  # type: ignore[misc]
                    [Against("at 100", "<=", SIZES[size], unit) for unit in range(len(UNITS))],
                    Effort(max(effort.turns, 7), effort.seconds), UNITS)


@contextmanager
def sink() -> Iterator[int]:
    """Yield the port of a server that takes whatever is sent."""
    (port,) = free_ports(1)
    taking = Controller(Sink(), hostname="127.0.0.1", port=port)
    taking.start()
    try:
        yield port
    finally:
        taking.stop()


def founded(folder: Path, port: int, size: int) -> Path:
    """Return the folder of a contest with some *size* entries and a session in progress."""
    for part in ("new", "cur", "tmp"):
        (folder / "mail" / part).mkdir(parents=True)
    (folder / "contest.toml").write_text(TOML.format(port=port, ledger=""))
    for who in TOWN:
        given(folder, "party-add", who=who, address=f"{who.lower()}@players.test")
    past(load(folder, {}), size, int(time()) - DAY)
    given(folder, "start", seed="7" * 64)
    polled(folder, size, "I vote for Gus.")
    return folder


def given(folder: Path, name: str, **args: str) -> None:
    """Give a command of the contestmaster's; RuntimeError if it is refused."""
    done = command(load(folder, {}), name, args, lambda: int(time()))
    if done.status:
        raise RuntimeError(f"{name}: {done.said}")


def polled(folder: Path, number: int, text: str) -> Costs:
    """Return what a poll costs that finds one letter; delivering it is not counted."""
    file = folder / "mail" / "new" / f"n{number}"
    file.write_bytes(letter(number, "Ash", text, "agora"))
    os.utime(file)
    return process([PROGRAM, "-C", folder, "poll"])
