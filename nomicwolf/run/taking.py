"""One letter: from its bytes to what came of it; one that our own code can't deal with is set aside whole."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from nomicwolf.contest import Contest, LetterCame, Outcome, Setup, hear
from nomicwolf.contest.recognising import forums_of
from nomicwolf.dataclass import dataclass
from nomicwolf.ledger.errors import Garbled, LedgerError
from nomicwolf.ledger.records import HeardLetter
from nomicwolf.letters.letter import Letter, Limits, Outgoing, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.nomic.events import LetterHeard
from nomicwolf.post.errors import PostError
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.trying import defect_letter
from nomicwolf.run.patience import PoisonError
from nomicwolf.run.reports import place_of
from nomicwolf.village.events import Entry

if TYPE_CHECKING:
    from nomicwolf.post.source import Fetched
    from nomicwolf.run.working import Desk
    from nomicwolf.settings import Settings


@dataclass(frozen=True, slots=True)
class Taken:
    """A letter that was heard at *now* (UTC seconds), behind entry *base*: what is to be kept of it.

    *trouble* is what the contestmaster is told once all is kept. The contest after it isn't held here: what one contest
    of many doesn't share with the others grows with what it holds, and many letters wait at once.
    """

    fetched: Fetched
    now: int
    base: int
    happening: LetterCame
    entries: tuple[Entry, ...]
    kept: HeardLetter
    owed: tuple[Outgoing, ...] = ()
    trouble: str = ""

    def is_own(self, message_id: str) -> bool:
        """Return whether this is the copy of the contest's own letter of that Message-ID, back through its forum."""
        return self.kept.bucket == "own" and self.kept.letter.message_id == message_id


def set_aside(desk: Desk, fetched: Fetched, error: Exception, now: int) -> tuple[Taken, Contest]:
    """Return a letter as held whole that our own code can't deal with, for *error*, and the contest after it.

    The contestmaster is told.
    """
    raw, why = fetched.raw, str(error) if isinstance(error, PoisonError) else f"defect: {place_of(error)}"
    letter = bare_letter(raw, why)
    try:
        outcome = hear(desk.contest, LetterCame(letter), now, desk.templates)
        kept = heard_letter(raw, letter, outcome)
    except Exception as again:
        if is_the_worlds(again):
            raise
        outcome, kept = Outcome(desk.contest), HeardLetter(raw, letter, "held", why=why)
    owed = (*outcome.letters, defect_letter(desk.setup, Prose(desk.templates), letter.place, why, now))
    said = f"letter {raw.place} was set aside whole, {why}; please report it with that line"
    return Taken(
        fetched, now, desk.contest.last, LetterCame(letter), outcome.entries, kept, owed, said), outcome.contest


def letter_of(settings: Settings, setup: Setup, raw: Raw) -> Letter:
    """Return what can be understood of *raw* within the contest's limits."""
    given = settings.limits
    limits = Limits(raw=given.letter_bytes, header_bytes=given.header_bytes, headers=given.headers,
                    depth=given.nesting, parts=given.parts, text=given.body_chars)
    return make_letter(raw, forums_of(setup), (setup.address,), limits, settings.contest.mail_hosts)


def heard_letter(raw: Raw, letter: Letter, outcome: Outcome) -> HeardLetter:
    """Return the letter with its bucket and the number of the entry that records it."""
    entry = next((e.number for e in outcome.entries if isinstance(e.event, LetterHeard)), 0)
    return HeardLetter(raw, letter, outcome.bucket or "held", outcome.author, outcome.why, entry)


def bare_letter(raw: Raw, trouble: str) -> Letter:
    """Return a letter of which nothing is known but its bytes."""
    content = sha256(raw.data).hexdigest()
    return Letter(raw.place, raw.order, raw.arrived, content, content, "", "", None, (), "", trouble=trouble,
                  size=raw.size)


def is_the_worlds(error: Exception) -> bool:
    """Tell errors of ledger, post and system, which are no fault of a letter's, from defects of ours."""
    return isinstance(error, (LedgerError, PostError, OSError)) and not isinstance(error, Garbled)
