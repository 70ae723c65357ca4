"""What a poll does beside the game: erasures finished, old letters forgotten, a copy before an upgrade."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomicwolf.ledger.errors import LedgerError
from nomicwolf.run.backups import before_upgrade, copy_away
from nomicwolf.run.run_report import NEEDS_YOU

if TYPE_CHECKING:
    from nomicwolf.run.desk import Desk

FORGOTTEN = "forgotten"
"""The source in whose mark it is kept when old letters were last looked for."""
DAY = 86400


def keep_house(desk: Desk, now: int) -> None:
    """Do what is due; what fails is told, and the poll goes on."""
    if said := before_upgrade(desk.settings, desk.contest.last, now):
        desk.found.needs_you(said)
    mark, kept = desk.store.mark(FORGOTTEN), desk.settings.keep.letter_seconds
    due = kept and (mark is None or now - mark[2] >= DAY)
    unfinished = desk.store.mark("erasing")
    if not due and not (unfinished and unfinished[2]):
        return
    from nomicwolf.run.erasing import finish
    from nomicwolf.run.forgetting import forget_old

    try:
        if due:
            done = forget_old(desk.store, desk.contest, now - kept, now)
            desk.contest.take(desk.store.record(desk.contest.last))
            desk.store.append(desk.contest.last, mark=(FORGOTTEN, 0, now), now=now, alarm=desk.store.alarm)
            unfinished = desk.store.mark("erasing") if done.letters or done.owed else unfinished
        if unfinished and unfinished[2]:
            finish(desk.settings, desk.store, now)
    except LedgerError as error:
        desk.found.needs_you(str(error))


def take_backups_away(desk: Desk) -> None:
    """Let the newest backup be taken to where the settings say."""
    said, status = copy_away(desk.settings)
    if said:
        (desk.found.needs_you if status == NEEDS_YOU else desk.found.later)(said)
