"""How well letters are read: precision and recall of deeds over each table of phrases.

Run from the checkout: ``python benchmarks/reading_recall.py``. A deed is right when the table expects it, in its
canonical form; a wrong deed is one that the table does not expect. Exit status 1 when there is a wrong deed.
"""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "reading")]


def main() -> int:
    """Print the figures of every table; 1 when a deed was read that nobody wrote."""
    tests = importlib.import_module("test_phrases")
    return int(sum(measure(tests, table) for table in tests.TABLES) > 0)


def measure(tests: ModuleType, table: Path) -> int:
    """Print the figures of one *table* of *tests*, and give the number of wrong deeds."""
    expected: Counter[str] = Counter()
    right = wrong = asked = silent = 0
    rows = tests.phrases(table)
    for row in rows:
        found = tests.understood(row)
        wanted = Counter(row.get("says", []))
        got = Counter(deed.says for deed in found.deeds)
        expected += wanted
        right += (wanted & got).total()
        wrong += (got - wanted).total()
        for extra in (got - wanted).elements():
            print(f"wrong deed: {extra!r} from {row['text']!r}")
        asked += bool(found.problems)
        silent += not found.problems and not found.deeds
    total = expected.total()
    print(table.name)
    print(f"phrases    {len(rows):5}   deeds in them {total}, asked about {asked}, talk {silent}")
    print(f"precision  {right / max(right + wrong, 1):5.3f}   {wrong} wrong deeds")
    print(f"recall     {right / max(total, 1):5.3f}   {right} of {total}")
    return wrong


if __name__ == "__main__":
    raise SystemExit(main())
