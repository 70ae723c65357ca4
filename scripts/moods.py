"""The table of moods that ``docs/language.md`` has, printed from the code: ``python scripts/moods.py``."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from nomicwolf.language.mood import ROWS

COMES_TO = {"does": "done", "ask": "asked about", "talk": "talk"}


def table() -> Iterator[str]:
    """Yield the lines of the table: each row's name, its result, and two of its examples."""
    yield "| what is said | result | for example |"
    yield "|---|---|---|"
    for row in ROWS:
        yield f"| {row.name} | {COMES_TO[row.mood]} | {' '.join(f'“{text}”' for text in row.examples[:2])} |"


if __name__ == "__main__":
    sys.stdout.write("\n".join(table()) + "\n")
