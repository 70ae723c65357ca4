"""Votes: resolving a town from scratch, following one change, and replaying a day; each beside a floor and a peer.

Run in the project's folder: ``python -m benchmarks.votes [--quick] [--json FILE]``. What the rows mean, and what limits
them, is in ``docs/performance.md``. All methods of a row run in turn, over and over, for a while; a ratio is the median
of the ratios of the turns, with the middle half of them behind it. In its turn a quick method runs more than once, so
that none is measured by how it starts in caches full of another. *growth* is the slope of cost by size on logarithmic
axes, over the last three sizes: 1 is linear. Times are CPU times: on a shared machine, others move them less.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import cycle
from math import log
from pathlib import Path
from statistics import linear_regression, median, quantiles
from time import process_time
from typing import Literal, TypeAlias

from benchmarks import _harness as harness
from benchmarks._harness import Effort
from benchmarks._votes_clingo import Program, stable, sure
from benchmarks._votes_towns import KINDS, Change, Workload, session, tally
from nomicwolf.village.ballots import After, For, If
from nomicwolf.village.compiled_ballots import CompiledBallots
from nomicwolf.village.day_replay import Cast, Standing, replay_day
from nomicwolf.village.resolution import count, resolve

Run: TypeAlias = Callable[[], object]
SIZES = (10, 100, 1_000)
DAYS = (11, 30, 100)
PEERLESS = ("session",)
"""Workloads with conditions for which there is no program in the peer's language."""
PLAIN = ("plain", "chain", "forest")
"""Workloads without conditions."""
PATIENCE = 0.02
"""Seconds: another's method that takes longer is left out at the next size, where it may take a thousand times that."""
TURN = 0.01
"""Seconds of a turn, if a method takes less than that."""
FLOOR = "tally"
KEPT = "code kept"
RULES = "clingo rules"
PEERS = (RULES, "clingo stable", "clingo sure")
ONCE: Mapping[str, int] = {}


@dataclass
class Row:
    """One line of a table: *ms* is the median of each method, for one resolution, change or day.

    *ratio* (median, lower and upper quartile) says how many times the floor ours takes, and how many times ours each
    other method takes.
    """

    table: str
    workload: str
    size: int
    ms: dict[str, float] = field(default_factory=dict)
    ratio: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    growth: float | None = None
    to_kept: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    """How many times ours each peer takes, where the ballots' code is at hand."""


def paired(runs: Mapping[str, Run], budget: float) -> dict[str, list[float]]:
    """CPU seconds of each of *runs*, in turns, for *budget* seconds, after two that do not count.

    Five turns at least; two, if they take ten times the budget. A turn is as many runs as take `TURN`, or one.
    """
    found: dict[str, list[float]] = {name: [] for name in runs}
    times = dict.fromkeys(runs, 1)
    for name in (*runs, *runs):
        times[name] = max(1, int(TURN / max(seconds(runs[name], 1), 1e-9)))
    began, turns = process_time(), 0
    while (spent := process_time() - began) < budget or turns < (2 if spent > 10 * budget else 5):
        turns += 1
        for name, run in runs.items():
            found[name].append(seconds(run, times[name]))
    return found


def seconds(run: Run, times: int) -> float:
    """CPU seconds of one of so many *times* that *run* is run."""
    start = process_time()
    for _ in range(times):
        run()
    return (process_time() - start) / times


def row(
    table: str, workload: str, size: int, runs: Mapping[str, Run], budget: float, batch: Mapping[str, int] = ONCE
) -> Row:
    """Run the methods of one line; the first of them is ours. One run of a method does its *batch* of the work."""
    gc.collect()
    gc.disable()
    spent = paired(runs, budget)
    gc.enable()
    spent = {name: [one / batch.get(name, 1) for one in each] for name, each in spent.items()}
    ours, *others = spent
    found = Row(table, workload, size, {name: median(each) * 1000 for name, each in spent.items()})
    for name in others:
        pairs = zip(spent[name], spent[ours], strict=True)
        ratios = [mine / other if name == FLOOR else other / mine for other, mine in pairs]
        found.ratio[name] = middle_half(ratios)
        if KEPT in spent and name in PEERS:
            kept = zip(spent[name], spent[KEPT], strict=True)
            found.to_kept[name] = middle_half([other / mine for other, mine in kept])
    return found


def middle_half(ratios: list[float]) -> tuple[float, float, float]:
    """Return the median, and the lower and the upper quartile."""
    lower, middle, upper = quantiles(ratios, n=4)
    return middle, lower, upper


def scratch(kind: str, size: int, budget: float, slow: set[str]) -> Row:
    """One resolution from parsed ballots; the tally that ignores all but plain votes; clingo on the same system."""
    load = Workload(kind, size)
    town, ballots, compiled = load.town, load.ballots, CompiledBallots(load.town, load.ballots)
    runs: dict[str, Run] = {
        "resolve": lambda: resolve(town, ballots),
        KEPT: lambda: count(compiled, ballots),
        "with statuses": lambda: dict(resolve(town, ballots).statuses),
        FLOOR: lambda: tally(ballots.values()),
    }
    if kind not in PEERLESS:
        text = Program(town.seats, ballots).text
        peers: dict[str, Run] = {"clingo stable": lambda: stable(text), "clingo sure": lambda: sure(text)}
        if kind not in PLAIN:
            rules = Program(town.seats, ballots, by_itself=True).text
            peers[RULES] = lambda: stable(rules)
        runs.update((name, run) for name, run in peers.items() if name not in slow)
    return row("from scratch", kind, size, runs, budget)


def change(kind: str, size: int, budget: float, slow: set[str]) -> Row:
    """One change with the lynch check: by full resolution, and in a tally that is kept."""
    load = Workload(kind, size)
    stream = load.changes(min(5 * size, 20_000))
    standing, kept = Standing(load.town, load.ballots), KeptTally(load)
    ours, floor = cycle(batches(stream, 10)), cycle(batches(stream, 200))
    runs: dict[str, Run] = {"ours": lambda: follow(standing, next(ours)), FLOOR: lambda: kept.cast(next(floor))}
    return row("one change", kind, size, runs, budget, {"ours": 10, FLOOR: 200})


def batches(stream: list[Change], size: int) -> list[list[Change]]:
    """*stream* in parts of *size*, repeated up to that if it is shorter."""
    if len(stream) < size:
        stream = (stream * size)[:size]
    return [stream[at : at + size] for at in range(0, len(stream) - size + 1, size)]


def follow(standing: Standing, changes: Iterable[Change]) -> None:
    """Cast each change, and ask who is lynched."""
    for who, ballot in changes:
        standing.cast(who, ballot)
        _ = standing.lynched


class KeptTally:
    """The floor of a change: a plain vote moved from one count to another, and the new one compared with a majority."""

    def __init__(self, load: Workload) -> None:
        self.votes: dict[str, str] = {}
        self.counts = dict.fromkeys(load.living, 0)
        self.majority = load.town.majority
        self.lynchings = 0

    def cast(self, changes: Iterable[Change]) -> None:
        """Count each plain vote among *changes*; others for the voter's neighbour, so that none is cheaper."""
        votes, counts = self.votes, self.counts
        for who, ballot in changes:
            whom = ballot.whom if isinstance(ballot, For) else who
            before = votes.get(who)
            if before is not None:
                counts[before] -= 1
            votes[who] = whom
            counts[whom] += 1
            if counts[whom] >= self.majority:
                self.lynchings += 1


def timed(load: Workload, me: int) -> If | For:
    """A ballot with an instant in it."""
    return If(After(load.random.randrange(100_000)), For(load.someone()), For(load.someone()))


def day(kind: str, size: int, budget: float, slow: set[str]) -> Row:
    """A day of *size* voters and five ballots each, checked after each; and the tally.

    At least one ballot in ten has an instant, in the day of clocks all.
    """
    load = Workload("session", size)
    make = timed if kind == "clocks" else session
    stream = [
        (load.living[me], timed(load, me) if load.random.random() < 0.1 else make(load, me))
        for me in (load.random.randrange(size) for _ in range(5 * size))
    ]
    casts = [Cast((100_000 * at // len(stream), 2, at), who, ballot) for at, (who, ballot) in enumerate(stream)]
    runs: dict[str, Run] = {
        "replay": lambda: replay_day(load.town, casts, until=100_000), FLOOR: lambda: KeptTally(load).cast(stream),
    }
    return row("a day", kind, size, runs, budget)


SCRATCH_REACH = 12.0
"""How many times ours clingo is to take."""


def rows(effort: Effort) -> Iterator[harness.Row]:
    """The tables as rows of the whole one."""
    sizes = SIZES[1 : 1 + effort.sizes]
    for kind in KINDS:
        for found in measured(scratch, [kind], sizes, effort.seconds):
            for peer in PEERS:
                if peer in found.ratio:
                    yield _as_row("votes, from scratch", found, peer, ">=", SCRATCH_REACH)
                    yield _compiled(found, peer, SCRATCH_REACH)
            if kind in PEERLESS:
                yield _as_row("votes, from scratch", found, FLOOR, "<=", 100.0)
    for found in measured(day, ("session", "clocks"), DAYS[1 : 1 + effort.sizes], effort.seconds):
        yield _as_row("votes, a day", found, FLOOR, "<=", 900.0)


def _as_row(name: str, found: Row, against: str, sense: Literal["<=", ">="], reach: float) -> harness.Row:
    middle, lower, upper = found.ratio[against]
    ours = next(iter(found.ms.values())) / 1000
    return harness.Row(name, found.workload, found.size, "s", ours, against, sense, reach, (middle, lower, upper))


def _compiled(found: Row, peer: str, reach: float) -> harness.Row:
    """Return the row of ballots whose code is at hand, as it is wherever votes are followed."""
    return harness.Row("votes, compiled", found.workload, found.size, "s", found.ms[KEPT] / 1000, peer, ">=", reach,
                       found.to_kept[peer])


def measured(
    make: Callable[[str, int, float, set[str]], Row],
    kinds: Iterable[str],
    sizes: Iterable[int],
    budget: float,
    patience: float = PATIENCE,
) -> Iterator[Row]:
    """The rows of one table, with their growth; what was too slow at one size is left out at the next."""
    for kind in kinds:
        slow: set[str] = set()
        done: list[Row] = []
        for size in sizes:
            found = make(kind, size, budget, slow)
            slow |= {name for name, ms in found.ms.items() if ms > patience * 1000}
            done.append(found)
            if len(done) > 2:
                found.growth = growth(done[-3:])
            yield found


def growth(rows: list[Row]) -> float:
    """The slope of our cost by size, both as logarithms."""
    ours = next(iter(rows[0].ms))
    return linear_regression([log(each.size) for each in rows], [log(each.ms[ours]) for each in rows]).slope


def shown(found: Row) -> str:
    """One line of the table."""
    ours, ms = next(iter(found.ms.items()))
    slope = "" if found.growth is None else f"{found.growth:5.2f}"
    cells = [f"{f'/ {name}' if name == FLOOR else name} {middle:.3g} ({lower:.3g}-{upper:.3g})"
             for name, (middle, lower, upper) in found.ratio.items()]
    return f"{found.workload:14} {found.size:7,}  {ours:8} {ms:10.4f} ms  {slope:5}  " + "  ".join(cells)


def main() -> None:
    """Print the tables; with ``--json FILE``, write all figures there too."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="short runs, three sizes")
    parser.add_argument("--sizes", help="numbers of voters, with commas (default 10,100,1000,10000)")
    parser.add_argument("--kinds", help=f"workloads, with commas: {', '.join(KINDS)}")
    parser.add_argument("--tables", default="scratch,change,day", help="which tables (default all three)")
    parser.add_argument("--patience", type=float, default=PATIENCE, metavar="SECONDS",
                        help=f"leave out at the next size what takes longer (default {PATIENCE})")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    chosen = parser.parse_args()
    kinds = chosen.kinds.split(",") if chosen.kinds else list(KINDS)
    sizes = tuple(map(int, chosen.sizes.split(","))) if chosen.sizes else SIZES
    budget = 0.1 if chosen.quick else 0.5
    if chosen.quick:
        sizes = sizes[:3]
    tables = {
        "scratch": measured(scratch, kinds, sizes, budget, chosen.patience),
        "change": measured(change, kinds, sizes, budget, chosen.patience),
        "day": measured(day, ("session", "clocks"), DAYS[: len(sizes)], budget),
    }
    rows: list[Row] = []
    print("How many times the floor's time ours takes (/ tally), and how many times ours the others take.\n")
    print("workload        voters  ours          median  growth  ratios (middle half)")
    for name in chosen.tables.split(","):
        print(f"-- {name}")
        for found in tables[name]:
            print(shown(found), flush=True)
            rows.append(found)
    if chosen.json:
        figures = {"python": sys.version.split()[0], "rows": [asdict(found) for found in rows]}
        chosen.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
