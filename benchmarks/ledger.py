"""The ledger as it grows: a full replay, and `verify`, beside reading the rows and hashing them."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from benchmarks._harness import Against, Effort, Row, compare, timed
from benchmarks.reading import PLAYERS
from nomicwolf.contest import Contest
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.transaction import Step
from nomicwolf.nomic.events import LetterHeard
from nomicwolf.village.events import Entry, Event
from tests.contest.world import START, World

SIZES = (100, 4_000, 20_000)


def rows(effort: Effort) -> Iterator[Row]:
    """Grow one contest to each size; at each, measure a replay and a verification."""
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES[: effort.sizes]:
            world = grown(size)
            url = f"sqlite:///{Path(folder) / f'{size}.db'}"
            with Store.create(url, "wolf") as store:
                for start in range(0, len(world.contest.entries), 1000):
                    store.append(Step(start, world.contest.entries[start:start + 1000], now=START))
                yield from whole(store, Path(folder) / f"{size}.db", world, size, effort)


def grown(size: int) -> World:
    """Return a contest in a session whose record has *size* entries: letters of talk and of votes before it."""
    world = World()
    for name in PLAYERS[:7]:
        world.write(name, "I join.")
    world.write("Bex", "Nothing but talk.")
    heard = world.entries
    if not any(isinstance(entry.event, LetterHeard) for entry in heard):
        raise RuntimeError("talk leaves no letter in the record any more")
    while world.contest.last < size - 30:
        for like in heard:
            number = world.contest.last + 1
            world.contest.record(Entry(number, START, renumbered(like, number), like.cites, like.cause))
    world.command("start", roles="seer,witch,hunter", seed="7", limit="agora=35")
    return world


def renumbered(like: Entry, number: int) -> Event:
    """Return the event of *like*, as of another letter."""
    if not isinstance(like.event, LetterHeard):
        return like.event
    return replace(like.event, message_id=f"<old{number}@x>", digest=f"{number:064x}", content=f"{number:064x}")


def whole(store: Store, file: Path, world: World, size: int, effort: Effort) -> Iterator[Row]:
    """Replay and verify the ledger in *file*, beside a loop that reads the rows and hashes them."""

    def floor() -> str:
        head = b""
        with closing(sqlite3.connect(file)) as raw:
            for _, _, _, data, _ in raw.execute(
                    "SELECT number, at, kind, data, head FROM entries ORDER BY number"):
                head = sha256(head + data.encode("ascii")).digest()
        return head.hex()

    def verified() -> None:
        if found := store.verify():
            raise RuntimeError(f"the ledger is not whole: {found[:3]}")

    replay = timed(lambda: Contest.of(world.contest.setup, store.record()), size)
    bare = timed(floor, size)
    few = Effort(min(effort.turns, 3), effort.seconds, effort.sizes, effort.full)
    yield from compare("full replay", "seconds an entry", size, {"ours": replay, "read and hash": bare},
                       [Against("read and hash", "<=", 5)], few)
    yield from compare("verify", "seconds an entry", size, {"ours": timed(verified, size), "read and hash": bare},
                       [Against("read and hash", "<=", 5)], few)
