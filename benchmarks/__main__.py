"""Every benchmark in one table: ``python -m benchmarks`` (``make bench``), from the project's folder.

``--rows votes,ledger`` picks rows, ``--quick`` takes short turns and small sizes, ``--full`` adds what takes minutes;
``--json FILE`` keeps all figures. What each row means stands in ``docs/performance.md``.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from importlib import import_module
from math import inf
from pathlib import Path
from time import perf_counter

from benchmarks._harness import HEAD, LACKING, Effort, Row, grown, lack, plain, shown

ROWS = ("polls", "backlog", "reading", "votes", "ledger", "aging", "sessions", "sending", "archives", "hosting",
        "hostile_polls")
"""The modules of the table, in its order; each has ``rows(effort)``."""
QUICK = Effort(turns=3, seconds=0.05, sizes=2)


def chosen_rows(names: Iterable[str], effort: Effort, seconds: float = inf) -> Iterator[Row]:
    """Run the modules of these names; what can't run here is told at the end, and the others go on.

    After so many *seconds* no figure more is begun.
    """
    end = perf_counter() + seconds
    for name in names:
        try:
            rows: Callable[[Effort], Generator[Row, None, None]] = import_module(f"benchmarks.{name}").rows
            with closing(rows(effort)) as found:
                for row in found if perf_counter() < end else ():
                    yield row
                    if perf_counter() >= end:
                        break
            if perf_counter() >= end:
                lack(name, "what is not in the table", "the time was up; --minutes gives more")
        except Exception as error:  # noqa: BLE001 - a server or a peer that is missing stops one row, not the table
            lack(name, "what is not in the table", f"{type(error).__name__}: {error}")


def written(rows: list[Row]) -> Mapping[str, object]:
    """Return all figures for a file."""
    return {"schema": 1, "python": platform.python_version(), "machine": platform.machine(),
            "rows": list(map(plain, rows)), "lacking": LACKING}


def main() -> int:
    """Print the table; the status is 0 whatever was reached: figures are no test."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=str(__doc__).partition("\n")[0])
    parser.add_argument("--rows", default=",".join(ROWS), help=f"which rows, with commas: {','.join(ROWS)}")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--quick", action="store_true", help="short turns, small sizes")
    length.add_argument("--full", action="store_true", help="sizes that take minutes, too")
    parser.add_argument("--minutes", type=float, help="begin no figure more after that (default 14; --full: no limit)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there; - for standard output")
    chosen = parser.parse_args()
    names = chosen.rows.split(",")
    if unknown := [name for name in names if name not in ROWS]:
        parser.error(f"no row {', '.join(unknown)}; there are {', '.join(ROWS)}")
    to_standard = str(chosen.json) == "-"
    table = sys.stderr if to_standard else sys.stdout
    minutes = chosen.minutes or (inf if chosen.full else 14)
    if not chosen.quick:
        bound = "far more than a quarter of an hour" if minutes == inf else f"up to {minutes:g} minutes"
        print(f"This takes {bound}. Less is done with --quick, --rows votes,ledger or --minutes 3.",
              file=sys.stderr, flush=True)
    began = perf_counter()
    print(HEAD, file=table)
    done: list[Row] = []
    effort = QUICK if chosen.quick else Effort(full=chosen.full)
    for row in grown(chosen_rows(names, effort, 60 * minutes)):
        print(shown(row), file=table, flush=True)
        done.append(row)
    print(f"\n{sum(row.reached for row in done)} of {len(done)} figures are within reach, after "
          f"{(perf_counter() - began) / 60:.1f} minutes.", file=table)
    for line in LACKING:
        print(line, file=table)
    figures = json.dumps(written(done), indent=1) + "\n"
    if to_standard:
        sys.stdout.write(figures)
    elif chosen.json:
        chosen.json.parent.mkdir(parents=True, exist_ok=True)
        chosen.json.write_text(figures, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
