"""A ledger brought back from a backup: proved first, put in the other's place, and marked as brought back.

What happened after the backup was made is in the mailbox, and is heard again by the next poll, which is wary of what
may be out already (`nomicwolf.run.doubting`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import nomicwolf.contest  # noqa: F401 - declares every kind of event
from nomicwolf.dataclass import dataclass
from nomicwolf.ledger.chain import first_head
from nomicwolf.ledger.copying import copy_contest
from nomicwolf.ledger.engine import connect
from nomicwolf.ledger.errors import Busy, LedgerError, OldLedger
from nomicwolf.ledger.files import copy_file, move_aside, remove_file, sync_folder
from nomicwolf.ledger.records import Tip
from nomicwolf.ledger.schema import upgrade
from nomicwolf.ledger.store import Store
from nomicwolf.run.doubting import MARK
from nomicwolf.run.turn import turn
from nomicwolf.run.world import note_last
from nomicwolf.settings import Settings


@dataclass(frozen=True, slots=True)
class Restored:
    """What was brought back: the backup's last entry, when it was made (UTC seconds), where the other ledger is now."""

    last: int
    at: int
    aside: Path | None


def restore(settings: Settings, backup: Path, now: Callable[[], int], *, over: bool = False) -> Restored:
    """Put *backup* in the ledger's place; what stood there is kept beside it under another name.

    `LedgerError`, with nothing changed, if the backup isn't whole, is another contest's, or is not a continuation of
    what stands there and *over* doesn't say that it shall go all the same. `Locked` if a run has its turn.
    """
    if not backup.is_file():
        raise LedgerError(f"{backup}: there is no such file; name the copy that `nomicwolf backup` made")
    file = settings.ledger_file
    made = (file or settings.folder / "contest.db").with_suffix(".restoring")
    with turn(settings) if file else nullcontext():
        remove_file(made)
        try:
            copy_file(backup, made)
            tip = _proved(made, settings.contest.id, now(), settings.ledger.key)
            if file is None:
                copy_contest(f"sqlite:///{made}", settings.ledger.url, settings.contest.id, settings.ledger.key)
                return Restored(tip.last, tip.polled_at, None)
            if not over:
                _demand_continuation(file, made, settings.contest.id, settings.ledger.key)
            aside = move_aside(file, now())
            made.replace(file)
            note_last(settings, tip.last)
            sync_folder(file.parent)
        finally:
            remove_file(made)
    return Restored(tip.last, tip.polled_at, aside)


def _proved(made: Path, contest: str, now: int, keys: str) -> Tip:
    """Return how the copy stands, brought to the newest schema, proved whole and marked as brought back."""
    url = f"sqlite:///{made}"
    try:
        store = Store.open(url, contest, keys=keys)
    except OldLedger:
        older = upgrade(url)
        if older is not None:
            older.unlink()
        store = Store.open(url, contest, keys=keys)
    with store:
        if problems := store.verify():
            raise LedgerError("\n".join(("the backup isn't whole, and nothing was changed; take an older one:",
                                         *problems)))
        tip = store.tip()
        store.keep(tip.last, mark=(MARK, 0, now), now=tip.polled_at, alarm=tip.alarm)
    return tip


def _demand_continuation(file: Path, made: Path, contest: str, keys: str) -> None:
    """Raise `LedgerError` if the ledger that stands there has anything that the backup, which is proved, hasn't.

    One that can't be read stands in nobody's way; `Busy` if it can't be read now.
    """
    if not file.exists():
        return
    url = f"sqlite:///{file}"
    try:
        with Store(connect(url, readonly=True, keys=keys), url, contest, keys) as store:  # of whichever schema it is
            there = store.tip()
    except Busy:
        raise
    except LedgerError:
        return
    with Store.open(f"sqlite:///{made}", contest, readonly=True, keys=keys) as store:
        last, head = store.last(), store.head_at(there.last) or first_head(contest)
    if there.last > last or there.head != head:
        raise LedgerError(
            f"{file}: stands at entry {there.last}, and the backup ends with entry {last}: something would be lost, "
            "and nothing was changed. Use --over to go back all the same; the ledger is kept beside it")
