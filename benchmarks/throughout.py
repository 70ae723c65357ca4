"""Commands that go through a whole record, as processes, in contests of several lengths: seconds and memory, once each.

``python -m benchmarks.throughout 4000 20000`` prints a table. The contests are those of
``benchmarks.aging``, and are taken away at the end.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks._contests import PROGRAM
from benchmarks._harness import process
from benchmarks.aging import founded, polled, sink
from nomicwolf.ledger.store import Store
from nomicwolf.nomic.events import LetterHeard
from nomicwolf.settings import load

DIFFERS = 1
"""How `replay` ends in these contests: the bytes of their letters are stand-ins, and are read otherwise."""
COMMANDS: Mapping[str, tuple[int, Sequence[str]]] = {
    "backup": (0, ("backup", "{aside}/backup.db")),
    "restore": (0, ("restore", "{aside}/backup.db")),
    "statistics": (0, ("statistics",)),
    "history": (0, ("history",)),
    "archive, all of it": (0, ("archive", "{aside}/archive")),
    "archive, nothing new": (0, ("archive", "{aside}/archive")),
    "archive, a letter later": (0, ("archive", "{aside}/archive")),
    "replay --without, the last letter": (0, ("replay", "--without", "{last}")),
    "replay": (DIFFERS, ("replay",)),
}


def main() -> int:
    """Make a contest of each length that is named, and print what each command takes there."""
    print("| command | entries | s | s CPU | MiB |\n|---|---|---|---|---|")
    for size in map(int, sys.argv[1:] or ("10000",)):
        with tempfile.TemporaryDirectory() as folder, sink() as port:
            for line in lines(founded(Path(folder) / "contest", port, size), Path(folder), size):
                print(line, flush=True)
    return 0


def lines(contest: Path, aside: Path, size: int) -> Iterator[str]:
    """Yield a line for each command, given in the folder *contest*; files of its are put *aside*."""
    for name, (status, words) in COMMANDS.items():
        if name.endswith("later"):
            polled(contest, size + 1, "Nothing but talk.")
        told = [word.format(aside=aside, last=last_letter(contest)) for word in words]
        took, memory, used = process([PROGRAM, "-C", contest, *told], status=status)
        yield f"| {name} | {size} | {took:.1f} | {used:.1f} | {memory:.0f} |"


def last_letter(contest: Path) -> int:
    """Return the number of the last entry that tells of a letter."""
    settings = load(contest, {})
    with closing(Store.open(settings.ledger.url, settings.contest.id, readonly=True)) as store:
        return max(entry.number for entry in store.record() if isinstance(entry.event, LetterHeard))


if __name__ == "__main__":
    sys.exit(main())
