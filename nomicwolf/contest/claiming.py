"""Errors in awards: claimed by mail or by command, answered, and set right by a further action (NC 5i, D-N40)."""

from __future__ import annotations

import re

from nomicwolf.contest.happenings import Command, Misuse, whole_number
from nomicwolf.contest.work import Work
from nomicwolf.nomic.awards import given
from nomicwolf.nomic.care import AwardCorrected, ErrorAnswered, ErrorClaimed
from nomicwolf.nomic.events import DeedHeard
from nomicwolf.village.rules import Refusal

CITES = ("NC 5i", "D-N40")
HOW = "Say what it should have been, and why: --amount 11 --why ..."
POINTS = ("X points", "Y points")
_NUMBER = re.compile(r"\bawards?\b\W*(?:number|no\.?|nr\.?)?\W*(\d{1,6})\b", re.IGNORECASE)
_SESSION = re.compile(r"\(?\b(?:of|in|for|from) (?:the )?session (\d{1,6})\b\)?|\(session (\d{1,6})\)", re.IGNORECASE)


def by_mail(work: Work, deed: DeedHeard, cause: str) -> str:
    """Record a claim of error that was posted; return a note for its author."""
    number, session = _NUMBER.search(deed.words), _SESSION.search(deed.words)
    named = next((n for n in session.groups() if n), "") if session else ""
    award = _award(work, named or str(_latest(work)), number[1] if number else "")
    why = _SESSION.sub("", _NUMBER.sub("", deed.words, count=1)).strip(" ,:;-.()")
    _claim(work, award, deed.who, why, deed.instant, cause)
    return (f"Your claim of error on award {award[1]} of session {award[0]} is recorded; the contestmaster answers it, "
            "and a further action sets right what is wrong.")


def claim(work: Work, command: Command) -> str:
    """Record a claim of error on an award, or answer one; awards are never edited."""
    why, verdict = command.words("why", "Say why: --why.", ("NC 5i",)), command.get("answer")
    if verdict not in ("", "accepted", "denied"):
        raise Misuse("Say how it is answered: --answer.", ("NC 5i",), ("accepted", "denied"))
    who = "" if verdict else command.words("who", "Say who claims the error: --by NAME; or --answer it.", ("NC 5i",))
    session, number = _award(work, command.get("session") or str(_latest(work)), command.get("number"))
    if not verdict:
        if who not in work.contest.persons:
            raise Refusal(f"Nobody here is called {who!r}.", ("NC 5i",), tuple(work.contest.persons))
        _claim(work, (session, number), who, why, work.now, "command")
        return f"{who} claims an error in award {number} of session {session}."
    told = work.contest.law.claims.get((session, number))
    if told is None or told.accepted is not None:
        raise Refusal(f"There is no open claim on award {number} of session {session}.", ("NC 5i",))
    work.add(ErrorAnswered(session, number, verdict == "accepted", why), cites=CITES, cause="command")
    return f"The claim on award {number} of session {session} is {verdict}."


def _claim(work: Work, award: tuple[int, int], who: str, why: str, at: int, cause: str) -> None:
    standing = work.contest.law.claims.get(award)
    if standing is not None and standing.accepted is None:
        raise Refusal(
            f"{standing.claimed.who} has claimed an error in that award already, and it waits for its answer.", CITES)
    work.add(ErrorClaimed(*award, who, why), at, CITES, cause)


def correct(work: Work, command: Command) -> str:
    """Set an award right by a further numbered action: the difference to what it should have been (D-N40).

    ``who`` names somebody else who should have had it, ``what`` another kind of points; either may come to 0 or more.
    """
    amount, why = command.number("amount"), command.words("why", HOW, CITES)
    session, number = _award(work, command.get("session") or str(_latest(work)), command.get("number"))
    wrong = next(a for a in work.contest.awards[session] if a.number == number)
    who, what = command.get("who") or wrong.who, command.get("what") or wrong.what
    if amount is None:
        raise Misuse(HOW, CITES)
    if who not in work.contest.persons or who == work.contest.contestmaster(wrong.nomic):
        raise Refusal(f"Nobody here who can have an award is called {who!r}.", CITES, tuple(work.contest.persons))
    if what not in (wrong.what, *POINTS) or (what in POINTS) != (wrong.what in POINTS):
        raise Refusal(f"Award {number} is of {wrong.what}; there are {' and '.join(POINTS)}.", CITES)
    added = amount - _so_far(work, session, number, who, what)
    if not added:
        raise Refusal(f"Award {number} of session {session} comes to {amount} {what} for {who} already.", CITES)
    _within_limit(work, session, wrong.nomic, what, added)
    last = max([*(a.number for a in work.contest.awards[session]),
                *(c.number for c in work.contest.law.corrections if c.session == session)])
    event = AwardCorrected(session, last + 1, number, wrong.nomic, who, what, added, why)
    work.add(event, cites=CITES, cause="command")
    stands = _so_far(work, session, number, wrong.who, wrong.what)
    kept = stands and (who, what) != (wrong.who, wrong.what)
    also = f" It still gives {wrong.who} {stands} {wrong.what}: `correct {number} --amount 0` takes that back."
    return (f"Award {number} of session {session} comes to {amount} {what} for {who} by action {last + 1}."
            f"{also if kept else ''}")


def _so_far(work: Work, session: int, number: int, who: str, what: str) -> int:
    """Return what award *number* and its corrections have come to so far, of *what* for *who*."""
    first = sum(a.amount for a in work.contest.awards[session] if (a.number, a.who, a.what) == (number, who, what))
    return first + sum(c.amount for c in work.contest.law.corrections
                       if (c.session, c.award, c.who, c.what) == (session, number, who, what))


def _within_limit(work: Work, session: int, nomic: str, what: str, added: int) -> None:
    limit = work.contest.limits.get(nomic)
    total = given(work.contest, session, nomic, what) + added
    if limit is not None and what in POINTS and total > limit.points:
        raise Refusal(f"That would award {total} points in {nomic}, more than P, which is {limit.points}.",
                      ("NC 5i", "D-N21"))


def _award(work: Work, session: str, number: str) -> tuple[int, int]:
    """Return the award that these words name, by its session and its number there; `Refusal` if there is none such."""
    of, award = whole_number(session), whole_number(number)
    there = work.contest.awards.get(of, ()) if of is not None else ()
    if of is None or award is None or award not in {made.number for made in there}:
        others = there or work.contest.awards.get(_latest(work), ())
        refusal = Misuse if None in (of, award) else Refusal
        raise refusal(f"There is no award {number or 'without a number'} of session {session}.", ("NC 5i",),
                      tuple(f"{made.number} of session {made.session}" for made in others))
    return of, award


def _latest(work: Work) -> int:
    """Return the latest session for which something was awarded; the present one if nothing ever was."""
    return work.contest.recalled.awarded or work.contest.session
