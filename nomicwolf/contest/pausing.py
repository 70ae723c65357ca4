"""A session that is paused: its clocks stand still, and what is done meanwhile waits for the end of the pause (D-A15).

What belongs to the law around the game doesn't wait, since a nomic's own time goes on: objections, claims, and
questions to the contestmaster.
"""

from __future__ import annotations

from nomicwolf.contest.channels import LAW
from nomicwolf.contest.work import Work
from nomicwolf.nomic.care import PAUSE, DeedKept
from nomicwolf.nomic.events import DeedHeard, DeedMoved
from nomicwolf.nomic.law import Law

GOES_ON = (*LAW, "ask")
CITES = ("D-A15",)


def keep(work: Work, number: int) -> bool:
    """Keep the pending deed *number* until the pause is over, and return whether it has to wait for that."""
    deed, paused = work.contest.pending[number], work.contest.law.paused
    if not paused or deed.instant <= paused or deed.verb in GOES_ON:
        return False
    work.add(DeedKept(number, PAUSE), max(deed.instant, paused), CITES, f"deed {number}")
    return True


def put_off(work: Work, number: int, deed: DeedHeard) -> None:
    """Let *deed*, in entry *number*, take effect at the end of the pause in which it was sent, if that is over."""
    after = resumed_at(work.contest.law, deed.instant)
    if after != deed.instant and deed.verb not in GOES_ON:
        work.add(DeedMoved(number, after), cites=CITES, cause=f"deed {number}")


def resumed_at(law: Law, instant: int) -> int:
    """Return when what was sent at *instant* takes effect: then, or at the end of the pause in which that lies."""
    return next((until for since, until in law.pauses if since < instant < until), instant)
