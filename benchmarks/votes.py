"""Votes: a town resolved from scratch, beside clingo on the same votes; and a day replayed, beside adding votes up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time

from benchmarks._harness import Against, Effort, Method, Row, compare, timed
from benchmarks._votes_clingo import Program, stable
from benchmarks._votes_towns import KINDS, Change, Workload, session, tally
from nomicwolf.village.ballots import For
from nomicwolf.village.day_replay import Cast, replay_day
from nomicwolf.village.resolution import resolve

SIZES = (100, 1_000)
DAYS = (11, 30, 100)
DAY = 100_000
TURN = 0.01
"""Seconds of a turn, if a method takes less than that: none is measured by how it starts in another's caches."""


def rows(effort: Effort) -> Iterator[Row]:
    """Towns of each kind and size; there is no program for clingo of what a real session's players write."""
    for kind in KINDS:
        for size in SIZES[: effort.sizes]:
            load = Workload(kind, size)
            ours = {"ours": often(lambda load=load: resolve(load.town, load.ballots))}  # type: ignore[misc]
            if kind == "session":
                ours["tally"] = often(lambda load=load: tally(load.ballots.values()))  # type: ignore[misc]
                yield from compare("votes", kind, size, ours, [Against("tally", "<=", 100)], effort)
            else:
                text = Program(load.town.seats, load.ballots).text
                ours["clingo"] = often(lambda text=text: stable(text))  # type: ignore[misc]
                yield from compare("votes", kind, size, ours, [Against("clingo", ">=", 12)], effort)
    for size in DAYS[: effort.sizes]:
        load = Workload("session", size)
        stream = [(load.living[me], session(load, me)) for me in (load.random.randrange(size) for _ in range(5 * size))]
        casts = [Cast((DAY * at // len(stream), 2, at), who, ballot) for at, (who, ballot) in enumerate(stream)]
        ours = {"ours": often(lambda load=load, casts=casts: replay_day(load.town, casts, until=DAY))}  # type: ignore[misc]
        ours["tally"] = often(lambda load=load, stream=stream: kept_tally(load, stream))  # type: ignore[misc]
        yield from compare("votes", "a day", size, ours, [Against("tally", "<=", 900)], effort)


def kept_tally(load: Workload, stream: list[Change]) -> int:
    """Return how often somebody has a majority; each ballot is a plain vote, moved from one count to another."""
    votes: dict[str, str] = {}
    counts = dict.fromkeys(load.living, 0)
    lynchings = 0
    for who, ballot in stream:
        whom = ballot.whom if isinstance(ballot, For) else who
        if who in votes:
            counts[votes[who]] -= 1
        votes[who] = whom
        counts[whom] += 1
        lynchings += counts[whom] >= load.town.majority
    return lynchings


def often(run: Callable[[], object]) -> Method:
    """Return the method that does *run* as often as fits into `TURN`, and costs the processor's seconds of one."""
    start = process_time()
    run()
    times = max(1, int(TURN / max(process_time() - start, 1e-9)))
    return timed(lambda: [run() for _ in range(times)], times)
