"""What a command is given to read: files, or the standard input. One that can't be read keeps no other from it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import typer

from nomicwolf.cli.base import WRONG_USE, complain

Found = TypeVar("Found", bytes, str)


def contents(files: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file; of the standard input for ``-`` and where none is named.

    Those that can't be read are told, and when all others have been used, the command ends as wrongly used.
    """
    return _each(files, content)


def texts(files: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file, as `contents` does; it must be UTF-8."""
    return _each(files, content_text)


def _each(files: Sequence[str], reader: Callable[[str], Found | None]) -> Iterator[tuple[str, Found]]:
    missing = False
    for name in files or ("-",):
        found = reader(name)
        if found is None:
            missing = True
        else:
            yield shown_name(name), found
    if missing:
        raise typer.Exit(WRONG_USE)


def content(name: str) -> bytes | None:
    """Return what stands in the file, or in the standard input for ``-``; None, and say so, if it can't be read."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        complain(f"{name}: {getattr(error, 'strerror', None) or error}; name a file that can be read")
        return None


def content_text(name: str) -> str | None:
    """Return the `content` as text; None, and say so, if it is not in UTF-8."""
    data = content(name)
    try:
        return None if data is None else data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        complain(f"{shown_name(name)}: {error}; save it as UTF-8")
        return None


def shown_name(name: str) -> str:
    """Return what the file is called in messages."""
    return "standard input" if name == "-" else name
