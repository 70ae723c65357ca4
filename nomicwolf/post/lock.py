"""The lock for one run at a time.

The system releases it, whatever becomes of the run. Its file has four lines, each written by whoever holds it: when the
mailbox was last read, by which process and on which machine it is held, the last entry that the ledger was given, and
which version of the program gave it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nomicwolf.post.refusals import Denied, Locked

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
