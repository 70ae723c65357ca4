"""The steps of a run at which it can be stopped: each statement, each word to and from a server, each file.

A `Fuse` counts them and stops the run at one: by an OSError, as a disk or a network gives it; by `Died`, after which
nothing that the run still tries happens, as if the process were gone; or by SIGKILL. What is written to a server or a
file can also be stopped half-way.
"""

from __future__ import annotations

import imaplib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeAlias

from aiosmtplib.protocol import SMTPProtocol
from sqlalchemy import Engine, event
from sqlalchemy.engine.default import DefaultDialect

from nomicwolf.run import poll_work

How: TypeAlias = Literal["raise", "die", "kill"]
FILE_EVENTS = ("open", "os.rename", "os.remove", "os.mkdir", "os.chmod", "os.truncate", "sqlite3.connect")
KINDS = (
    "file", "file half", "file after", "lock", "sql", "commit", "commit after", "imap send", "imap half",
    "imap sent", "imap read", "smtp send", "smtp half", "smtp sent", "smtp read",
)
"""All kinds of steps; "after" and "sent" lie behind the deed, "read" behind an answer; behind "sql" is the next one."""

SAMPLE = os.environ.get("NOMICWOLF_SAMPLE") or datetime.now(UTC).date().isoformat()
"""Decides which steps are tried where not all are: each day others; ``NOMICWOLF_SAMPLE=2026-12-01`` repeats a day's."""


def sample(name: str) -> Random:
    """Return the dice for what is called *name*, today's."""
    return Random(f"{name} {SAMPLE}")


class Died(BaseException):
    """The process is gone; no handler of errors may notice."""


class Fuse:
    """Counts the steps that are *passed*, and stops the run *how* at the one with the number *at* (0: never)."""

    def __init__(self, at: int = 0, how: How = "die", folder: Path = Path("/nowhere")) -> None:
        self.at = at
        self.how = how
        self.folder = str(folder)
        self.passed: list[str] = []
        self.dead = False

    def due(self, kind: str) -> bool:
        """Pass a step of this *kind*; tell whether the run stops here."""
        if self.dead:
            raise Died
        self.passed.append(kind)
        return len(self.passed) == self.at

    def step(self, kind: str) -> None:
        """Pass a step, and stop there if it is the one."""
        if self.due(kind):
            self.blow()

    def blow(self) -> None:
        """Stop the run."""
        if self.how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.how == "raise":
            raise OSError("the cable was pulled")
        self.dead = True
        raise Died


_BURNING: list[Fuse] = []


def _audit(name: str, args: tuple[Any, ...]) -> None:
    if not _BURNING:
        return
    fuse = _BURNING[-1]
    if name == "fcntl.flock":
        fuse.step("lock")
    elif name in FILE_EVENTS and isinstance(args[0], str | Path) and fuse.folder in str(args[0]):
        fuse.step("file")


sys.addaudithook(_audit)


@contextmanager
def burning(fuse: Fuse) -> Iterator[Fuse]:
    """Lay *fuse* at all seams for as long as the block lasts; letters are kept in groups that no clock ends."""
    seconds, poll_work.SECONDS = poll_work.SECONDS, inf
    undo = [_laid(owner, name, make(getattr(owner, name), fuse)) for owner, name, make in _SEAMS]
    before = lambda *_: fuse.step("sql")  # noqa: E731 - told apart by identity when it is taken away
    event.listen(Engine, "before_cursor_execute", before)
    _BURNING.append(fuse)
    try:
        yield fuse
    finally:
        poll_work.SECONDS = seconds
        _BURNING.remove(fuse)
        event.remove(Engine, "before_cursor_execute", before)
        for put_back in undo:
            put_back()


def _laid(owner: Any, name: str, wrapped: Any) -> Callable[[], None]:
    real = owner.__dict__[name]
    setattr(owner, name, wrapped)
    return lambda: setattr(owner, name, real)


def _commit(real: Any, fuse: Fuse) -> Any:
    def do_commit(self: Any, connection: Any) -> None:
        fuse.step("commit")
        real(self, connection)
        fuse.step("commit after")

    return do_commit


def _imap_send(real: Any, fuse: Fuse) -> Any:
    def send(self: Any, data: bytes) -> None:
        fuse.step("imap send")
        if fuse.due("imap half"):
            real(self, data[: len(data) // 2])
            fuse.blow()
        real(self, data)
        fuse.step("imap sent")

    return send


def _imap_read(real: Any, fuse: Fuse) -> Any:
    def read(self: Any, *args: Any) -> Any:
        got = real(self, *args)
        fuse.step("imap read")
        return got

    return read


def _smtp_write(real: Any, fuse: Fuse) -> Any:
    def write(self: Any, data: bytes) -> None:
        fuse.step("smtp send")
        if fuse.due("smtp half"):
            real(self, data[: len(data) // 2])
            fuse.blow()
        real(self, data)
        fuse.step("smtp sent")

    return write


def _smtp_read(real: Any, fuse: Fuse) -> Any:
    async def read_response(self: Any, *args: Any, **kwargs: Any) -> Any:
        got = await real(self, *args, **kwargs)
        fuse.step("smtp read")
        return got

    return read_response


def _file_write(real: Any, fuse: Fuse) -> Any:
    def pwrite(handle: int, data: bytes, offset: int) -> int:
        if fuse.due("file half"):
            real(handle, data[: len(data) // 2], offset)
            fuse.blow()
        written: int = real(handle, data, offset)
        fuse.step("file after")
        return written

    return pwrite


_SEAMS: tuple[tuple[Any, str, Callable[[Any, Fuse], Any]], ...] = (
    (DefaultDialect, "do_commit", _commit),
    (imaplib.IMAP4, "send", _imap_send), (imaplib.IMAP4, "readline", _imap_read), (imaplib.IMAP4, "read", _imap_read),
    (SMTPProtocol, "write", _smtp_write), (SMTPProtocol, "read_response", _smtp_read),
    (os, "pwrite", _file_write),
)
