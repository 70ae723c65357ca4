"""A run's resources, clock check, time limit and report.

The resources are the contest's turn (a lock on a file or a row), its ledger, its key and its mailbox.

The system releases a lock on a file, whatever becomes of the run. The file has four lines, each written by whoever
holds it: when the mailbox was last read, by which process and on which machine it is held, the last entry that the
ledger was given, and which version of the program gave it.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Protocol

from nomicwolf.ledger.errors import LedgerError, NoLedger, Stopped, Taken
from nomicwolf.ledger.idle_check import Glance, glance
from nomicwolf.post.refusals import Away, Denied, Locked, PostError
from nomicwolf.post.source import Source
from nomicwolf.settings.keys import Settings, SettingsError
from nomicwolf.settings.load import key_file, make_key, secret_of

if TYPE_CHECKING:
    from nomicwolf.ledger.store import Store
    from nomicwolf.letters.letter import Letter
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
        from nomicwolf.post.source import MaildirSource

        return MaildirSource(settings.maildir.path, limit)
    from nomicwolf.post.source import MboxSource, StreamSource

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

    return ImapAccount(**asdict(imap) | {"port": imap.real_port}, bearer=bearer_of(settings, imap),
                       route=Route.of(settings.network.proxy, settings.network.direct))


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
            from nomicwolf.ledger.store import Store

            Store.create(settings.ledger.url, settings.contest.id, keys=settings.ledger.key).close()
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
            yield Turn(last_run(settings), lambda now: write_line(lock_file(settings), READ, str(now)),
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


OK, NEEDS_YOU, LATER = 0, 1, 75
"""Exit statuses: done; the contestmaster is needed; try again later."""


@dataclass(frozen=True, slots=True)
class PollReport:
    """A poll's result: the numbers of letters *heard* and *sent*, and the lines *said* on standard error.

    *status* is the exit status, *idle* whether there was nothing to do, *balance* the line which shows that no letter
    was lost.
    """

    status: int = OK
    said: tuple[str, ...] = ()
    heard: int = 0
    sent: int = 0
    idle: bool = False
    balance: str = ""

    def then(self, later: PollReport) -> PollReport:
        """Return this report joined with a *later* one of the same run; the more urgent status counts."""
        status = next((s for s in (NEEDS_YOU, LATER) if s in {self.status, later.status}), OK)
        return replace(self, status=status, said=(*self.said, *later.said), idle=self.idle and later.idle)


@dataclass(frozen=True, slots=True)
class Done:
    """A command's result: the text *said*, the exit *status*, and the *letters* it posts as (recipient, subject).

    *events* are the public ones, in words.
    """

    said: str
    status: int = OK
    letters: tuple[tuple[str, str], ...] = ()
    events: tuple[str, ...] = ()


class Findings:
    """The findings of a run: lines for standard error, counts, and the worst status."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.status = OK
        self.heard = 0
        self.sent = 0

    def needs_you(self, line: str) -> None:
        """Add a line that needs the contestmaster."""
        self.said.append(line)
        self.status = NEEDS_YOU

    def later(self, line: str) -> None:
        """Add a line about something that the next run will try again."""
        self.said.append(line)
        self.status = self.status or LATER

    def failed(self, error: PostError) -> None:
        """Add an error of the post, which the next run tries again if a server was only away."""
        (self.later if isinstance(error, Away) else self.needs_you)(str(error))

    def report(self, balance: str = "") -> PollReport:
        """Return the report."""
        return PollReport(self.status, tuple(self.said), self.heard, self.sent, balance=balance)


def error_place(error: Exception) -> str:
    """Return an error's type and the line of code that raised it, without its text, which may quote a letter."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    where = f"{Path(at.tb_frame.f_code.co_filename).name}:{at.tb_lineno}" if at else "?"
    return f"{type(error).__name__} in {where}"


def system_error_text(error: OSError) -> str:
    """Return the report of an error of the system: a full disk, rights, a network."""
    where = f"{error.filename}: " if isinstance(error.filename, str) else ""
    what = error.strerror or error_place(error)
    return (f"{where}{what}; nothing is lost, and the next run goes on: make room on the disk, or let this user write "
            "the contest's folder")


def defect_text(error: Exception) -> str:
    """Return the report of a bug, without a traceback, which might quote a letter and would be mailed by cron."""
    return f"defect: {error_place(error)}; nothing is lost, and nothing was done after it; please report this line"


CLOCK_SLACK = 3600
"""Seconds by which a clock may be behind the ledger, and after which a run checks it.

A clock that is ahead has gone so much further since the last run.
"""
LONG = 31 * 86_400
"""Seconds after which a clock needs a witness: no machine is off for so long unnoticed."""
THEN = "nothing was done. Set the machine's clock right; if it is right, say nomicwolf poll --clock-is-right"


def demand_right_clock(settings: Settings, now: int, held: Turn, newest: Callable[[], int | None]) -> None:
    """Raise `Stopped` if the clock is ahead of the mail servers' time, or, if they tell none, by a month or more.

    Only a clock that has moved on by more than the slack since the last run, or the ledger's last change, can be ahead.
    *newest* returns the arrival of the mailbox's newest letter (UTC seconds), None if unknown: it can confirm a clock,
    but not refute it, because a mailbox may get no letter for long.
    """
    if now - held.since <= CLOCK_SLACK:
        return
    seen = held.glance()
    since = max(held.since, seen.polled_at if seen is not None else 0)
    if not since or now - since <= CLOCK_SLACK:
        return
    told = _smtp_time(settings)
    if told is not None and now - told <= CLOCK_SLACK:
        return
    if told is not None:
        raise Stopped(f"{_ahead(now, told)} of what {settings.smtp.host} says: {THEN}")
    if now - since <= LONG:
        return
    latest = newest()
    if latest is None or now - latest > CLOCK_SLACK:
        raise Stopped(f"{_ahead(now, since)} of the last run, and no mail server says that it is so late: {THEN}")


def demand_sent_before_arrival(letter: Letter, now: int) -> None:
    """Raise `Stopped` if *letter*, one of ours, came back before it left, because then the clock is ahead.

    A letter that left later than *now* doesn't count: the clock has been set right since.
    """
    came = max([letter.arrived, *(at for _, at in letter.stamps)])
    if letter.sent is not None and came + CLOCK_SLACK < letter.sent <= now:
        raise Stopped(f"{_ahead(letter.sent, came)} of the mail servers, by a letter of ours that came back: {THEN}")


def _ahead(now: int, told: int) -> str:
    from nomicwolf.nomic.times import duration, when

    return f"the clock said {when(now)}, which is {duration(now - told)} ahead"


def _smtp_time(settings: Settings) -> int | None:
    """Return the SMTP server's time (UTC seconds), None if it tells none or can't be reached."""
    from nomicwolf.post.routes import Route, server_time

    smtp = settings.smtp
    try:
        return server_time(smtp.host, smtp.real_port, tls=smtp.security == "tls", timeout=smtp.timeout,
                         certificate=smtp.certificate_file,
                         route=Route.of(settings.network.proxy, settings.network.direct))
    except PostError:
        return None


GRACE = 10
"""Seconds for an orderly end, after which the process exits."""
AGAIN = 1
"""Seconds after which a run that goes on though it was stopped is stopped again."""
STOPPED = "nomicwolf: stopped"


class TimeUp(KeyboardInterrupt):
    """The time is up; neither asyncio nor handlers of servers' errors catch this."""


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise `Away` in the block once it has lasted for *seconds*; 0 is no limit.

    If that doesn't end the block, the process exits with 75 after `GRACE` seconds more. Signals reach only the main
    thread; in a host's worker, whoever started the thread watches over it.
    """
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with _stopped_for_certain():
        if seconds <= 0:
            yield
            return
        with _limited(seconds):
            yield


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """Limit the block's time, in the main thread."""
    said = f"the run took more than {seconds} seconds and was ended (limits.run_seconds); the next one goes on"
    rung = False

    def ring(number: int, frame: FrameType | None) -> None:
        nonlocal rung
        if rung:
            os.write(2, f"nomicwolf: {said}\n".encode())
            os._exit(LATER)
        rung = True
        raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, GRACE)
    try:
        yield
    except TimeUp as stopped:
        raise Away(said) from stopped
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _stopped_for_certain() -> Iterator[None]:
    """Repeat a Ctrl-C (SIGINT) until it has ended what is done here, and end the process after `GRACE` seconds.

    Python lets a signal raise `KeyboardInterrupt` between two steps of the main thread. One that comes right before a
    wait for a server is not seen before the wait is over, and what is raised in a destructor or a callback is dropped.
    """
    import threading

    waiting, into = os.pipe()
    os.set_blocking(into, False)
    over, main = threading.Event(), threading.get_ident()

    def insist() -> None:
        while (came := os.read(waiting, 1)) and came[0] != signal.SIGINT:
            pass
        for _ in range(GRACE if came else 0):
            if over.wait(AGAIN):
                return
            signal.pthread_kill(main, signal.SIGINT)
        if came and not over.wait(AGAIN):
            os.write(2, f"{STOPPED}\n".encode())
            os._exit(128 + signal.SIGINT)

    thread = threading.Thread(target=insist, daemon=True)
    thread.start()
    before, dropped = signal.set_wakeup_fd(into, warn_on_full_buffer=False), sys.unraisablehook
    sys.unraisablehook = lambda told: None if told.exc_type is KeyboardInterrupt else dropped(told)
    try:
        yield
    finally:
        over.set()
        sys.unraisablehook = dropped
        signal.set_wakeup_fd(before)
        os.close(into)
        thread.join()
        os.close(waiting)
