"""Instructions of the pure parts, counted by valgrind (callgrind): the same on a busy machine as on an idle one.

``python -m benchmarks.instructions --check`` (``make bench-check``) compares with ``instructions.json`` and ends with
1 where a part takes more than 5 % more; ``--write`` stores the counts of this Python in their place. Counts differ
from one Python version to the next, so each has its own; where none are stored that is an error, too. Between builds
of one version they are compared in the measure of a reference. What is counted is one run of each part, warm, with
the collector off: no start, no import, no input or output; caches of the processor aren't simulated.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

STORED = Path(__file__).with_name("instructions.json")
MORE = 0.05
"""By how much a count may grow."""
OTHER = 0.01
"""By how much the reference may differ, before this is taken for another build of Python."""
MORE_ELSEWHERE = 0.2
"""By how much a count may grow in another build, in the reference's measure: the parts are other mixtures than it."""
SAME = {
    "PYTHONHASHSEED": "0", "OPENSSL_ia32cap": "0",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-AVX512F,-AVX512VL,-ERMS,-FSRM,-AVX_Fast_Unaligned_Load",
}
"""What makes counts the same on each x86-64: hashes of texts, and no library chooses its code by the processor."""


def votes() -> Callable[[], object]:
    """Resolve mixed ballots of 300 voters."""
    from benchmarks._votes_towns import Workload
    from nomicwolf.village.resolution import resolve

    load = Workload("mixed", 300)
    return lambda: [resolve(load.town, load.ballots) for _ in range(5)]


def changes() -> Callable[[], object]:
    """Cast 50 ballots among 300 voters, with the lynch check after each."""
    from benchmarks._votes_towns import Workload
    from nomicwolf.village.standing import Standing

    load = Workload("mixed", 300)
    stream, standing = load.changes(50), Standing(load.town, load.ballots)

    def run() -> None:
        for who, ballot in stream:
            standing.cast(who, ballot)
            _ = standing.lynched

    return run


def letters() -> Callable[[], object]:
    """Read 30 letters: the author's own text, and what it does."""
    from benchmarks.reading import PEOPLE
    from benchmarks.reading import letters as written
    from nomicwolf.letters.authored import own_text
    from nomicwolf.reading.reader import read

    texts = written(30)
    return lambda: [read(tuple(enumerate(own_text(text).split("\n"), 1)), PEOPLE, to="forum") for text in texts]


def sessions() -> Callable[[], object]:
    """Play three sessions of twelve."""
    from nomicwolf.odds import one_session
    from nomicwolf.village.rulesets import ruleset

    rules = ruleset("nomic-crossing")
    return lambda: [one_session(rules, 12, ("seer", "witch", "hunter"), str(seed)) for seed in range(3)]


def entries() -> Callable[[], object]:
    """Write 1,000 entries as lines, read them back, and chain them."""
    from nomicwolf.ledger.chain import first_head, next_head
    from nomicwolf.ledger.codec import read_entry, write_entry
    from nomicwolf.nomic.events import PartyJoined
    from nomicwolf.village.events import Entry

    def run() -> None:
        head = first_head("w1")
        for number in range(1, 1_001):
            line = write_entry(Entry(number, 1_796_083_200, PartyJoined(f"P{number}", "agora"), (), "letter 1"))
            head = next_head(head, line)
            if read_entry(line).number != number:
                raise RuntimeError("an entry came back as another")

    return run


def reference() -> Callable[[], object]:
    """Do what no change of ours can make dearer: a known mixture of what this Python's interpreter does.

    Other builds of one Python version (compiler, optimisation by profile) take other counts for everything; this part
    tells by how much, and the others are compared in its measure.
    """

    def run() -> int:
        found: dict[str, tuple[int, str]] = {}
        for number in range(20_000):
            key = f"n{number % 997}"
            before = found.get(key, (0, ""))
            found[key] = (before[0] + number % 7, key.upper())
        return sum(count for count, name in sorted(found.values()) if name.startswith("N"))

    return run


PARTS: Mapping[str, Callable[[], Callable[[], object]]] = {
    "reference": reference, "votes": votes, "changes": changes, "letters": letters, "sessions": sessions,
    "entries": entries,
}


def counted() -> dict[str, int]:
    """Return the instructions of one run of each part, all in one process; a run before it isn't counted.

    callgrind writes down what it has counted whenever the C library's ``getppid`` is called, which nothing else does.
    """
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise SystemExit("valgrind is missing: apt-get install valgrind (`make servers` does it, as root)")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        done = subprocess.run(
            [valgrind, "--tool=callgrind", f"--callgrind-out-file={out}", "--dump-before=getppid", sys.executable, "-m",
             "benchmarks.instructions", "--run"],
            capture_output=True, text=True, check=False, env={**os.environ, **SAME})
        if done.returncode:
            raise SystemExit(f"valgrind could not count: {done.stderr[-2000:]}")
        totals = [int(re.findall(r"^totals: (\d+)", Path(f"{out}.{n}").read_text(), re.MULTILINE)[0])
                  for n in range(1, 2 * len(PARTS) + 1)]
    return dict(zip(PARTS, totals[1::2], strict=True))


def run_all() -> None:
    """Run each part once to warm it, and once between two marks."""
    ready = [make() for make in PARTS.values()]
    gc.disable()
    for run in ready:
        run()
        gc.collect()
        os.getppid()
        run()
        os.getppid()


def version() -> str:
    """Return whose counts these are: interpreter, version and processor."""
    return f"{platform.python_implementation()} {platform.python_version()} {platform.machine()}"


def minor(name: str) -> str:
    """Return *name* without the last part of the version.

    >>> minor("CPython 3.11.7 x86_64")
    'CPython 3.11 x86_64'
    """
    return re.sub(r"(\d+\.\d+)\.\S+", r"\1", name)


def compared(found: Mapping[str, int], stored: Mapping[str, int]) -> list[str]:
    """Return a line for each part that takes too many instructions, or has no count stored."""
    worse = []
    scale, more_allowed = 1.0, MORE
    if "reference" in found and "reference" in stored:
        scale = found["reference"] / stored["reference"]
        if abs(scale - 1) > OTHER:
            more_allowed = MORE_ELSEWHERE
        else:
            scale = 1.0
    for part, count in found.items():
        if part not in stored:
            worse.append(f"{part}: no count is stored; run `python -m benchmarks.instructions --write`")
        elif part != "reference" and count > stored[part] * scale * (1 + more_allowed):
            more = f"{count / stored[part] / scale - 1:+.1%}"
            worse.append(f"{part}: {count:,} instructions, {more}; {stored[part]:,} are stored")
    return worse


def main() -> int:
    """Check, write or run; see the module."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.instructions", description=str(__doc__).split("\n")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true", help="compare with what is stored")
    what.add_argument("--write", action="store_true", help="store the counts of this Python")
    what.add_argument("--run", action="store_true", help="run all parts, as they are counted")
    chosen = parser.parse_args()
    if chosen.run:
        run_all()
        return 0
    return _check_or_write(write=chosen.write)


def _check_or_write(*, write: bool) -> int:
    mine = minor(version())
    kept: dict[str, dict[str, int]] = json.loads(STORED.read_text(encoding="ascii")) if STORED.exists() else {}
    if not write and mine not in kept:
        print(f"No instruction counts are stored for {mine}; there are some for {', '.join(kept) or 'none'}.\n"
              "Nothing was compared. Store them with `python -m benchmarks.instructions --write`, and commit them.",
              file=sys.stderr)
        return 1
    found = counted()
    for part, count in found.items():
        was = kept.get(mine, {}).get(part)
        print(f"{part:10} {count:14,} instructions{f' {count / was - 1:+7.2%}' if was else ''}", flush=True)
    if write:
        STORED.write_text(json.dumps({**kept, mine: found}, indent=1, sort_keys=True) + "\n", encoding="ascii")
        return 0
    worse = compared(found, kept[mine])
    for line in worse:
        print(line, file=sys.stderr)
    return int(bool(worse))


if __name__ == "__main__":
    sys.exit(main())
