"""Files in folders that others may change: opened step by step, so that no link and no device leads out of them."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@contextmanager
def folder_at(path: Path, below: Path | None = None) -> Iterator[int]:
    """Give a descriptor of the folder at *path*, to which no link leads from *below*; OSError if there is none."""
    handle = os.open(below or path, _FOLDER)
    try:
        for step in path.relative_to(below).parts if below else ():
            handle, above = os.open(step, _FOLDER | os.O_NOFOLLOW, dir_fd=handle), handle
            os.close(above)
        yield handle
    finally:
        os.close(handle)


@contextmanager
def folder_in(at: int, name: str) -> Iterator[int]:
    """Give a descriptor of a folder in the folder *at*; OSError if it is none, or a link."""
    handle = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=at)
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def folder_of(at: int, name: str) -> Iterator[tuple[int, str]]:
    """Give the folder in which the file of that name lies, and what it is called there; no link leads to it."""
    first, slash, rest = name.partition("/")
    if not slash:
        yield at, first
        return
    with folder_in(at, first) as there, folder_of(there, rest) as found:
        yield found


def is_there(at: int, name: str) -> bool:
    """Return whether there is anything of that name in the folder *at*, and no link on the way."""
    with suppress(FileNotFoundError, NotADirectoryError), folder_of(at, name) as (there, last):
        os.stat(last, dir_fd=there, follow_symlinks=False)
        return True
    return False


def states(at: int, names: Sequence[str]) -> dict[str, tuple[int, int, int]]:
    """Return which of some files there are in the folder *at*, and how each stands: its number, size and time."""
    found = {}
    for name in names:
        with suppress(FileNotFoundError):
            stat = os.stat(name, dir_fd=at, follow_symlinks=False)
            found[name] = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
    return found


def file_in(at: int, name: str, *, one_name: bool = False) -> BinaryIO:
    """Open a file in the folder *at* to read it; OSError for a link, a device, or whatever else is no plain file.

    With *one_name* it also has no other name anywhere, as a hard link would give it.
    """
    _demand_plain(os.stat(name, dir_fd=at, follow_symlinks=False), name, one_name=one_name)
    file = os.fdopen(os.open(name, _FILE, dir_fd=at), "rb")
    try:
        _demand_plain(os.fstat(file.fileno()), name, one_name=one_name)
    except BaseException:
        file.close()
        raise
    return file


def _demand_plain(stat: os.stat_result, name: str, *, one_name: bool) -> None:
    if not S_ISREG(stat.st_mode):
        raise OSError(errno.EINVAL, "is a link, a folder or a device, and not a file", name)
    if one_name and stat.st_nlink > 1:
        raise OSError(errno.EMLINK, "has another name elsewhere (a hard link); copy it", name)
