"""The end of a run that is stuck or stopped; the next run goes on from what is written."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from nomicwolf.post.refusals import Away
from nomicwolf.run.run_report import LATER

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
