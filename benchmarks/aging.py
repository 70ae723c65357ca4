"""A poll that finds one letter, as a process of its own, in contests with longer and longer records behind them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from time import time

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink

from benchmarks._contests import PROGRAM, letter
from benchmarks._harness import Against, Costs, Effort, Row, compare, process
from benchmarks.reading import PLAYERS
from nomicwolf.ledger.records import HeardLetter
from nomicwolf.ledger.store import Store
from nomicwolf.letters.letter import Letter, Raw
from nomicwolf.nomic.events import DeedDone, DeedHeard, LetterHeard
from nomicwolf.run import command
from nomicwolf.settings import load
from nomicwolf.village.events import Entry
from tests.run.world import TOML
from tests.servers.here import free_ports

SIZES = (100, 10_000, 100_000)
FULL = (100, 10_000, 1_000_000)
LETTERS = 300
"""How many letters one transaction keeps, of three entries each."""


def rows(effort: Effort) -> Iterator[Row]:
    """Make contests with so many entries before their session, and poll each beside the first."""
    numbers = count(FULL[-1] + 1)
    with tempfile.TemporaryDirectory() as folder, sink() as port:
        first = founded(Path(folder) / "first", port, SIZES[0])
        for size in (FULL if effort.full else SIZES)[1:effort.sizes]:
            grown = founded(Path(folder) / str(size), port, size)
            yield from compare(
                "one letter", "one process", size,
                {"ours": lambda grown=grown: polled(grown, next(numbers)),  # type: ignore[misc]
                 "at 100": lambda: polled(first, next(numbers))},
                [Against("at 100", "<=", 1.2), Against("at 100", "<=", 1.2, 1)],
                Effort(max(effort.turns, 11), effort.seconds), ("s", "MiB"))


@contextmanager
def sink() -> Iterator[int]:
    """Yield the port of a server that takes whatever is sent."""
    (port,) = free_ports(1)
    taking = Controller(Sink(), hostname="127.0.0.1", port=port)
    taking.start()
    try:
        yield port
    finally:
        taking.stop()


def founded(folder: Path, port: int, size: int) -> Path:
    """Return the folder of a contest with some *size* entries, a session in progress, and its snapshot made."""
    for part in ("new", "cur", "tmp"):
        (folder / "mail" / part).mkdir(parents=True)
    (folder / "contest.toml").write_text(TOML.format(port=port, ledger=""))
    given(folder, "party-add", who=PLAYERS[0], address=address(PLAYERS[0]))
    past(folder, size - 60)
    polled(folder, 0)
    for who in PLAYERS[1:]:
        given(folder, "party-add", who=who, address=address(who))
    given(folder, "start", seed="7" * 64)
    polled(folder, size)
    return folder


def given(folder: Path, name: str, **args: str) -> None:
    """Give a command of the contestmaster's; RuntimeError if it is refused."""
    done = command(load(folder, {}), name, args, lambda: int(time()))
    if done.status:
        raise RuntimeError(f"{name}: {done.said}")


def address(who: str) -> str:
    """Return a player's address."""
    return f"{who.lower()}@players.test"


def past(folder: Path, size: int) -> None:
    """Fill the record with *size* entries of long ago: letters, a deed of each, and that it was done."""
    settings, at = load(folder, {}), int(time()) - 86_400
    with Store.open(settings.ledger.url, settings.contest.id) as store:
        last = store.last()
        while size > last:
            heard, entries = [], []
            for number in range(last + 1, min(last + 3 * LETTERS, size) + 1, 3):
                letters, told = a_letter(number, PLAYERS[number % 12], at)
                heard.append(letters)
                entries += told
            store.keep(last, entries, heard, now=at)
            last += len(entries)


def a_letter(number: int, who: str, at: int) -> tuple[HeardLetter, list[Entry]]:
    """Return a letter and the three entries that tell of it, from *number* on."""
    data, said = f"letter {number}".encode(), f"I announce that {number} is my number."
    digest = sha256(data).hexdigest()
    raw = Raw(f"maildir:old{number}", number, at, data, len(data))
    made = Letter(raw.place, number, at, digest, digest, f"<old{number}@players.test>", "old", at, (), said)
    event = LetterHeard(made.message_id, digest, digest, who, "deeds", "agora", "", at, at, at, "forum")
    deed = DeedHeard(number, who, "help", (), None, "", "help", 1, said, "agora", at, (at, number, 1))
    return HeardLetter(raw, made, "deeds", who, "", number), [
        Entry(number, at, event), Entry(number + 1, at, deed), Entry(number + 2, at, DeedDone(number + 1, who, "help"))]


def polled(folder: Path, number: int) -> Costs:
    """Return what a poll costs that finds one vote; delivering it is not counted."""
    file = folder / "mail" / "new" / f"n{number}"
    file.write_bytes(letter(number, "Ash", "I vote for Gus.", "agora"))
    os.utime(file)
    return process([PROGRAM, "-C", folder, "poll"])
