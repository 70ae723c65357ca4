"""Reminders: of what is owed before silence has its effect (NC 1j, D-A12), and of joining in the other nomic (NC 1h).

NC 1h: “shall become a member there too, and do so in a timely fashion”.
"""

from __future__ import annotations

from collections.abc import Iterator

from nomicwolf.contest.work import Work
from nomicwolf.nomic.absence import Owed
from nomicwolf.nomic.actions import MemberReminded
from nomicwolf.nomic.duties import missing_members
from nomicwolf.nomic.events import Reminded
from nomicwolf.nomic.owed import left_to_remind, owing
from nomicwolf.nomic.state import Contest


def coming(contest: Contest) -> Iterator[int]:
    """Yield the instants (UTC seconds) at which a player is to be reminded."""
    for owed in owing(contest):
        if owed.who != contest.setup.contestmaster:
            yield from left_to_remind(contest, owed)[:1]


def remind(work: Work) -> None:
    """Remind every player who is to be reminded by now, unless what e owes waits for the clock, or is over."""
    waiting = {deed.who for deed in work.contest.pending.values()}
    for owed in owing(work.contest):
        left = left_to_remind(work.contest, owed)
        if owed.who == work.contest.setup.contestmaster or owed.who in waiting or not left or left[0] > work.now:
            continue
        if work.now < owed.ends:
            again(work, owed, "clock")


def again(work: Work, owed: Owed, cause: str) -> None:
    """Remind of what is *owed*."""
    work.add(Reminded(owed.who, owed.verb, owed.since, owed.ends, owed.kind),
             cites=(owed.clause or ("NC 1j" if owed.kind == "deed" else "D-A12"),), cause=cause)


def members(work: Work, cause: str) -> None:
    """NC 1h: remind whoever plays a nomic, is a member elsewhere, and not there; once."""
    for who, nomic, elsewhere in missing_members(work.contest):
        if (who, nomic) not in work.contest.law.to_join:
            work.add(MemberReminded(who, nomic, elsewhere, work.now), cites=("NC 1h",), cause=cause)
