"""Whether another copy of this contest is at work: by letters that come back and were never sent from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomicwolf.ledger.errors import Stopped
from nomicwolf.letters.compose import is_ours
from nomicwolf.run.doubting import MARK
from nomicwolf.run.rightness import demand_come_later

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Letter
    from nomicwolf.run.working import Desk

TOLD = ("a letter of this contest's came back ({}) that was not sent from this ledger: another copy of the folder is "
        "at work, or the ledger is behind what was sent, as one whose -wal file is gone. Nothing is sent now. Keep one "
        "copy, the one with the newest ledger; if this one is to go on, say nomicwolf backup now.db, then nomicwolf "
        "restore now.db --over, which sends no announcement again that may be out")


def demand_sent_here(desk: Desk, letter: Letter, now: int) -> None:
    """Raise `Stopped` if *letter* was made by the contest's key, but isn't known to have been sent from this ledger.

    After a restore that is as it must be, until the whole mailbox was read. One that left after it came tells that our
    clock is ahead (`Stopped`, too).
    """
    if not is_ours(letter.message_id, desk.setup.secret):
        return
    if not desk.clock_is_right:
        demand_come_later(letter, now)
    mark = desk.store.mark(MARK)
    if (mark is None or not mark[2]) and desk.store.outbox().by_message_id(letter.message_id) is None:
        raise Stopped(TOLD.format(letter.message_id))
