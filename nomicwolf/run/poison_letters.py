"""Poison letters: a time limit, and a record of letters in which runs died.

The limit is on processor time, so that slow disks and servers don't count. What it can't stop (an endless loop in
foreign code, exhausted memory) kills the run. A file beside the ledger records in which letter, and after some attempts
that letter is held unread while the others are heard.
"""

from __future__ import annotations

import os
import signal
import threading
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Self

from nomicwolf.run.resources import lock_file
from nomicwolf.settings import Settings

ATTEMPTS = 5
"""Runs that may die in a letter before it is held; a machine may be switched off during any."""


class PoisonError(Exception):
    """A letter that takes too long, or in which runs have died; the text is safe to log."""


class LetterTimer:
    """A limit of *seconds* of processor time (0: none) for each letter; a context manager around all of them.

    Signals reach only the main thread; elsewhere there is no limit.
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
        """Start the limit, which raises `PoisonError` unless `end` comes first."""
        if self._seconds > 0:
            signal.setitimer(signal.ITIMER_VIRTUAL, self._seconds)

    def end(self) -> None:
        """Stop the limit."""
        if self._seconds > 0:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        raise PoisonError(f"it takes more than {self._seconds:g} seconds to read")


class AttemptLog:
    """The record of the letter that is being heard, with its time limit; a context manager around a fetch.

    It ends empty. With a ledger on a server nothing is recorded, because the next run may be on another machine.
    """

    def __init__(self, settings: Settings) -> None:
        self._file = lock_file(settings).with_suffix(".attempt") if settings.ledger_file is not None else None
        self._died, self._mark = _read(self._file)
        self._memory = -1
        self._patience = LetterTimer(settings.limits.letter_seconds)

    @property
    def any_died(self) -> bool:
        """Whether a run died in a letter that has not been heard since."""
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
        """Record the letter at *place* while it is heard; `PoisonError` as of `begin`, or if it takes too long."""
        return _Letter(self, place)

    def begin(self, place: str) -> None:
        """Record the letter at *place*, and start its limit; `PoisonError` if five runs have died in it."""
        died = self._begun(place)
        if died >= ATTEMPTS:
            self.end()
            raise PoisonError(f"{died} runs have died in it")
        self._patience.begin()

    def end(self) -> None:
        """Clear the record."""
        self._patience.end()
        if self._memory >= 0:
            os.pwrite(self._memory, b"0", 0)

    def _begun(self, place: str) -> int:
        """Record the letter at *place*; return the number of runs that have died in it."""
        if self._file is None:
            return 0
        if self._memory < 0:
            self._memory = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        mark = sha256(place.encode("utf-8", "replace")).hexdigest()
        died = self._died if mark == self._mark else 0
        os.pwrite(self._memory, f"{died + 1} {mark}\n".encode("ascii"), 0)
        return died


class _Letter:
    """The hearing of the letter at *place*; a context manager."""

    __slots__ = ("_attempts", "_place")

    def __init__(self, attempts: AttemptLog, place: str) -> None:
        self._attempts, self._place = attempts, place

    def __enter__(self) -> None:
        self._attempts.begin(self._place)

    def __exit__(self, *_: object) -> None:
        self._attempts.end()


def _read(file: Path | None) -> tuple[int, str]:
    """Return the number of runs that died in a letter, and its mark."""
    if file is None or not file.exists():
        return 0, ""
    number, _, mark = file.read_text(encoding="ascii", errors="replace").strip().partition(" ")
    return (int(number), mark) if number.isdecimal() else (0, "")
