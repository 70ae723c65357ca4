"""Snapshots of a contest in its ledger, so that a run folds only what came since; never trusted, always checkable.

A snapshot is used only if the record still has its head, the program folds as the one that made it, the settings are
those that a fold looks at, and its bytes are authentic (HMAC-SHA-256 by the contest's key): else the whole record is
folded, and the next snapshot takes its place. `nomicwolf ledger verify` folds it all and compares. What was said, and
which letters came, is looked up by marks, which are keyed hashes too; each find is compared with the entry itself.
"""

from __future__ import annotations

import hmac
import pickle
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from gzip import GzipFile
from hashlib import sha256
from itertools import islice, takewhile
from operator import attrgetter
from pathlib import Path
from typing import Any

import nomicwolf
from nomicwolf.contest import Contest, Setup
from nomicwolf.dataclass import dataclass
from nomicwolf.ledger.records import Snapshot
from nomicwolf.ledger.store import Store
from nomicwolf.nomic.grown import Lengthened
from nomicwolf.nomic.resuming import BY_SESSION, kept, resumed
from nomicwolf.nomic.state import PublicHalf
from nomicwolf.reports.public import count_recorded, is_public, shown, shown_before
from nomicwolf.run.marks import Marks
from nomicwolf.run.past import Lookup, Past
from nomicwolf.run.pressing import pressed, unpressed
from nomicwolf.village.events import Entry, Event

EVERY = 500
"""A run that leaves so many entries behind the last snapshot makes a new one."""
HELD = 4_000
"""A run puts the contest away when it has heard so many entries, and takes it up again, so that few are in memory."""
STRIDE = 20_000
"""Of a record that is folded from its beginning so many entries are in memory at once."""
_RECENT = 256
"""So many of a record's last entries are in memory when it is taken up."""
_SESSION = 1_000
"""So many of them are if they are of the session in progress, at most."""
_MAC = 32
"""Bytes of the code that shows a snapshot to be ours (HMAC-SHA-256)."""
_NUMBER = attrgetter("number")
_GAME = ("ballots", "events", "game", "notices", "proceedings", "record", "renaming", "slots")
FOLDS = (*(f"village/{name}.py" for name in _GAME), "village/rulesets/*.py", "nomic/*.py", "reports/public.py",
         "run/past.py", "run/pressing.py", "run/snapshots.py", "dataclass.py")
"""What a fold depends on of the program's own files; the rule sets are asked for their switches."""


@cache
def _program() -> bytes:
    """Return the hash of all that a fold depends on of the program's own files."""
    folder, found = Path(nomicwolf.__file__).parent, sha256(nomicwolf.__version__.encode())
    for path in (path for pattern in FOLDS for path in sorted(folder.glob(pattern))):
        found.update(path.read_bytes())
    return found.digest()


class _Reader(pickle.Unpickler):
    """Reads what was found authentic, and nothing but values of ours; *entries* are those told of by their places."""

    def __init__(self, file: GzipFile, entries: Sequence[Entry]) -> None:
        super().__init__(file)
        self._entries = entries

    def persistent_load(self, place: int) -> Entry:
        """Return the entry at a *place*."""
        return self._entries[place]

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


def take_up(
    setup: Setup, store: Store, begun: Callable[[Setup], Contest] = Contest, *, writes: bool = False,
) -> TakenUp:
    """Return the contest that the ledger tells of; `Garbled` at an entry that can't be read.

    If all of its record has to be folded, it is *begun* with nothing heard. Who *writes* in the ledger anyway keeps
    there where letters and words stand as it folds.
    """
    shortcuts = store.shortcuts()
    snapshot = shortcuts.snapshot()
    contest = _resumed(setup, shortcuts, snapshot) if snapshot is not None else None
    if contest is None:
        lighten = partial(put_away, setup, store) if writes else None
        return TakenUp(folded(setup, shortcuts, store.record(), begun, lighten))
    since = contest.last
    contest.take(store.record(since))
    return TakenUp(contest, since)


def folded(
    setup: Setup, shortcuts: Lookup, record: Iterator[Entry], begun: Callable[[Setup], Contest] = Contest,
    lighten: Callable[[Contest], Contest] | None = None,
) -> Contest:
    """Return the contest that a whole *record* tells of, with no more of it in memory than a run needs.

    It is *begun* with nothing heard, and *lighten* leaves in the ledger what isn't needed (`lightened`).
    """
    lighten = lighten or partial(lightened, setup, shortcuts)
    contest = begun(setup)
    contest.take(islice(record, STRIDE))
    while stride := [*islice(record, STRIDE)]:
        contest = lighten(contest)
        contest.take(stride)
    return contest


def lightened(setup: Setup, shortcuts: Lookup, contest: Contest) -> Contest:
    """Return *contest*, its settings now *setup*, with all that came before its session left in the ledger.

    Where letters and words stand is kept: the ledger may not know it yet.
    """
    lighter = _taken(setup, shortcuts, contents(contest), contest.last)
    for name in ("by_message", "by_digest", "by_seal", "said", *BY_SESSION):
        setattr(lighter, name, getattr(contest, name))
    for found, before in zip(_public_contests(lighter), _public_contests(contest), strict=True):
        for name in BY_SESSION:
            setattr(found, name, getattr(before, name))
    return lighter


def _public_contests(contest: Contest) -> tuple[Contest, Contest]:
    """Return the contests that the public entries tell of, with all of them and with those before the session."""
    return shown(contest)[1], shown_before(contest)[1]


def keep(setup: Setup, store: Store, found: Contest, since: int) -> None:
    """Put a snapshot of a contest into its ledger if many entries came *since* the one that there is."""
    if found.last - since < EVERY:
        return
    shortcuts, marks = store.shortcuts(), Marks(setup.secret)
    head, new = shortcuts.head_at(found.last), found.entries.since(shortcuts.found_upto(marks.name))
    data = _sealed(setup, found.last, head, contents(found))
    shortcuts.keep(Snapshot(found.last, head, found.last, marks.name, data), marks.of(new))


def put_away(setup: Setup, store: Store, contest: Contest, since: int = 0) -> Contest:
    """Return *contest* with no more of its record in memory than one has that is taken up from a snapshot.

    It is as it is if it has heard fewer entries than `HELD` *since* it was put away. The ledger has to have all of it;
    where letters and words stand is put there.
    """
    if contest.last - since < HELD:
        return contest
    shortcuts, marks = store.shortcuts(), Marks(setup.secret)
    known = shortcuts.found_upto(marks.name)
    if known < contest.last:
        shortcuts.add(contest.last, marks.name, marks.of(contest.entries.since(known)))
    return _taken(setup, shortcuts, contents(contest), contest.last)


def contents(contest: Contest) -> dict[str, Any]:
    """Return what a snapshot keeps of a contest: how it stands, and its last entries, which may be its session's."""
    (record, seen), (before, then) = shown(contest), shown_before(contest)
    recent = [*contest.entries.since(_first_kept(contest) - 1)]
    public = [entry for entry in recent if is_public(entry.event)]
    return {
        "state": kept(contest), "recent": recent, "public": (len(record), public),
        "shown": (kept(seen), len(seen.entries), [*seen.entries.since(len(seen.entries) - count_recorded(public))]),
        "before": (before, kept(then), len(then.entries), []),
    }


def _first_kept(contest: Contest) -> int:
    """Return the number of the first entry that a snapshot keeps."""
    first = contest.last - _RECENT + 1
    if contest.running is not None:
        first = min(first, max(contest.recalled.started, contest.last - _SESSION + 1))
    return max(first, 1)


def _resumed(setup: Setup, shortcuts: Lookup, snapshot: Snapshot) -> Contest | None:
    """Return the contest of a snapshot; None if it isn't ours, or is another program's or of other settings."""
    data = opened(setup, snapshot)
    if data is None:
        return None
    try:
        found = load(data)
    except (pickle.UnpicklingError, AttributeError, ImportError):
        return None  # what another package declared is gone: the record will say so
    return _taken(setup, shortcuts, found, snapshot.last)


def _taken(setup: Setup, shortcuts: Lookup, found: Mapping[str, Any], last: int) -> Contest:
    """Return a contest as it was told of at entry *last*, which has all that came before in its ledger."""
    past = Past(setup, shortcuts, Marks(setup.secret), last)
    (length, recent), (before, *then) = found["public"], found["before"]
    contest = resumed(setup, found["state"], past.behind(len(found["recent"])), found["recent"])
    first = recent[0].number if recent else last + 1
    apart, began = length - len(recent), min(contest.recalled.started, first) or 1
    record = Lengthened(
        recent, past.shown(min(before, apart), 1, began), past.shown(max(apart - before, 0), began, first))
    public, earlier = past.public_contest(*found["shown"]), past.public_contest(*then)
    contest.public = PublicHalf(last, record, public, (before, earlier))
    return contest


def load(data: bytes) -> dict[str, Any]:
    """Return what an authentic snapshot tells; UnpicklingError if anything in it isn't a value of ours."""
    entries, parts = unpressed(data, _Reader)
    return {**parts, "recent": entries[parts.pop("older"):]}


def _sealed(setup: Setup, last: int, head: str, parts: Mapping[str, Any]) -> bytes:
    recent, game = parts["recent"], parts["state"]["game"]
    older = takewhile(lambda entry: not recent or entry.number < recent[0].number, game.entries if game else ())
    entries = [*older, *recent]
    rest = {**parts, "recent": (), "older": len(entries) - len(recent)}
    data = pressed(entries, rest, partial(_place, entries))
    return _mac(setup, last, head, data) + data


def _place(entries: Sequence[Entry], value: object) -> int | None:
    """Return where *value* stands among *entries*, whose numbers rise."""
    if type(value) is not Entry:
        return None
    place = bisect_left(entries, value.number, key=_NUMBER)
    return place if place < len(entries) and entries[place] is value else None


def opened(setup: Setup, snapshot: Snapshot) -> bytes | None:
    """Return a snapshot's bytes, to `load`; None if it isn't ours, or is another program's or of other settings."""
    mac, data = snapshot.data[:_MAC], snapshot.data[_MAC:]
    return data if hmac.compare_digest(mac, _mac(setup, snapshot.last, snapshot.head, data)) else None


def looked_at(setup: Setup) -> tuple[object, ...]:
    """Return the settings that a fold looks at."""
    return setup.contest, setup.nomics, sorted(setup.switches.items())


def _mac(setup: Setup, last: int, head: str, data: bytes) -> bytes:
    """Return what nobody without the contest's key can make for these bytes, this record, program and settings."""
    about = repr((*looked_at(setup), last, head)).encode()
    digests = _program() + sha256(about).digest() + sha256(data).digest()
    return hmac.digest(setup.secret, b"nomicwolf snapshot 1" + digests, "sha256")
