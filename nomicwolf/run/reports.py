"""What a run says when it is over."""

from __future__ import annotations

from pathlib import Path

from nomicwolf.dataclass import dataclass

OK, NEEDS_YOU, LATER = 0, 1, 75
"""Exit statuses: done; something needs the contestmaster; try again later."""


@dataclass(frozen=True, slots=True)
class PollReport:
    """What a poll did: letters *heard* and *sent*, and what is to be *said* on standard error.

    *status* is the exit status; *idle* tells that there was nothing to do; *balance* is the line that shows that
    nothing was lost.
    """

    status: int = OK
    said: tuple[str, ...] = ()
    heard: int = 0
    sent: int = 0
    idle: bool = False
    balance: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a command: *said* for the terminal, *status* the exit status, *letters* what it posts.

    *events* are in words, as far as everyone may know what it does.
    """

    said: str
    status: int = OK
    letters: tuple[tuple[str, str], ...] = ()
    events: tuple[str, ...] = ()


class Findings:
    """What a run collects as it goes: lines for standard error, and the worst status."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.status = OK
        self.heard = 0
        self.sent = 0

    def needs_you(self, line: str) -> None:
        """Note something that the contestmaster must look at."""
        self.said.append(line)
        self.status = NEEDS_YOU

    def later(self, line: str) -> None:
        """Note something that the next run will try again."""
        self.said.append(line)
        self.status = self.status or LATER

    def report(self, balance: str = "") -> PollReport:
        """Return the report."""
        return PollReport(self.status, tuple(self.said), self.heard, self.sent, balance=balance)


def place_of(error: Exception) -> str:
    """Return the kind of an error and the line of code it comes from: nothing that a letter says."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    where = f"{Path(at.tb_frame.f_code.co_filename).name}:{at.tb_lineno}" if at else "?"
    return f"{type(error).__name__} in {where}"


def hindered(error: OSError) -> str:
    """Return what to say of a file or a connection that the system refuses: a full disk, rights, a network."""
    where = f"{error.filename}: " if isinstance(error.filename, str) else ""
    what = error.strerror or place_of(error)
    return (f"{where}{what}; nothing is lost, and the next run goes on: make room on the disk, or let this user write "
            "the contest's folder")


def defect(error: Exception) -> str:
    """Return what to say of an error that is ours; a traceback might quote a letter, and cron would mail it."""
    return f"defect: {place_of(error)}; nothing is lost, and nothing was done after it; please report this line"
