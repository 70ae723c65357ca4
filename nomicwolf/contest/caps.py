"""Daily caps on letters, deeds and answers (D-N47)."""

from __future__ import annotations

from functools import cache

from nomicwolf.contest.channels import marks_of, trust_of
from nomicwolf.contest.step import Work
from nomicwolf.letters.addresses import fold_address
from nomicwolf.letters.identity import vouched
from nomicwolf.letters.letter import Letter
from nomicwolf.letters.machine import answerable
from nomicwolf.nomic.caps import LOUD, NOBODY, OVER, spent_today
from nomicwolf.nomic.events import Noted, Refused
from nomicwolf.nomic.setup import DAY
from nomicwolf.nomic.state import Contest

CITES = ("D-N47",)


def cap_exceeded(work: Work, author: str, letter: Letter, deeds: int = 0) -> str:
    """Return why *letter*, *author*'s, with so many *deeds* is more than the day has on which it came; '' if not.

    The contestmaster has no caps.
    """
    contest = work.contest
    caps, spent = contest.setup.caps, spent_today(contest.spent, author, min(letter.arrived, work.now))
    if author == contest.setup.contestmaster:
        return ""
    if not deeds and caps.letters and spent.letters >= caps.letters:
        return _cap_text(caps.letters, "letters")
    if deeds and caps.deeds and spent.deeds + deeds > caps.deeds:
        return _cap_text(caps.deeds, "deeds")
    return ""


@cache
def _cap_text(most: int, what: str) -> str:
    """Return why a letter is held that is one too many: one text for all of a flood, of which each letter keeps it."""
    return f"{OVER}{most} {what} a day"


def report_flood(work: Work, author: str, at: int, why: str, number: int) -> None:
    """Tell *author* of the first of eir letters that is held for a flood, and the contestmaster; later ones quietly."""
    if spent_today(work.contest.spent, author, min(at, work.now)).over > 1:
        return
    told = (f"Your letter is {why}: it waits for the contestmaster, and so does whatever else you write that is above "
            "it, until midnight UTC. You are told so only once.")
    work.add(Refused(0, author, "", "", told), cites=CITES, cause=f"letter {number}")
    work.add(Noted("flood", f"{author}'s letter {number} is {why}: it is held, and so are further ones today. The sum "
                            "follows at midnight UTC."), cites=CITES, cause=f"letter {number}")


def is_quiet(contest: Contest, at: int) -> bool:
    """Return whether so many letters that are nobody's for certain were held today that one more is told in the sum."""
    return spent_today(contest.spent, NOBODY, at).over > LOUD


def newcomers_left(contest: Contest, at: int) -> int:
    """Return of how many more strangers who seem to want to join the contestmaster is told today."""
    return LOUD - spent_today(contest.spent, NOBODY, at).newcomers


def forgeries_left(contest: Contest, at: int) -> int:
    """Return of how many more letters in the contest's own name the contestmaster is told today."""
    return LOUD - spent_today(contest.spent, NOBODY, at).forgeries


def may_answer(contest: Contest, letter: Letter, address: str, at: int) -> bool:
    """Return whether *letter*, a stranger's, may be answered at *address*: once a day, and only so many strangers.

    Nobody is answered who may not have written it (RFC 3834 2, D-A17), and no machine is.
    """
    told = spent_today(contest.spent, NOBODY, at).strangers
    return (fold_address(address) not in told and len(told) < LOUD and vouched(letter, address, trust_of(contest.setup))
            and answerable(letter, marks_of(contest.setup)))


def answers_left(work: Work, letter: Letter, author: str) -> bool:
    """Return whether *author* may be answered once more today, and in this run (RFC 3834 2); say so when that ends."""
    contest = work.contest
    now = spent_today(contest.spent, author, min(letter.arrived, work.now))
    caps, given = contest.setup.caps.answers, max(now.answers, contest.told.to(author))
    full = bool(caps) and given >= caps and author != contest.setup.contestmaster
    if caps and given == caps and full:
        told = f"These were {caps} answers today. What you ask now is answered no more until midnight UTC."
        work.add(Refused(0, author, "", "", told), cites=CITES)
    return answerable(letter, marks_of(contest.setup), [a for _, a in letter.senders] if full else ())


def alarm(contest: Contest) -> tuple[int, str] | None:
    """Return the midnight at which the contestmaster is told how much was held on a day with a flood."""
    days = [s.since for s in contest.spent.values() if s.untold]
    return ((min(days) + 1) * DAY, "digest") if days else None


def strike(work: Work, at: int) -> None:
    """Report the number of letters that were held."""
    told = [f"{who or 'nobody for certain'}: {s.untold}" for who, s in sorted(work.contest.spent.items()) if s.untold]
    work.add(Noted("digest", "Letters that were held above the day's limits, by author: " + "; ".join(told) + ". See "
                             "`nomicwolf held`."), at, CITES, "clock")
