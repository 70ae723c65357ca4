"""What all rows of the table share: methods of one row run in turns, in one process, and are compared by ratios.

A row says how many times the cost of a named floor or peer ours is (*sense* ``<=``), or how many times ours theirs is
(``>=``): the median of the ratios of the turns, with the middle half of them. Cost is seconds (by the clock, or the
processor's), or MiB.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import log
from pathlib import Path
from statistics import linear_regression, median, quantiles
from time import perf_counter, process_time
from typing import Literal, TypeAlias

Costs: TypeAlias = tuple[float, ...]
Method: TypeAlias = Callable[[], Costs]
"""One turn: what it cost, in the units of its row."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to measure: *turns* at least, and *seconds* for each row; *sizes* is how many of a row's sizes are run.

    *full* runs sizes that take minutes, too.
    """

    turns: int = 7
    seconds: float = 0.5
    sizes: int = 3
    full: bool = False


@dataclass(frozen=True, slots=True)
class Against:
    """A floor or peer, by its method's *name*, and what is to be reached: a ratio at most or at least *reach*."""

    name: str
    sense: Literal["<=", ">="]
    reach: float
    unit: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; *cost* is the median of ours in *unit*, *ratio* median, lower and upper quartile.

    *growth* is the slope of our cost by size on logarithmic axes over the last three sizes of this row and case.
    """

    row: str
    case: str
    size: int
    unit: str
    cost: float
    against: str
    sense: Literal["<=", ">="]
    reach: float
    ratio: tuple[float, float, float]
    growth: float | None = None

    @property
    def reached(self) -> bool:
        """Whether the ratio is as the row wants it."""
        return self.ratio[0] <= self.reach if self.sense == "<=" else self.ratio[0] >= self.reach


LACKING: list[str] = []
"""What could not be measured in this run, and why."""


def lack(row: str, what: str, why: str) -> None:
    """Tell, at the end of the table, that *row* goes without *what*; the others go on."""
    LACKING.append(f"{row}: {what} was not measured: {why}")


def timed(run: Callable[[], object], batch: int = 1, clock: Callable[[], float] = process_time) -> Method:
    """Return the method that does *run* once and costs its seconds, divided by *batch*, the pieces of work in it."""

    def turn() -> Costs:
        start = clock()
        run()
        return ((clock() - start) / batch,)

    return turn


def wall(run: Callable[[], object], batch: int = 1) -> Method:
    """Return the method that costs the seconds that pass, for work that waits for others."""
    return timed(run, batch, perf_counter)


_LAUNCHER = """
import os, resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
took, used = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
print(took, used.ru_maxrss / 1024, used.ru_utime + used.ru_stime, done.returncode)
sys.stdout.flush()
os.write(1, done.stdout)
"""
"""A small process in between: Linux counts the memory of whoever starts a process as that process's own."""


def process(args: Sequence[str | Path], batch: int = 1, status: int = 0) -> Costs:
    """Run a process of its own; return its seconds by the clock, its peak memory in MiB, and the processor's seconds.

    Seconds are those of a piece of *batch*. RuntimeError, with what it said, if it doesn't end with *status*.
    """
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", _LAUNCHER, *args], stdout=subprocess.PIPE, check=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""})
    figures, _, said = done.stdout.decode(errors="replace").partition("\n")
    took, memory, used, ended = figures.split()
    if int(ended) != status:
        raise RuntimeError(f"{' '.join(map(str, args))} ended with {ended}: {said}")
    return float(took) / batch, float(memory), float(used) / batch


def in_turns(methods: Mapping[str, Method], effort: Effort) -> dict[str, list[Costs]]:
    """Return what each turn of each method cost, after one turn that does not count unless it takes long."""
    found: dict[str, list[Costs]] = {name: [] for name in methods}
    began = perf_counter()
    first = {name: method() for name, method in methods.items()}
    if perf_counter() - began > max(1, 20 * effort.seconds):
        found = {name: [costs] for name, costs in first.items()}
    gc.collect()
    gc.disable()
    began, turns = perf_counter(), 0
    while (spent := perf_counter() - began) < effort.seconds or turns < effort.turns:
        if turns > 1 and spent > max(1, 20 * effort.seconds):
            break
        turns += 1
        for name, method in methods.items():
            found[name].append(method())
    gc.enable()
    return found


def compare(
    row: str, case: str, size: int, methods: Mapping[str, Method], against: Iterable[Against], effort: Effort,
    units: Sequence[str] = ("s",),
) -> Iterator[Row]:
    """Run *methods*, the first of which is ours, and return a line for each of *against*."""
    found = in_turns(methods, effort)
    ours = next(iter(methods))
    for one in against:
        pairs = [(mine[one.unit], theirs[one.unit]) for mine, theirs in zip(found[ours], found[one.name], strict=True)]
        ratios = [mine / theirs if one.sense == "<=" else theirs / mine for mine, theirs in pairs]
        lower, middle, upper = quantiles(ratios, n=4, method="inclusive")
        yield Row(row, case, size, units[one.unit], median(mine for mine, _ in pairs), one.name, one.sense, one.reach,
                  (middle, lower, upper))


def slope(rows: Sequence[Row]) -> float:
    """Return the slope of our cost by size, both as logarithms, over three rows."""
    return linear_regression([log(r.size) for r in rows], [log(max(r.cost, 1e-12)) for r in rows]).slope


def grown(rows: Iterable[Row]) -> Iterator[Row]:
    """Return *rows* as they come, each third and later one of its kind with its growth."""
    before: dict[tuple[str, str, str, str], list[Row]] = {}
    for row in rows:
        same = before.setdefault((row.row, row.case, row.against, row.unit), [])
        same.append(row)
        yield replace(row, growth=slope(same[-3:])) if len(same) > 2 else row


def shown(row: Row) -> str:
    """Return one line of the table."""
    cost = f"{row.cost:,.1f} MiB" if row.unit == "MiB" else f"{_seconds(row.cost)}{row.unit.removeprefix('s')}"
    growth = "" if row.growth is None else f"{row.growth:.2f}"
    middle, lower, upper = row.ratio
    mark = "reached" if row.reached else "MISSED"
    return (f"{row.row:18} {row.case:16} {row.size:9,} {cost:>11} {growth:>6}  {row.against:24} "
            f"{middle:8.3g} ({lower:.3g}-{upper:.3g})".ljust(114) + f" {row.sense} {row.reach:g}  {mark}")


HEAD = (f"{'row':18} {'case':16} {'size':>9} {'ours':>11} {'growth':>6}  {'floor or peer':24} "
        f"{'ratio (middle half)':26}  reach")


def _seconds(cost: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if cost >= scale:
            return f"{cost / scale:.3g} {unit}"
    return f"{cost * 1e9:.3g} ns"


def plain(row: Row) -> dict[str, object]:
    """Return a row for JSON."""
    return {**asdict(row), "reached": row.reached}
