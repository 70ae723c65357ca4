"""Restoring a ledger from a backup, verified first.

What happened after the backup was made is in the mailbox and is heard again by the next poll, which doesn't repeat
announcements that may be out already (`nomicwolf.run.sending`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import nomicwolf.contest  # noqa: F401 - declares every kind of event
from nomicwolf.ledger.codec import first_head
from nomicwolf.ledger.copies import copy_contest
from nomicwolf.ledger.database import connect, upgrade
from nomicwolf.ledger.errors import Busy, LedgerError, OldLedger
from nomicwolf.ledger.files import copy_file, move_aside, remove_file, sync_folder
from nomicwolf.ledger.records import Tip
from nomicwolf.ledger.store import Store
from nomicwolf.run.resources import note_last_entry
from nomicwolf.run.sending import MARK
from nomicwolf.run.turn import turn
from nomicwolf.settings import Settings


@dataclass(frozen=True, slots=True)
class Restored:
    """A restored ledger: the backup's last entry and time (UTC seconds), and where the replaced ledger is now."""

    last: int
    at: int
    aside: Path | None


def restore(settings: Settings, backup: Path, now: Callable[[], int], *, over: bool = False) -> Restored:
    """Put *backup* in the ledger's place, which keeps the replaced ledger beside it under another name.

    `LedgerError`, with nothing changed, if the backup has faults, is another contest's, or doesn't continue the present
    ledger, unless *over* is set. `Locked` if a run has the contest's turn.
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
            note_last_entry(settings, tip.last)
            sync_folder(file.parent)
        finally:
            remove_file(made)
    return Restored(tip.last, tip.polled_at, aside)


def _proved(made: Path, contest: str, now: int, keys: str) -> Tip:
    """Upgrade and verify the copy, mark it as restored, and return its tip."""
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
        store.append(tip.last, mark=(MARK, 0, now), now=tip.polled_at, alarm=tip.alarm)
    return tip


def _demand_continuation(file: Path, made: Path, contest: str, keys: str) -> None:
    """Raise `LedgerError` if the present ledger has anything that the verified backup lacks.

    A ledger that can't be read is no obstacle; `Busy` if it can't be read now.
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
