"""Snapshots of a contest in its ledger, so that a run folds only what came since; never trusted, always checkable.

A snapshot is used only if the record still has its head, the program folds as the one that made it, the settings are
those that a fold looks at, and its bytes are authentic (HMAC-SHA-256 by the contest's key): else the whole record is
folded, and the next snapshot takes its place. `nomicwolf ledger verify` folds it all and compares. What was said, and
which letters came, is looked up by marks, which are keyed hashes too; each find is compared with the entry itself.
"""

from __future__ import annotations

import hmac
import io
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import nomicwolf
from nomicwolf.contest import Contest, Setup
from nomicwolf.ledger.records import Snapshot
from nomicwolf.ledger.shortcuts import Shortcuts
from nomicwolf.ledger.store import Store
from nomicwolf.nomic.asleep import Asleep
from nomicwolf.nomic.events import SessionStarted
from nomicwolf.nomic.grown import Lengthened
from nomicwolf.nomic.resuming import BY_SESSION, kept, resumed
from nomicwolf.reports.public import is_public, shown, shown_before
from nomicwolf.run.marks import Marks
from nomicwolf.run.past import Past
from nomicwolf.run.pressing import pressed, unpressed
from nomicwolf.village.events import Entry, Event
from nomicwolf.village.game import Game

EVERY = 500
"""A run that leaves so many entries behind the last snapshot makes a new one."""
STRIDE = 20_000
"""Of a record that is folded from its beginning so many entries are in memory at once."""
_RECENT = 256
_MAC = 32
FOLDS = (*(f"village/{name}.py" for name in ("ballots", "events", "game", "proceedings", "record", "renaming")),
         "village/rulesets/*.py", "nomic/*.py", "reports/public.py", "run/past.py", "run/pressing.py",
         "run/snapshots.py", "dataclass.py")
"""What a fold depends on of the program's own files; the rule sets are asked for their switches."""


@cache
def _program() -> bytes:
    """Return the hash of all that a fold depends on of the program's own files."""
    folder, found = Path(nomicwolf.__file__).parent, sha256(nomicwolf.__version__.encode())
    for path in (path for pattern in FOLDS for path in sorted(folder.glob(pattern))):
        found.update(path.read_bytes())
    return found.digest()


class _Reader(pickle.Unpickler):
    """Reads what was found authentic, and nothing but values of ours."""

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - a class
        """Return a class of ours, or of a package that declares events; UnpicklingError for anything else."""
        found = super().find_class(module, name) if module.partition(".")[0] in _packages() else None
        if not isinstance(found, type):
            raise pickle.UnpicklingError(f"{module}.{name} has no place in a snapshot")
        return found


def _packages() -> set[str]:
    return {"nomicwolf", *(kind.__module__.partition(".")[0] for kind in Event.kinds.values())}


@dataclass(frozen=True, slots=True)
class TakenUp:
    """A contest as its ledger tells it, *since* the entry of the snapshot that was used (0: none was)."""

    contest: Contest
    since: int = 0


def take_up(setup: Setup, store: Store) -> TakenUp:
    """Return the contest that the ledger tells of; `Garbled` at an entry that can't be read."""
    shortcuts = store.shortcuts()
    snapshot = shortcuts.snapshot()
    contest = _resumed(setup, shortcuts, snapshot) if snapshot is not None else None
    if contest is None:
        return TakenUp(_folded(setup, shortcuts, store.record()))
    since = contest.last
    contest.take(store.record(since))
    return TakenUp(contest, since)


def _folded(setup: Setup, shortcuts: Shortcuts, record: Iterator[Entry]) -> Contest:
    """Return the contest that a whole *record* tells of, with no more of it in memory than a run needs.

    Where letters and words stand is kept from stride to stride: the ledger may not know it yet.
    """
    contest = Contest(setup)
    contest.take(islice(record, STRIDE))
    while stride := [*islice(record, STRIDE)]:
        lighter = _taken(setup, shortcuts, told_of(contest), contest.last)
        for name in ("by_message", "by_digest", "said", *BY_SESSION):
            setattr(lighter, name, getattr(contest, name))
        for found, before in zip(_told(lighter), _told(contest), strict=True):
            for name in BY_SESSION:
                setattr(found, name, getattr(before, name))
        contest = lighter
        contest.take(stride)
    return contest


def _told(contest: Contest) -> tuple[Contest, Contest]:
    """Return the contests that the public entries tell of, with all of them and with those before the session."""
    return shown(contest)[1], shown_before(contest)[1]


def keep(setup: Setup, store: Store, found: Contest, since: int) -> None:
    """Put a snapshot of a contest into its ledger if many entries came *since* the one that there is."""
    if found.last - since < EVERY:
        return
    shortcuts, marks = store.shortcuts(), Marks(setup.secret)
    before, head = shortcuts.snapshot(), shortcuts.head_at(found.last)
    known = before.found if before is not None and before.key == marks.name else 0
    made = Snapshot(found.last, head, found.last, marks.name, _sealed(setup, found.last, head, told_of(found)))
    near = found.last - since <= STRIDE  # in memory, then
    shortcuts.keep(made, marks.of(found.entries.since(known) if near else shortcuts.since(known, found.last)))


def problems(setup: Setup, store: Store) -> list[str]:
    """Return in what the ledger's snapshot, and what is looked up beside it, differ from what the record tells.

    A snapshot that wouldn't be used, of another program's or of other settings, is not looked into.
    """
    shortcuts = store.shortcuts()
    snapshot = shortcuts.snapshot()
    if snapshot is None:
        return []
    entries = [entry for entry in store.record() if entry.number <= max(snapshot.last, snapshot.found)]
    found = _lost(Marks(setup.secret), shortcuts, snapshot, entries)
    plain = _opened(setup, snapshot)
    if plain is not None:
        should = told_of(Contest.of(setup, entries[:snapshot.last]))
        found += [f"{part} of the snapshot at entry {snapshot.last}: not what the record tells; take it away by "
                  "`nomicwolf ledger verify --forget-snapshot`" for part in _otherwise(should, _load(plain))]
    return found


def _lost(marks: Marks, shortcuts: Shortcuts, snapshot: Snapshot, entries: Sequence[Entry]) -> list[str]:
    """Return the entries that can't be looked up, by the numbers of entries of which that should be so."""
    if snapshot.key != marks.name:
        return []
    there = shortcuts.finds()
    lost = {number for mark, number in marks.of(entries[:snapshot.found]) if number not in there.get(mark, ())}
    return [f"entry {number}: can't be looked up by what it says; take the snapshot away by `nomicwolf ledger verify "
            "--forget-snapshot`" for number in sorted(lost)]


def _otherwise(should: dict[str, Any], found: dict[str, Any]) -> Iterator[str]:
    """Yield the parts in which two snapshots differ; a session is compared by all that it keeps."""
    for name in ("recent", "public"):
        if should[name] != found[name]:
            yield name
    pairs = (("state", should["state"], found["state"]), ("told", should["told"][0], found["told"][0]),
             ("before", should["before"][1], found["before"][1]))
    for name, here, there in pairs:
        for part in sorted(here.keys() | there.keys()):
            if _plain(here.get(part)) != _plain(there.get(part)):
                yield f"{name}, {part}"


def _plain(value: object) -> object:
    return value.__getstate__() if isinstance(value, Game) else value


def told_of(contest: Contest) -> dict[str, Any]:
    """Return what a snapshot keeps of a contest: how it stands, and the entries of its session, or the last ones."""
    (record, told), (before, then) = shown(contest), shown_before(contest)
    start = max(contest.last - _RECENT + 1, 1)
    if contest.running is not None:
        start = min(start, next(e.number for e in reversed(contest.entries) if isinstance(e.event, SessionStarted)))

    def recent(entries: Lengthened[Entry]) -> list[Entry]:
        return [*takewhile(lambda entry: entry.number >= start, reversed(entries))][::-1]

    return {
        "state": kept(contest), "recent": recent(contest.entries),
        "public": (len(record), recent(record)), "told": (kept(told), len(told.entries), recent(told.entries)),
        "before": (before, kept(then), len(then.entries), []),
    }


def _resumed(setup: Setup, shortcuts: Shortcuts, snapshot: Snapshot) -> Contest | None:
    """Return the contest of a snapshot; None if it isn't ours, or is another program's or of other settings."""
    plain = _opened(setup, snapshot)
    if plain is None:
        return None
    try:
        found = _load(plain)
    except (pickle.UnpicklingError, AttributeError, ImportError):
        return None  # what another package declared is gone: the record will say so
    return _taken(setup, shortcuts, found, snapshot.last)


def _taken(setup: Setup, shortcuts: Shortcuts, found: Mapping[str, Any], last: int) -> Contest:
    """Return a contest as it was told of at entry *last*, which has all that came before in its ledger."""
    past = Past(setup, shortcuts, Marks(setup.secret), last)
    (length, recent), (before, *then) = found["public"], found["before"]
    contest = resumed(setup, found["state"], past.behind(len(found["recent"])), found["recent"])
    first = recent[0].number if recent else last + 1
    record = Lengthened(recent, below=Asleep(
        length - len(recent), lambda: past.public, lambda: filter(_public, past.back(first))))
    contest.public = last, record, past.told(*found["told"]), (before, past.told(*then))
    return contest


def _public(entry: Entry) -> bool:
    return is_public(entry.event)


def _load(plain: bytes) -> dict[str, Any]:
    found: dict[str, Any] = _Reader(io.BytesIO(plain)).load()
    return found


def _sealed(setup: Setup, last: int, head: str, told: dict[str, Any]) -> bytes:
    data = pressed(told)
    return _mac(setup, last, head, data) + data


def _opened(setup: Setup, snapshot: Snapshot) -> bytes | None:
    mac, data = snapshot.data[:_MAC], snapshot.data[_MAC:]
    return unpressed(data) if hmac.compare_digest(mac, _mac(setup, snapshot.last, snapshot.head, data)) else None


def _mac(setup: Setup, last: int, head: str, data: bytes) -> bytes:
    """Return what nobody without the contest's key can make for these bytes, this record, program and settings."""
    looked_at = repr((setup.contest, setup.nomics, sorted(setup.switches.items()), last, head)).encode()
    digests = _program() + sha256(looked_at).digest() + sha256(data).digest()
    return hmac.digest(setup.secret, b"nomicwolf snapshot 1" + digests, "sha256")
