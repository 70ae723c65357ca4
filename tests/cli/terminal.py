"""A command of its own, on a terminal of its own or in a pipe."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

MAIN = "from nomicwolf.cli.main import main; main()"
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""What makes colours and moves the cursor (ECMA-48)."""


def spawn(
    *words: str, out: int = subprocess.PIPE, err: int = subprocess.PIPE, env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a command; what it says comes at once."""
    told = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "PYTHONUNBUFFERED": "1", **(env or {})}
    return subprocess.Popen([sys.executable, "-c", MAIN, *words], stdout=out, stderr=err, env=told, cwd=cwd)


def on_a_terminal(*words: str, **env: str) -> str:
    """Return what a command prints whose standard output is a terminal."""
    ours, theirs = pty.openpty()
    done = spawn(*words, out=theirs, env=env)
    os.close(theirs)
    shown = _shown(ours)
    done.communicate()
    assert done.returncode == 0
    return shown.replace("\r\n", "\n")


def beside_a_terminal(*words: str) -> tuple[str, str]:
    """Return what a command writes to standard output, and what its terminal gets as standard error."""
    ours, theirs = pty.openpty()
    done = spawn(*words, err=theirs)
    os.close(theirs)
    shown = _shown(ours)
    out, _ = done.communicate()
    assert done.returncode == 0
    return out.decode(), shown


def _shown(terminal: int) -> str:
    found = b""
    while True:
        try:
            piece = os.read(terminal, 65_536)
        except OSError:
            break  # Linux ends a terminal that everyone has left in this way
        if not piece:
            break
        found += piece
    os.close(terminal)
    return found.decode()
