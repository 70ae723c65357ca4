"""From a mailbox's bytes to what a contest hears: the letter, what it proves, and what orders by mail need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from nomicwolf.contest import Contest, LetterCame
from nomicwolf.contest.recognising import author_of
from nomicwolf.ledger.records import Ruling
from nomicwolf.letters.letter import Bucket, Letter, Raw
from nomicwolf.nomic.events import DeedHeard, LetterRejected, LetterReleased
from nomicwolf.nomic.ruled import ended_in
from nomicwolf.proofs import Prover
from nomicwolf.run.bounces import came_back, returned_note
from nomicwolf.run.taking import letter_of
from nomicwolf.settings import Settings
from nomicwolf.village.events import Entry

if TYPE_CHECKING:
    from nomicwolf.run.working import Desk


def prover_of(settings: Settings) -> Prover:
    """Return what the contest takes for a proof; keys of domains are asked for once in a run."""
    identity = settings.identity
    return Prover(identity.dkim == "dns", identity.nameservers, identity.dns_seconds, identity.arc_sealers)


def came(desk: Desk, raw: Raw, letter: Letter) -> LetterCame:
    """Return *letter*, made of *raw*, with all that it proves, and with what orders by mail need."""
    back = came_back(desk, raw, letter)
    return LetterCame(
        proven(desk.contest, desk.prover, raw, letter), desk.parse, lambda number: again(desk, number),
        returned_note(back, desk.setup.contestmaster))


def proven(contest: Contest, prover: Prover, raw: Raw, letter: Letter) -> Letter:
    """Return *letter*, made of *raw*, with all that it proves; a stranger's isn't looked at, and asks no server."""
    found = author_of(contest, letter)
    if found.person is None:
        return letter
    return prover.prove(raw, letter, keys_of(contest, found.person.name), raw.arrived)


def keys_of(contest: Contest, name: str) -> Mapping[str, str]:
    """Return *name*'s OpenPGP certificates by their fingerprints."""
    return {key.fingerprint: key.certificate for key in contest.law.keys.get(name, ())}


def again(desk: Desk, number: int) -> Letter | None:
    """Return a held letter, made again from the bytes that came; None if there is none of that number."""
    waits = next((taken.kept for taken in desk.waiting if number and taken.kept.entry == number), None)
    kept = waits or desk.store.letter_of(number)
    return letter_of(desk.settings, desk.setup, kept.raw) if kept else None


def ruled_by(contest: Contest, entries: Iterable[Entry]) -> tuple[Ruling, ...]:
    """Return which letters of *contest* *entries* took out of the held ones, and where to."""
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
