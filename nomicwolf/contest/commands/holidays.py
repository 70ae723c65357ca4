"""A nomic's holidays in the contestmaster's hand: recorded, and undone (D-N37)."""

from __future__ import annotations

import re

from nomicwolf.contest import reminding
from nomicwolf.contest.commands.persons import named_nomic
from nomicwolf.contest.happenings import Command, Misuse
from nomicwolf.contest.work import Work
from nomicwolf.nomic.care import HolidayDeclared, HolidayUndone
from nomicwolf.nomic.intents import GRACE
from nomicwolf.nomic.owed import deeds_owed
from nomicwolf.nomic.profiles import DAY
from nomicwolf.reading.day_spans import span
from nomicwolf.reports.times import iso, when
from nomicwolf.village.rules import Refusal

ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def holiday(work: Work, command: Command) -> str:
    """Record a holiday of a nomic's, or undo it: what would be due in it is due 72 hours after it (CFJ 2321, 3138)."""
    nomic = named_nomic(work.contest, command)
    days = span(f"{command.get('from')} to {command.get('to')}", work.now)
    if days is None or not all(ISO_DAY.fullmatch(command.get(key).strip()) for key in ("from", "to")):
        raise Misuse("Say the first day and then the last, like 2026-12-20 2027-01-03.", ("D-N37",))
    if command.get("undo"):
        return _undo_holiday(work, nomic, days, command.words("why", "Say why; all are told: --why.", ("D-N37",)))
    if command.get("why"):
        raise Misuse("Only with --undo is it told why.", ("D-N37",))
    if (nomic, *days) in work.contest.law.holidays:
        raise Refusal(f"The holiday in {nomic} from {when(days[0])} to {when(days[1])} is on record already.",
                      ("D-N37",))
    work.add(HolidayDeclared(nomic, *days), cites=("D-N37",), cause="command")
    return f"It is a holiday in {nomic} from {when(days[0])} to {when(days[1])}."


def _undo_holiday(work: Work, nomic: str, days: tuple[int, int], why: str) -> str:
    """Take back a holiday that was recorded by mistake: as if it ended now, be it before it begins (D-N37).

    So nothing is due less than 72 hours from now that it had put off; who was reminded of that is reminded again.
    """
    standing = [(since, until) for name, since, until in work.contest.law.holidays if name == nomic]
    if days not in standing:
        known = tuple(f"{iso(since)[:10]} {iso(until - DAY)[:10]}" for since, until in standing if until > work.now)
        raise Refusal(f"No holiday in {nomic} from {when(days[0])} to {when(days[1])} is on record.", ("D-N37",), known)
    if days[1] <= work.now:
        raise Refusal(f"It ended at {when(days[1])}: what it put off stays so, until {when(days[1] + GRACE)}, and "
                      "nothing else hangs on it. A ruling may say what follows.", ("D-N37",))
    before = {(owed.who, owed.verb): owed.until for owed in deeds_owed(work.contest)}
    work.add(HolidayUndone(nomic, *days, why), cites=("D-N37",), cause="command")
    for owed in deeds_owed(work.contest):
        told = work.contest.law.reminded.get((owed.who, owed.verb), ())
        if owed.until < before[owed.who, owed.verb] and any(at >= owed.since for at, _ in told):
            reminding.again(work, owed, "command")
    return (f"The holiday in {nomic} from {when(days[0])} to {when(days[1])} is undone. What it put off is due when it "
            f"would be without it, but not before {when(work.now + GRACE)}.")
