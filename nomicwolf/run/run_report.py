"""A run's report, clock check and time limit."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from nomicwolf.ledger.errors import Stopped
from nomicwolf.post.refusals import Away, PostError
from nomicwolf.settings import Settings

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Letter
    from nomicwolf.run.resources import Turn

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
"""Seconds after which a run checks its clock: a clock that is ahead has gone so much further since the last run."""
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
    told = _told_by_smtp(settings)
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


def _told_by_smtp(settings: Settings) -> int | None:
    """Return the SMTP server's time (UTC seconds), None if it tells none or can't be reached."""
    from nomicwolf.post.routes import Route, told_time

    smtp = settings.smtp
    try:
        return told_time(smtp.host, smtp.real_port, tls=smtp.security == "tls", timeout=smtp.timeout,
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
    if not _in_main_thread():
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


def _in_main_thread() -> bool:
    import threading

    return threading.current_thread() is threading.main_thread()
