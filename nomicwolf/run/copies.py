"""Archives and backups, and their owner's commands.

Polls write the archive where something has changed, then publish it by the contestmaster's command. What is still to be
done is in a file beside the lock, so that a run that dies, or a server that is away, leaves it to the next one.

A ledger is restored from a verified backup only. What happened after the backup was made is in the mailbox and is heard
again by the next poll, which doesn't repeat announcements that may be out already (`nomicwolf.run.sending`).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO

import nomicwolf.contest  # noqa: F401 - declares every kind of event
from nomicwolf import __version__
from nomicwolf.ledger.database import copy_file, move_aside, remove_file, sync_folder
from nomicwolf.ledger.errors import Busy, LedgerError, OldLedger
from nomicwolf.ledger.records import Tip
from nomicwolf.ledger.store import Store, backup, copy_contest
from nomicwolf.ledger.transaction import Step
from nomicwolf.ledger.verify import demand_whole
from nomicwolf.nomic.times import duration
from nomicwolf.run.resources import (
    LATER,
    NEEDS_YOU,
    VERSION,
    PollReport,
    lines_of,
    lock_file,
    note_last_entry,
    read_store,
    system_error_text,
    turn,
    write_line,
)
from nomicwolf.run.sending import MARK
from nomicwolf.settings.keys import Settings
from nomicwolf.village.events import Entry, PhaseBegan

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Letter
    from nomicwolf.reports.archive import Published, Wrote

_TAIL = 4096
_SHOWN = 200
_USER = re.compile(r"(?<=://)[^/\s@]*@|(?<=\?)\S+")
"""A possible password in an address that a command prints."""


class HookFailed(Exception):
    """The command did not do its work; its text says why, and what to do."""

    def __init__(self, said: str, status: int = LATER) -> None:
        self.status = status
        super().__init__(said)


def run_hook(key: str, command: Sequence[str], folder: Path, seconds: int) -> None:
    """Run the *command* of the setting *key* in *folder*; `HookFailed` if it fails or takes more than *seconds*.

    No shell reads it, and it gets none of the program's own variables, some of which are passwords.
    """
    program, *_ = command
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NOMICWOLF_")}
    with tempfile.TemporaryFile() as output:
        try:
            started = subprocess.Popen(  # noqa: S603 - the contestmaster's own command
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        except OSError as error:
            mend = "install it, or name it by its path"
            raise HookFailed(f"{key}: {program}: {error.strerror}; {mend}", NEEDS_YOU) from error
        try:
            status = started.wait(seconds)
        except subprocess.TimeoutExpired as error:
            table = key.partition(".")[0]
            raise HookFailed(f"{key}: {program} took more than {seconds} seconds and was stopped; let it do less, or "
                            f"raise {table}.timeout") from error
        finally:
            _stop(started)
        if status:
            how = f"ended with status {status}" if status > 0 else f"was ended by signal {-status}"
            raise HookFailed(f"{key}: {program} {how}{_last_line(output.fileno())}")


def _stop(started: subprocess.Popen[bytes]) -> None:
    """End a command that still runs, with all that it has started."""
    if started.poll() is None:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()


def _last_line(output: int) -> str:
    """Return the last line that a command has printed, without what may be a password; '' if it printed nothing."""
    size = os.fstat(output).st_size
    text = os.pread(output, _TAIL, max(0, size - _TAIL)).decode("utf-8", "replace")
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return ""
    return ": " + "".join(c if c.isprintable() else " " for c in _USER.sub("…", lines[-1].strip()))[:_SHOWN]


def published(settings: Settings) -> Published:
    """Return what may be published now; `LedgerError` if the ledger can't be read."""
    from nomicwolf.reports.archive import Posted, publish
    from nomicwolf.run.contest_setup import recorded

    with read_store(settings) as store:
        contest = recorded(settings, store)
        posted = [Posted(owed.letter, owed.message_id) for owed in store.outbox().each()
                  if owed.state == "sent" and owed.letter.kind == "public"]
        wrote = {kept.entry: _words(kept.letter) for kept in store.letters() if kept.entry and kept.letter.forums}
        return publish(contest, posted, settings.archive.url, wrote)


def _words(letter: Letter) -> Wrote:
    from nomicwolf.reports.archive import Wrote

    answers = (letter.in_reply_to, *reversed(letter.references))
    return Wrote(letter.subject, letter.body, tuple(dict.fromkeys(i for i in answers if i)))


SUMS = "SHA256SUMS"
SOONEST, LATEST = 300, 6 * 3600
"""Seconds until a command that failed is tried again: at first, and at most; each time it is twice as long."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The archive's state: whether it is *due* to be written, and which state of it was *published*.

    The command has failed *tries* times since it last did its work, and is not tried before *until* (UTC seconds).
    """

    due: bool = True
    published: str = ""
    tries: int = 0
    until: int = 0


def note_due(settings: Settings) -> None:
    """Note that the archive is to be brought up to date, before anything happens that changes it."""
    if settings.archive.write:
        _note(settings, replace(_standing(settings), due=True))


def is_due(settings: Settings, now: int) -> bool:
    """Return whether there is something to be written or published at *now* (UTC seconds)."""
    if not settings.archive.write:
        return False
    standing = _standing(settings)
    return standing.due or (_unpublished(settings, standing) and standing.until <= now)


def bring_up_to_date(settings: Settings, now: int) -> PollReport:
    """Write what has changed, and publish it.

    A command that has failed is left alone until its time comes, however much is written meanwhile.
    """
    if not is_due(settings, now):
        return PollReport(idle=True)
    standing = _standing(settings)
    if standing.due:
        if said := _written(settings):
            return PollReport(NEEDS_YOU, (said,))
        standing = replace(standing, due=False)
        _note(settings, standing)
    if not _unpublished(settings, standing) or standing.until > now:
        return PollReport()
    try:
        run_hook("archive.publish", settings.archive.publish, settings.folder, settings.archive.timeout)
    except HookFailed as error:
        wait = min(LATEST, SOONEST << min(standing.tries, 10))
        _note(settings, replace(standing, tries=standing.tries + 1, until=now + wait))
        return PollReport(error.status, (f"{error}; it is tried again in {duration(wait)}",))
    _note(settings, Standing(due=False, published=_state(settings)))
    return PollReport()


def _written(settings: Settings) -> str:
    """Write the archive where it changed; return what keeps it from being written, '' for nothing."""
    from nomicwolf.archive.files import ForeignFiles, write

    try:
        write(published(settings), settings.archive.path)
    except ForeignFiles as error:
        return f"archive.path: {error}"
    except OSError as error:
        return f"archive.path: {system_error_text(error)}"
    return ""


def _unpublished(settings: Settings, standing: Standing) -> bool:
    return bool(settings.archive.publish) and _state(settings) != standing.published


def _state(settings: Settings) -> str:
    """Return a hash of all files of the archive, '' if there is none."""
    try:
        return sha256((settings.archive.path / SUMS).read_bytes()).hexdigest()
    except OSError:
        return ""


def _file(settings: Settings) -> Path:
    return lock_file(settings).with_suffix(".archive")


def _standing(settings: Settings) -> Standing:
    """Return what is to be done; of a file that can't be read, or isn't there, all of it."""
    try:
        return Standing(**json.loads(_file(settings).read_text(encoding="ascii")))
    except (OSError, ValueError, TypeError):
        return Standing()


def _note(settings: Settings, standing: Standing) -> None:
    file = _file(settings)
    fresh = file.with_name(f".{file.name}.new")
    fresh.write_text(json.dumps(asdict(standing)) + "\n", encoding="ascii")
    fresh.replace(file)


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
    """Return the ledger's tip."""
    with read_store(settings) as store:
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
        demand_whole(store.verify(), f"{file.name}: the backup isn't whole")


def before_phase(settings: Settings, entries: Sequence[Entry], last: int, now: int) -> str:
    """Make a backup if a phase begins in *entries*, which aren't kept yet; return what went wrong, '' if nothing.

    *last* is the number of the last entry that is kept.
    """
    phase = next((e for e in entries if isinstance(e.event, PhaseBegan)), None)
    if phase is None or not backups_wanted(settings):
        return ""
    assert isinstance(phase.event, PhaseBegan)
    return _try_backup(settings, last, now, f"{phase.event.phase}-{phase.event.number}")


def before_upgrade(settings: Settings, last: int, now: int) -> str:
    """Make a backup if another version of the program worked here last; return what went wrong, '' if nothing."""
    lock = lock_file(settings)
    was = lines_of(lock)[VERSION]
    if was == __version__ or not backups_wanted(settings):
        return ""
    said = _try_backup(settings, last, now, UPGRADE) if last and was else ""
    if not said:
        write_line(lock, VERSION, __version__)
    return said


def copy_away(settings: Settings) -> tuple[str, int]:
    """Run the contestmaster's command on the newest backup, unless it was run; return what went wrong, if anything.

    With it comes the exit status that it calls for. What failed is tried again by the next run that has work.
    """
    newest = next(iter(backups(settings)), None) if settings.keep.copy else None
    note = lock_file(settings).with_suffix(".copied")
    if newest is None or (note.exists() and note.read_text(encoding="utf-8") == newest.file.name):
        return "", 0
    try:
        run_hook("keep.copy", settings.keep.copy, settings.folder, settings.keep.timeout)
    except HookFailed as error:
        return str(error), error.status
    note.write_text(newest.file.name, encoding="utf-8")
    return "", 0


def backups_wanted(settings: Settings) -> bool:
    """Return whether backups are made of this ledger."""
    return settings.ledger_file is not None and settings.keep.backup_count > 0


def _try_backup(settings: Settings, last: int, now: int, why: str) -> str:
    try:
        make_backup(settings, last, now, why)
    except (LedgerError, OSError) as error:
        return f"no backup was made before {why}: {error}; keep.backups names its folder"
    return ""


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
            tip = _verified(made, settings.contest.id, now(), settings.ledger.key)
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


def _verified(made: Path, contest: str, now: int, keys: str) -> Tip:
    """Upgrade and verify the copy, mark it as restored, and return its tip."""
    from nomicwolf.ledger.database import upgrade

    url = f"sqlite:///{made}"
    try:
        store = Store.open(url, contest, keys=keys)
    except OldLedger:
        older = upgrade(url)
        if older is not None:
            older.unlink()
        store = Store.open(url, contest, keys=keys)
    with store:
        demand_whole(store.verify(), "the backup isn't whole, and nothing was changed; take an older one")
        tip = store.tip()
        store.append(Step(tip.last, mark=(MARK, 0, now), now=tip.polled_at, alarm=tip.alarm))
    return tip


def _demand_continuation(file: Path, made: Path, contest: str, keys: str) -> None:
    """Raise `LedgerError` if the present ledger has anything that the verified backup lacks.

    A ledger that can't be read is no obstacle; `Busy` if it can't be read now.
    """
    from nomicwolf.ledger.database import connect
    from nomicwolf.ledger.records import first_head

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
