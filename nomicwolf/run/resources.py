"""The outside resources that the settings name.

They are the contest's turn (a lock on a file or a row), its ledger, its key and its mailbox.

The system releases a lock on a file, whatever becomes of the run. The file has four lines, each written by whoever
holds it: when the mailbox was last read, by which process and on which machine it is held, the last entry that the
ledger was given, and which version of the program gave it.
"""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from nomicwolf.ledger.errors import LedgerError, NoLedger, Stopped, Taken
from nomicwolf.ledger.idle_check import Glance, glance
from nomicwolf.post.refusals import Denied, Locked
from nomicwolf.post.source import Source
from nomicwolf.settings import Settings, SettingsError, key_file, make_key, secret_of

if TYPE_CHECKING:
    from nomicwolf.ledger.store import Store
    from nomicwolf.post.imap import ImapAccount
    from nomicwolf.post.refusals import Bearer
    from nomicwolf.settings.keys import ImapSettings, SmtpSettings

READ, HOLDER, LAST, VERSION = range(4)
"""The lines of a lock's file."""
_LONGEST = 10_000  # characters of such a file


@contextmanager
def only_run(path: Path, at: int | None = None) -> Iterator[None]:
    """Hold the lock file at *path*, which may be a name in the folder with the descriptor *at*.

    `Locked` at once if another run holds it, `Denied` if it can't be made, or is a link.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=at)
    except OSError as error:
        raise Denied(f"{path}: {error.strerror}; let this user write the contest's folder") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = lines_of(path, at)[HOLDER]
            raise Locked(f"{path}: another run holds the lock{holder and f' ({holder})'}; nothing is wrong unless it "
                         "holds it for long") from error
        write_line(path, HOLDER, f"process {os.getpid()} on {os.uname().nodename}", at)
        yield
    finally:
        os.close(handle)


def lines_of(path: Path, at: int | None = None) -> list[str]:
    """Return the lines of the lock's file; '' for one that isn't there, or was cut off as it was written."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=at)
        with os.fdopen(handle, encoding="utf-8") as file:
            whole = file.read(_LONGEST).split("\n")[:-1]
    except (OSError, UnicodeDecodeError):
        whole = []
    return [*whole, "", "", "", ""][:4]


def write_line(path: Path, number: int, text: str, at: int | None = None) -> None:
    """Replace one line, as the lock's holder; a full disk loses nothing."""
    lines = lines_of(path, at)
    lines[number] = text
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=at)
    try:
        os.pwrite(handle, data, 0)
        os.ftruncate(handle, len(data))
    finally:
        os.close(handle)


def lock_file(settings: Settings) -> Path:
    """Return the lock file, beside the ledger or in the contest's folder."""
    return key_file(settings).with_name(f"{settings.contest.id}.lock")


def last_run(settings: Settings) -> int:
    """Return the time at which the mailbox was last read (UTC seconds by the runs' own clock), 0 if unknown."""
    return _number(lines_of(lock_file(settings))[READ])


def note_run(settings: Settings, now: int) -> None:
    """Record that the mailbox was read at *now*; the caller must hold the lock."""
    write_line(lock_file(settings), READ, str(now))


def note_last_entry(settings: Settings, last: int) -> None:
    """Record the number of the ledger's *last* entry; the caller must hold the lock."""
    write_line(lock_file(settings), LAST, str(last))


def demand_not_behind(settings: Settings, last: int) -> None:
    """Raise `Stopped` if the ledger, whose last entry is *last*, has lost entries that were written here."""
    noted = _number(lines_of(lock_file(settings))[LAST])
    if noted > last:
        raise Stopped(
            f"{settings.ledger_file}: ends with entry {last}, and has had entry {noted}: its -wal file is gone, or it "
            "was put back from a copy. Nothing is done, for what followed may be out. Put back the newest ledger that "
            "you have by nomicwolf restore COPY --over, which sends no announcement again that may be out; a copy of "
            "this one is made by nomicwolf backup COPY")


def _number(line: str) -> int:
    return int(line) if line.isdecimal() else 0


def source_of(settings: Settings, now: int) -> Source:
    """Return the source of letters; nothing is connected or opened yet."""
    limit = settings.limits.letter_bytes
    if settings.imap is not None:
        from nomicwolf.post.imap import ImapSource

        return ImapSource(_account(settings, settings.imap), limit)
    if settings.maildir is not None:
        from nomicwolf.post.files import MaildirSource

        return MaildirSource(settings.maildir.path, limit)
    from nomicwolf.post.files import MboxSource, StreamSource

    assert settings.mbox is not None, "settings have exactly one source"
    if str(settings.mbox.path) == "-":
        return StreamSource(sys.stdin.buffer, now, limit)
    return MboxSource(settings.mbox.path, limit)


def fullness_of(settings: Settings) -> float:
    """Return how full the mailbox is: 1 is full, 0 unknown."""
    if settings.imap is None:
        return 0
    from nomicwolf.post.imap import fullness

    return fullness(_account(settings, settings.imap)) or 0


def bearer_of(settings: Settings, wire: ImapSettings | SmtpSettings) -> Bearer | None:
    """Return the source of OAuth tokens for a server; None if the contest logs in there by a password."""
    if settings.oauth is None or wire.password:
        return None
    from nomicwolf.run.oauth_login import Login

    return Login(settings)


def _account(settings: Settings, imap: ImapSettings) -> ImapAccount:
    from nomicwolf.post.imap import ImapAccount
    from nomicwolf.post.routes import Route

    return ImapAccount(
        imap.host, imap.real_port, imap.security, imap.user, imap.password, imap.mailbox, imap.timeout,
        bearer_of(settings, imap), imap.certificate_file, Route.of(settings.network.proxy, settings.network.direct))


def read_store(settings: Settings) -> Store:
    """Open the ledger for reading; `LedgerError` if that can't be done."""
    from nomicwolf.ledger.store import Store

    return Store.open(settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key)


def ensure_founded(settings: Settings) -> bytes:
    """Return the contest's key; create it and an empty ledger for a contest that has neither.

    The key's file marks a contest as founded, even if the settings hold the key. If it is there without a ledger, the
    ledger was lost, and `NoLedger` keeps everyone from playing on without it.
    """
    ledger, key = settings.ledger_file, key_file(settings)
    if not key.exists():
        seen = glance(settings.ledger.url, settings.contest.id, 1)
        if seen is None:
            _create(settings)
        if seen is None or not seen.polled_at:
            make_key(key)
    elif ledger is not None and not ledger.exists():
        raise NoLedger(f"{ledger}: is gone, and {key} is there; restore a backup, or remove the key to begin anew")
    return secret_of(settings).encode()


def secret_if_any(settings: Settings) -> bytes:
    """Return the contest's key for reading the ledger; empty if there is none."""
    try:
        return secret_of(settings).encode()
    except SettingsError:
        return b""


def _create(settings: Settings) -> None:
    from nomicwolf.ledger.store import Store

    Store.create(settings.ledger.url, settings.contest.id, keys=settings.ledger.key).close()


@dataclass(frozen=True, slots=True)
class Turn:
    """A contest's turn: *since* is the last reading of its mailbox (UTC seconds, 0: unknown); *note* records a new one.

    *glance* returns the same as `nomicwolf.ledger.idle_check.glance`.
    """

    since: int
    note: Callable[[int], None]
    glance: Callable[[], Glance | None]


class Allowance(Protocol):
    """The number of letters that a mail server accepts now, where many contests send through it."""

    def letters(self, wanted: int) -> int:
        """Return how many of the *wanted* letters may be sent now."""

    def connections(self, wanted: int) -> int:
        """Return how many of the *wanted* connections may be opened now."""


@contextmanager
def turn(settings: Settings) -> Iterator[Turn]:
    """Hold the contest's lock; `Locked` at once if another run holds it."""
    if settings.ledger_file is not None:
        with only_run(lock_file(settings)):
            yield Turn(last_run(settings), lambda now: note_run(settings, now),
                       lambda: glance(settings.ledger.url, settings.contest.id, settings.limits.sendings))
        return
    with _server_turn(settings) as held:
        yield held


@contextmanager
def _server_turn(settings: Settings) -> Iterator[Turn]:
    try:
        from nomicwolf.ledger.turn_lock import turn_row
    except ModuleNotFoundError as error:
        raise LedgerError(f"{error.name} is missing; install nomicwolf[postgres], or stay with SQLite") from error
    try:
        with turn_row(settings.ledger.url, settings.contest.id) as row:
            since = row.take()
            if since is None:
                ensure_founded(settings)
                since = row.take() or 0
            yield Turn(since, row.note, lambda: row.glance(settings.limits.sendings))
    except Taken as error:
        raise Locked(str(error)) from error
