"""The clock check: nothing is dated by a clock that is ahead, because dates stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nomicwolf.ledger.errors import Stopped
from nomicwolf.post.refusals import PostError
from nomicwolf.settings import Settings

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Letter
    from nomicwolf.run.turn import Turn

SLACK = 3600
"""Seconds after which a run checks its clock: a clock that is ahead has gone so much further since the last run."""
LONG = 31 * 86_400
"""Seconds after which a clock needs a witness: no machine is off for so long unnoticed."""
THEN = "nothing was done. Set the machine's clock right; if it is right, say nomicwolf poll --clock-is-right"


def demand_right_clock(settings: Settings, now: int, held: Turn, newest: Callable[[], int | None]) -> None:
    """Raise `Stopped` if the clock is ahead of the mail servers' time, or, if they tell none, by a month or more.

    Only a clock that has moved on by more than the slack since the last run, or the ledger's last change, can be ahead.
    *newest* returns the arrival of the mailbox's newest letter (UTC seconds), None if unknown: it can confirm a clock,
    but not refute it, because a mailbox may get no letter for long.
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


def demand_sent_before_arrival(letter: Letter, now: int) -> None:
    """Raise `Stopped` if *letter*, one of ours, came back before it left, because then the clock is ahead.

    A letter that left later than *now* doesn't count: the clock has been set right since.
    """
    came = max([letter.arrived, *(at for _, at in letter.stamps)])
    if letter.sent is not None and came + SLACK < letter.sent <= now:
        raise Stopped(f"{_ahead(letter.sent, came)} of the mail servers, by a letter of ours that came back: {THEN}")


def _ahead(now: int, told: int) -> str:
    from nomicwolf.reports.times import lasting, when

    return f"the clock said {when(now)}, which is {lasting(now - told)} ahead"


def _told_by_smtp(settings: Settings) -> int | None:
    """Return the SMTP server's time (UTC seconds), None if it tells none or can't be reached."""
    from nomicwolf.post.routes import told_time
    from nomicwolf.run.network import route_of

    smtp = settings.smtp
    try:
        return told_time(smtp.host, smtp.real_port, tls=smtp.security == "tls", timeout=smtp.timeout,
                         certificate=smtp.certificate_file, route=route_of(settings))
    except PostError:
        return None
