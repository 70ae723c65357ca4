"""What a command is given to read: files, or the standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from nomicwolf.cli.base import WRONG_USE, fail


def contents(files: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file; of the standard input for ``-`` and where none is named."""
    for name in files or ("-",):
        if name == "-":
            yield "standard input", sys.stdin.buffer.read()
            continue
        try:
            yield name, Path(name).read_bytes()
        except OSError as error:
            fail(f"{name}: {error.strerror or error}; name a file that can be read", WRONG_USE)


def texts(files: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file; it must be UTF-8."""
    for name, data in contents(files):
        try:
            yield name, data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            fail(f"{name}: {error}; save it as UTF-8", WRONG_USE)
