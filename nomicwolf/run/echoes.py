"""What a forum should have sent, and has not: our own letters, and copies of the players' (NC 1g)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomicwolf.contest import Command, hear
from nomicwolf.contest.mail.echoing import unseen_notes
from nomicwolf.reports.echoes import echoing

if TYPE_CHECKING:
    from nomicwolf.run.working import Desk

PATIENCE = 86_400
"""For how many seconds an echo may be late: forums moderate."""
FORGOTTEN = 60 * PATIENCE
"""For how long a letter is looked for that was sent."""


def look_for_copies(desk: Desk, now: int) -> None:
    """Note in the journal, once each, which letters count as public by their own To or Cc, and no forum has sent."""
    if unseen_notes(desk.contest, now):
        order = Command("only-named", {})
        desk.keep(order, hear(desk.contest, order, now, desk.templates), now=now)


def look_for_echoes(desk: Desk, now: int) -> None:
    """Note in the journal, once each, which letters to a forum that echoes have not come back within a day."""
    echoes = echoing(desk.contest)
    if not echoes:
        return
    lost = tuple(
        f"{o.letter.forum} {o.number} {o.letter.subject.replace(',', ';')}"
        for o in desk.store.outbox().not_back(now - FORGOTTEN)
        if o.letter.forum in echoes and now - o.letter.at > PATIENCE
    )
    if not lost:
        return
    order = Command("echo-missing", {"letters": lost})
    outcome = hear(desk.contest, order, now, desk.templates)
    if outcome.entries:
        desk.keep(order, outcome, now=now)
