"""One letter's share of a run: a time for reading it, and a memory of letters in which runs have died.

The time is the processor's, so that slow disks and servers don't count. What can't be stopped that way (a library of
another language that never ends, memory that runs out) kills the run; a file beside the ledger then tells the next
ones in which letter, and after some attempts it is held unread while the others are heard.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import FrameType

from nomicwolf.run.world import lock_file
from nomicwolf.settings import Settings

ATTEMPTS = 5


class PoisonError(Exception):
    """A letter that takes too long, or in which runs have died; what it says is safe to log."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise `PoisonError` in what is done here once it has used *seconds* of the processor (0: no limit).

    Signals reach the main thread alone; elsewhere there is no limit.
    """
    if seconds <= 0 or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise PoisonError(f"it takes more than {seconds:g} seconds to read")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def attempt(settings: Settings, place: str) -> Iterator[None]:
    """Remember the letter at *place* while it is heard; `PoisonError` if five runs have died in it.

    Where a server keeps the ledger, nothing is remembered: this machine may be another one the next time.
    """
    if settings.ledger_file is None:
        yield
        return
    file = _memory(settings)
    mark = sha256(place.encode("utf-8", "replace")).hexdigest()
    died = _died(file, mark)
    file.write_text(f"{died + 1} {mark}\n", encoding="ascii")
    try:
        if died >= ATTEMPTS:
            raise PoisonError(f"{died} runs have died in it")
        yield
    finally:
        file.unlink(missing_ok=True)


def died_in_a_letter(settings: Settings) -> bool:
    """Tell whether a run, as far as this machine remembers, has died in a letter that was not heard since."""
    return settings.ledger_file is not None and _memory(settings).exists()


def _memory(settings: Settings) -> Path:
    return lock_file(settings).with_suffix(".attempt")


def _died(file: Path, mark: str) -> int:
    """Return in how many runs the letter of *mark* was begun and never ended."""
    if not file.exists():
        return 0
    number, _, last = file.read_text(encoding="ascii", errors="replace").strip().partition(" ")
    return int(number) if last == mark and number.isdecimal() else 0
