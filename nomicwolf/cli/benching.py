"""``bench``: the project's benchmarks, where they lie beside the package: in a checkout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from nomicwolf.cli.base import NEEDS_YOU, Json, fail

CHECKOUT = Path(__file__).resolve().parents[2]


def bench(
    rows: Annotated[str, typer.Option(help="Which rows of the table, with commas: votes,ledger.")] = "",
    quick: Annotated[bool, typer.Option("--quick", help="Short turns, small sizes.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Sizes that take minutes, too.")] = False,
    minutes: Annotated[float | None, typer.Option(help="Begin no figure more after that; 14 without --full.")] = None,
    as_json: Json = False,
) -> None:
    """Measure how fast all of it is, beside floors and peers, in a checkout of the sources.

    With --json the table goes to standard error. docs/performance.md tells what each row means.

    Example: nomicwolf bench --rows votes,ledger --quick
    """
    if not (CHECKOUT / "benchmarks" / "__main__.py").is_file():
        fail("the benchmarks are not installed with the package; run this in a checkout of the sources, "
             "after `make setup`: .venv/bin/nomicwolf bench", NEEDS_YOU)
    words = [
        *(("--rows", rows) if rows else ()), *(("--quick",) if quick else ()), *(("--full",) if full else ()),
        *(("--minutes", str(minutes)) if minutes is not None else ()), *(("--json", "-") if as_json else ()),
    ]
    done = subprocess.run(  # noqa: S603 - our own program, and no shell
        [sys.executable, "-m", "benchmarks", *words], cwd=CHECKOUT, check=False)
    raise typer.Exit(done.returncode)


COMMANDS = {"bench": bench}
