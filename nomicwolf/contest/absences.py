"""Who says that e is away, or back: what is due from em waits so long (D-N37)."""

from __future__ import annotations

from nomicwolf.contest.work import Work
from nomicwolf.nomic.care import AbsenceAnnounced, AbsenceEnded
from nomicwolf.reading.day_spans import span
from nomicwolf.village.rules import Refusal

OVER = ("over", "none", "ended", "back", "off", "cancel", "cancelled", "canceled")


def absence(work: Work, who: str, words: str, cause: str, at: int) -> None:
    """Record that *who* is away as *words* of *at* (UTC seconds) say; raise `Refusal` if they name no days to come."""
    if words.casefold().strip(" .!") in OVER:
        _back(work, who, cause, at)
        return
    days = span(words, at)
    if days is None or days[1] <= work.now:
        raise Refusal("Say when you are away, like: holiday: 2026-12-20 to 2027-01-03.", ("D-N37",))
    work.add(AbsenceAnnounced(who, *days), cites=("D-N37",), cause=cause)


def _back(work: Work, who: str, cause: str, at: int) -> None:
    """End the absences of *who*; from whoever wasn't away it is talk."""
    if any(name == who and until > at for name, _, until in work.contest.law.away):
        work.add(AbsenceEnded(who), max(at, work.contest.clock), ("D-N37",), cause)
