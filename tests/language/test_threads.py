"""A host's workers read with several threads at once: what each reads is the same as if it were alone."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random
from threading import Barrier, Thread

import pytest

from nomicwolf.language.reader import read
from nomicwolf.reading.deeds import People

pytestmark = pytest.mark.slow

PEOPLE = People(living=("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal"), dead=("Zed",), author="Ash")
READERS = 4


def read_at_once(texts: list[str]) -> list[str]:
    """Read *texts* with several threads that have read nothing before, then alone; return those that differ."""
    sys.setswitchinterval(1e-6)
    found: list[dict[str, str]] = [{} for _ in range(READERS)]
    together = Barrier(READERS)

    def run(number: int) -> None:
        mine = Random(number).sample(texts, len(texts))
        together.wait()
        for text in mine:
            found[number][text] = _understood(text)

    threads = [Thread(target=run, args=(number,)) for number in range(READERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [text for text in texts if {_understood(text)} != {one.get(text) for one in found}]


def _understood(text: str) -> str:
    return repr(read(enumerate(text.split("\n"), 1), PEOPLE, to="forum"))


@pytest.mark.parametrize("seed", range(6))
def test_threads_read_as_one_does(seed: int) -> None:
    """In a process of its own, where each table, tree and expression is made when a thread first asks for it."""
    from tests.language.scoring import SETS, rows

    texts = Random(seed).sample(sorted({row["text"] for row in rows(SETS / "foreign.jsonl")}), 120)
    told = "import json, sys; from tests.language.test_threads import read_at_once as r; print(r(json.load(sys.stdin)))"
    done = subprocess.run(
        [sys.executable, "-c", told], input=json.dumps(texts), capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr
