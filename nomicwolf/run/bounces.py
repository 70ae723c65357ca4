"""Letters that came back, tied to the letter and the player: told to the contestmaster, and never passed on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nomicwolf.ledger.outbox import Outbox
from nomicwolf.ledger.records import OwedLetter
from nomicwolf.letters.bounces import Bounce, bounce
from nomicwolf.letters.letter import Letter, Raw
from nomicwolf.nomic.setup import Setup

if TYPE_CHECKING:
    from nomicwolf.run.taking import Taken
    from nomicwolf.run.working import Desk


def returned(
    outbox: Outbox, setup: Setup, raw: Raw, letter: Letter,
    waiting: Sequence[Taken] = (),
) -> tuple[OwedLetter, Bounce] | None:
    """Return which of our letters *letter* says to be undeliverable, and with what status; None if none.

    Everyone knows the Message-ID of a public letter, so anyone can say so of it; what the forum has sent back to us has
    reached it, whatever one of its subscribers, or someone in their name, says; *waiting* are letters that were heard
    and aren't in the ledger yet.
    """
    found = bounce(raw, letter, setup.address.rpartition("@")[2].lower())
    for message_id in found.ids if found is not None else ():
        owed = outbox.by_message_id(message_id)
        if owed is None or found is None:
            continue
        if owed.letter.kind == "public" and (
                outbox.heard_again(message_id) or any(one.is_own(message_id) for one in waiting)):
            continue
        return owed, found
    return None


def came_back(desk: Desk, raw: Raw, letter: Letter) -> tuple[OwedLetter, Bounce] | None:
    """Return what `returned` does, with regard to the letters that wait to be kept."""
    return returned(desk.store.outbox(), desk.setup, raw, letter, desk.waiting)


def take_back(desk: Desk, raw: Raw, letter: Letter, now: int) -> None:
    """Call a letter of ours failed that came back, so that it is unsent; say so on standard error, too.

    A report that was heard before is of an earlier sending: it may have been sent again since, to a better address.
    """
    found = came_back(desk, raw, letter)
    if found is not None and not desk.store.outbox().reported_before(raw.data):
        owed, report = found
        desk.store.outbox().mark_bounced(owed.letter.key, f"came back: {report.status}", now)
        desk.found.needs_you(said_of(owed, report))


def returned_note(found: tuple[OwedLetter, Bounce] | None, contestmaster: str) -> str:
    """Return what the contestmaster is told of a letter that came back, '' if none did.

    Of eir own letters nothing is told by letter: that would come back too. The run says it.
    """
    if found is None or found[0].letter.person == contestmaster:
        return ""
    return said_of(*found)


def said_of(owed: OwedLetter, report: Bounce) -> str:
    """Return what to say of a letter that came back, and what to do."""
    whom = owed.letter.forum or owed.letter.person
    status = f" ({report.status})" if report.status else ""
    then = (f"look whether {whom} still takes the contest's letters" if owed.letter.forum else
            f"ask em for another address: nomicwolf party address {whom} ADDRESS")
    return f"Letter {owed.number} to {whom} came back{status}: {then}; then nomicwolf unsent --again {owed.number}."
