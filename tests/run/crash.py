"""Polls that die: run as a program, it reads cases from standard input and forks a poll for each.

A case is a line of JSON: ``{"folder", "at", "point", "count", "how"}``. The poll kills itself (SIGKILL), or with
``"how": "raise"`` meets an OSError, when *point* is passed for the *count*-th time; ``"point": ""`` lets it live, and
``"point": "here"`` polls without a fork, so that later polls find everything imported. For each case one line comes
back: ``killed`` or ``done``, how often the point was passed by a poll that lived, its status, what it said.

Points: ``fetched``, ``heard``, ``written`` (before the commit), ``kept`` (after it), ``marking``, ``marked``,
``leaving``, ``taken`` (by the server), ``sent``, and ``statement``: before each statement to the database.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiosmtplib
from sqlalchemy import Engine, event

from nomicwolf.ledger import store
from nomicwolf.ledger.transaction import Outbox
from nomicwolf.post.source import MaildirSource
from nomicwolf.run import poll, poll_work
from nomicwolf.settings.load import load

PLACES: dict[str, tuple[Any, str, str]] = {
    "fetched": (MaildirSource, "_read", "after"),
    "heard": (poll_work, "hear", "after"),
    "written": (store, "write_steps", "after"),
    "kept": (store.Store, "append", "after"),
    "marking": (Outbox, "mark_sending", "before"),
    "marked": (Outbox, "mark_sending", "after"),
    "leaving": (aiosmtplib.SMTP, "data", "before"),
    "taken": (aiosmtplib.SMTP, "data", "after"),
    "sent": (Outbox, "mark_sent", "after"),
}


class Fuse:
    """Counts down, then kills the process, or raises."""

    def __init__(self, count: int, how: str) -> None:
        self.left = count
        self.how = how
        self.passed = 0

    def burn(self) -> None:
        """Pass the point once."""
        self.passed += 1
        self.left -= 1
        if self.left == 0 and self.how == "raise":
            raise OSError("the cable was pulled")
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def lay(point: str, fuse: Fuse) -> None:
    """Lay the fuse at a seam of the program."""
    if point == "statement":
        event.listen(Engine, "before_cursor_execute", lambda *_: fuse.burn())
        return
    owner, name, when = PLACES[point]
    real = getattr(owner, name)
    is_async = name == "data"

    def plain(*args: Any, **kwargs: Any) -> Any:
        if when == "before":
            fuse.burn()
        result = real(*args, **kwargs)
        if when == "after":
            fuse.burn()
        return result

    async def waiting(*args: Any, **kwargs: Any) -> Any:
        if when == "before":
            fuse.burn()
        result = await real(*args, **kwargs)
        if when == "after":
            fuse.burn()
        return result

    setattr(owner, name, waiting if is_async else plain)


def one(case: dict[str, Any]) -> str:
    """Fork a poll and say how it ended."""
    if case["point"] == "here":
        report = poll(load(Path(case["folder"]), {}), lambda: int(case["at"]))
        return json.dumps(["done", 0, report.status, list(report.said)])
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        fuse = Fuse(int(case["count"]), case["how"])
        if case["point"]:
            lay(case["point"], fuse)
        report = poll(load(Path(case["folder"]), {}), lambda: int(case["at"]))
        os.write(writer, json.dumps(["done", fuse.passed, report.status, list(report.said)]).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as said:
        text = said.read().decode()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return json.dumps(["killed", 0, 0, []])
    return text or json.dumps(["broken", status, 0, []])


def main(say: Callable[[str], object] = sys.stdout.write) -> None:
    """Run the cases of standard input."""
    for line in sys.stdin:
        say(one(json.loads(line)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
