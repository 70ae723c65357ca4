"""How the reading of a letter grows with its length: milliseconds for 1 kB and 64 kB of one kind, and the ratio.

64 is linear. The kinds are those that hang readers which backtrack; times are the best of three, in one run.
``python benchmarks/reading_growth.py``
"""

from __future__ import annotations

from time import process_time

from nomicwolf.language.reader import read
from nomicwolf.reading.deeds import People

PEOPLE = People(living=("Ash", "Bex", "Cam", "G.", "0x44", "D. Margaux", "Gus", "Hal"), author="Ash")
KINDS = {
    "prose": "I think that Bex is lying, and Gus knows more than e says. ",
    "votes": "I vote for Gus.\n",
    "conditions": "I vote for Gus if Bex is voting for Gus or Hal is dead, otherwise nobody.\n",
    "or": "Bex is voting for Gus or ",
    "not": "not ",
    "brackets": "(",
    "comments": "[Bex] ",
    "quotes": "> I vote for Gus.\n",
    "On": "On ",
    "dashes": "-",
    "names": "D. Margaux, G., 0x44 and ",
    "tags": "[b]Vote: [/b]",
}


def cost(text: str) -> float:
    """Return the seconds of processor time that one reading takes, the best of three."""
    lines = tuple(enumerate(text.split("\n"), 1))
    found = []
    for _ in range(3):
        start = process_time()
        read(lines, PEOPLE, to="forum")
        found.append(process_time() - start)
    return min(found)


def main() -> None:
    """Print the table."""
    print(f"{'kind':12} {'1 kB, ms':>10} {'64 kB, ms':>10} {'ratio':>8}")
    for kind, piece in KINDS.items():
        small, large = (cost((piece * (size // len(piece) + 1))[:size]) for size in (1024, 65_536))
        print(f"{kind:12} {small * 1000:10.2f} {large * 1000:10.1f} {large / max(small, 1e-9):8.1f}")


if __name__ == "__main__":
    main()
