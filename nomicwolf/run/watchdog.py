"""An end for a run that is stuck, whatever it is stuck in: what was kept is kept, and the next run goes on."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from nomicwolf.post.errors import Away
from nomicwolf.run.reports import LATER

GRACE = 10
"""Seconds to leave in an orderly way; after them the process ends as it is."""


class Rung(KeyboardInterrupt):
    """The time is up: what is done stops here, for neither asyncio nor who waits for a server's errors catches this."""


@contextmanager
def watched(seconds: int) -> Iterator[None]:
    """Raise `Away` from what is done here once it has lasted for *seconds*; 0 is no limit.

    If that doesn't end it, the process ends with 75 after `GRACE` seconds more. Signals reach the main thread alone:
    elsewhere (in a host's worker) whoever started the thread has to watch over it.
    """
    if seconds <= 0 or not _in_main_thread():
        yield
        return
    said = f"the run took more than {seconds} seconds and was ended (limits.run_seconds); the next one goes on"
    rung = False

    def ring(number: int, frame: FrameType | None) -> None:
        nonlocal rung
        if rung:
            os.write(2, f"nomicwolf: {said}\n".encode())
            os._exit(LATER)
        rung = True
        raise Rung

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, GRACE)
    try:
        yield
    except Rung as stopped:
        raise Away(said) from stopped
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _in_main_thread() -> bool:
    import threading

    return threading.current_thread() is threading.main_thread()
