"""Who is ready to play on for somebody says so by mail, and the list is everyone's to know (D-N41, D-A12)."""

from __future__ import annotations

from nomicwolf.contest import absent
from nomicwolf.contest.succeeding import may_take_over
from nomicwolf.contest.work import Work
from nomicwolf.nomic.absence import StandbyEnded, StandbyOffered
from nomicwolf.nomic.events import DeedDone
from nomicwolf.village.rules import Refusal

CITES = ("D-N41",)
OVER = "over"


def stand_by(work: Work, who: str, words: str, cause: str) -> None:
    """Put *who* on the standby list, or take em off it by the *words* ``over``; `Refusal` for who can't play on."""
    waiting = who in work.contest.law.standby
    if words == OVER:
        if not waiting:
            raise Refusal("You are not on the standby list.", CITES)
        work.add(StandbyEnded(who), cites=CITES, cause=cause)
        work.add(DeedDone(0, who, "standby: over", "You are on the standby list no more."), cause=cause)
        return
    if waiting:
        raise Refusal("You are on the standby list already.", CITES)
    game = work.contest.running
    if who == work.contest.setup.contestmaster:
        raise Refusal("You are the contestmaster, and know too much to play.", ("D-N1", *CITES))
    if not any(who in names for names in work.contest.parties.values()):
        raise Refusal('Only a party to the contract can play on for another: first write "I join this contract." to a '
                      "forum.", ("NC 1c", *CITES))
    if game is not None:
        may_take_over(work.contest, game, who)
    work.add(StandbyOffered(who), cites=CITES, cause=cause)
    work.add(DeedDone(0, who, "standby", "You are on the standby list; everyone is told."), cause=cause)
    absent.fill(work)
