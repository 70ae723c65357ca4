"""The entry point.

An idle poll never loads the command line: it goes straight to its work.
"""

from __future__ import annotations

import gc
import resource
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nomicwolf.contest import Command


def main(words: Sequence[str] | None = None) -> None:
    """Run one command and exit with its status: 0 done, 1 needs the contestmaster, 2 wrong use, 75 try again later.

    Whoever stops it is told so (130).
    """
    words = list(sys.argv[1:] if words is None else words)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))  # keys are in memory
    try:
        sys.exit(_status(words))
    except KeyboardInterrupt:
        print("nomicwolf: stopped", file=sys.stderr)
        sys.exit(128 + signal.SIGINT)
    finally:
        gc.freeze()  # all goes with the process: looking for cycles at its very end would be a quarter of a poll


def _status(words: list[str]) -> int:
    folder = plain_poll(words)
    if folder is not None:
        from nomicwolf.cli.output import poll

        return poll(folder, ordered)
    from nomicwolf.cli.app import run

    return run(words)


def ordered(words: Sequence[str]) -> Command:
    """Return the order in a command line that came by mail; the commands are imported only where one did."""
    from nomicwolf.cli.app import order_of

    return order_of(words)


def plain_poll(words: Sequence[str]) -> str | None:
    """Return the contest's folder if *words* are a poll as cron writes it, else None.

    >>> plain_poll(["-C", "crossing", "poll"]), plain_poll(["poll"]), plain_poll(["poll", "--help"])
    ('crossing', '.', None)
    """
    match list(words):
        case ["poll"]:
            return "."
        case ["-C", folder, "poll"]:
            return folder
    return None
