"""Votes moved by a million random changes, each checked: ``python -m tests.village.million [--changes N] [--seed S]``.

What `tests.village.test_lazy` does for some towns of 40 changes, for 25,000 of them: after each change, who is lynched
by the lazy roll must be who is lynched by full resolution, the definition (NC 3). Minutes, so not part of the tests.
"""

from __future__ import annotations

import argparse
import sys

from nomicwolf.village.lazy import LazyRoll
from tests.village.test_lazy import CHANGES, DeepRoll, SparingRoll, follow

KINDS = (LazyRoll, SparingRoll, DeepRoll)
"""One kind of lazy roll for each town in turn."""


def main() -> None:
    """Check, and say how many changes there were; SystemExit names the seed of the first town that differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.village.million", description="Check a million changes.")
    parser.add_argument("--changes", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first town; the others follow")
    chosen = parser.parse_args()
    towns = chosen.changes // CHANGES
    for seed in range(chosen.seed, chosen.seed + towns):
        for found, expected in follow(KINDS[seed % len(KINDS)], seed, len):
            if found != expected:
                raise SystemExit(f"the town of seed {seed} differs: {found} in place of {expected}")
    sys.stdout.write(f"{towns * CHANGES:,} changes in {towns:,} towns, none that differs.\n")


if __name__ == "__main__":
    main()
