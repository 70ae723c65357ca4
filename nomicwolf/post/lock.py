"""One run at a time: a lock that the system lets go of, whatever becomes of the run."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nomicwolf.post.errors import Denied, Locked


@contextmanager
def only_run(path: Path) -> Iterator[None]:
    """Hold the lock file at *path*; `Locked` at once if another run holds it, `Denied` if it can't be made."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Denied(f"{path}: {error.strerror}; let this user write the contest's folder") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Locked(f"{path}: another run holds the lock; nothing is wrong unless it holds it for long") from error
        yield
    finally:
        os.close(handle)
