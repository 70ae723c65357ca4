"""Whether the machine's clock can be right: looked at before anything is dated by it, as what is dated stays so."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nomicwolf.ledger.errors import Stopped
from nomicwolf.post.errors import PostError
from nomicwolf.run.polling import SLACK
from nomicwolf.settings import Settings

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Letter
    from nomicwolf.run.turn import Turn

LONG = 31 * 86_400
"""For how long a contest may rest before a clock needs a witness: no machine is off for so long unnoticed."""
THEN = "nothing was done. Set the machine's clock right; if it is right, say nomicwolf poll --clock-is-right"


def demand_right(settings: Settings, now: int, held: Turn, newest: Callable[[], int | None]) -> None:
    """Raise `Stopped` if the clock is ahead by what the mail servers say, or, where none says, by a month or more.

    A clock that is ahead has gone further than the slack since the last run, or since the ledger's last change if that
    is later; where neither is known, nothing was dated yet. *newest* tells when the mailbox's server got its newest
    letter, None if it doesn't say: that can show that a clock is right, but not that one is ahead, for a mailbox may
    have had no letter for long.
    """
    if now - held.since <= SLACK:
        return
    seen = held.glance()
    since = max(held.since, seen.polled_at if seen is not None else 0)
    if not since or now - since <= SLACK:
        return
    told = _told_by_smtp(settings)
    if told is not None and now - told <= SLACK:
        return
    if told is not None:
        raise Stopped(f"{_ahead(now, told)} of what {settings.smtp.host} says: {THEN}")
    if now - since <= LONG:
        return
    latest = newest()
    if latest is None or now - latest > SLACK:
        raise Stopped(f"{_ahead(now, since)} of the last run, and no mail server says that it is so late: {THEN}")


def demand_come_later(letter: Letter, now: int) -> None:
    """Raise `Stopped` if *letter*, one of ours, has come back to the mailbox before it left: by a clock that is ahead.

    That of a record that is ahead of *now*, since a clock was set right, is no such case.
    """
    came = max([letter.arrived, *(at for _, at in letter.stamps)])
    if letter.sent is not None and came + SLACK < letter.sent <= now:
        raise Stopped(f"{_ahead(letter.sent, came)} of the mail servers, by a letter of ours that came back: {THEN}")


def _ahead(now: int, told: int) -> str:
    from nomicwolf.reports.times import lasting, when

    return f"the clock said {when(now)}, which is {lasting(now - told)} ahead"


def _told_by_smtp(settings: Settings) -> int | None:
    """Return what time the server for letters out says that it is, None if it doesn't say, or isn't there."""
    from nomicwolf.post.greeting import told_time

    smtp = settings.smtp
    try:
        return told_time(smtp.host, smtp.real_port, tls=smtp.security == "tls", timeout=smtp.timeout)
    except PostError:
        return None
