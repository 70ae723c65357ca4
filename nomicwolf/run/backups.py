"""Backups that the program makes by itself: before a phase changes and before an upgrade, so many kept, each proved."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from nomicwolf import __version__
from nomicwolf.ledger.copies import backup
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.files import remove_file
from nomicwolf.ledger.records import Tip
from nomicwolf.ledger.store import Store
from nomicwolf.post.lock import VERSION, lines_of, write_line
from nomicwolf.run.own import OwnFailed, run_own
from nomicwolf.run.resources import lock_file
from nomicwolf.settings import Settings
from nomicwolf.village.events import Entry, PhaseBegan

UPGRADE, ERASURE, WISH = "upgrade", "erasure", "wish"
"""Why a backup is made, beside a phase (``day-1``) that begins: by another version, after an erasure, by a command."""
_FORM = re.compile(r"(?P<contest>.+)\.(?P<at>\d{8}T\d{6}Z)\.(?P<last>\d+)\.(?P<why>[a-z0-9-]+)\.db")
BESIDE_FOLDER = ".backup-"
"""How folders begin in which a backup is made that goes to standard output."""
_TIME = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup in its folder: its *file*, made at *at* (UTC seconds) behind entry *last*, and *why*."""

    file: Path
    at: int
    last: int
    why: str


def backups(settings: Settings) -> tuple[Backup, ...]:
    """Return the contest's backups in their folder, the newest first."""
    found = []
    for file in settings.keep.backups.glob(f"{settings.contest.id}.*.db"):
        form = _FORM.fullmatch(file.name)
        if form is not None and form["contest"] == settings.contest.id and file.is_file():
            at = int(datetime.strptime(form["at"], _TIME).replace(tzinfo=UTC).timestamp())
            found.append(Backup(file, at, int(form["last"]), form["why"]))
    return tuple(sorted(found, key=lambda each: (each.at, each.last, each.why), reverse=True))


def unfinished(settings: Settings) -> Iterator[Path]:
    """Yield what a run that died left of backups that it was making."""
    yield from settings.keep.backups.glob(f"{settings.contest.id}.*.db.part*")
    yield from settings.folder.glob(f"{BESIDE_FOLDER}*/*")


def make_backup(settings: Settings, last: int, now: int, why: str) -> Path:
    """Copy the ledger into the folder of backups, prove the copy, and let go of the oldest ones beyond their number.

    `LedgerError` if it can't be made or isn't whole; then it is removed, and none is let go of.
    """
    name = f"{settings.contest.id}.{datetime.fromtimestamp(now, UTC).strftime(_TIME)}.{last}.{why}.db"
    file, contest, key = settings.keep.backups / name, settings.contest.id, settings.ledger.key
    if file.exists():
        return file
    backup(settings.ledger.url, contest, file, key)
    try:
        _demand_whole(settings, file)
    except LedgerError:
        remove_file(file)
        raise
    for old in backups(settings)[max(1, settings.keep.backup_count):]:
        remove_file(old.file)
    return file


def tip_of(settings: Settings) -> Tip:
    """Return how the ledger stands."""
    with Store.open(settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key) as store:
        return store.opened


def backup_to(settings: Settings, out: BinaryIO) -> None:
    """Write a copy of the ledger, proved whole, into *out*."""
    with TemporaryDirectory(dir=settings.folder, prefix=BESIDE_FOLDER) as folder:
        file = Path(folder) / "contest.db"
        backup(settings.ledger.url, settings.contest.id, file, settings.ledger.key)
        _demand_whole(settings, file)
        with file.open("rb") as made:
            shutil.copyfileobj(made, out)
        out.flush()


def _demand_whole(settings: Settings, file: Path) -> None:
    with Store.open(f"sqlite:///{file}", settings.contest.id, readonly=True, keys=settings.ledger.key) as store:
        problems = store.verify()
    if problems:
        raise LedgerError("\n".join((f"{file.name}: the backup isn't whole:", *problems)))


def before_phase(settings: Settings, entries: Sequence[Entry], last: int, now: int) -> str:
    """Make a backup if a phase begins in *entries*, which aren't kept yet; return what went wrong, '' if nothing.

    *last* is the number of the last entry that is kept.
    """
    phase = next((e for e in entries if isinstance(e.event, PhaseBegan)), None)
    if phase is None or not wanted(settings):
        return ""
    assert isinstance(phase.event, PhaseBegan)
    return _tried(settings, last, now, f"{phase.event.phase}-{phase.event.number}")


def before_upgrade(settings: Settings, last: int, now: int) -> str:
    """Make a backup if another version of the program worked here last; return what went wrong, '' if nothing."""
    lock = lock_file(settings)
    was = lines_of(lock)[VERSION]
    if was == __version__ or not wanted(settings):
        return ""
    said = _tried(settings, last, now, UPGRADE) if last and was else ""
    if not said:
        write_line(lock, VERSION, __version__)
    return said


def copy_away(settings: Settings) -> tuple[str, int]:
    """Let the contestmaster's command take the newest backup elsewhere, unless it has; return what went wrong, if any.

    With it comes the exit status that it calls for. What failed is tried again by the next run that has work.
    """
    newest = next(iter(backups(settings)), None) if settings.keep.copy else None
    note = lock_file(settings).with_suffix(".copied")
    if newest is None or (note.exists() and note.read_text(encoding="utf-8") == newest.file.name):
        return "", 0
    try:
        run_own("keep.copy", settings.keep.copy, settings.folder, settings.keep.timeout)
    except OwnFailed as error:
        return str(error), error.status
    note.write_text(newest.file.name, encoding="utf-8")
    return "", 0


def wanted(settings: Settings) -> bool:
    """Return whether backups are made of this ledger."""
    return settings.ledger_file is not None and settings.keep.backup_count > 0


def _tried(settings: Settings, last: int, now: int, why: str) -> str:
    try:
        make_backup(settings, last, now, why)
    except (LedgerError, OSError) as error:
        return f"no backup was made before {why}: {error}; keep.backups names its folder"
    return ""
