"""The author's own text: what leaks and what is lost, against peers, and how time grows with hostile input.

Run in the project's folder: ``python benchmarks/authored.py``. Leaks are lines of someone else's that a reader of
mail would take for the author's; lost are the author's own that it leaves out. Counted over ``tests/letters/corpus``,
whose meaning is in ``corpus.yaml``: it is our own and our tests hold us to it, so it ranks the peers and says
nothing of mail that nobody has seen yet. The second table gives milliseconds for 1 kB and 64 kB: linear work has a
ratio of 64. ``pip install mail-parser-reply`` first.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import perf_counter

import yaml

from nomicwolf.letters.attribution import own_text
from nomicwolf.letters.letter import Raw
from nomicwolf.letters.mime import make_letter

FOLDER = Path(__file__).parent.parent / "tests" / "letters"
LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "sv", "da", "cs", "ja"]
PATIENCE = 5.0
HOSTILE: dict[str, Callable[[int], str]] = {
    "On On On ...": lambda size: "On " * (size // 3),
    "lines of On ... 2026": lambda size: "On 1 Dec 2026 Bex\n" * (size // 18),
    ">>>>": lambda size: ">" * size,
    "> > > lines": lambda size: "> > > I vote\n" * (size // 13),
    "-----": lambda size: "-" * size,
    "rules": lambda size: "__________\n" * (size // 11),
    "From: To: Sent:": lambda size: "From: a\nTo: b\nSent: c\n" * (size // 22),
    "wrote: wrote:": lambda size: "Bex wrote:\n" * (size // 11),
    "empty lines": lambda size: "\n" * size,
    "one long line": lambda size: "vote " * (size // 5) + "wrote:",
    "quoted and not": lambda size: "> no\nyes\n" * (size // 9),
}


def no_marks(text: str) -> str:
    """Return *text* without lines that begin with ``>``: what a simple script does."""
    return "\n".join(line for line in text.split("\n") if not line.startswith(">"))


def peer(text: str) -> str:
    """Return what mail-parser-reply takes for the latest reply."""
    found = import_module("mailparser_reply").EmailReplyParser(languages=LANGUAGES).parse_reply(text)
    return str(found or "")


READERS: dict[str, Callable[[str], str]] = {"nomicwolf": own_text, "mail-parser-reply": peer, "drop > lines": no_marks}


def faults(reader: Callable[[str], str]) -> tuple[int, int, int]:
    """Return (letters, lines leaked, lines lost) over the corpus."""
    cases = yaml.safe_load((FOLDER / "corpus.yaml").read_text(encoding="utf-8"))
    leaked = lost = 0
    for name, case in cases.items():
        data = (FOLDER / "corpus" / f"{name}.eml").read_bytes()
        body = make_letter(Raw(name, 1, 0, data, len(data))).body
        found = [line.strip() for line in reader(body).split("\n") if line.strip()]
        wanted = [line.strip() for line in case["authored"]]
        leaked += sum(line not in wanted for line in found)
        lost += sum(line not in found for line in wanted)
    return len(cases), leaked, lost


def clocked(reader: Callable[[str], str], text: str, line: multiprocessing.SimpleQueue[float]) -> None:
    """Put the seconds that *reader* takes for *text*, the best of three, into *line*."""
    reader(text[:100])
    best = PATIENCE
    for _ in range(3):
        start = perf_counter()
        reader(text)
        best = min(best, perf_counter() - start)
    line.put(best)


def seconds(reader: Callable[[str], str], text: str) -> float | None:
    """Return the seconds that *reader* takes for *text*, or None if it is not done within its time."""
    line: multiprocessing.SimpleQueue[float] = multiprocessing.SimpleQueue()
    process = multiprocessing.Process(target=clocked, args=(reader, text, line))
    process.start()
    process.join(3 * PATIENCE)
    if process.is_alive():
        process.kill()
        process.join()
        return None
    return None if line.empty() else line.get()


def shown(reader: Callable[[str], str], make: Callable[[int], str]) -> str:
    """Return milliseconds for 1 kB and 64 kB and their ratio, for one column of the table."""
    small, large = seconds(reader, make(1024)), seconds(reader, make(65_536))
    if small is None or large is None:
        return f"over {3 * PATIENCE:.0f} s".center(24)
    return f"{small * 1000:7.2f} {large * 1000:8.1f} {large / small:7.0f}"


def main() -> None:
    """Print both tables."""
    print(f"{'reader':20} {'letters':>8} {'leaked':>8} {'lost':>8}")
    for name, reader in READERS.items():
        letters, leaked, lost = faults(reader)
        print(f"{name:20} {letters:8} {leaked:8} {lost:8}")
    print(f"\n{'ms for 1 kB, 64 kB, ratio':24} {'nomicwolf':>24} {'mail-parser-reply':>24}")
    for name, make in HOSTILE.items():
        print(f"{name:24} {shown(own_text, make):>24} {shown(peer, make):>24}")


if __name__ == "__main__":
    main()
