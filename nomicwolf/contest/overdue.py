"""What is overdue at the end of a step: reminders, silence, and what the contestmaster has to hear (D-A12).

All of it follows from the one table of what is owed. It is looked at once everything that was sent has been done, so
that nobody is reminded of what e has just done. While an outage is looked into, or the session is paused, nothing is
overdue (D-N39, D-A15).
"""

from __future__ import annotations

from nomicwolf.contest import absent, alerting, reminding
from nomicwolf.contest.sessions import after_moves
from nomicwolf.contest.work import Work
from nomicwolf.nomic.state import Contest


def look(work: Work) -> None:
    """Remind, name, act for and alert, as far as it is time for that."""
    if work.contest.law.guard or work.contest.law.paused:
        return
    reminding.remind(work)
    absent.act(work)
    after_moves(work)
    alerting.alert(work)


def next_look(contest: Contest) -> int | None:
    """Return the next instant (UTC seconds) at which something will be overdue, None if nothing will."""
    if contest.law.guard or contest.law.paused:
        return None
    return min((*reminding.coming(contest), *absent.coming(contest), *alerting.coming(contest)), default=None)
