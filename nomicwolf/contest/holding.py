"""Letters that have come to wait for a ruling: the contestmaster is told of all of a poll's in one journal."""

from __future__ import annotations

import re

from nomicwolf.contest.work import Work
from nomicwolf.nomic.events import Noted

TOPIC = "held"
_NUMBER = re.compile(r"\d+")


def tell(work: Work) -> None:
    """Note once which letters wait that nobody was told of; those above the day's limits are told by their sum."""
    waiting = {number for number, held in work.contest.held.items() if not held.quiet}
    if not waiting:
        return
    told = {int(number) for topic, text in work.contest.noted if topic == TOPIC for number in _NUMBER.findall(text)}
    if new := sorted(waiting - told):
        which = ", ".join(map(str, new))
        work.add(Noted(TOPIC, f"Held since the last journal: {which}."), cause="clock")
