"""One letter's share of a run: a time for reading it, and a memory of letters in which runs have died.

The time is the processor's, so that slow disks and servers don't count. What can't be stopped that way (a library of
another language that never ends, memory that runs out) kills the run; a file beside the ledger then tells the next
ones in which letter, and after some attempts it is held unread while the others are heard.
"""

from __future__ import annotations

import os
import signal
import threading
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Self

from nomicwolf.run.world import lock_file
from nomicwolf.settings import Settings

ATTEMPTS = 5
"""In how many runs that died in it a letter is left where it is: a machine may be switched off in any."""


class PoisonError(Exception):
    """A letter that takes too long, or in which runs have died; what it says is safe to log."""


class Patience:
    """What ends once it has used so many *seconds* of the processor (0: no limit); a context manager for many of these.

    Signals reach the main thread alone; elsewhere there is no limit.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds if threading.current_thread() is threading.main_thread() else 0

    def __enter__(self) -> Self:
        if self._seconds > 0:
            self._before = signal.signal(signal.SIGVTALRM, self._stop)
        return self

    def __exit__(self, *_: object) -> None:
        if self._seconds > 0:
            signal.signal(signal.SIGVTALRM, self._before)

    def begin(self) -> None:
        """Raise `PoisonError` in what is done from here on when its time is over, until its `end`."""
        if self._seconds > 0:
            signal.setitimer(signal.ITIMER_VIRTUAL, self._seconds)

    def end(self) -> None:
        """Let the time not matter any more."""
        if self._seconds > 0:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        raise PoisonError(f"it takes more than {self._seconds:g} seconds to read")


class Attempts:
    """The memory of the letter that is being heard, and the time for it, for a fetch; a context manager.

    Its end forgets.
    Where a server keeps the ledger, nothing is remembered: this machine may be another one the next time.
    """

    def __init__(self, settings: Settings) -> None:
        self._file = lock_file(settings).with_suffix(".attempt") if settings.ledger_file is not None else None
        self._died, self._mark = _read(self._file)
        self._memory = -1
        self._patience = Patience(settings.limits.letter_seconds)

    @property
    def any_died(self) -> bool:
        """Whether a run has died in a letter that was not heard since."""
        return self._died > 0

    def __enter__(self) -> Self:
        self._patience.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._patience.__exit__()
        if self._memory >= 0:
            os.close(self._memory)
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    def at(self, place: str) -> _Letter:
        """Remember the letter at *place* while it is heard; `PoisonError` if five runs died in it, or it takes long."""
        return _Letter(self, place)

    def begin(self, place: str) -> None:
        """Remember the letter at *place*, and let its time run; `PoisonError` if five runs have died in it."""
        died = self._begun(place)
        if died >= ATTEMPTS:
            self.end()
            raise PoisonError(f"{died} runs have died in it")
        self._patience.begin()

    def end(self) -> None:
        """Forget the letter, which no run died in."""
        self._patience.end()
        if self._memory >= 0:
            os.pwrite(self._memory, b"0", 0)

    def _begun(self, place: str) -> int:
        """Remember the letter at *place*; return how many runs have died in it."""
        if self._file is None:
            return 0
        if self._memory < 0:
            self._memory = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        mark = sha256(place.encode("utf-8", "replace")).hexdigest()
        died = self._died if mark == self._mark else 0
        os.pwrite(self._memory, f"{died + 1} {mark}\n".encode("ascii"), 0)
        return died


class _Letter:
    """The share of the letter at *place*; a context manager."""

    __slots__ = ("_attempts", "_place")

    def __init__(self, attempts: Attempts, place: str) -> None:
        self._attempts, self._place = attempts, place

    def __enter__(self) -> None:
        self._attempts.begin(self._place)

    def __exit__(self, *_: object) -> None:
        self._attempts.end()


def _read(file: Path | None) -> tuple[int, str]:
    """Return in how many runs a letter was begun and never ended, and its mark."""
    if file is None or not file.exists():
        return 0, ""
    number, _, mark = file.read_text(encoding="ascii", errors="replace").strip().partition(" ")
    return (int(number), mark) if number.isdecimal() else (0, "")
