"""Intake of letters: parsing, proofs, setting aside, rulings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING

from nomicwolf.contest import Contest, LetterCame, Outcome, Setup, hear
from nomicwolf.contest.recognising import author_of, forums_of
from nomicwolf.ledger.errors import Garbled, LedgerError
from nomicwolf.ledger.records import HeardLetter, Ruling
from nomicwolf.letters.letter import Bucket, Letter, Limits, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.nomic.events import DeedHeard, LetterHeard, LetterRejected, LetterReleased
from nomicwolf.nomic.pending_deeds import ended_in
from nomicwolf.post.refusals import PostError
from nomicwolf.proofs.prover import Prover
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.trying import defect_letter
from nomicwolf.run.desk import PendingLetter
from nomicwolf.run.own_mail import bounce_note, bounce_of
from nomicwolf.run.poison_letters import PoisonError
from nomicwolf.run.run_report import error_place
from nomicwolf.village.events import Entry

if TYPE_CHECKING:
    from nomicwolf.post.source import Fetched
    from nomicwolf.run.desk import Desk
    from nomicwolf.settings import Settings


def set_aside(desk: Desk, fetched: Fetched, error: Exception, now: int) -> tuple[PendingLetter, Contest]:
    """Hold a letter unread because of an *error* in our own code; return it and the contest after it.

    The contestmaster is told.
    """
    raw, why = fetched.raw, str(error) if isinstance(error, PoisonError) else f"defect: {error_place(error)}"
    letter = unread_letter(raw, why)
    happening = LetterCame(letter, run=desk.run)
    try:
        outcome = hear(desk.contest, happening, now, desk.templates)
        kept = heard_letter(raw, letter, outcome)
    except Exception as second:
        if is_external_error(second):
            raise
        outcome, kept = Outcome(desk.contest), HeardLetter(raw, letter, "held", why=why)
    owed = (*outcome.letters, defect_letter(desk.setup, Prose(desk.templates), letter.place, why, now))
    said = f"letter {raw.place} was set aside whole, {why}; please report it with that line"
    return PendingLetter(
        fetched, now, desk.contest.last, happening, outcome.entries, kept, owed, said), outcome.contest


def parse_letter(settings: Settings, setup: Setup, raw: Raw) -> Letter:
    """Parse *raw* within the contest's limits."""
    given = settings.limits
    limits = Limits(raw=given.letter_bytes, header_bytes=given.header_bytes, headers=given.headers,
                    depth=given.nesting, parts=given.parts, text=given.body_chars)
    return make_letter(raw, forums_of(setup), (setup.address,), limits, settings.contest.mail_hosts)


def heard_letter(raw: Raw, letter: Letter, outcome: Outcome) -> HeardLetter:
    """Return the letter with its bucket and the number of the entry that records it."""
    entry = next((e.number for e in outcome.entries if isinstance(e.event, LetterHeard)), 0)
    return HeardLetter(raw, letter, outcome.bucket or "held", outcome.author, outcome.why, entry)


def unread_letter(raw: Raw, trouble: str) -> Letter:
    """Return a letter of which only the bytes are known."""
    content = sha256(raw.data).hexdigest()
    return Letter(raw.place, raw.order, raw.arrived, content, content, "", "", None, (), "", trouble=trouble,
                  size=raw.size)


def is_external_error(error: Exception) -> bool:
    """Return whether the error came from outside (ledger, mail, system) rather than from a bug."""
    return isinstance(error, (LedgerError, PostError, OSError)) and not isinstance(error, Garbled)


def letter_came(desk: Desk, raw: Raw, letter: Letter) -> LetterCame:
    """Return the happening that *letter* is, with its proofs and with what commands in letters need."""
    back = bounce_of(desk, raw, letter)
    return LetterCame(
        proven(desk.contest, desk.prover, raw, letter), desk.parse, lambda number: held_letter(desk, number),
        bounce_note(back, desk.setup.contestmaster), desk.run)


def proven(contest: Contest, prover: Prover, raw: Raw, letter: Letter) -> Letter:
    """Return *letter* with its proofs; none is looked for, and no server is asked, for a stranger's letter."""
    found = author_of(contest, letter)
    if found.person is None:
        return letter
    return prover.prove(raw, letter, keys_of(contest, found.person.name), raw.arrived)


def keys_of(contest: Contest, name: str) -> Mapping[str, str]:
    """Return *name*'s OpenPGP certificates by fingerprint."""
    return {key.fingerprint: key.certificate for key in contest.law.keys.get(name, ())}


def held_letter(desk: Desk, number: int) -> Letter | None:
    """Parse a held letter again from its bytes; None if there is none with that number."""
    waits = next((pending.heard for pending in desk.pending if number and pending.heard.entry == number), None)
    kept = waits or desk.store.letter_of(number)
    return parse_letter(desk.settings, desk.setup, kept.raw) if kept else None


def rulings_in(contest: Contest, entries: Iterable[Entry]) -> tuple[Ruling, ...]:
    """Return the rulings in *entries* on held letters of *contest*, each with the letter's new bucket."""
    new = list(entries)
    deeds = any(isinstance(entry.event, DeedHeard) for entry in new)
    found: list[Ruling] = []
    for entry in new:
        match entry.event:
            case LetterReleased(number, author):
                bucket: Bucket = "deeds" if deeds else "no-deed"
                found.append(Ruling(number, bucket, f"released as {author}'s", _was(contest, number, entry)))
            case LetterRejected(number, why):
                found.append(Ruling(number, "no-deed", f"rejected: {why}", _was(contest, number, entry)))
    return tuple(found)


def _was(contest: Contest, number: int, ruling: Entry) -> str:
    return ended_in(contest.letters[number].bucket, number, contest.entries[number:], ruling.number)
