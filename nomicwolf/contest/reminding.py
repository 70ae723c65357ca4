"""Reminders: of what is owed in a session before it is late (NC 1j), and of joining in the other nomic (NC 1h).

NC 1h: “shall become a member there too, and do so in a timely fashion”.
"""

from __future__ import annotations

from nomicwolf.contest.work import Work
from nomicwolf.nomic.actions import MemberReminded
from nomicwolf.nomic.duties import missing_members, soon
from nomicwolf.nomic.events import Reminded
from nomicwolf.nomic.profiles import DAY
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.duties import Owed
from nomicwolf.reports.views import owed_now

BEFORE = 2 * DAY
"""How long before it is late one is reminded."""


def alarm(contest: Contest, horizon: int) -> tuple[int, str] | None:
    """Return the next instant at which somebody is to be reminded; up to *horizon* it is exact, else a lower bound."""
    game = contest.running
    if game is None or contest.law.guard:
        return None
    first = game.began + soon(contest.setup) - BEFORE
    if horizon < first:
        return (first, "remind")
    times = [owed.until - BEFORE for owed in owed_now(contest) if not reminded(contest, owed)]
    return (max(min(times), game.began), "remind") if times else None


def reminded(contest: Contest, owed: Owed) -> bool:
    """Return whether someone has been reminded of what e owes since e owes it."""
    return contest.law.reminded.get((owed.who, owed.verb), -1) >= owed.since


def strike(work: Work, at: int) -> None:
    """Remind everybody who is to be reminded by *at*."""
    for owed in owed_now(work.contest):
        if not reminded(work.contest, owed) and owed.until - BEFORE <= at:
            work.add(Reminded(owed.who, owed.verb, owed.since, owed.until), at, ("NC 1j",), "clock")


def members(work: Work, cause: str) -> None:
    """NC 1h: remind whoever plays a nomic, is a member elsewhere, and not there; once."""
    for who, nomic, elsewhere in missing_members(work.contest):
        if (who, f"join {nomic}") not in work.contest.law.reminded:
            work.add(MemberReminded(who, nomic, elsewhere, work.now), cites=("NC 1h",), cause=cause)
