"""Reports of polls and commands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

OK, NEEDS_YOU, LATER = 0, 1, 75
"""Exit statuses: done; the contestmaster is needed; try again later."""


@dataclass(frozen=True, slots=True)
class PollReport:
    """A poll's result: the numbers of letters *heard* and *sent*, and the lines *said* on standard error.

    *status* is the exit status, *idle* whether there was nothing to do, *balance* the line which shows that no letter
    was lost.
    """

    status: int = OK
    said: tuple[str, ...] = ()
    heard: int = 0
    sent: int = 0
    idle: bool = False
    balance: str = ""

    def then(self, later: PollReport) -> PollReport:
        """Return this report joined with a *later* one of the same run; the more urgent status counts."""
        status = next((s for s in (NEEDS_YOU, LATER) if s in {self.status, later.status}), OK)
        return replace(self, status=status, said=(*self.said, *later.said), idle=self.idle and later.idle)


@dataclass(frozen=True, slots=True)
class Done:
    """A command's result: the text *said*, the exit *status*, and the *letters* it posts as (recipient, subject).

    *events* are the public ones, in words.
    """

    said: str
    status: int = OK
    letters: tuple[tuple[str, str], ...] = ()
    events: tuple[str, ...] = ()


class Findings:
    """The findings of a run: lines for standard error, counts, and the worst status."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.status = OK
        self.heard = 0
        self.sent = 0

    def needs_you(self, line: str) -> None:
        """Add a line that needs the contestmaster."""
        self.said.append(line)
        self.status = NEEDS_YOU

    def later(self, line: str) -> None:
        """Add a line about something that the next run will try again."""
        self.said.append(line)
        self.status = self.status or LATER

    def report(self, balance: str = "") -> PollReport:
        """Return the report."""
        return PollReport(self.status, tuple(self.said), self.heard, self.sent, balance=balance)


def error_place(error: Exception) -> str:
    """Return an error's type and the line of code that raised it, without its text, which may quote a letter."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    where = f"{Path(at.tb_frame.f_code.co_filename).name}:{at.tb_lineno}" if at else "?"
    return f"{type(error).__name__} in {where}"


def system_error_text(error: OSError) -> str:
    """Return the report of an error of the system: a full disk, rights, a network."""
    where = f"{error.filename}: " if isinstance(error.filename, str) else ""
    what = error.strerror or error_place(error)
    return (f"{where}{what}; nothing is lost, and the next run goes on: make room on the disk, or let this user write "
            "the contest's folder")


def defect_text(error: Exception) -> str:
    """Return the report of a bug, without a traceback, which might quote a letter and would be mailed by cron."""
    return f"defect: {error_place(error)}; nothing is lost, and nothing was done after it; please report this line"
