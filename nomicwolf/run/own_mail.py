"""The contest's own mail: bounces, echoes, foreign copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nomicwolf.contest import Command, hear
from nomicwolf.contest.mail.routing import unseen_notes
from nomicwolf.ledger.errors import Stopped
from nomicwolf.ledger.outbox import Outbox
from nomicwolf.ledger.records import OwedLetter
from nomicwolf.letters.compose import is_ours
from nomicwolf.letters.letter import Letter, Raw
from nomicwolf.letters.machine import Bounce, bounce
from nomicwolf.nomic.setup import Setup
from nomicwolf.reports.public import echoing_forums
from nomicwolf.run.safeguards import demand_sent_before_arrival
from nomicwolf.run.sending import MARK

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Letter
    from nomicwolf.run.desk import Desk, PendingLetter


def find_bounced(
    outbox: Outbox, setup: Setup, raw: Raw, letter: Letter,
    waiting: Sequence[PendingLetter] = (),
) -> tuple[OwedLetter, Bounce] | None:
    """Return the letter of ours that *letter* reports as undeliverable, with the report; None if there is none.

    The Message-ID of a public letter is known to all, so anyone can forge such a report. A public letter whose echo has
    come has reached its forum, whatever a subscriber's server reports. *waiting* are letters that were heard and are
    not in the ledger yet.
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


def bounce_of(desk: Desk, raw: Raw, letter: Letter) -> tuple[OwedLetter, Bounce] | None:
    """Return the same as `find_bounced`, with the desk's pending letters."""
    return find_bounced(desk.store.outbox(), desk.setup, raw, letter, desk.pending)


def mark_bounced(desk: Desk, raw: Raw, letter: Letter, now: int) -> None:
    """Mark the letter of ours that bounced as failed, and report it.

    A report that was heard before is about an earlier sending: the letter may have gone to a better address since.
    """
    found = bounce_of(desk, raw, letter)
    if found is not None and not desk.store.outbox().reported_before(raw.data):
        owed, report = found
        desk.store.outbox().mark_bounced(owed.letter.key, f"came back: {report.status}", now)
        desk.found.needs_you(bounce_text(owed, report))


def bounce_note(found: tuple[OwedLetter, Bounce] | None, contestmaster: str) -> str:
    """Return the note about a bounced letter for the contestmaster, '' if there is none.

    There is none about the contestmaster's own letters, because that would bounce too; the run reports those.
    """
    if found is None or found[0].letter.person == contestmaster:
        return ""
    return bounce_text(*found)


def bounce_text(owed: OwedLetter, report: Bounce) -> str:
    """Return the report of a bounced letter, with the remedy."""
    whom = owed.letter.forum or owed.letter.person
    status = f" ({report.status})" if report.status else ""
    then = (f"look whether {whom} still takes the contest's letters" if owed.letter.forum else
            f"ask em for another address: nomicwolf party address {whom} ADDRESS")
    return f"Letter {owed.number} to {whom} came back{status}: {then}; then nomicwolf unsent --again {owed.number}."


ECHO_DELAY = 86_400
"""Seconds by which an echo may be late, because forums moderate."""
ECHO_HORIZON = 60 * ECHO_DELAY
"""Seconds for which the echo of a sent letter is looked for."""


def check_copies(desk: Desk, now: int) -> None:
    """Note once in the journal each letter that is public by its own To or Cc, but no forum has distributed."""
    if unseen_notes(desk.contest, now):
        order = Command("only-named", {}, run=desk.run)
        desk.commit(order, hear(desk.contest, order, now, desk.templates), now=now)


def check_echoes(desk: Desk, now: int) -> None:
    """Note once in the journal each letter to an echoing forum that has not come back within a day."""
    echoes = echoing_forums(desk.contest)
    if not echoes:
        return
    lost = tuple(
        f"{o.letter.forum} {o.number} {o.letter.subject.replace(',', ';')}"
        for o in desk.store.outbox().not_back(now - ECHO_HORIZON)
        if o.letter.forum in echoes and now - o.letter.at > ECHO_DELAY
    )
    if not lost:
        return
    order = Command("echo-missing", {"letters": lost}, run=desk.run)
    outcome = hear(desk.contest, order, now, desk.templates)
    if outcome.entries:
        desk.commit(order, outcome, now=now)


OTHER_COPY = (
    "a letter of this contest's came back ({}) that was not sent from this ledger: another copy of the folder is at "
    "work, or the ledger is behind what was sent, as one whose -wal file is gone. Nothing is sent now. Keep one copy, "
    "the one with the newest ledger; if this one is to go on, say nomicwolf backup now.db, then nomicwolf restore "
    "now.db --over, which sends no announcement again that may be out")


def demand_sent_here(desk: Desk, letter: Letter, now: int) -> None:
    """Raise `Stopped` if *letter* carries the contest's own mark, but was not sent from this ledger.

    After a restore this is normal until the whole mailbox has been read. `Stopped` also if the letter left after it
    came, because then our clock is ahead.
    """
    if not is_ours(letter.message_id, desk.setup.secret):
        return
    if not desk.clock_is_right:
        demand_sent_before_arrival(letter, now)
    mark = desk.store.mark(MARK)
    if (mark is None or not mark[2]) and desk.store.outbox().by_message_id(letter.message_id) is None:
        raise Stopped(OTHER_COPY.format(letter.message_id))
