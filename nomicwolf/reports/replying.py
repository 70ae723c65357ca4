"""Which letter a private letter answers: only one that came by private mail, so that no thread joins the two."""

from __future__ import annotations

from collections.abc import Sequence

from nomicwolf.nomic.events import DeedHeard, LetterHeard
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.own import may_read
from nomicwolf.village.events import Cause, Entry, numbered


def answered(contest: Contest, entries: Sequence[Entry], who: str) -> str:
    """Return the Message-ID of *who*'s private letter that *entries* follow from, '' if they follow from none."""
    for entry in entries:
        if may_read(entry.event.readers(), who):
            letter = contest.letters.get(letter_of(contest, entry))
            if letter is not None and letter.author == who and letter.channel == PRIVATE:
                return letter.message_id
    return ""


def private_thread(contest: Contest, who: str) -> str:
    """Return the key by which the private letters of one phase to *who* are one thread; no letter has it."""
    return f"s{contest.session}/e{contest.game.phase_mark if contest.game is not None else 0}/thread/{who}"


def letter_of(contest: Contest, entry: Entry) -> int:
    """Return the number of the letter that *entry* follows from, 0 if it can't be told from its cause.

    A cause is ``letter N``, or ``deed N``, whose deed names its letter, or ``entry N``, whose cause says more.
    """
    for _ in range(20):
        if isinstance(entry.event, DeedHeard):
            return entry.event.letter
        cause = Cause.of(entry.cause)
        if letter := cause.named("letter"):
            return letter
        found = entry_at(contest, cause.number) if cause.number else None
        if found is None:
            return 0
        if isinstance(found.event, LetterHeard):
            return found.number
        entry = found
    return 0


def entry_at(contest: Contest, number: int) -> Entry | None:
    """Return the entry with this number, None if there is none."""
    return numbered(contest.entries, number)
